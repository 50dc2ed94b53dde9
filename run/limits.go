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
	late   atomic.Bool // nobody is waited for any more
}

// patience is how long workers may take to notice that the time is up, before
// the run goes on without them. They ask between one buffer and the next; what
// they may be held up in is a file that does not answer, or a pattern of PCRE2
// that tries very many ways.
const patience = 30 * time.Millisecond

var (
	errInterrupted = errors.New("interrupted")
	errTimeLimit   = errors.New("out of time")
)

// watch begins to wait for the end of ctx and, if there is one, of the time that
// the run has.
func (s *Session) watch(ctx context.Context) *limits {
	l := &limits{caller: ctx, done: make(chan struct{})}
	l.ctx, l.cancel = context.WithCancel(ctx)
	return l
}

// begin begins to wait. The time that is up at once is up before anything is
// walked, rather than in a race with a short walk.
func (l *limits) begin(s *Session) {
	var due <-chan time.Time
	if s.Limited {
		left := s.TimeLimit - time.Since(s.start)
		if left <= 0 {
			l.stop(errTimeLimit)
		}
		due = time.After(left)
	}
	if l.caller.Done() != nil || due != nil {
		go l.wait(due, s.input.Kill)
	}
}

// wait ends the run in time. kill ends the programs that it has started.
func (l *limits) wait(due <-chan time.Time, kill func()) {
	var late <-chan time.Time
	for {
		select {
		case <-l.done:
			return
		case <-due:
			l.stop(errTimeLimit)
			kill()
			due, late = nil, time.After(patience)
		case <-late:
			l.abandon()
			late = nil
		case <-l.caller.Done():
			kill()
			l.stop(errInterrupted)
			return
		}
	}
}

// abandon goes on without whoever is still at work.
func (l *limits) abandon() {
	l.late.Store(true)
	if u := l.universe.Load(); u != nil {
		u.Abandon()
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
	if l.late.Load() {
		u.Abandon()
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

// overdue is how far past its time limit a run may be, and still is how long it
// may then write nothing: together what anybody waits for it beyond the limit.
const (
	overdue = 70 * time.Millisecond
	still   = 25 * time.Millisecond
	// finishing is what a run that draws up its account is given besides: on a busy
	// machine what was found is worth more than keeping to the limit.
	finishing = time.Second
)

// Overdue returns when the run's time limit has passed and the run neither ends
// nor writes: it reads patterns that do not come, it compiles or sorts, or nobody
// takes its output. It never returns where there is no limit.
func (s *Session) Overdue() {
	if !s.Limited {
		select {}
	}
	time.Sleep(s.TimeLimit + overdue)
	for before := int64(-1); ; time.Sleep(still) {
		now := s.written.Load()
		if now == before && s.finishing.CompareAndSwap(true, false) {
			time.Sleep(finishing)
		} else if now == before {
			return
		}
		before = now
	}
}

// A watchedOutput notes how much of a session's results has been taken.
type watchedOutput Session

// outputPiece is how much is written between two notes, in bytes.
const outputPiece = 16 << 10

func (o *watchedOutput) Write(p []byte) (n int, err error) {
	for n < len(p) && err == nil {
		var m int
		m, err = o.stdout.Write(p[n:min(n+outputPiece, len(p))])
		n += m
		o.written.Add(int64(m))
	}
	return n, err
}
