package glob

import "slices"

// A slot holds what is known about names that begin (or end) with one key.
type slot struct {
	best       Best        // rules for which the key alone decides
	candidates []candidate // rules that need a closer look, strongest first
}

// An index is a trie flattened into sorted keys: following a name byte by byte
// narrows a range of keys, and a key that has been used up is a hit. It needs
// no memory beyond its keys, and tells most names apart by one or two bytes.
type index struct {
	keys  []string // for suffixes: reversed
	slots []slot
	first class // the first bytes of all keys
}

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
	return x
}

// find returns the strongest rule among all keys that name begins with, or
// ends with if backward is true, and best if none beats it.
func (x *index) find(name string, backward, isDir bool, best int32) int32 {
	lo, hi := 0, len(x.keys)
	for depth := 0; depth < len(name); depth++ {
		c := name[depth]
		if backward {
			c = name[len(name)-1-depth]
		}
		if depth == 0 && !x.first.has(c) {
			return best
		}
		if lo, hi = x.narrow(lo, hi, depth, c); lo == hi {
			return best
		}
		if len(x.keys[lo]) == depth+1 {
			s := &x.slots[lo]
			best = max(best, s.best.of(isDir))
			if len(s.candidates) > 0 {
				best = strongest(s.candidates, name, isDir, best)
			}
			if lo++; lo == hi {
				return best
			}
		}
	}
	return best
}

// narrow returns the part of keys[lo:hi] that has c at depth. All of them are
// longer than depth and agree before it.
func (x *index) narrow(lo, hi, depth int, c byte) (int, int) {
	start := x.bound(lo, hi, depth, int(c))
	return start, x.bound(start, hi, depth, int(c)+1)
}

// bound returns the first key in keys[lo:hi] whose byte at depth is at least c.
func (x *index) bound(lo, hi, depth, c int) int {
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if int(x.keys[mid][depth]) < c {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

func reverse(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}
