package store

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"
)

// A lock keeps other processes from writing in a directory. It is a file of its
// own, since others are replaced.
type lock struct{ file *os.File }

const lockName = "lock"

// patience is how long another process may hold the lock. Writing an entry takes
// microseconds, pruning a second for each gigabyte; who takes longer is stopped,
// and nobody waits for that one.
const patience = 3 * time.Second

var errBusy = errors.New("another process keeps it locked")

// openLock opens the lock of a directory, which it makes.
func openLock(dir string) (*lock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	file, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	return &lock{file}, nil
}

// with calls a function while no other holds the lock.
func (l *lock) with(f func() error) error {
	for began := time.Now(); ; time.Sleep(2 * time.Millisecond) {
		err := unix.Flock(int(l.file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if err == nil {
			break
		}
		if err == unix.EWOULDBLOCK && time.Since(began) > patience {
			return errBusy
		}
		if err != unix.EWOULDBLOCK && err != unix.EINTR {
			return &os.PathError{Op: "lock", Path: l.file.Name(), Err: err}
		}
	}
	defer unix.Flock(int(l.file.Fd()), unix.LOCK_UN)
	return f()
}

func (l *lock) close() error { return l.file.Close() }
