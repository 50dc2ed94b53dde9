//go:build unix

package llama

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The runtime directory: one for each child, with two files in it.
//
//	tally-UID-RANDOM/   mode 0700, under $XDG_RUNTIME_DIR, $TMPDIR or /tmp
//	    lock            held by flock(2) for as long as the owner lives
//	    llama.sock      the child's, which never removes it
//
// A directory belongs to whoever holds the lock on the file that is at that
// place. The system lets go of it when a process ends, however it ends, so that
// a lock which can be had shows an owner who is gone: there is no process number
// that might by now be another's. Who finds such a directory ends what still
// listens on the socket and removes it.
const (
	lockName   = "lock"
	socketName = "llama.sock" // by the end of the name it is told from a host

	// maxSocket is how long the path of a socket may be, in bytes, without the
	// zero at its end.
	maxSocket = len(syscall.RawSockaddrUnix{}.Path) - 1
	// maxRandom is how many digits os.MkdirTemp adds at most.
	maxRandom = 10

	// newborn is the age below which a directory without a lock may be one that
	// is just being made.
	newborn = time.Minute

	// tries is how many directories are made until one is not swept before it
	// is locked. Against a process that does nothing but sweep five were too few
	// once in 5,000 times.
	tries = 50
)

// A runDir is a runtime directory of ours.
type runDir struct {
	path string
	lock *os.File
}

func (d *runDir) socket() string { return filepath.Join(d.path, socketName) }

// remove removes it. It is harmless to do so again.
func (d *runDir) remove() error {
	err := os.RemoveAll(d.path)
	d.lock.Close()
	return err
}

// prefix begins the names of this user's runtime directories.
func prefix() string { return "tally-" + strconv.Itoa(os.Getuid()) + "-" }

// bases are where runtime directories may be, best first.
func bases(getenv func(string) string) []string {
	all := []string{getenv("XDG_RUNTIME_DIR"), getenv("TMPDIR"), "/tmp"}
	all = slices.DeleteFunc(all, func(dir string) bool { return !filepath.IsAbs(dir) })
	return slices.Compact(all)
}

// newRunDir makes a runtime directory below the first base that will do, after
// it has swept all of them.
func newRunDir(bases []string) (*runDir, error) {
	var made *runDir
	var refused []error
	for _, base := range bases {
		err := trustworthy(base)
		if err == nil {
			sweep(base)
			err = fits(base)
		}
		if err == nil && made == nil {
			made, err = makeRunDir(base)
		}
		if err != nil {
			refused = append(refused, err)
		}
	}
	if made == nil {
		return nil, fmt.Errorf("there is no place for the llama-server's socket; set XDG_RUNTIME_DIR to a directory of your own with a short path: %w",
			errors.Join(refused...))
	}
	return made, nil
}

// trustworthy reports whether nobody but us and root can put something else in
// the place of what we make in a directory.
func trustworthy(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	owner := info.Sys().(*syscall.Stat_t).Uid
	switch {
	case !info.IsDir():
		return fmt.Errorf("%s: not a directory", dir)
	case owner != 0 && int(owner) != os.Getuid():
		return fmt.Errorf("%s: belongs to another user", dir)
	case info.Mode().Perm()&0o022 != 0 && info.Mode()&fs.ModeSticky == 0:
		return fmt.Errorf("%s: others may write to it", dir)
	}
	return nil
}

// fits reports whether a socket can be bound below a base.
func fits(base string) error {
	longest := filepath.Join(base, prefix()+strings.Repeat("0", maxRandom), socketName)
	if over := len(longest) - maxSocket; over > 0 {
		return fmt.Errorf("%s: the path is too long by %d bytes", base, over)
	}
	return nil
}

// makeRunDir makes a directory and locks it. Another process may sweep it before
// it is locked; then it makes another.
func makeRunDir(base string) (*runDir, error) {
	var last error
	for range tries {
		path, err := os.MkdirTemp(base, prefix())
		if err != nil {
			return nil, err
		}
		var lock *os.File
		if lock, last = own(path, os.O_CREATE); last == nil {
			return &runDir{path, lock}, nil
		}
		os.RemoveAll(path)
	}
	return nil, last
}

// errOwned says that a directory has an owner who is alive.
var errOwned = errors.New("owned by a living process")

// own takes the lock of a directory.
func own(path string, flag int) (*os.File, error) {
	name := filepath.Join(path, lockName)
	lock, err := os.OpenFile(name, os.O_RDWR|syscall.O_NOFOLLOW|flag, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = errOwned
	}
	if err == nil {
		// A lock on a file that has been removed meanwhile owns nothing.
		var here, there os.FileInfo
		if here, err = lock.Stat(); err == nil {
			there, err = os.Lstat(name)
		}
		if err == nil && !os.SameFile(here, there) {
			err = fs.ErrNotExist
		}
	}
	if err != nil {
		lock.Close()
		return nil, err
	}
	return lock, nil
}

// sweep removes what processes that were killed have left below a base. What it
// cannot remove it leaves to another time.
func sweep(base string) {
	entries, err := os.ReadDir(base)
	if err != nil {
		return
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix()) && e.IsDir() {
			sweepOne(filepath.Join(base, e.Name()))
		}
	}
}

func sweepOne(path string) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode() != fs.ModeDir|0o700 || int(info.Sys().(*syscall.Stat_t).Uid) != os.Getuid() {
		return
	}
	lock, err := own(path, 0)
	switch {
	case err == nil:
		defer lock.Close()
		if !endListener(filepath.Join(path, socketName)) {
			return
		}
	case !errors.Is(err, fs.ErrNotExist) || time.Since(info.ModTime()) < newborn:
		return
	}
	os.RemoveAll(path)
}
