package match

import (
	"strconv"

	rure "github.com/BurntSushi/rure-go"
)

// An Expander replaces matches in lines; each goroutine has its own.
type Expander struct {
	m      *Matcher
	caps   *rure.Captures
	parts  []templatePart
	parsed []byte // the template that parts came from
	places []Span
}

// NewExpander returns an expander for what m matches.
func (m *Matcher) NewExpander() *Expander {
	x := &Expander{m: m}
	if m.re != nil {
		x.caps = m.re.NewCaptures()
	}
	return x
}

// A templatePart is literal text or a reference to a group.
type templatePart struct {
	text  string
	group int // -1 for text, or a group that does not exist (empty text)
}

// Expand appends line to dst with template in the place of each of spans,
// which are matches in line. In the template $N, $name, ${N} and ${name} stand
// for what a group matched, $$ for a dollar sign. It returns the places of
// the replacements, relative to where dst ended; they are valid until the next
// call.
func (x *Expander) Expand(dst, template, line []byte, spans []Span) ([]byte, []Span) {
	x.parse(template)
	x.places = x.places[:0]
	begin, pos := len(dst), 0
	hay := line
	if x.m.withinLine {
		hay = body(line, x.m.term, x.m.syntax.CRLF)
	}
	var it *rure.Iter
	if x.hasGroups() {
		it = x.m.re.IterBytes(hay)
	}
	for _, sp := range spans {
		dst = append(dst, line[pos:sp.Start]...)
		start := len(dst) - begin
		if it != nil && !x.seek(it, sp) {
			it = nil
		}
		dst = x.appendOne(dst, line, sp, it != nil)
		x.places = append(x.places, Span{start, len(dst) - begin})
		pos = sp.End
	}
	return append(dst, line[pos:]...), x.places
}

// seek moves it to the match at sp.
func (x *Expander) seek(it *rure.Iter, sp Span) bool {
	for it.Next(x.caps) {
		start, end, _ := x.caps.Group(0)
		if start == sp.Start && end == sp.End {
			return true
		}
		if start > sp.Start {
			return false
		}
	}
	return false
}

func (x *Expander) appendOne(dst, line []byte, sp Span, groups bool) []byte {
	for _, p := range x.parts {
		switch {
		case p.group < 0:
			dst = append(dst, p.text...)
		case p.group == 0:
			dst = append(dst, line[sp.Start:sp.End]...)
		case groups:
			if start, end, ok := x.caps.Group(p.group); ok {
				dst = append(dst, line[start:end]...)
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
	if n, err := strconv.Atoi(name); err == nil && n >= 0 {
		if x.m.re == nil || n >= x.caps.Len() {
			return -1
		}
		return n
	}
	if x.m.re == nil {
		return -1
	}
	for i, n := range x.m.re.CaptureNames() {
		if n != "" && n == name {
			return i
		}
	}
	return -1
}
