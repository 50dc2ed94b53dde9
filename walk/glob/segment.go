package glob

import (
	"slices"
	"strings"
)

type kind uint8

const (
	literal kind = iota // one given byte
	anyByte             // ?
	anyRun              // *, zero or more bytes
	oneOf               // [...]
)

// A token matches within one path component, thus never a slash.
type token struct {
	kind kind
	b    byte
	set  *class
}

func (t token) accepts(b byte) bool {
	switch t.kind {
	case literal:
		return t.b == b
	case oneOf:
		return t.set.has(b)
	}
	return true
}

// A Segment is the pattern for one component of a path. The literal bytes at
// both its ends are kept apart, since they refuse most names at once.
type Segment struct {
	prefix, suffix string
	core           []token // what stands between prefix and suffix
	inner          string  // the longest literal text within core
	fold           bool    // names are compared in lower case
}

func newSegment(tokens []token, fold bool) *Segment {
	if fold {
		tokens = foldTokens(tokens)
	}
	s := &Segment{fold: fold}
	lo, hi := 0, len(tokens)
	for lo < hi && tokens[lo].kind == literal {
		lo++
	}
	for hi > lo && tokens[hi-1].kind == literal {
		hi--
	}
	s.prefix, s.suffix, s.core = literals(tokens[:lo]), literals(tokens[hi:]), tokens[lo:hi]
	for _, text := range s.inners() {
		if len(text) > len(s.inner) {
			s.inner = text
		}
	}
	return s
}

// inners returns the runs of literal bytes within the core.
func (s *Segment) inners() []string {
	var texts []string
	start := 0
	for i, t := range s.core {
		if t.kind != literal {
			if i > start {
				texts = append(texts, literals(s.core[start:i]))
			}
			start = i + 1
		}
	}
	return texts
}

// foldTokens lowers literal bytes; classes were folded when they were parsed,
// since that must come before their negation.
func foldTokens(tokens []token) []token {
	folded := make([]token, len(tokens))
	for i, t := range tokens {
		t.b = lowerByte(t.b)
		folded[i] = t
	}
	return folded
}

func literals(tokens []token) string {
	if len(tokens) == 0 {
		return ""
	}
	b := make([]byte, len(tokens))
	for i, t := range tokens {
		b[i] = t.b
	}
	return string(b)
}

// newLiteral returns the segment that matches one name.
func newLiteral(name string, fold bool) *Segment {
	if fold {
		name = Lower(name)
	}
	return &Segment{prefix: name, fold: fold}
}

// isRun reports whether the segment is one run between its prefix and suffix.
func (s *Segment) isRun() bool { return len(s.core) == 1 && s.core[0].kind == anyRun }

// Match reports whether the segment matches a whole component.
func (s *Segment) Match(name string) bool {
	if s.fold {
		name = Lower(name)
	}
	return s.match(name)
}

// match is Match for a name whose case was folded if need be.
func (s *Segment) match(name string) bool {
	if len(s.core) == 0 {
		return name == s.prefix
	}
	if len(name) < len(s.prefix)+len(s.suffix) ||
		!strings.HasPrefix(name, s.prefix) || !strings.HasSuffix(name, s.suffix) {
		return false
	}
	name = name[len(s.prefix) : len(name)-len(s.suffix)]
	if s.inner != "" && !strings.Contains(name, s.inner) {
		return false
	}
	return matchTokens(s.core, name)
}

// matchTokens never returns to a run before the last one: whatever an earlier
// run could give away, the last one can take.
func matchTokens(tokens []token, name string) bool {
	t, n := 0, 0
	run, resume := -1, 0
	for n < len(name) {
		switch {
		case t < len(tokens) && tokens[t].kind == anyRun:
			run, resume = t, n
			t++
		case t < len(tokens) && tokens[t].accepts(name[n]):
			t++
			n++
		case run >= 0:
			resume++
			t, n = run+1, resume
		default:
			return false
		}
	}
	for t < len(tokens) && tokens[t].kind == anyRun {
		t++
	}
	return t == len(tokens)
}

// Literal reports whether the segment has no wildcards, and the one name that
// it matches, in lower case if case is folded.
func (s *Segment) Literal() (name string, ok bool) {
	return s.prefix, len(s.core) == 0
}

// maxVariants bounds how many plain patterns a segment may be split into.
const maxVariants = 32

// variants writes out the choices of small classes, so that a common pattern
// like *.[oa] or [Mm]akefile can be looked up in a table. It returns nil if
// there are too many, or if that would not make the segment plain.
func (s *Segment) variants() []*Segment {
	n, runs := 1, 0
	for i, t := range s.core {
		switch t.kind {
		case anyByte:
			return nil
		case anyRun:
			atEnd := i == 0 && s.prefix == "" || i == len(s.core)-1 && s.suffix == ""
			if runs++; runs > 1 || !atEnd {
				return nil
			}
		case oneOf:
			if n *= t.set.size(); n > maxVariants {
				return nil
			}
		}
	}
	cores := [][]token{nil}
	for _, t := range s.core {
		choices := []token{t}
		if t.kind == oneOf {
			choices = nil
			for _, b := range t.set.members() {
				choices = append(choices, token{kind: literal, b: b})
			}
		}
		var next [][]token
		for _, head := range cores {
			for _, c := range choices {
				next = append(next, append(head[:len(head):len(head)], c))
			}
		}
		cores = next
	}
	var out []*Segment
	for _, core := range cores {
		tokens := slices.Concat(literalTokens(s.prefix), core, literalTokens(s.suffix))
		out = append(out, newSegment(tokens, s.fold))
	}
	return out
}

func literalTokens(text string) []token {
	tokens := make([]token, len(text))
	for i := range tokens {
		tokens[i].b = text[i]
	}
	return tokens
}
