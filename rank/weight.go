package rank

// A term carries weight if at most half of the files hold it, or a single one.
// What stands in most of them, as function words do, says nothing of what a
// question is about, and that such words are there is no reason to offer a file.
// A term that no file holds carries weight too.

// Weighs reports of a number of files among all whether what these hold carries
// weight.
func Weighs(files, all int64) bool { return files <= max(1, all/2) }

// holders count, for each term, the notes that hold it or a form of it, and those
// that hold it in any variant.
func (c *Collection) holders() (exact, any []int) {
	exact, any = make([]int, len(c.Query.terms)), make([]int, len(c.Query.terms))
	for _, n := range c.Notes {
		var inExact, inAny uint64
		for _, h := range n.hits {
			inAny |= 1 << h.term
			if h.variant != near {
				inExact |= 1 << h.term
			}
		}
		for t := range exact {
			exact[t] += int(inExact >> t & 1)
			any[t] += int(inAny >> t & 1)
		}
	}
	return exact, any
}

// weighty is the set of the terms that carry weight.
func (c *Collection) weighty() (set uint64) {
	exact, any := c.holders()
	for t, n := range exact {
		if n == 0 {
			n = any[t]
		}
		if Weighs(int64(n), int64(c.Files)) {
			set |= 1 << t
		}
	}
	return set
}

// WordsOfWeight reports of each word of the query whether it carries weight: one
// of its terms does.
func (c *Collection) WordsOfWeight() []bool {
	weighty := c.weighty()
	list := make([]bool, len(c.Query.Words))
	for i, w := range c.Query.Words {
		for _, t := range w.terms {
			list[i] = list[i] || weighty>>t&1 != 0
		}
	}
	return list
}

// Offered returns those of results that are worth a look though none is good
// enough: they hold all that is quoted or, if nothing is, a word that carries
// weight.
func (c *Collection) Offered(results []Result) (offered []Result) {
	weighty := c.weighty()
	for _, r := range results {
		holds := r.holds(c.Query.required)
		if len(c.Query.required) == 0 {
			holds = false
			for _, h := range r.hits {
				holds = holds || weighty>>h.term&1 != 0
			}
		}
		if holds {
			offered = append(offered, r)
		}
	}
	return offered
}
