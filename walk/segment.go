package walk

// A segment is a piece of the walk with a place in the order: a directory that
// has not been read, or a run of neighbouring entries of one that has.
type segment struct {
	dir  *dir  // the directory that holds the entries; nil for roots
	root *root // the first one, if the run is one of roots
	// from and to are the entries of the run, or the roots; a directory to be
	// read has to == from+1 and into set.
	from, to int
	into     bool
	list     *list   // instead of a directory: a run of a sorted universe
	fails    []Error // or what went wrong before the walk

	next *segment // in output order

	parts []Part // emitted, not yet yielded
	done  bool   // no more parts will come
}

// before reports whether s comes before t in path order. The two are
// different, and neither lies within the other.
func (s *segment) before(t *segment) bool {
	sd, so := s.dir, s.from
	td, to := t.dir, t.from
	depth := func(d *dir) int {
		if d == nil {
			return -1
		}
		return d.depth
	}
	for depth(sd) > depth(td) {
		sd, so = sd.parent, sd.ord
	}
	for depth(td) > depth(sd) {
		td, to = td.parent, td.ord
	}
	for sd != td {
		sd, so = sd.parent, sd.ord
		td, to = td.parent, td.ord
	}
	return so < to
}

// runLength is how many files one segment holds at most: few enough that a
// worker soon finishes what the output waits for.
const runLength = 32

// cutRoots divides the roots into segments: one for each directory, and one for
// each run of files. Where there are few files each is one of its own, so that all
// workers have work.
func (u *Universe) cutRoots() []*segment {
	most := min(runLength, max(1, len(u.roots)/(8*u.c.Workers())))
	var segs []*segment
	for i, r := range u.roots {
		if last := len(segs) - 1; last >= 0 && r.joins(segs[last], most) {
			segs[last].to++
			continue
		}
		segs = append(segs, &segment{root: r, from: i, to: i + 1, into: r.isDir()})
	}
	return segs
}

// joins reports whether r can be the next root of a run. What may have no end, or
// keep a worker waiting, stands alone.
func (r *root) joins(s *segment, most int) bool {
	ends := func(r *root) bool { return r.err != nil || r.info != nil && r.info.Mode().IsRegular() }
	return s.to-s.from < most && ends(s.root) && ends(r)
}

// enters reports whether an entry is a directory that is to be read. What git
// keeps in a directory of its own is a copy of other texts, and of no use to who
// goes beyond the scope.
func (d *dir) enters(e *entry) bool {
	return e.verdict == descend ||
		d.root.beyond && e.typ == typeDir && e.verdict >= skipped && d.entryName(e) != ".git"
}

// cut divides the entries of d into segments.
func (d *dir) cut() []*segment {
	var segs []*segment
	from := 0
	flush := func(to int) {
		if from < to {
			segs = append(segs, &segment{dir: d, root: d.root, from: from, to: to})
		}
		from = to
	}
	for i := range d.entries {
		switch {
		case d.enters(&d.entries[i]):
			flush(i)
			segs = append(segs, &segment{dir: d, root: d.root, from: i, to: i + 1, into: true})
			from = i + 1
		case i-from == runLength:
			flush(i)
		}
	}
	flush(len(d.entries))
	return segs
}

// A queue holds the segments that nobody has taken yet, earliest on top. That
// the earliest is always taken first keeps finished work that waits for its
// turn to be written small, and is why the head of the output always has a
// worker.
type queue []*segment

func (q *queue) push(s *segment) {
	*q = append(*q, s)
	h := *q
	for i := len(h) - 1; i > 0; {
		up := (i - 1) / 2
		if h[up].before(h[i]) {
			break
		}
		h[up], h[i] = h[i], h[up]
		i = up
	}
}

func (q *queue) pop() *segment {
	h := *q
	top, last := h[0], len(h)-1
	h[0] = h[last]
	h[last] = nil
	h = h[:last]
	*q = h
	for i := 0; ; {
		min := i
		for c := 2*i + 1; c <= 2*i+2 && c < last; c++ {
			if h[c].before(h[min]) {
				min = c
			}
		}
		if min == i {
			return top
		}
		h[i], h[min] = h[min], h[i]
		i = min
	}
}
