package walk

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"tally/walk/retry"
)

// A Key is what a sorted universe is ordered by.
type Key uint8

const (
	ByPath Key = iota
	ByModified
	ByAccessed
	ByCreated
)

// A list holds the files of a sorted universe in their order.
type list struct {
	files []listed
	// What the walk that found them came to besides is told first.
	skips []*Skip
	fails []Error
}

// A listed file has no directory at hand; it is opened by a path.
type listed struct {
	root  *root
	path  Displayed
	below int    // where the names below the root begin in path
	place place  // where a census is kept
	time  int64  // nanoseconds since 1970
	timed bool   // the time is known
	sum   uint64 // of its stamp, if it was noted
}

// names returns the names below the root, "" for a root that is a file.
func (l *listed) names() string { return strings.TrimLeft(string(l.path[l.below:]), "/") }

// cut divides the list into segments.
func (l *list) cut() []*segment {
	if l == nil {
		return nil
	}
	var segs []*segment
	for from := 0; ; from += runLength {
		to := min(from+runLength, len(l.files))
		segs = append(segs, &segment{list: l, from: from, to: to})
		if to == len(l.files) {
			return segs
		}
	}
}

// visitList goes through a run of a sorted universe.
func (w *worker[P]) visitList(s *segment) {
	l := s.list
	if s.from == 0 {
		for _, skip := range l.skips {
			w.v.Skip(skip)
		}
		for _, e := range l.fails {
			w.v.Fail(e)
		}
	}
	for i := s.from; i < s.to && !w.m.halted(); i++ {
		w.f = File{listed: &l.files[i], root: l.files[i].root}
		w.v.File(&w.f)
	}
	w.done()
}

// Sorted walks u and returns a universe of the same files in another order:
// by a time, of which equal ones keep their path order and unknown ones come
// last, or by path over all roots. Times are read in parallel while walking.
func (u *Universe) Sorted(key Key, reverse bool) *Universe {
	l := &list{}
	for found := range Map(u, u.lister(key)) {
		l.files = append(l.files, found.files...)
		l.skips = append(l.skips, found.skips...)
		l.fails = append(l.fails, found.fails...)
	}
	slices.SortStableFunc(l.files, func(a, b listed) int {
		var c int
		switch {
		case key == ByPath:
			c = comparePaths(string(a.path), string(b.path))
		case a.timed && b.timed:
			c = cmp.Compare(a.time, b.time)
		case a.timed:
			c = -1
		case b.timed:
			c = 1
		}
		if reverse {
			c = -c
		}
		return c
	})
	return &Universe{c: u.c, roots: u.roots, list: l, messages: u.messages, maxOpen: u.maxOpen, ended: u.ended, watched: u.watched, nested: u.nested}
}

// comparePaths compares component by component, as bytes.
func comparePaths(a, b string) int {
	for {
		x, arest, amore := strings.Cut(a, "/")
		y, brest, bmore := strings.Cut(b, "/")
		if c := strings.Compare(x, y); c != 0 {
			return c
		}
		if !amore || !bmore {
			return cmp.Compare(len(arest), len(brest))
		}
		a, b = arest, brest
	}
}

// found is the part that a lister emits.
type found struct {
	files []listed
	skips []*Skip
	fails []Error
}

// Size counts nothing against the budget: the list is kept whole anyway.
func (f *found) Size() int { return 0 }

// lister makes visitors that note each file and its time.
func (u *Universe) lister(key Key) func(func(*found)) Visitor {
	return func(emit func(*found)) Visitor { return &lister{emit: emit, key: key, found: new(found)} }
}

type lister struct {
	emit  func(*found)
	key   Key
	found *found
	path  []byte
}

func (l *lister) File(f *File) {
	l.path = f.AppendPath(l.path[:0])
	file := listed{root: f.root, path: Displayed(l.path), below: len(f.root.display)}
	if f.root.census != nil && !f.Stdin() {
		p := f.place()
		file.place = place{p.dir, strings.Clone(p.name)}
	}
	if l.key != ByPath && !f.Stdin() {
		if t, err := f.time(l.key); err == nil {
			file.time, file.timed = t, true
		}
	}
	l.found.files = append(l.found.files, file)
}

func (l *lister) Skip(s *Skip) {
	l.found.skips = append(l.found.skips, s.keep())
}

func (l *lister) Fail(e Error) { l.found.fails = append(l.found.fails, e) }

func (l *lister) Done() {
	l.emit(l.found)
	l.found = new(found)
}

// time returns a time of the file in nanoseconds; of a link, that of what it
// leads to.
func (f *File) time(key Key) (int64, error) {
	if key == ByCreated {
		return f.created()
	}
	var st unix.Stat_t
	var err error
	if f.dir != nil {
		st, err = f.dir.stat(f.entry, true)
	} else {
		err = retry.Fstatat(unix.AT_FDCWD, f.root.path, &st, 0)
	}
	if err != nil {
		return 0, err
	}
	if key == ByAccessed {
		return accessed(&st), nil
	}
	return modified(&st), nil
}
