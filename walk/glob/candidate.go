package glob

import (
	"cmp"
	"slices"
)

// A candidate is a segment that needs to be matched in full.
type candidate struct {
	*Segment
	rule    int32
	dirOnly bool
}

// A gram is three bytes that stand together.
type gram [3]byte

// A gramIndex finds candidates by a gram of theirs. Most grams of a name are
// turned away by the bits of those that are known.
type gramIndex struct {
	bits  [64]uint64
	lists map[gram][]candidate
}

func (g gram) bit() (word, mask uint64) {
	h := (uint64(g[0]) | uint64(g[1])<<8 | uint64(g[2])<<16) * 0x9e3779b97f4a7c15 >> 52
	return h >> 6, 1 << (h & 63)
}

func (x *gramIndex) add(g gram, c candidate) {
	if x.lists == nil {
		x.lists = map[gram][]candidate{}
	}
	word, mask := g.bit()
	x.bits[word] |= mask
	x.lists[g] = append(x.lists[g], c)
}

// fewCandidates are tried one by one rather than by their grams.
const fewCandidates = 8

// distribute puts each candidate under that one of its literal pieces which it
// shares with the fewest others, so that no name calls up many of them. What
// has no piece, or none to speak of, is left over.
func (b *TableBuilder) distribute() (grams *gramIndex, rest []candidate) {
	prefixes, suffixes, within := map[string]int{}, map[string]int{}, map[gram]int{}
	for _, c := range b.candidates {
		prefixes[c.prefix]++
		suffixes[c.suffix]++
		for _, g := range c.grams() {
			within[g]++
		}
	}
	useGrams := len(b.candidates) > fewCandidates
	for _, c := range b.candidates {
		fewest := len(b.candidates) + 1
		put := func() { rest = append(rest, c) }
		if n := prefixes[c.prefix]; c.prefix != "" && n < fewest {
			fewest, put = n, func() { slotOf(&b.prefixes, c.prefix).add(c) }
		}
		if n := suffixes[c.suffix]; c.suffix != "" && n < fewest {
			fewest, put = n, func() { slotOf(&b.suffixes, reverse(c.suffix)).add(c) }
		}
		for _, g := range c.grams() {
			if n := within[g]; useGrams && n < fewest {
				fewest, put = n, func() {
					if grams == nil {
						grams = &gramIndex{}
					}
					grams.add(g, c)
				}
			}
		}
		put()
	}
	if grams != nil {
		for _, list := range grams.lists {
			sortCandidates(list)
		}
	}
	sortCandidates(rest)
	return grams, rest
}

// grams lists the grams of the literal text that a name must hold within.
func (s *Segment) grams() []gram {
	var all []gram
	for _, text := range s.inners() {
		for i := 0; i+len(gram{}) <= len(text); i++ {
			all = append(all, gram([]byte(text[i:i+3])))
		}
	}
	return all
}

// find tries the candidates whose gram is in the name.
func (x *gramIndex) find(name string, isDir bool, best int32) int32 {
	for i := 0; i+len(gram{}) <= len(name); i++ {
		g := gram{name[i], name[i+1], name[i+2]}
		if word, mask := g.bit(); x.bits[word]&mask != 0 {
			best = strongest(x.lists[g], name, isDir, best)
		}
	}
	return best
}

// sortCandidates puts the strongest rule first, so that a scan can end early.
func sortCandidates(c []candidate) {
	slices.SortFunc(c, func(a, b candidate) int { return cmp.Compare(b.rule, a.rule) })
}

// strongest returns the best rule among candidates, or best if none beats it.
func strongest(candidates []candidate, name string, isDir bool, best int32) int32 {
	for i := range candidates {
		c := &candidates[i]
		if c.rule <= best {
			break
		}
		if (isDir || !c.dirOnly) && c.match(name) {
			return c.rule
		}
	}
	return best
}
