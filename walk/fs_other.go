//go:build unix && !linux

package walk

import (
	"io"
	"io/fs"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"

	"tally/walk/retry"
)

// openAt opens name, which ends with a NUL byte, relative to a directory.
func openAt(dirfd int, name *byte, flags int) (int, error) {
	return retry.Value(func() (int, error) {
		return unix.Openat(dirfd, unix.BytePtrToString(name), flags|unix.O_CLOEXEC, 0)
	})
}

func closeFD(fd int) { unix.Close(fd) }

func readFD(fd int, p []byte) (int, error) {
	n, err := retry.Value(func() (int, error) { return unix.Read(fd, p) })
	return max(n, 0), err
}

// listSize is unused room here; the standard library brings its own.
const listSize = 0

// readDir reads all names of the directory into l, in no order.
func readDir(fd int, _ []byte, l *listing) error {
	dup, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return err
	}
	f := os.NewFile(uintptr(dup), "")
	defer f.Close()
	for {
		entries, err := f.ReadDir(1024)
		for _, e := range entries {
			name := e.Name()
			l.add(unsafe.Slice(unsafe.StringData(name), len(name)), fileType(e.Type()), 0)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func fileType(m fs.FileMode) entryType {
	switch m & fs.ModeType {
	case 0:
		return typeFile
	case fs.ModeDir:
		return typeDir
	case fs.ModeSymlink:
		return typeLink
	}
	return typeSpecial
}
