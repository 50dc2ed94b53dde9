package match

import (
	"strings"

	rure "github.com/BurntSushi/rure-go"
)

// A Matcher is a compiled pattern. It may be shared by goroutines, each of
// which searches with a [Searcher] of its own.
type Matcher struct {
	re         *rure.Regex // nil: no pattern, nothing matches
	syntax     Syntax
	term       byte
	linewise   bool // each line must be matched alone
	withinLine bool // no match holds a terminator
}

// Compile compiles the patterns of s into one, which matches where any of
// them does. The error of a pattern that is no regular expression shows the
// place.
func Compile(s Syntax) (*Matcher, error) {
	m := &Matcher{syntax: s, term: '\n', withinLine: true}
	if s.NullData {
		m.term = 0
	}
	if len(s.Patterns) == 0 {
		return m, nil
	}
	if s.SizeLimit == 0 {
		s.SizeLimit = defaultSizeLimit
	}
	if s.DFASizeLimit == 0 {
		s.DFASizeLimit = defaultDFASizeLimit
	}
	p, err := makePlan(join(s.Patterns, s.Fixed), s.planFlags())
	if err != nil {
		return nil, err
	}
	m.linewise = p.facts&factHaystackAnchor != 0
	m.withinLine = p.facts&factWithinLine != 0
	m.re, err = p.compile(s.SizeLimit, s.DFASizeLimit)
	if err != nil {
		return nil, err
	}
	return m, nil
}

func (s *Syntax) planFlags() planFlags {
	var f planFlags
	for _, b := range []struct {
		on   bool
		flag planFlags
	}{
		{s.Case == Insensitive, planInsensitive},
		{s.Case == Smart, planSmartCase},
		{s.Unicode, planUnicode},
		{s.CRLF, planCRLF},
		{s.DotAll, planDotAll},
		{s.Boundary == Words, planWord},
		{s.Boundary == Lines, planWholeLine},
		{s.MultiLine, planMultiLine},
		{s.BanNUL, planBanNUL},
		{s.NullData, planNULTerminated},
	} {
		if b.on {
			f |= b.flag
		}
	}
	return f
}

// join makes one pattern of several. They are joined as text before they are
// parsed, as ripgrep does, so that an error shows what ripgrep's would.
func join(patterns []string, fixed bool) string {
	var b strings.Builder
	for i, p := range patterns {
		if i > 0 {
			b.WriteByte('|')
		}
		b.WriteString("(?:")
		if fixed {
			p = quoteMeta(p)
		}
		b.WriteString(p)
		b.WriteByte(')')
	}
	return b.String()
}

// meta holds the bytes that the regex crate's syntax gives a meaning to
// (regex_syntax::is_meta_character).
const meta = `\.+*?()|[]{}^$#&-~`

// quoteMeta returns a pattern that matches the literal text s.
func quoteMeta(s string) string {
	if !strings.ContainsAny(s, meta) {
		return s
	}
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(meta, s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
