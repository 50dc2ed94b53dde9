package walk

import (
	"os"
	"path/filepath"
	"strings"
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
	if info, err := os.Lstat(u.c.open(path)); err == nil {
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
	buf := make([]byte, listSize)
	var d *dir // nil: seg is to be entered
	var opened []*dir
	// enter reports whether it could be.
	enter := func() bool {
		var errs []Error
		d, errs = u.enter(seg, buf)
		if d != nil {
			opened = append(opened, d)
		}
		switch {
		case len(errs) > 0:
			a.Err = &errs[0]
		case d == nil:
			a.Reason = OtherFilesystem
		}
		return d != nil && len(errs) == 0
	}
	defer func() {
		for _, d := range opened {
			d.close(u)
		}
	}()
	for i, name := range names {
		if d == nil && !enter() {
			return a
		}
		last := i == len(names)-1
		isDir := !last || a.IsDir
		v := verdict(search)
		e := d.find(name)
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
			at := d.index(e)
			seg, d = &segment{root: top, dir: d, from: at, to: at + 1, into: true}, nil
		case last:
			a.IsDir = isDir
		default:
			d = d.below(name)
		}
	}
	// Whether a search would enter the directory that was asked about is known once it
	// is: it may be a loop, or lie on another file system.
	if d == nil && !enter() {
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

// find returns the entry of a name, nil if there is none.
func (d *dir) find(name string) *entry {
	for i := range d.entries {
		if d.entryName(&d.entries[i]) == name {
			return &d.entries[i]
		}
	}
	return nil
}

func (d *dir) index(e *entry) int {
	for i := range d.entries {
		if &d.entries[i] == e {
			return i
		}
	}
	return -1
}

// below returns a directory that does not exist, in which the rules of d count.
func (d *dir) below(name string) *dir {
	child := &dir{root: d.root, parent: d, name: name, depth: d.depth + 1, fd: -1}
	child.ign, _ = d.ign.Child(name, 0, child)
	return child
}
