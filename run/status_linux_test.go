package run_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"tally/run"
	"tally/run/world"
)

// A scan that takes long shows how far it has come, takes that away before it shows
// anything else, and does neither where the output has another reader.
func TestStatus(t *testing.T) {
	for _, test := range []struct {
		name    string
		program string
		environ []string
		stdout  func(slave *os.File) *os.File // nil: the terminal
		shows   bool
	}{
		{"at a terminal", "tally", []string{"TERM=xterm"}, nil, true},
		{"into a file", "tally", []string{"TERM=xterm"}, func(*os.File) *os.File { return create(t) }, true},
		{"behind a pipe", "tally", []string{"TERM=xterm"}, func(*os.File) *os.File { return pipe(t) }, false},
		{"a dumb terminal", "tally", []string{"TERM=dumb"}, nil, false},
		{"no terminal that is known", "tally", nil, nil, false},
		{"as rg", "rg", []string{"TERM=xterm"}, nil, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			note, slow := filepath.Join(dir, "note"), filepath.Join(dir, "slow")
			if err := errors.Join(os.WriteFile(note, []byte("a slug\n"), 0o600), unix.Mkfifo(slow, 0o600)); err != nil {
				t.Fatal(err)
			}
			master, slave := terminal(t)
			w := world.World{Stdin: os.Stdin, Stdout: slave, Stderr: slave, Environ: test.environ}
			if test.stdout != nil {
				w.Stdout = test.stdout(slave)
			}
			s := run.New(w, []string{test.program, "--color=never", "slug", note, slow})
			s.StatusAfter(0)
			code := make(chan int, 1)
			go func() {
				code <- s.Run(t.Context())
				slave.Close()
			}()
			feed, err := os.OpenFile(slow, os.O_WRONLY, 0) // waits for the reader
			if err != nil {
				t.Fatal(err)
			}
			const status = "\r\x1b[Ktally: 1 file searched so far, 1 with matches"
			seen := make([]byte, 0, 4096)
			for test.shows && !bytes.Contains(seen, []byte(status)) {
				n, err := master.Read(seen[len(seen):cap(seen)])
				if err != nil {
					t.Fatalf("%q, and then %v", seen, err)
				}
				seen = seen[:len(seen)+n]
			}
			if !test.shows {
				time.Sleep(3 * run.Between) // it would be there by now
			}
			fmt.Fprintln(feed, "another slug")
			feed.Close()
			rest := make(chan []byte)
			go func() {
				b, _ := io.ReadAll(master)
				rest <- b
			}()
			if got := <-code; got != 0 {
				t.Errorf("exit code %d", got)
			}
			shown := append(seen, <-rest...)
			if got := bytes.Contains(shown, []byte("so far")); got != test.shows {
				t.Errorf("shown: %q", shown)
			}
			if !test.shows {
				return
			}
			drawn, erased := bytes.LastIndex(shown, []byte("so far")), bytes.LastIndex(shown, []byte("\r\x1b[K"))
			if drawn > erased {
				t.Errorf("the line is left: %q", shown)
			}
			for _, line := range bytes.Split(shown, []byte("\n")) {
				if at := bytes.LastIndex(line, []byte("\x1b[K")); at >= 0 && bytes.Contains(line, []byte("slug")) && bytes.Contains(line[at:], []byte("so far")) {
					t.Errorf("a result behind a status: %q", line)
				}
			}
		})
	}
}

func create(t *testing.T) *os.File {
	f, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func pipe(t *testing.T) *os.File {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close(); w.Close() })
	return w
}
