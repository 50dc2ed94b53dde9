package run_test

import (
	"bufio"
	"context"
	"io"
	"path/filepath"
	"testing"
	"time"

	"tally/run"
	"tally/run/world"
)

// What has been found is shown while the search waits for more: here for standard
// input, which comes to its end only when all of the rest has been read.
func TestResultsComeWhileTheSearchWaits(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a", "b", "c"} {
		write(t, filepath.Join(dir, name), "word "+name+"\n")
	}
	stdin, typed := io.Pipe()
	shown, stdout := io.Pipe()
	w := world.World{Dir: dir, Stdin: stdin, Stdout: stdout, Stderr: io.Discard}
	code := make(chan int, 1)
	go func() {
		code <- run.New(w, []string{"tally", "-j2", "word", "a", "b", "c", "-"}).Run(context.Background())
		stdout.Close()
	}()
	defer typed.Close()
	lines := make(chan string)
	go func() {
		for s := bufio.NewScanner(shown); s.Scan(); {
			lines <- s.Text()
		}
		close(lines)
	}()
	for _, want := range []string{"a:word a", "b:word b", "c:word c"} {
		select {
		case got := <-lines:
			if got != want {
				t.Fatalf("%q, want %q", got, want)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%q does not come", want)
		}
	}
	io.WriteString(typed, "word typed\n")
	typed.Close()
	if got := <-lines; got != "<stdin>:word typed" {
		t.Errorf("at the end: %q", got)
	}
	if c := <-code; c != 0 {
		t.Errorf("exit code %d", c)
	}
}
