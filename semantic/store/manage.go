package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Dir is the directory of the cache: tally, in the user's directory for caches.
// The variables are those of the XDG Base Directory Specification, which wants a
// relative path to be ignored.
func Dir(getenv func(string) string) (string, error) {
	if dir := getenv("XDG_CACHE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "tally"), nil
	}
	if home := getenv("HOME"); filepath.IsAbs(home) {
		return filepath.Join(home, ".cache", "tally"), nil
	}
	return "", errNoPlace
}

var errNoPlace = errors.New("there is no place for a cache: set XDG_CACHE_HOME or HOME to an absolute path")

// An Info is what one file of the cache holds.
type Info struct {
	Space
	Path    string
	Vectors int
	Damaged int       // entries that are of no use
	Bytes   int64     // on the disk
	Created time.Time // the day
	Used    time.Time // the day of the last use; zero if there are no vectors
	Problem string    // why it cannot be used, or ""
}

// Show says what a cache holds, by the order of names. It looks at all sums but
// those of vectors.
func Show(dir string) ([]Info, error) {
	paths, err := files(dir, suffix)
	var list []Info
	for _, path := range paths {
		info := Info{Path: path}
		if err := info.inspect(); err != nil {
			info.Problem = err.Error()
		}
		list = append(list, info)
	}
	return list, err
}

// files lists those of a directory that end so. A directory that is not there
// has none.
func files(dir, suffix string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var list []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), suffix) {
			list = append(list, filepath.Join(dir, e.Name()))
		}
	}
	return list, err
}

func (i *Info) inspect() error {
	file, err := os.Open(i.Path)
	if err != nil {
		return err
	}
	defer file.Close()
	var st unix.Stat_t
	if err := unix.Fstat(int(file.Fd()), &st); err != nil {
		return err
	}
	i.Bytes = st.Blocks * 512
	if i.Space, i.Created, err = readHeader(file); err != nil {
		return err
	}
	slots, bad, _, err := readSlots(file, layout{i.Dim})
	if err != nil {
		return err
	}
	i.Damaged = len(bad)
	for _, s := range slots {
		if !s.free {
			i.Vectors++
			if used := dateOf(s.day); used.After(i.Used) {
				i.Used = used
			}
		}
	}
	return nil
}

// Clear removes everything from a cache.
func Clear(dir string) (Pruned, error) {
	var done Pruned
	err := locked(dir, func() error {
		list, err := Show(dir)
		errs := []error{err, sweep(dir)}
		for _, info := range list {
			if err := os.Remove(info.Path); err != nil {
				errs = append(errs, err)
				continue
			}
			done.Files++
			done.Vectors += info.Vectors
			done.Bytes += info.Bytes
		}
		if err := os.Remove(filepath.Join(dir, modelsName)); !errors.Is(err, fs.ErrNotExist) {
			errs = append(errs, err)
		}
		return errors.Join(errs...)
	})
	return done, err
}

// locked calls a function under the lock of a directory, if there is one.
func locked(dir string, f func() error) error {
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	l, err := openLock(dir)
	if err != nil {
		return err
	}
	defer l.close()
	if err := l.with(f); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	return nil
}

// sweep removes files that were not finished. Under the lock nobody is at it.
func sweep(dir string) error {
	paths, err := files(dir, unfinished)
	for _, path := range paths {
		err = errors.Join(err, os.Remove(path))
	}
	return err
}
