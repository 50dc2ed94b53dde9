package glob

// A Table finds the strongest of many segments that match a name. Segments
// that are a plain name, *suffix or prefix* cost one lookup together; others
// are tried only if the literal bytes fit that set them apart best (at either
// end, or three within), and only those without any are tried for each name.
type Table struct {
	names      map[string]winner
	lengths    uint64 // bit n: a plain name of n bytes exists (63: or more)
	initials   class  // the first bytes of plain names
	prefixes   index
	suffixes   index
	grams      *gramIndex
	rest       []candidate
	everything winner // the segment *
	fold       bool
}

// A TableBuilder collects the segments of a Table. All must agree in case
// folding.
type TableBuilder struct {
	fold               bool
	names              map[string]winner
	prefixes, suffixes map[string]*slot
	candidates         []candidate
	everything         winner
}

// NewTableBuilder starts an empty table; with fold, names are compared without
// regard to ASCII case.
func NewTableBuilder(fold bool) *TableBuilder {
	return &TableBuilder{fold: fold, everything: noRule}
}

// Add enters a segment under the number of its rule, which must be at least 0.
func (b *TableBuilder) Add(s *Segment, rule int32, dirOnly bool) {
	if b.addPlain(s, rule, dirOnly) {
		return
	}
	variants := s.variants()
	for _, v := range variants {
		b.addPlain(v, rule, dirOnly)
	}
	if variants == nil {
		b.candidates = append(b.candidates, candidate{s, rule, dirOnly})
	}
}

// addPlain enters a segment of literal text with at most one run, at either
// end, and reports whether it is one.
func (b *TableBuilder) addPlain(s *Segment, rule int32, dirOnly bool) bool {
	switch name, isName := s.Literal(); {
	case isName:
		b.addName(name, rule, dirOnly)
	case !s.isRun() || s.prefix != "" && s.suffix != "":
		return false
	case s.suffix != "":
		slotOf(&b.suffixes, reverse(s.suffix)).best.add(rule, dirOnly)
	case s.prefix != "":
		slotOf(&b.prefixes, s.prefix).best.add(rule, dirOnly)
	default:
		b.everything.add(rule, dirOnly)
	}
	return true
}

func (b *TableBuilder) addName(name string, rule int32, dirOnly bool) {
	if b.names == nil {
		b.names = map[string]winner{}
	}
	best, ok := b.names[name]
	if !ok {
		best = noRule
	}
	best.add(rule, dirOnly)
	b.names[name] = best
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
	t := &Table{names: b.names, everything: b.everything, fold: b.fold}
	for name := range t.names {
		if name != "" {
			t.lengths |= 1 << min(len(name), 63)
			t.initials.add(name[0])
		}
	}
	t.grams, t.rest = b.distribute()
	t.prefixes, t.suffixes = newIndex(b.prefixes), newIndex(b.suffixes)
	return t
}

// Find returns the strongest rule that matches a name, -1 if none does. It
// does not allocate unless case is folded and the name holds capitals.
func (t *Table) Find(name string, isDir bool) int32 {
	if t.fold {
		name = Lower(name)
	}
	best := t.everything.of(isDir)
	if t.lengths&(1<<min(len(name), 63)) != 0 && t.initials.has(name[0]) {
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
	if t.grams != nil {
		best = t.grams.find(name, isDir, best)
	}
	if len(t.rest) > 0 {
		best = strongest(t.rest, name, isDir, best)
	}
	return best
}
