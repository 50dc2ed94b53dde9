package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// forms are kinds of output.
var forms = [][]string{
	{"-n", "word"},
	{"--json", "word"},
	{"-l", "word"},
	{"-c", "word"},
	{"--vimgrep", "word"},
	{"-o", "word"},
	{"-C1", "word"},
	{"--files"},
	{"--rank", "word"},
	{"--rank", "--json", "word"},
	{"--fuzzy", "wrod"},
	{"--skipped"},
	{"--why"},
	{"--type-list"},
	{"--help"},
	{"--ledger=stdout", "word"},
	{"--ledger=first", "word"},
	{"--limit=1", "word"},
	{"--count-only", "word"},
}

// outputs has the output fail, or its reader go away or take its time.
func outputs(t *trials) error {
	for i := range 4 {
		text := fmt.Sprintf("before %d\na word %[1]d\nand after\n", i)
		if err := os.WriteFile(filepath.Join(t.dir, fmt.Sprintf("note%d.md", i)), []byte(text), 0o666); err != nil {
			return err
		}
	}
	for name, text := range map[string]string{".gitignore": "*.log\n", "left.log": "a word\n", ".git": ""} {
		if err := os.WriteFile(filepath.Join(t.dir, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	for _, args := range forms {
		args = append(args[:len(args):len(args)], t.dir)
		if err := fullDisk(t, args); err != nil {
			return err
		}
		if err := goneReader(t, args); err != nil {
			return err
		}
	}
	return slowReader(t)
}

// fullDisk: what cannot be written is not called whole.
func fullDisk(t *trials, args []string) error {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	defer full.Close()
	o, err := t.outcomeOf(args, func(cmd *exec.Cmd) { cmd.Stdout = full })
	if err == nil && (o.code != 2 || !bytes.Contains(o.stderr, []byte("No space left"))) {
		t.untrue("%q on a full disk: exit code %d: %.200s", args, o.code, o.stderr)
	}
	return err
}

// goneReader has the reader go away after each number of bytes in turn.
func goneReader(t *trials, args []string) error {
	whole, err := t.outcomeOf(args, nil)
	if err != nil {
		return err
	}
	length := len(whole.stdout)
	step := max(1, length/t.times(min(length, 2000)))
	for after := 0; after < length; after += step {
		r, w, err := os.Pipe()
		if err != nil {
			return err
		}
		seen := make(chan []byte, 1)
		go func() {
			b := make([]byte, after)
			n, _ := io.ReadFull(r, b)
			r.Close()
			seen <- b[:n]
		}()
		o, err := t.outcomeOf(args, func(cmd *exec.Cmd) { cmd.Stdout = w })
		w.Close()
		if err != nil {
			return err
		}
		if got := <-seen; !beginsLike(whole.stdout, got) {
			t.untrue("%q, of which %d bytes are read: %q", args, after, got)
		}
		if o.code != 0 || bytes.Contains(o.stderr, []byte("roken pipe")) {
			t.untrue("%q, of which %d bytes are read: exit code %d: %.200s", args, after, o.code, o.stderr)
		}
	}
	return nil
}

// beginsLike reports whether a text is the beginning of a whole, but for times, of which
// the last may be cut.
func beginsLike(whole, text []byte) bool {
	whole, text = same(whole), same(text)
	if cut := bytes.LastIndexAny(text, `":`); !bytes.HasPrefix(whole, text) && cut >= 0 {
		text = text[:cut]
	}
	return bytes.HasPrefix(whole, text)
}

// slowReader takes its time: all of it must arrive, and waiting costs nothing.
func slowReader(t *trials) error {
	const lines = 3000
	text := strings.Repeat("a word\n", lines)
	if err := os.WriteFile(filepath.Join(t.dir, "long"), []byte(text), 0o666); err != nil {
		return err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	if _, err := unix.FcntlInt(w.Fd(), unix.F_SETPIPE_SZ, 4096); err != nil {
		return err
	}
	seen := make(chan int, 1)
	go func() {
		n, b := 0, make([]byte, 64)
		for {
			got, err := r.Read(b)
			n += bytes.Count(b[:got], []byte("\n"))
			if err != nil {
				seen <- n
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	o, err := t.outcomeOf([]string{"-I", "word", filepath.Join(t.dir, "long")}, func(cmd *exec.Cmd) { cmd.Stdout = w })
	w.Close()
	if err != nil {
		return err
	}
	if n := <-seen; n != lines || o.code != 0 || o.busy > time.Second/2 {
		t.untrue("a slow reader got %d of %d lines, exit code %d, after %v of processor time", n, lines, o.code, o.busy)
	}
	return nil
}
