package retry

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestDo(t *testing.T) {
	for _, c := range []struct {
		errs  []error // of one call after another; nil behind them
		want  error
		calls int
	}{
		{nil, nil, 1},
		{[]error{unix.EINTR, unix.EAGAIN, unix.EINTR}, nil, 4},
		{[]error{unix.EIO}, unix.EIO, 1},
		{[]error{unix.EINTR, unix.ESTALE}, unix.ESTALE, 2},
	} {
		calls := 0
		err := Do(func() error {
			calls++
			if calls <= len(c.errs) {
				return c.errs[calls-1]
			}
			return nil
		})
		if err != c.want || calls != c.calls {
			t.Errorf("%v: %v after %d calls, want %v after %d", c.errs, err, calls, c.want, c.calls)
		}
	}
	calls := 0
	if err := Do(func() error { calls++; return unix.EAGAIN }); err != unix.EAGAIN || calls != mostTries+1 {
		t.Errorf("a call that is never served: %v after %d calls", err, calls)
	}
}
