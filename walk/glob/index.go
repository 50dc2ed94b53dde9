package glob

import "slices"

// A slot holds what is known about names that begin (or end) with one key.
type slot struct {
	best       winner      // rules for which the key alone decides
	candidates []candidate // rules that need a closer look, strongest first
}

func (s *slot) add(c candidate) { s.candidates = append(s.candidates, c) }

// An index is a trie flattened into sorted keys: following a name byte by byte
// narrows a range of keys, and a key that has been used up is a hit. It needs
// no memory beyond its keys, and tells most names apart by one or two bytes.
type index struct {
	keys  []string // for suffixes: reversed
	slots []slot
	first class // the first bytes of all keys
	// starts says for each byte where the keys that begin with it start; an
	// index of few keys does without.
	starts *[257]int32
}

// manyKeys is the size from which an index has a table of starts, of 1 KB.
const manyKeys = 8

func newIndex(m map[string]*slot) index {
	var x index
	for key := range m {
		x.keys = append(x.keys, key)
		x.first.add(key[0])
	}
	slices.Sort(x.keys)
	for _, key := range x.keys {
		s := m[key]
		sortCandidates(s.candidates)
		x.slots = append(x.slots, *s)
	}
	if len(x.keys) >= manyKeys {
		x.starts = new([257]int32)
		for c := range x.starts {
			x.starts[c] = int32(x.bound(0, len(x.keys), 0, c))
		}
	}
	return x
}

// find returns the strongest rule among all keys that name begins with, or
// ends with if backward is true, and best if none beats it.
func (x *index) find(name string, backward, isDir bool, best int32) int32 {
	if name == "" {
		return best
	}
	at, step := 0, 1
	if backward {
		at, step = len(name)-1, -1
	}
	c := name[at]
	if !x.first.has(c) {
		return best
	}
	lo, hi := 0, len(x.keys)
	if x.starts != nil {
		lo, hi = int(x.starts[c]), int(x.starts[int(c)+1])
	}
	for depth := 0; depth < len(name); depth++ {
		c := name[at]
		at += step
		if depth > 0 || x.starts == nil {
			lo, hi = x.narrow(lo, hi, depth, c)
		}
		if lo == hi {
			return best
		}
		if len(x.keys[lo]) > depth+1 {
			continue
		}
		s := &x.slots[lo]
		best = max(best, s.best.of(isDir))
		if len(s.candidates) > 0 {
			best = strongest(s.candidates, name, isDir, best)
		}
		if lo++; lo == hi {
			return best
		}
	}
	return best
}

// narrow returns the part of keys[lo:hi] that has c at depth. All of them are
// longer than depth and agree before it.
func (x *index) narrow(lo, hi, depth int, c byte) (int, int) {
	if hi-lo > manyKeys {
		start := x.bound(lo, hi, depth, int(c))
		return start, x.bound(start, hi, depth, int(c)+1)
	}
	for lo < hi && x.keys[lo][depth] < c {
		lo++
	}
	for hi > lo && x.keys[hi-1][depth] > c {
		hi--
	}
	return lo, hi
}

// bound returns the first key in keys[lo:hi] whose byte at depth is at least c.
func (x *index) bound(lo, hi, depth, c int) int {
	n, _ := slices.BinarySearchFunc(x.keys[lo:hi], c, func(key string, c int) int {
		return int(key[depth]) - c
	})
	return lo + n
}

func reverse(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}
