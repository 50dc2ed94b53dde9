package input

import (
	"io"

	"tally/match"
	"tally/walk"
)

// This file keeps a run within its time where it waits for others: for a pipe to
// be opened or to send something, for a program to print. The system has no call
// for all of that which could be given up, so a goroutine of its own waits, and
// is left behind when the time is up. It may then hold its descriptor for as long
// as the process lives.

// stopped reports whether reading is to end.
func (in *Input) stopped() bool { return closed(in.stop) }

func closed(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}

// inTime makes a value, unless stop is closed before it has come; then undo gets
// it.
func inTime[T any](stop <-chan struct{}, work func() (T, error), undo func(T)) (T, error) {
	if stop == nil {
		return work()
	}
	type result struct {
		value T
		err   error
	}
	results := make(chan result)
	go func() {
		var r result
		r.value, r.err = work()
		select {
		case results <- r:
		case <-stop:
			if r.err == nil {
				undo(r.value)
			}
		}
	}()
	select {
	case r := <-results:
		return r.value, r.err
	case <-stop:
		var none T
		return none, match.ErrStopped
	}
}

// open opens a file. A named pipe keeps its reader waiting for a writer.
func (in *Input) open(f *walk.File) (walk.Handle, error) {
	if in.stop == nil || f.Regular() {
		return f.Open()
	}
	own := *f // the walk goes on to use f
	return inTime(in.stop, own.Open, func(h walk.Handle) { h.Close() })
}

// hurried reads r until stop is closed.
type hurried struct {
	r    io.Reader
	stop <-chan struct{}
	// room is what r reads into, which nobody else touches meanwhile.
	room []byte
	left bool // somebody is still reading into it
}

// hurriedMost is how much is read at once, in bytes: what a pipe holds.
const hurriedMost = 64 << 10

func (h *hurried) Read(p []byte) (int, error) {
	if h.left || closed(h.stop) {
		return 0, match.ErrStopped
	}
	if h.room == nil {
		h.room = make([]byte, hurriedMost)
	}
	room := h.room[:min(len(p), len(h.room))]
	n, err := inTime(h.stop, func() (int, error) {
		n, err := h.r.Read(room)
		if n > 0 {
			return n, nil // an error comes again, or at the end nothing does
		}
		return n, err
	}, func(int) {})
	h.left = err == match.ErrStopped
	return copy(p, room[:n]), err
}
