package walk

// A segment is a piece of the walk with a place in the order: a directory that
// has not been read, or a run of neighbouring entries of one that has.
type segment struct {
	dir  *dir // the directory that holds the entries; nil for a root
	root *root
	// from and to are the entries of the run; a directory to be read has
	// to == from+1 and into set.
	from, to int
	into     bool
	list     *list // instead of a directory: a run of a sorted universe

	next *segment // in output order

	parts []Part // emitted, not yet yielded
	done  bool   // no more parts will come
}

// ord is the segment's position among its siblings.
func (s *segment) ord() int {
	if s.dir == nil && s.list == nil {
		return s.root.ord
	}
	return s.from
}

// before reports whether s comes before t in path order. The two are
// different, and neither lies within the other.
func (s *segment) before(t *segment) bool {
	sd, so := s.dir, s.ord()
	td, to := t.dir, t.ord()
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
