package match

import (
	"slices"
	"strconv"
)

// An Expander replaces matches in lines; each goroutine has its own.
type Expander struct {
	m      *Matcher
	sc     *scanner // nil without a pattern
	groups []Span   // of the match that is replaced
	parts  []templatePart
	parsed []byte // the template that parts came from
	places []Span
}

// NewExpander returns an expander for what m matches.
func (m *Matcher) NewExpander() *Expander {
	x := &Expander{m: m}
	if m.p != nil {
		x.sc = newScanner(m.p)
		x.groups = make([]Span, len(m.p.names))
	}
	return x
}

// A templatePart is literal text or a reference to a group.
type templatePart struct {
	text  string
	group int // -1 for text, or a group that does not exist (empty text)
}

// Expand appends l to dst with template in the place of each of its spans. In
// the template $N, $name, ${N} and ${name} stand for what a group matched, $$
// for a dollar sign. It returns the places of the replacements, relative to
// where dst ended; they are valid until the next call.
func (x *Expander) Expand(dst, template []byte, l *Line) ([]byte, []Span) {
	x.parse(template)
	x.places = x.places[:0]
	begin, pos := len(dst), 0
	it := matches{hay: l.around, at: l.at, last: -1}
	if it.hay == nil {
		it.hay = body(l.Bytes, x.m.term, x.m.syntax.CRLF)
	}
	known := x.hasGroups()
	for _, sp := range l.Spans {
		dst = append(dst, l.Bytes[pos:sp.Start]...)
		start := len(dst) - begin
		known = known && x.seek(&it, Span{l.at + sp.Start, l.at + sp.End})
		dst = x.appendOne(dst, it.hay, Span{l.at + sp.Start, l.at + sp.End}, known)
		x.places = append(x.places, Span{start, len(dst) - begin})
		pos = sp.End
	}
	return append(dst, l.Bytes[pos:]...), x.places
}

// matches is a place in a haystack between two of its matches.
type matches struct {
	hay      []byte
	at, last int
}

// seek moves it to the match at sp, whose groups it finds. It goes from match
// to match as the search did, since a match may begin before the place that it
// reports (\K).
func (x *Expander) seek(it *matches, sp Span) bool {
	for it.at <= len(it.hay) && x.sc.groups(it.hay, it.at, x.groups) {
		m := x.groups[0]
		it.at = m.End
		if m.Start == m.End {
			it.at++
			if m.End == it.last {
				continue
			}
		}
		it.last = m.End
		if m == sp {
			return true
		}
		if m.Start > sp.Start {
			return false
		}
	}
	return false
}

// appendOne appends the template for the match at sp in hay.
func (x *Expander) appendOne(dst, hay []byte, sp Span, groups bool) []byte {
	for _, p := range x.parts {
		switch {
		case p.group < 0:
			dst = append(dst, p.text...)
		case p.group == 0:
			dst = append(dst, hay[sp.Start:sp.End]...)
		case groups:
			if g := x.groups[p.group]; g != noGroup {
				dst = append(dst, hay[g.Start:g.End]...)
			}
		}
	}
	return dst
}

func (x *Expander) hasGroups() bool {
	for _, p := range x.parts {
		if p.group > 0 {
			return true
		}
	}
	return false
}

// parse splits a template, unless it is the one of the call before.
func (x *Expander) parse(template []byte) {
	if x.parts != nil && string(x.parsed) == string(template) {
		return
	}
	x.parsed = append(x.parsed[:0], template...)
	x.parts = []templatePart{}
	text := func(s string) {
		if s != "" {
			x.parts = append(x.parts, templatePart{s, -1})
		}
	}
	t := string(template)
	from := 0
	for i := 0; i < len(t); {
		if t[i] != '$' {
			i++
			continue
		}
		if i+1 < len(t) && t[i+1] == '$' {
			text(t[from : i+1])
			i += 2
			from = i
			continue
		}
		name, size := reference(t[i:])
		if size == 0 {
			i++
			continue
		}
		text(t[from:i])
		x.parts = append(x.parts, templatePart{"", x.group(name)})
		i += size
		from = i
	}
	text(t[from:])
}

// reference reads a reference to a group at the start of t, which begins with
// a dollar sign; size 0 if there is none.
func reference(t string) (name string, size int) {
	i := 1
	braced := i < len(t) && t[i] == '{'
	if braced {
		i++
	}
	start := i
	for i < len(t) && wordByte(t[i]) {
		i++
	}
	switch {
	case i == start:
		return "", 0
	case !braced:
		return t[start:i], i
	case i < len(t) && t[i] == '}':
		return t[start:i], i + 1
	}
	return "", 0
}

func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// group resolves a name; -1 if no group has it.
func (x *Expander) group(name string) int {
	if x.m.p == nil {
		return -1
	}
	names := x.m.p.names
	if n, err := strconv.Atoi(name); err == nil && n >= 0 {
		if n >= len(names) {
			return -1
		}
		return n
	}
	// PCRE2 may allow a name twice; the last one counts, as for ripgrep.
	for i, n := range slices.Backward(names) {
		if n != "" && n == name {
			return i
		}
	}
	return -1
}
