// Command trials makes a program's life hard in ways that a system call that fails
// does not (see faults for that), and checks that what it says stays true: a tree
// that changes while it is searched, an output that fails or is not read, other
// numbers of threads and other work beside it, and what it writes and connects to.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// A trial runs a program again and again.
type trial struct {
	name string
	run  func(*trials) error
}

var all = []trial{
	{"changing", changing},
	{"outputs", outputs},
	{"repeated", repeated},
	{"calls", calls},
}

// trials are what all trials need.
type trials struct {
	program string
	share   float64
	dir     string // for a trial's own files
	runs    int
	lies    []string
}

// patience is how long one run may take.
const patience = time.Minute

func main() {
	t := &trials{}
	flag.Float64Var(&t.share, "share", 1, "`part` of the runs that are made")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: trials [-share PART] PROGRAM [TRIAL...]")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	t.program = flag.Arg(0)
	failed := false
	for _, trial := range all {
		if names := flag.Args()[1:]; len(names) > 0 && !slices.Contains(names, trial.name) {
			continue
		}
		if err := t.try(trial); err != nil {
			failed = true
			fmt.Fprintf(os.Stderr, "trials: %s: %v\n", trial.name, err)
		}
	}
	if failed {
		os.Exit(1)
	}
}

func (t *trials) try(trial trial) (err error) {
	if t.dir, err = os.MkdirTemp("", "trials"); err != nil {
		return err
	}
	defer os.RemoveAll(t.dir)
	t.runs, t.lies = 0, nil
	began := time.Now()
	if err := trial.run(t); err != nil {
		return err
	}
	fmt.Printf("%s: %d runs in %d s, %d untrue\n", trial.name, t.runs, int(time.Since(began).Seconds()), len(t.lies))
	if len(t.lies) > 0 {
		return errors.New(strings.Join(t.lies[:min(len(t.lies), 10)], "\n  "))
	}
	return nil
}

// times is how often something is done that is done n times in full, at least once.
func (t *trials) times(n int) int { return max(1, int(math.Round(float64(n)*t.share))) }

func (t *trials) untrue(format string, args ...any) {
	t.lies = append(t.lies, fmt.Sprintf(format, args...))
}

// An outcome is what came of a run.
type outcome struct {
	stdout, stderr []byte
	code           int
	busy           time.Duration // processor time
}

// outcomeOf runs a command, whose standard output is collected unless it is set, and
// notes what no run may do: take too long, or end in a trace.
func (t *trials) outcomeOf(args []string, change func(*exec.Cmd)) (*outcome, error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, t.program, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if change != nil {
		change(cmd)
	}
	t.runs++
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return nil, err
	}
	state := cmd.ProcessState
	o := &outcome{stdout.Bytes(), stderr.Bytes(), state.ExitCode(), state.UserTime() + state.SystemTime()}
	if ctx.Err() != nil {
		t.untrue("%q: no end after %v", args, patience)
	} else if status := state.Sys().(syscall.WaitStatus); status.Signaled() {
		t.untrue("%q: ended by %v", args, status.Signal())
	}
	for _, trace := range []string{"goroutine ", "panic", "fatal error", "SIGSEGV"} {
		if bytes.Contains(o.stderr, []byte(trace)) {
			t.untrue("%q: a trace: %.300s", args, o.stderr)
		}
	}
	return o, nil
}
