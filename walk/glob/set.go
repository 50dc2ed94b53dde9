package glob

import "slices"

// A SetBuilder collects globs of ripgrep's dialect in order.
type SetBuilder struct {
	// NamesOnly says that the set will be asked about bare names. Otherwise a
	// glob must match the whole path, unless it begins with **/.
	NamesOnly bool

	tables   [2]*TableBuilder // case kept, case folded
	programs []pathRule
	n        int32
}

// A pathRule is a glob for which a table has no place.
type pathRule struct {
	*program
	rule    int32
	dirOnly bool
}

// Add appends a glob; with fold, ASCII case is ignored, and with dirOnly it
// matches directories only. The error is in ripgrep's words, without the glob.
func (b *SetBuilder) Add(glob string, fold, dirOnly bool) error {
	nodes, err := parseGlobset(glob, fold)
	if err != nil {
		return err
	}
	rule := b.n
	b.n++
	if lists, ok := writeOut(nodes); ok {
		for _, list := range lists {
			b.add(list, fold, dirOnly, rule)
		}
		return nil
	}
	b.programs = append(b.programs, pathRule{compile(nodes, fold), rule, dirOnly})
	return nil
}

func (b *SetBuilder) add(nodes []node, fold, dirOnly bool, rule int32) {
	tokens, ok := b.nameTokens(nodes)
	if !ok {
		b.programs = append(b.programs, pathRule{compile(nodes, fold), rule, dirOnly})
		return
	}
	i := 0
	if fold {
		i = 1
	}
	if b.tables[i] == nil {
		b.tables[i] = NewTableBuilder(fold)
	}
	b.tables[i].Add(newSegment(tokens, fold), rule, dirOnly)
}

// nameTokens translates a glob that speaks of the last component only.
func (b *SetBuilder) nameTokens(nodes []node) (tokens []token, ok bool) {
	switch {
	case len(nodes) > 0 && nodes[0].kind == deepPrefix:
		if len(nodes) == 1 {
			return []token{{kind: anyRun}}, true
		}
		nodes = nodes[1:]
	case !b.NamesOnly:
		return nil, false
	}
	for _, n := range nodes {
		switch {
		case n.kind == char && n.text != "/":
			for i := 0; i < len(n.text); i++ {
				tokens = append(tokens, token{kind: literal, b: n.text[i]})
			}
		case n.kind == any1:
			tokens = append(tokens, token{kind: anyByte})
		case n.kind == anyN:
			if k := len(tokens); k == 0 || tokens[k-1].kind != anyRun {
				tokens = append(tokens, token{kind: anyRun})
			}
		case n.kind == set && (b.NamesOnly || !n.set.has('/')):
			tokens = append(tokens, token{kind: oneOf, set: n.set})
		default:
			return nil, false
		}
	}
	return tokens, true
}

// Set returns the finished set, which is safe for concurrent use.
func (b *SetBuilder) Set() *Set {
	s := &Set{programs: slices.Clone(b.programs)}
	slices.Reverse(s.programs)
	for _, t := range b.tables {
		if t != nil {
			s.tables = append(s.tables, t.Table())
		}
	}
	return s
}

// A Set finds the last of many globs that match a path.
type Set struct {
	tables   []*Table
	programs []pathRule // strongest first
}

// Last returns the number of the last glob that matches an entry, counted from
// 0 as they were added, or -1. dir is the path of the entry's directory, empty
// for none, and name its last component.
func (s *Set) Last(dir, name string, isDir bool) int {
	best := int32(-1)
	for _, t := range s.tables {
		best = max(best, t.Find(name, isDir))
	}
	for i := range s.programs {
		p := &s.programs[i]
		if p.rule <= best {
			break
		}
		if (isDir || !p.dirOnly) && p.match(dir, name) {
			return int(p.rule)
		}
	}
	return int(best)
}
