//go:build unix

// Package preprocess has another program read a file and reads what that
// prints (--pre). It must not know what is searched for, or how errors are
// displayed.
package preprocess

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

const (
	// stderrKept is how much of a program's complaints is kept; the rest is
	// read and dropped, so that it never waits for a reader.
	stderrKept = 64 << 10
	// grace is how long a program whose output is no longer wanted may go on
	// without noticing.
	grace = time.Second
	// afterlife is how long what it has started may hold its standard error
	// open.
	afterlife = 200 * time.Millisecond
)

// A Program is run once for each file, in a process group of its own.
type Program struct {
	name string // as it was given, which it finds as its own name
	path string // where it is
	dir  string // where it runs, "" for the process's own directory
	env  []string

	mu     sync.Mutex
	groups map[int]bool // those that are running
	killed bool
}

// New returns the program that the command name stands for and that is at path.
// It runs in the directory dir, "" for the process's own, with the environment
// env, nil for the process's own. Whether it is there shows when it is started.
func New(name, path, dir string, env []string) *Program {
	return &Program{name: name, path: path, dir: dir, env: env, groups: map[int]bool{}}
}

// A Failure says that a program ended as failed.
type Failure struct {
	// Stderr is what it wrote to standard error, or the beginning of that.
	Stderr []byte
}

func (f *Failure) Error() string { return "the program failed" }

// A Run is a program that reads one file.
type Run struct {
	p      *Program
	cmd    *exec.Cmd
	out    *os.File
	stderr bounded
	ended  bool
}

// Start runs the program for the file at path, which is also its standard
// input.
func (p *Program) Start(path string, file *os.File) (*Run, error) {
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer in.Close()
	r := &Run{p: p, out: out}
	r.cmd = &exec.Cmd{
		Path: p.path, Args: []string{p.name, path}, Dir: p.dir, Env: p.env,
		Stdin: file, Stdout: in, Stderr: &r.stderr,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true},
		WaitDelay:   afterlife,
	}
	// Nobody must be able to start one behind KillAll's back.
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.killed {
		err = syscall.ECANCELED
	} else {
		err = r.cmd.Start()
	}
	if err != nil {
		out.Close()
		return nil, err
	}
	p.groups[r.cmd.Process.Pid] = true
	return r, nil
}

// Read reads what the program prints. If it then turns out to have failed, a
// [*Failure] takes the place of io.EOF.
func (r *Run) Read(b []byte) (int, error) {
	if r.ended {
		return 0, io.EOF
	}
	n, err := r.out.Read(b)
	if n > 0 || err != io.EOF {
		return n, err
	}
	if err := r.end(); err != nil {
		return 0, err
	}
	return 0, io.EOF
}

// Close ends a program whose output was not read to its end. That it then
// fails is no error, unless it has something to say about it.
func (r *Run) Close() error {
	if r.ended {
		return nil
	}
	pid := r.cmd.Process.Pid
	timer := time.AfterFunc(grace, func() { syscall.Kill(-pid, syscall.SIGKILL) })
	defer timer.Stop()
	r.out.Close()
	err := r.end()
	var failure *Failure
	if errors.As(err, &failure) && len(failure.Stderr) == 0 {
		return nil
	}
	return err
}

// end waits for the program and ends what it has left running in its group.
func (r *Run) end() error {
	r.ended = true
	r.out.Close()
	err := r.cmd.Wait()
	pid := r.cmd.Process.Pid
	syscall.Kill(-pid, syscall.SIGKILL)
	r.p.mu.Lock()
	delete(r.p.groups, pid)
	r.p.mu.Unlock()
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		return &Failure{bytes.TrimSpace(r.stderr.kept)}
	case errors.Is(err, exec.ErrWaitDelay):
		return nil // it ended well; something else holds its standard error
	}
	return err
}

// KillAll ends all programs that are running, and lets no other start: the run
// is over.
func (p *Program) KillAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.killed = true
	for pid := range p.groups {
		syscall.Kill(-pid, syscall.SIGKILL)
	}
}

// bounded keeps the beginning of what is written to it.
type bounded struct{ kept []byte }

func (b *bounded) Write(p []byte) (int, error) {
	b.kept = append(b.kept, p[:min(len(p), stderrKept-len(b.kept))]...)
	return len(p), nil
}
