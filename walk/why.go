package walk

import (
	"path/filepath"
	"slices"
	"strings"

	"tally/walk/retry"
)

// An Answer says what the universe makes of one path.
type Answer struct {
	Path string // the question
	// InScope is true of a file that a search would read and of a directory
	// that it would enter, or would if they existed.
	InScope       bool
	Exists, IsDir bool
	// Where InScope is false, Reason says why, and At what was left out: the
	// path or a directory above it. Rule is what decided, also where that
	// put the path in scope.
	Reason Reason
	At     Displayed
	Rule   Rule
	// Err is set if the answer could not be found.
	Err *Error
}

// Why says whether a path, which need not exist, is in the universe of a search
// of the working directory, and which rule decided; for a path outside, in that
// of a search of its own directory. It goes down from there by the same steps
// as a walk.
func (u *Universe) Why(path string) Answer {
	a := Answer{Path: path, At: Displayed(path)}
	if info, err := retry.Lstat(u.c.open(path)); err == nil {
		a.Exists, a.IsDir = true, info.IsDir()
	} else {
		a.IsDir = strings.HasSuffix(path, "/")
	}
	if len(u.failures) > 0 {
		a.Err = &u.failures[0]
		return a
	}
	top, names := u.above(path)
	seg := &segment{root: top, into: true}
	var d *dir // nil: seg is to be entered
	// enter enters the directory behind the first n names, and reports whether it
	// could.
	enter := func(n int) bool {
		var errs []Error
		d, a.Reason, errs = u.ask(seg, n, top.path+"\x00"+strings.Join(names[:n], "/"))
		if len(errs) > 0 {
			a.Err = &errs[0]
		}
		return d != nil && len(errs) == 0
	}
	for i, name := range names {
		if d == nil && !enter(i) {
			return a
		}
		last := i == len(names)-1
		isDir := !last || a.IsDir
		v := verdict(search)
		e, at := d.find(name)
		if e != nil {
			v = u.decide(d, e, &a.Rule)
			isDir = e.typ == typeDir
			// It is listed, even if nobody may look at it.
			a.Exists = a.Exists || last
		} else {
			v = u.decideName(d, name, isDir, &a.Rule)
		}
		a.At = d.displayedEntry(name)
		switch {
		case v == failed:
			err := d.failure(e)
			a.Err = &err
			return a
		case v >= skipped:
			a.Reason = Reason(v - skipped)
			a.IsDir = a.IsDir || last && isDir
			return a
		case e != nil && isDir:
			a.IsDir = a.IsDir || last
			seg, d = &segment{root: top, dir: d, from: at, to: at + 1, into: true}, nil
		case last:
			a.IsDir = isDir
		default:
			d = d.below(name)
		}
	}
	// Whether a search would enter the directory that was asked about is known once it
	// is: it may be a loop, or lie on another file system.
	if d == nil && !enter(len(names)) {
		return a
	}
	a.InScope = true
	return a
}

// above returns the root below which a path is judged, and the names from there
// to the path.
func (u *Universe) above(path string) (*root, []string) {
	abs := path
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(u.c.Cwd, path)
	}
	abs = filepath.Clean(abs)
	r := &root{path: u.c.open("."), follow: u.c.Follow}
	rest, inside := strings.CutPrefix(abs, strings.TrimSuffix(u.c.Cwd, "/")+"/")
	switch {
	case abs == u.c.Cwd || abs == "/":
		return r, nil
	case !inside:
		r.path, rest = filepath.Split(abs)
		r.display = Displayed(r.path)
		r.globBase = globBase(r.path, u.c.Cwd)
	}
	return r, strings.Split(rest, "/")
}

// asked is a directory on the way to the path that was asked for last. Questions
// about thousands of paths in one directory list it once.
type asked struct {
	place string // the top and the names below it
	dir   *dir
}

// ask enters the directory of s, the i-th on the way, unless the way of the last
// question led through it.
func (u *Universe) ask(s *segment, i int, place string) (*dir, Reason, []Error) {
	if i < len(u.asked) && u.asked[i].place == place {
		return u.asked[i].dir, 0, nil
	}
	d, reason, errs := u.enter(s, make([]byte, listSize))
	u.asked = u.asked[:min(i, len(u.asked))]
	if d != nil && len(errs) == 0 && len(u.asked) == i {
		u.asked = append(u.asked, asked{place, d})
	}
	if d != nil {
		d.close(u) // it is opened by its path where need be
	}
	return d, reason, errs
}

// find returns the entry of a name and its place, nil if there is none.
func (d *dir) find(name string) (*entry, int) {
	i, found := slices.BinarySearchFunc(d.entries, name, func(e entry, name string) int {
		return strings.Compare(d.entryName(&e), name)
	})
	if !found {
		return nil, -1
	}
	return &d.entries[i], i
}

// below returns a directory that does not exist, in which the rules of d count.
func (d *dir) below(name string) *dir {
	child := &dir{root: d.root, parent: d, name: name, depth: d.depth + 1, fd: -1}
	child.ign, _ = d.ign.Child(name, 0, child)
	return child
}
