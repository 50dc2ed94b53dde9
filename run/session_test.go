package run_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"tally/run"
	"tally/run/world"
	"tally/testdata/vault"
)

// sessions are command lines that each do something else. The first word is the
// name that the program is called by; one that begins with < is standard input.
// The search for near misses has no limit in time here, since the machine is busy.
var sessions = [][]string{
	{"tally", "agent"},
	{"tally", "-n", "agent", "logs"},
	{"tally", "-c", "agent"},
	{"tally", "-l", "the"},
	{"tally", "--json", "agent"},
	{"tally", "--limit", "3", "agent"},
	{"tally", "--limit", "3", "--offset", "5", "--json", "agent"},
	{"tally", "-i", "-w", "AGENT", "."},
	{"tally", "--explain-zero=always", "--absent", "no such words anywhere"},
	{"tally", "--absent", "agent"},
	{"tally", "--absent", "-e", "agent", "-e", "the"},
	{"tally", "--explain-zero=always", "Agnet"},
	{"tally", "--explain-zero=always", "fal.ai"},
	{"tally", "--regex", "a(g|x)ent"},
	{"tally", "--explain-zero=always", "--regex", "a(g"},
	{"tally", "-P", "(?<=a)gent"},
	{"tally", "--multiline", "--regex", "agent\\n"},
	{"tally", "-v", "-c", "e"},
	{"tally", "-o", "agent", "logs"},
	{"tally", "-C", "1", "agent", "logs"},
	{"tally", "--rank", "what did the agent do"},
	{"tally", "--rank", "--json", "what did the agent do"},
	{"tally", "--rank", "--fuzzy", "agnet"},
	{"tally", "--fuzzy", "agnet"},
	{"tally", "--fuzzy", "-c", "agnet"},
	{"tally", "--fuzzy", "--json", "agnet"},
	{"tally", "--files"},
	{"tally", "--files", "--sortr", "path"},
	{"tally", "--sort", "path", "agent"},
	{"tally", "--skipped"},
	{"tally", "--skipped", "--json"},
	{"tally", "--why", ".", "ignored.md", "nowhere"},
	{"tally", "--why", "--json", "ignored.md"},
	{"tally", "--audit", "-c", "agent"},
	{"tally", "--hidden", "-c", "agent"},
	{"tally", "-u", "-c", "agent"},
	{"tally", "--pre", "./shout", "AGENT", "logs"},
	{"tally", "-z", "agent", "packed.gz"},
	{"tally", "--explain-zero=always", "agent", "packed.gz"},
	{"tally", "-g", "*.md", "--type", "md", "-c", "agent"},
	{"tally", "--count-only", "agent"},
	{"tally", "--stats", "--ledger=always", "-q", "agent"},
	{"tally", "--meaning", "agent"},
	{"tally", "--replace", "x", "agent", "logs"},
	{"tally", "--time-limit", "1h", "-c", "agent"},
	{"tally", "--no-such-flag"},
	{"tally"},
	{"tally", "--help"},
	{"tally", "-V"},
	{"tally", "--type-list"},
	{"tally", "--generate=complete-bash"},
	{"tally", "--explain-zero=never", "agent", "nowhere"},
	{"rg", "agent"},
	{"rg", "-c", "a[g]ent"},
	{"rg", "--json", "agent"},
	{"rg", "no such words"},
	{"rg", "--files"},
	{"rg", "a("},
	{"<an agent\nand none\n", "tally", "-n", "agent"},
	{"<an agent\nand none\n", "rg", "-c", "agent", "-"},
	{"<agent\nthe\n", "tally", "-c", "-f", "-", "."},
}

// elapsed is what differs from run to run in what JSON and statistics say.
var elapsed = regexp.MustCompile(`"(secs|nanos)":\d+|"human":"[^"]*"|\d+\.\d+ seconds`)

// An outcome is what a run said.
type outcome struct {
	stdout, stderr string
	code           int
}

func newOutcome(stdout, stderr *bytes.Buffer, code int) outcome {
	return outcome{elapsed.ReplaceAllString(stdout.String(), ""), elapsed.ReplaceAllString(stderr.String(), ""), code}
}

// input takes standard input off a command line; nil: there is none.
func input(argv []string) (io.Reader, []string) {
	if text, ok := strings.CutPrefix(argv[0], "<"); ok {
		return strings.NewReader(text), argv[1:]
	}
	return nil, argv
}

// Many sessions side by side in one process say each what a process of its own
// says.
func TestSessionsSideBySide(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "vault")
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(vault.Generate(dir))
	must(os.WriteFile(filepath.Join(dir, ".ignore"), []byte("ignored.md\n"), 0o666))
	must(os.WriteFile(filepath.Join(dir, "ignored.md"), []byte("an agent\n"), 0o666))
	must(os.WriteFile(filepath.Join(dir, "shout"), []byte("#!/bin/sh\ntr a-z A-Z\n"), 0o755))
	must(os.WriteFile(filepath.Join(dir, "packed"), []byte("an agent\n"), 0o666))
	must(exec.Command("gzip", filepath.Join(dir, "packed")).Run())
	environ := append(os.Environ(), "TALLY_MEANING=off")
	ctx := t.Context()
	alone := make([]outcome, len(sessions))
	for i, argv := range sessions {
		alone[i] = inProcess(t, ctx, dir, environ, argv)
	}
	before := runtime.NumGoroutine()
	beside := make([]outcome, len(sessions))
	var all sync.WaitGroup
	for i, argv := range sessions {
		all.Go(func() {
			stdin, argv := input(argv)
			var stdout, stderr bytes.Buffer
			s := run.New(world.World{Stdin: stdin, Stdout: &stdout, Stderr: &stderr, Environ: environ, Dir: dir}, argv)
			beside[i] = newOutcome(&stdout, &stderr, s.Run(ctx))
		})
	}
	all.Wait()
	for i, argv := range sessions {
		if beside[i] != alone[i] {
			t.Errorf("%q beside others:\n%+v\nalone:\n%+v", argv, beside[i], alone[i])
		}
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Errorf("%d goroutines are left of %d", runtime.NumGoroutine(), before)
}

// inProcess runs a command line as a process of its own.
func inProcess(t *testing.T, ctx context.Context, dir string, environ, argv []string) outcome {
	t.Helper()
	stdin, argv := input(argv)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, environ, stdin
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		t.Fatalf("%q: %v", argv, err)
	}
	return newOutcome(&stdout, &stderr, cmd.ProcessState.ExitCode())
}

// A session whose context ends says that its result is a part.
func TestSessionEnds(t *testing.T) {
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	var stdout, stderr bytes.Buffer
	s := run.New(world.World{Stdin: r, Stdout: &stdout, Stderr: &stderr, Dir: t.TempDir()}, []string{"tally", "word"})
	code := make(chan int)
	go func() { code <- s.Run(ctx) }()
	io.WriteString(w, "nothing\n")
	cancel()
	w.Close()
	select {
	case c := <-code:
		if c != 2 || !strings.Contains(stderr.String(), "PARTIAL") {
			t.Errorf("exit code %d, %q", c, stderr.String())
		}
	case <-time.After(10 * time.Second):
		t.Error("the session goes on")
	}
}
