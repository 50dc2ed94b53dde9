package rank

// rareShare is the share of all files that may hold a term which is still rare.
const rareShare = 1.0 / 50

// HoldRare returns the paths of the notes that hold, word for word, a term of
// the query that is rare: one that a single file holds, or one in fifty at most.
// A note without a phrase that is required is none of them.
func (c *Collection) HoldRare() map[string]bool {
	limit := max(1, int(float64(c.Files)*rareShare))
	held := make([]uint64, len(c.Notes))
	files := make([]int, len(c.Query.terms))
	for i, n := range c.Notes {
		for _, h := range n.hits {
			if h.variant == same {
				held[i] |= 1 << h.term
			}
		}
		for t := range files {
			files[t] += int(held[i] >> t & 1)
		}
	}
	rare := uint64(0)
	for t, n := range files {
		if 0 < n && n <= limit {
			rare |= 1 << t
		}
	}
	paths := map[string]bool{}
	for i, n := range c.Notes {
		if held[i]&rare != 0 && n.holds(c.Query.required) {
			paths[n.Path] = true
		}
	}
	return paths
}
