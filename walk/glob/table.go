package glob

import (
	"cmp"
	"slices"
)

// A Table finds the strongest of many segments that match a name. Segments
// that are a plain name, *suffix or prefix* cost one lookup together; others
// are tried only if the literal bytes at one of their ends fit, and only those
// without any are tried for each name.
type Table struct {
	names      map[string]Best
	lengths    uint64 // bit n: a plain name of n bytes exists (63: or more)
	prefixes   index
	suffixes   index
	rest       []candidate
	everything Best // the segment *
	fold       bool
}

// A candidate is a segment that needs to be matched in full.
type candidate struct {
	*Segment
	rule    int32
	dirOnly bool
}

// A TableBuilder collects the segments of a Table. All must agree in case
// folding.
type TableBuilder struct {
	fold               bool
	names              map[string]Best
	prefixes, suffixes map[string]*slot
	rest               []candidate
	everything         Best
}

// NewTableBuilder starts an empty table; with fold, names are compared without
// regard to ASCII case.
func NewTableBuilder(fold bool) *TableBuilder {
	return &TableBuilder{fold: fold, everything: noRule}
}

// Add enters a segment under the number of its rule, which must be at least 0.
func (b *TableBuilder) Add(s *Segment, rule int32, dirOnly bool) {
	split := variants(s.tokens)
	for _, tokens := range split {
		b.addPlain(tokens, rule, dirOnly)
	}
	if split != nil {
		return
	}
	c := candidate{s, rule, dirOnly}
	switch {
	case s.suffix != "":
		sl := slotOf(&b.suffixes, reverse(s.suffix))
		sl.candidates = append(sl.candidates, c)
	case s.prefix != "":
		sl := slotOf(&b.prefixes, s.prefix)
		sl.candidates = append(sl.candidates, c)
	default:
		b.rest = append(b.rest, c)
	}
}

// addPlain enters literal bytes with at most one run, at either end.
func (b *TableBuilder) addPlain(tokens []token, rule int32, dirOnly bool) {
	last := len(tokens) - 1
	switch {
	case last == 0 && tokens[0].kind == anyRun:
		b.everything.add(rule, dirOnly)
	case last > 0 && tokens[0].kind == anyRun:
		slotOf(&b.suffixes, reverse(literals(tokens[1:]))).best.add(rule, dirOnly)
	case last > 0 && tokens[last].kind == anyRun:
		slotOf(&b.prefixes, literals(tokens[:last])).best.add(rule, dirOnly)
	default:
		if b.names == nil {
			b.names = map[string]Best{}
		}
		name := literals(tokens)
		best, ok := b.names[name]
		if !ok {
			best = noRule
		}
		best.add(rule, dirOnly)
		b.names[name] = best
	}
}

func slotOf(m *map[string]*slot, key string) *slot {
	if *m == nil {
		*m = map[string]*slot{}
	}
	s := (*m)[key]
	if s == nil {
		s = &slot{best: noRule}
		(*m)[key] = s
	}
	return s
}

// Table returns the finished table, which is safe for concurrent use.
func (b *TableBuilder) Table() *Table {
	t := &Table{
		names:      b.names,
		prefixes:   newIndex(b.prefixes),
		suffixes:   newIndex(b.suffixes),
		rest:       b.rest,
		everything: b.everything,
		fold:       b.fold,
	}
	for name := range t.names {
		t.lengths |= 1 << min(len(name), 63)
	}
	sortCandidates(t.rest)
	return t
}

// sortCandidates puts the strongest rule first, so that a scan can end early.
func sortCandidates(c []candidate) {
	slices.SortFunc(c, func(a, b candidate) int { return cmp.Compare(b.rule, a.rule) })
}

// Find returns the strongest rule that matches a name, -1 if none does. It
// does not allocate unless case is folded and the name holds capitals.
func (t *Table) Find(name string, isDir bool) int32 {
	if t.fold {
		name = Lower(name)
	}
	best := t.everything.of(isDir)
	if t.lengths&(1<<min(len(name), 63)) != 0 {
		if b, ok := t.names[name]; ok {
			best = max(best, b.of(isDir))
		}
	}
	if len(t.suffixes.keys) > 0 {
		best = t.suffixes.find(name, true, isDir, best)
	}
	if len(t.prefixes.keys) > 0 {
		best = t.prefixes.find(name, false, isDir, best)
	}
	return strongest(t.rest, name, isDir, best)
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
