// Command races runs a search for a word that is always there, but moves, and
// counts what the search says: that the word is there, that this is unknown, or,
// which is never true, that it is absent.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
)

const word = "unicorn"

// A race is a word that moves between two places in a tree.
type race struct {
	what string
	// start puts the word in its first place, and returns what moves it between
	// that and the other, so that it is never in neither.
	start func(dir string) (move func(there bool) error, err error)
}

var races = []race{
	{"a file that is renamed from one directory to another", renamed},
	{"a line that is written to one file and removed from another", rewritten},
	{"a word that moves within a file that is mapped", mapped},
}

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: races PROGRAM RUNS")
		os.Exit(2)
	}
	runs, err := strconv.Atoi(os.Args[2])
	for _, r := range races {
		if err == nil {
			err = r.run(os.Args[1], runs)
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "races:", err)
		os.Exit(1)
	}
}

// run counts the verdicts of so many runs while the word moves.
func (r race) run(program string, runs int) error {
	dir, err := os.MkdirTemp("", "races")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := fill(dir); err != nil {
		return err
	}
	move, err := r.start(dir)
	if err != nil {
		return err
	}
	end, ended := make(chan struct{}), make(chan error)
	go func() {
		for there := true; ; there = !there {
			select {
			case <-end:
				ended <- nil
				return
			default:
			}
			if err := move(there); err != nil {
				<-end
				ended <- err
				return
			}
		}
	}()
	verdicts := map[int]int{}
	for range runs {
		err := exec.Command(program, "--absent", "-q", "--ledger=never", word, dir).Run()
		code := 0
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			code = exit.ExitCode()
		} else if err != nil {
			return err
		}
		verdicts[code]++
	}
	close(end)
	if err := <-ended; err != nil {
		return err
	}
	fmt.Printf("%s: %d present, %d unknown, %d absent\n", r.what, verdicts[1], verdicts[2], verdicts[0])
	return nil
}

// fill makes directories of files for the search to pass through.
func fill(dir string) error {
	for i := range 100 {
		sub := filepath.Join(dir, fmt.Sprintf("d%02d", i))
		if err := os.Mkdir(sub, 0o777); err != nil {
			return err
		}
		for j := range 20 {
			if err := os.WriteFile(filepath.Join(sub, fmt.Sprintf("f%02d", j)), []byte("some text\n"), 0o666); err != nil {
				return err
			}
		}
	}
	return nil
}

// places are two files, one that is read early and one that is read late.
func places(dir string) (early, late string) {
	return filepath.Join(dir, "d10", "word"), filepath.Join(dir, "d90", "word")
}

func renamed(dir string) (func(bool) error, error) {
	early, late := places(dir)
	return func(there bool) error {
		if there {
			return os.Rename(early, late)
		}
		return os.Rename(late, early)
	}, os.WriteFile(early, []byte(word), 0o666)
}

func rewritten(dir string) (func(bool) error, error) {
	early, late := places(dir)
	none := []byte("nothing")
	err := errors.Join(os.WriteFile(early, []byte(word), 0o666), os.WriteFile(late, none, 0o666))
	overwrite := func(path string, text []byte) error {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.WriteAt(text, 0)
		return errors.Join(err, f.Close())
	}
	return func(there bool) error {
		from, to := late, early
		if there {
			from, to = early, late
		}
		return errors.Join(overwrite(to, []byte(word)), overwrite(from, none))
	}, err
}

func mapped(dir string) (func(bool) error, error) {
	const size, early, late = 8 << 20, 1 << 20, 7 << 20
	path := filepath.Join(dir, "mapped")
	text := make([]byte, size)
	for i := range text {
		text[i] = 'x'
		if i%64 == 63 {
			text[i] = '\n'
		}
	}
	copy(text[early:], word)
	if err := os.WriteFile(path, text, 0o666); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := syscall.Mmap(int(f.Fd()), 0, size, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	none := []byte("xxxxxxx")
	return func(there bool) error {
		from, to := late, early
		if there {
			from, to = early, late
		}
		copy(b[to:], word)
		copy(b[from:], none)
		return nil
	}, err
}
