package ignore

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"

	"tally/walk/retry"
)

var (
	errSpecial  = errors.New("is no regular file, and might have no end")
	errTooLarge = fmt.Errorf("has more than %d MB of rules", mostBytes>>20)
	errTooLong  = fmt.Errorf("has a line of more than %d KB", mostLine>>10)
	errNowhere  = errors.New("was listed, but is not there; it may be a link that leads nowhere")
)

// Compiled rules take some hundred times the memory of their text. No list that a
// person keeps is as long as this.
const (
	mostBytes = 8 << 20
	mostLine  = 64 << 10
	mostRead  = 1 << 30 // of any file, also one without rules
)

// bounded returns an error if a file holds more rules than are read.
func bounded(data []byte) error {
	if len(data) > mostBytes {
		return errTooLarge
	}
	for line := range bytes.Lines(data) {
		if len(line) > mostLine && line[0] != '#' {
			return errTooLong
		}
	}
	return nil
}

// ReadAll reads an open file of rules. What is neither a file nor a directory might
// have no end, so that it is an error, unless it is empty as the null device is.
func ReadAll(fd int) ([]byte, error) {
	var st unix.Stat_t
	if err := retry.Fstat(fd, &st); err != nil {
		return nil, err
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG, unix.S_IFDIR:
		if st.Size > mostRead {
			return nil, errTooLarge
		}
	case unix.S_IFCHR:
		var b [1]byte
		n, err := retry.Value(func() (int, error) { return unix.Read(fd, b[:]) })
		if n != 0 || err != nil {
			return nil, errSpecial
		}
		return nil, nil
	default:
		return nil, errSpecial
	}
	data := make([]byte, 0, st.Size+1)
	for {
		n, err := retry.Value(func() (int, error) { return unix.Read(fd, data[len(data):cap(data)]) })
		data = data[:len(data)+max(n, 0)]
		if n <= 0 || err != nil {
			return data, err
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

// readFile reads a file of rules or of configuration.
func readFile(path string) ([]byte, error) {
	fd, err := retry.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	return ReadAll(fd)
}

// absent reports whether an error means that there is no such file, and thus
// that no rule was missed. A directory of that name is none either.
func absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EISDIR)
}

// An osDirectory is a directory above a root, which nobody lists.
type osDirectory string

func (d osDirectory) Path() string { return strings.TrimSuffix(string(d), "/") }

func (d osDirectory) ReadFile(name string) ([]byte, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(string(d), name)
	}
	return readFile(name)
}

// foundOrder makes sure that errors do not depend on the order of a map.
var foundOrder = slices.Sorted(maps.Keys(foundNames))

// found returns the names that matter in the directory, and an error if it cannot be
// told which are there.
func (d osDirectory) found(relevant Found) (has Found, err error) {
	for _, name := range foundOrder {
		bit := foundNames[name]
		if relevant&bit == 0 {
			continue
		}
		stat := retry.Stat
		if bit == HasGitignore {
			stat = retry.Lstat
		}
		info, err := stat(filepath.Join(string(d), name))
		switch {
		case err == nil && (info.Mode()&fs.ModeSymlink != 0 || info.IsDir() && bit&(HasGit|HasJJ) == 0):
		case err == nil:
			has |= bit
		case !absent(err):
			return has, &ReadError{Source: join(d.Path(), name), Err: cause(err)}
		}
	}
	return has, nil
}

// cause strips the path from an error of the file system.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
