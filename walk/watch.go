package walk

import (
	"errors"
	"hash/maphash"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"tally/walk/retry"
)

// This file tells whether the universe has stayed as it was. A walk can read each
// place rightly and still miss a file that is moved from a directory not yet listed
// into one that was listed, or a line that is moved likewise between files. So what
// the walk has come to is looked at once more when all has been read. If nothing has
// changed by then, there was an instant at which all of it was as it was read: the
// end of the reading.

var (
	// ErrChanged is said of a file or directory that has changed meanwhile.
	ErrChanged = errors.New("changed during the run")
	// ErrWriter is said of a file that another program may change unseen.
	ErrWriter = errors.New("is open for writing, so that it may change unseen")
)

// A Stamp tells states of a file or directory apart: its identity, its size and
// the times at which its bytes and its attributes changed.
type Stamp struct {
	id                      fileID
	size, modified, changed int64
}

// Stamp returns the state that the file is in now; see StampOf.
func (h *Handle) Stamp() (Stamp, error) { return firstStamp(h.fd) }

// StampOf returns the state that a file is in now which was opened by others. It
// fails if the file can change without another one.
func StampOf(f *os.File) (Stamp, error) { return firstStamp(int(f.Fd())) }

// StampAgain returns the state that the file is in now, to be compared.
func (h *Handle) StampAgain() (Stamp, error) { return stampOf(h.fd) }

// StampOfAgain does so for a file which was opened by others.
func StampOfAgain(f *os.File) (Stamp, error) { return stampOf(int(f.Fd())) }

func stampOf(fd int) (Stamp, error) {
	var st unix.Stat_t
	if err := retry.Fstat(fd, &st); err != nil {
		return Stamp{}, err
	}
	return newStamp(&st), nil
}

func newStamp(st *unix.Stat_t) Stamp {
	return Stamp{idOf(st), st.Size, modified(st), st.Ctim.Nano()}
}

// firstStamp returns a stamp that every later change of the file makes another
// one, as far as the file system keeps time. A file that is open for writing may be
// mapped, and then be changed without one.
func firstStamp(fd int) (Stamp, error) {
	s, err := settledStamp(fd)
	if err == nil && s.size > 0 && hasWriter(fd) {
		err = ErrWriter
	}
	return s, err
}

// tick is a little more than the step of the coarsest clock that file times are
// taken from, of 100 Hz. Some file systems keep whole seconds, FAT even ones.
const (
	tick     = 11 * time.Millisecond
	longTick = 2 * time.Second
)

// settledStamp waits until the tick of the last change is over: another change
// within it would leave no trace.
func settledStamp(fd int) (Stamp, error) {
	for {
		s, err := stampOf(fd)
		if err != nil {
			return s, err
		}
		wait := s.unsettled(time.Now())
		if wait <= 0 {
			return s, nil
		}
		time.Sleep(wait)
	}
}

// unsettled returns how long the tick of the last change goes on. A time that is
// yet to come cannot be that of another change.
func (s Stamp) unsettled(now time.Time) time.Duration {
	step := tick
	if s.changed%int64(time.Second) == 0 {
		step = longTick
	}
	if age := time.Duration(now.UnixNano() - s.changed); age >= 0 {
		return step - age
	}
	return 0
}

// seed is that of the sums of stamps.
var seed = maphash.MakeSeed()

// sum is what is remembered of the stamp of a file, never 0.
func (s Stamp) sum() uint64 { return maphash.Comparable(seed, s) | 1 }

// Note remembers the state that the file was in when it was opened, for
// [Universe.Changed].
func (f *File) Note(s Stamp) { f.note(s.sum()) }

// Forget takes Note back: more need not be said of the file.
func (f *File) Forget() { f.note(0) }

func (f *File) note(sum uint64) {
	switch {
	case !f.root.c.Watch:
	case f.dir != nil:
		f.dir.sums[f.at] = sum
	case f.listed != nil:
		f.listed.sum = sum
	default:
		f.root.sum = sum
	}
}

// A watch holds the directories that were listed.
type watch struct {
	mu   sync.Mutex
	dirs []*dir
}

// watch remembers the state of a directory that is about to be listed.
func (u *Universe) watch(d *dir) (err error) {
	if d.stamp, err = settledStamp(d.fd); err != nil {
		return err
	}
	u.watched.mu.Lock()
	defer u.watched.mu.Unlock()
	u.watched.dirs = append(u.watched.dirs, d)
	return nil
}

// Changed returns an error for each directory that is not as it was when it was
// listed, and each file that is not as it was when it was noted, in path order.
func (u *Universe) Changed() []Error {
	var mu sync.Mutex
	var found []Error
	add := func(path Displayed, op Op, err error, again bool) {
		mu.Lock()
		defer mu.Unlock()
		found = append(found, Error{Path: path, Op: op, Err: err, Repeated: again})
	}
	dirs := u.watched.dirs
	parallel(u.c.Workers(), len(dirs), func(i int) { dirs[i].recheck(add) })
	if u.list != nil {
		files := u.list.files
		parallel(u.c.Workers(), len(files), func(i int) { files[i].recheck(add) })
	} else {
		for _, r := range u.roots {
			r.recheck(add)
		}
	}
	slices.SortFunc(found, func(x, y Error) int { return comparePaths(string(x.Path), string(y.Path)) })
	return found
}

// parallel calls do with 0 to n-1.
func parallel(workers, n int, do func(int)) {
	var wg sync.WaitGroup
	for w := range min(workers, n) {
		wg.Go(func() {
			for i := w; i < n; i += workers {
				do(i)
			}
		})
	}
	wg.Wait()
}

// report takes an error of the second look.
type report func(path Displayed, op Op, err error, repeated bool)

// recheck looks again at a directory and the files in it that were noted.
func (d *dir) recheck(add report) {
	fd, err := d.reopen()
	if err != nil {
		add(d.displayed(), OpRelist, err, d.elsewhere)
		return
	}
	defer closeFD(fd)
	now, err := stampOf(fd)
	if err == nil && now != d.stamp {
		err = ErrChanged
	}
	if err != nil {
		add(d.displayed(), OpRelist, err, d.elsewhere)
	}
	flags := 0
	if !d.root.follow {
		flags = unix.AT_SYMLINK_NOFOLLOW
	}
	for i, sum := range d.sums {
		if sum == 0 {
			continue
		}
		name := d.entryName(&d.entries[i])
		var st unix.Stat_t
		if err := compare(retry.Fstatat(fd, name, &st, flags), &st, sum); err != nil {
			add(d.displayedEntry(name), OpChange, err, false)
		}
	}
}

func (l *listed) recheck(add report) {
	path := string(appendName([]byte(l.root.path), l.names()))
	if l.names() == "" {
		path = l.root.path
	}
	recheckPath(path, l.sum, l.path, add)
}

func (r *root) recheck(add report) { recheckPath(r.path, r.sum, r.display, add) }

// recheckPath looks again at a file that was noted, if it was.
func recheckPath(path string, sum uint64, display Displayed, add report) {
	if sum == 0 {
		return
	}
	fd, err := openPath(path, unix.O_RDONLY|unix.O_NONBLOCK)
	var st unix.Stat_t
	if err == nil {
		err = retry.Fstat(fd, &st)
		closeFD(fd)
	}
	if err = compare(err, &st, sum); err != nil {
		add(display, OpChange, err, false)
	}
}

// compare returns err or, if st is not what the sum was made of, ErrChanged.
func compare(err error, st *unix.Stat_t, sum uint64) error {
	if err == nil && newStamp(st).sum() != sum {
		err = ErrChanged
	}
	return err
}
