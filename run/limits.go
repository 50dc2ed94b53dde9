package run

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"tally/walk"
)

// limits end a run early: when its context ends or its time is up.
type limits struct {
	universe atomic.Pointer[walk.Universe] // that is walked
	reason   atomic.Pointer[error]         // why the run was ended
	done     chan struct{}
	// caller ends when the run is interrupted.
	caller context.Context
	// ctx ends when the run is to end, for whatever waits for something else
	// than files.
	ctx    context.Context
	cancel context.CancelFunc
}

var (
	errInterrupted = errors.New("interrupted")
	errTimeLimit   = errors.New("out of time")
)

// watch begins to wait for the end of ctx and, if there is one, of the time that
// the run has.
func (s *Session) watch(ctx context.Context) *limits {
	l := &limits{caller: ctx, done: make(chan struct{})}
	l.ctx, l.cancel = context.WithCancel(ctx)
	var due <-chan time.Time
	if s.Limited {
		left := s.TimeLimit - time.Since(s.start)
		if left <= 0 {
			l.stop(errTimeLimit) // rather than race with a short walk
		}
		due = time.After(left)
	}
	if ctx.Done() != nil || due != nil {
		go l.wait(ctx, due, s.input.Kill)
	}
	return l
}

func (l *limits) wait(ctx context.Context, due <-chan time.Time, kill func()) {
	for {
		select {
		case <-l.done:
			return
		case <-due:
			l.stop(errTimeLimit)
			due = nil
		case <-ctx.Done():
			kill()
			l.stop(errInterrupted)
			return
		}
	}
}

// stop ends what is going on.
func (l *limits) stop(reason error) {
	l.reason.CompareAndSwap(nil, &reason)
	if u := l.universe.Load(); u != nil {
		u.Stop()
	}
	l.cancel()
}

// follow says that from now on u is walked.
func (l *limits) follow(u *walk.Universe) {
	l.universe.Store(u)
	if l.reason.Load() != nil {
		u.Stop()
	}
}

// stopped reports whether the walk that is going on is to end.
func (l *limits) stopped() bool {
	u := l.universe.Load()
	return u != nil && u.Stopped()
}

// why returns what ended the run early: end, if the loop itself did, else what
// the limits saw. What waits for ctx may see an interruption before wait does.
func (l *limits) why(end error) error {
	reason := l.reason.Load()
	switch {
	case end != nil:
		return end
	case reason != nil:
		return *reason
	case l.caller.Err() != nil:
		return errInterrupted
	}
	return nil
}

// end ends the waiting.
func (l *limits) end() {
	close(l.done)
	l.cancel()
}
