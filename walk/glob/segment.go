package glob

import "strings"

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
	tokens         []token
	prefix, suffix string
	core           []token // what stands between prefix and suffix
	fold           bool    // names are compared in lower case
}

func newSegment(tokens []token, fold bool) *Segment {
	if fold {
		tokens = foldTokens(tokens)
	}
	s := &Segment{tokens: tokens, fold: fold}
	lo, hi := 0, len(tokens)
	for lo < hi && tokens[lo].kind == literal {
		lo++
	}
	for hi > lo && tokens[hi-1].kind == literal {
		hi--
	}
	s.prefix, s.suffix, s.core = literals(tokens[:lo]), literals(tokens[hi:]), tokens[lo:hi]
	return s
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
	var b strings.Builder
	for _, t := range tokens {
		b.WriteByte(t.b)
	}
	return b.String()
}

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
	return matchTokens(s.core, name[len(s.prefix):len(name)-len(s.suffix)])
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
// there are too many, or if a split would not make the segment plain.
func variants(tokens []token) [][]token {
	n, runs := 1, 0
	for i, t := range tokens {
		switch t.kind {
		case anyByte:
			return nil
		case anyRun:
			if runs++; runs > 1 || (i != 0 && i != len(tokens)-1) {
				return nil
			}
		case oneOf:
			if n *= t.set.size(); n > maxVariants {
				return nil
			}
		}
	}
	out := [][]token{nil}
	for _, t := range tokens {
		choices := []token{t}
		if t.kind == oneOf {
			choices = choices[:0]
			for _, b := range t.set.members() {
				choices = append(choices, token{kind: literal, b: b})
			}
		}
		var next [][]token
		for _, head := range out {
			for _, c := range choices {
				next = append(next, append(head[:len(head):len(head)], c))
			}
		}
		out = next
	}
	return out
}
