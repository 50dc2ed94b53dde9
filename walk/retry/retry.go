// Package retry makes system calls again that failed for a reason that passes: an
// interruption, or a resource that is not there at the moment. It must not know what
// the calls are for.
package retry

import (
	"errors"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

const (
	mostTries = 20               // after EAGAIN,
	pause     = time.Millisecond // with so much time between two
)

// Tries counts how often a call was made again; the zero value begins with none.
type Tries int

// Again reports whether a call that ended in err is to be made again, after some
// time if that may help. Of a call that is not to block, such as one for a pipe,
// EAGAIN may be the last word.
func (t *Tries) Again(err error) bool {
	if err == nil {
		return false
	}
	number, _ := errors.AsType[unix.Errno](err)
	switch number {
	case unix.EINTR:
		return true
	case unix.EAGAIN:
		if *t++; *t > mostTries {
			return false
		}
		time.Sleep(pause)
		return true
	}
	return false
}

// Do makes a call until it succeeds or fails for good.
func Do(call func() error) error {
	var tries Tries
	for {
		if err := call(); !tries.Again(err) {
			return err
		}
	}
}

// Value makes a call with a result until it succeeds or fails for good.
func Value[T any](call func() (T, error)) (T, error) {
	var tries Tries
	for {
		if v, err := call(); !tries.Again(err) {
			return v, err
		}
	}
}

// Fstat describes an open file.
func Fstat(fd int, st *unix.Stat_t) error {
	return Do(func() error { return unix.Fstat(fd, st) })
}

// Fstatat describes what a name leads to.
func Fstatat(dirfd int, name string, st *unix.Stat_t, flags int) error {
	return Do(func() error { return unix.Fstatat(dirfd, name, st, flags) })
}

// Stat describes what a path leads to, Lstat the link itself if it is one.
func Stat(path string) (fs.FileInfo, error) {
	return Value(func() (fs.FileInfo, error) { return os.Stat(path) })
}

// Lstat is described with [Stat].
func Lstat(path string) (fs.FileInfo, error) {
	return Value(func() (fs.FileInfo, error) { return os.Lstat(path) })
}

// Open opens a file.
func Open(path string, flags int) (int, error) {
	return Value(func() (int, error) { return unix.Open(path, flags, 0) })
}
