package main

import (
	"errors"
	"io"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"tally/walk"
)

// grace is how long an interrupted run may take to write what it has, before
// it is ended as it stands.
const grace = 300 * time.Millisecond

// A watch ends a run early: at a signal or when its time is up.
type watch struct {
	s       *searcher
	u       atomic.Pointer[walk.Universe] // that is walked
	signals chan os.Signal
	done    chan struct{}
	reason  atomic.Pointer[error] // why the run was ended
	signal  atomic.Int32          // the signal that did it
}

var (
	errInterrupted = errors.New("interrupted")
	errTimeLimit   = errors.New("out of time")
)

// watch begins to watch for signals and, if there is one, the time limit of a
// run that has begun at start.
func (s *searcher) watch(u *walk.Universe, start time.Time) *watch {
	w := &watch{s: s, signals: make(chan os.Signal, 1), done: make(chan struct{})}
	// A reader that has gone away is seen when writing to it.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
		// A shell has its background jobs ignore the terminal's Ctrl-C, and
		// nohup what it is named for; so do we.
		if !signal.Ignored(sig) {
			signal.Notify(w.signals, sig)
		}
	}
	var limit <-chan time.Time
	if d, ok := s.args.TimeLimit.Get(); ok {
		if d -= time.Since(start); d <= 0 {
			w.reason.Store(&errTimeLimit) // rather than race with a short walk
		}
		limit = time.After(d)
	}
	w.follow(u)
	go w.wait(limit)
	return w
}

// follow says that from now on u is walked.
func (w *watch) follow(u *walk.Universe) {
	w.u.Store(u)
	if w.reason.Load() != nil {
		u.Stop()
	}
}

func (w *watch) wait(limit <-chan time.Time) {
	for {
		select {
		case <-w.done:
			return
		case <-limit:
			w.reason.CompareAndSwap(nil, &errTimeLimit)
			w.u.Load().Stop()
			w.s.meaning.interrupt()
			limit = nil
		case sig := <-w.signals:
			w.interrupt(sig.(syscall.Signal))
		}
	}
}

// interrupt ends the run. Under our own name it is given a moment to say what
// its result is worth; as ripgrep it just ends.
func (w *watch) interrupt(sig syscall.Signal) {
	w.s.pre.killAll()
	second := w.signal.Swap(int32(sig)) != 0
	w.reason.CompareAndSwap(nil, &errInterrupted)
	w.u.Load().Stop()
	w.s.meaning.interrupt()
	if w.s.ripgrep() || second {
		w.s.meaning.kill()
		w.restore()
		die(sig)
	}
	go func() {
		select {
		case <-w.done:
		case <-time.After(grace):
			w.s.meaning.kill()
			w.restore()
			io.WriteString(os.Stderr, "tally: PARTIAL: the run was interrupted; this result is no proof of absence\n")
			die(sig)
		}
	}()
}

// restore ends any colour on the terminal.
func (w *watch) restore() {
	if w.s.report.Color && isTerminal(os.Stdout) {
		io.WriteString(os.Stdout, "\x1b[0m")
	}
}

// stop ends the watch. If a signal has come it ends the process by it, so that
// the parent sees what it was.
func (w *watch) stop() {
	close(w.done)
	if w.signal.Load() != 0 {
		w.s.meaning.kill() // a grace for it would be a delay
	}
	w.s.meaning.close()
	if sig := w.signal.Load(); sig != 0 {
		w.restore()
		die(syscall.Signal(sig))
	}
}

// why returns what ended the run early: end, if the loop itself did, else what
// the watch saw.
func (w *watch) why(end error) error {
	if reason := w.reason.Load(); end == nil && reason != nil {
		return *reason
	}
	return end
}

// die ends the process by a signal.
func die(sig syscall.Signal) {
	signal.Reset(sig)
	syscall.Kill(os.Getpid(), sig)
	// It does not come back from there, unless the signal is ignored or blocked.
	time.Sleep(grace)
	os.Exit(128 + int(sig))
}
