package walk

import (
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"

	"tally/walk/retry"
)

// A place is where a file is: a name in a directory. The place is the same
// whatever path leads there. Each hard link to a file is a place of its own.
type place struct {
	dir  fileID
	name string
}

// A census tells what is reached more than once, below roots that overlap or by
// links. It exists only where there are such roots, or links are followed.
type census struct {
	// The roots, of those that are the same the first one.
	dirs  map[fileID]*root
	files map[place]*root

	mu    sync.Mutex
	seen  map[place]struct{} // files that were visited
	skips map[place]struct{} // entries that were left out
}

// newCensus returns a census if any two roots overlap or links are followed, else
// nil.
func newCensus(roots []*root, follow bool) *census {
	if len(roots) < 2 && !follow {
		return nil
	}
	c := &census{
		dirs: map[fileID]*root{}, files: map[place]*root{},
		seen: map[place]struct{}{}, skips: map[place]struct{}{},
	}
	overlap := follow
	l := newLookup()
	for _, r := range roots {
		switch {
		case r.stdin || r.err != nil:
		case r.isDir():
			r.id = infoID(r.info)
			if c.dirs[r.id] == nil {
				c.dirs[r.id] = r
			} else {
				overlap = true
			}
		default:
			var err error
			if r.place, err = l.locate(r.path); err != nil {
				continue
			}
			if c.files[r.place] == nil {
				c.files[r.place] = r
			} else {
				overlap = true
			}
		}
	}
	for _, r := range roots {
		overlap = overlap || !r.stdin && r.err == nil && l.inside(c, r)
	}
	if !overlap {
		return nil
	}
	return c
}

func infoID(info fs.FileInfo) fileID {
	st := info.Sys().(*syscall.Stat_t)
	return fileID{uint64(st.Dev), uint64(st.Ino)}
}

// identify returns which file a path leads to.
func identify(path string) (fileID, error) {
	var st unix.Stat_t
	err := retry.Fstatat(unix.AT_FDCWD, path, &st, 0)
	return idOf(&st), err
}

// A lookup finds out where roots are. It remembers directories, since thousands of
// roots may be in one.
type lookup struct {
	dirs  map[string]fileID // directories by a path that leads there,
	paths map[fileID]string // and the other way round
	above map[fileID]bool   // whether it lies below a root
}

func newLookup() *lookup {
	return &lookup{dirs: map[string]fileID{}, paths: map[fileID]string{}, above: map[fileID]bool{}}
}

// locate finds the place of a file that is no directory.
func (l *lookup) locate(path string) (place, error) {
	var st unix.Stat_t
	if err := retry.Fstatat(unix.AT_FDCWD, path, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return place{}, err
	}
	if typeOf(&st) == typeLink {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return place{}, err
		}
		path = real
	}
	dir, name := filepath.Split(path)
	dir += "."
	id, known := l.dirs[dir]
	if !known {
		var err error
		if id, err = identify(dir); err != nil {
			return place{}, err
		}
		l.dirs[dir], l.paths[id] = id, dir
	}
	return place{id, name}, nil
}

// inside reports whether a root lies below another one.
func (l *lookup) inside(c *census, r *root) bool {
	if r.isDir() {
		return l.below(c, r.path, r.id)
	}
	return r.place != (place{}) && l.inOrBelow(c, l.paths[r.place.dir], r.place.dir)
}

// below reports whether a directory lies below a root.
func (l *lookup) below(c *census, path string, id fileID) bool {
	above := path + "/.."
	up, err := identify(above)
	if err != nil {
		// Nobody may go through it, but its name tells.
		if above, err = filepath.EvalSymlinks(path); err == nil {
			above = filepath.Dir(above)
			up, err = identify(above)
		}
	}
	return err == nil && up != id && l.inOrBelow(c, above, up)
}

// inOrBelow reports whether a directory is a root or lies below one.
func (l *lookup) inOrBelow(c *census, path string, id fileID) bool {
	if c.dirs[id] != nil {
		return true
	}
	is, known := l.above[id]
	if !known {
		is = l.below(c, path, id)
		l.above[id] = is
	}
	return is
}

// Repeated reports whether the file has been visited before, by another root or
// link or by the same root given twice.
func (f *File) Repeated() bool {
	if !f.asked {
		f.asked, f.repeated = true, f.visited()
	}
	return f.repeated
}

// visited notes that the file is visited, and reports whether it was before.
func (f *File) visited() bool {
	if f.root.stdin {
		return f.root.again
	}
	c := f.root.census
	if c == nil {
		return false
	}
	p := f.place()
	return p != (place{}) && !c.first(c.seen, p)
}

// first notes a place in one of the census's sets, and reports whether it was not
// there.
func (c *census) first(set map[place]struct{}, p place) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := set[p]; known {
		return false
	}
	p.name = strings.Clone(p.name)
	set[p] = struct{}{}
	return true
}

// place returns where the file is, none if that cannot be found out. A listed
// file knows it already, if a census is kept.
func (f *File) place() place {
	switch {
	case f.listed != nil:
		return f.listed.place
	case f.dir == nil:
		return f.root.place
	}
	return f.dir.place(f.entry)
}

// place returns where an entry of d leads to.
func (d *dir) place(e *entry) place {
	if !d.root.follow || e.ino != 0 {
		return place{d.id, d.entryName(e)}
	}
	// It may be a link; see resolve.
	l := newLookup()
	p, _ := l.locate(string(appendName(d.appendPath(nil), d.entryName(e))))
	return p
}

// rooted reports whether an entry of d is a root itself.
func (c *census) rooted(d *dir, e *entry) bool {
	if e.typ != typeDir {
		return c.files[place{d.id, d.entryName(e)}] != nil
	}
	st, err := d.stat(e, true)
	return err == nil && c.dirs[idOf(&st)] != nil
}

// elsewhere reports whether another root accounts for what d leaves out: d is a
// root that was given before, or is or lies below another one, which may see more
// of it.
func (c *census) elsewhere(d *dir) bool {
	r := c.dirs[d.id]
	if d.parent == nil {
		return r != nil && r != d.root
	}
	return r != nil || d.parent.elsewhere
}

// Repeated reports whether what is left out is accounted for elsewhere: it is a
// root itself, or below another root, or was reached before.
func (s *Skip) Repeated() bool {
	if s.kept != nil {
		return s.kept.repeated
	}
	if !s.asked {
		s.asked, s.repeated = true, s.noted()
	}
	return s.repeated
}

// noted notes what is left out, and reports whether it is accounted for elsewhere.
func (s *Skip) noted() bool {
	c := s.dir.root.census
	switch {
	case c == nil:
		return false
	case s.dir.elsewhere || c.rooted(s.dir, s.entry):
		return true
	}
	return s.dir.root.follow && !c.first(c.skips, place{s.dir.id, s.dir.entryName(s.entry)})
}

// listedElsewhere reports whether another root accounts for the directory of s,
// which cannot be listed.
func (s *segment) listedElsewhere() bool {
	c := s.root.census
	switch {
	case c == nil:
		return false
	case s.dir == nil:
		return c.dirs[s.root.id] != s.root
	}
	return s.dir.elsewhere || c.rooted(s.dir, &s.dir.entries[s.from])
}
