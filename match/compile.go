package match

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Matcher is a compiled pattern. It may be shared by goroutines, each of
// which searches with a [Searcher] of its own.
type Matcher struct {
	p      *pattern // of all patterns; nil: no pattern, nothing matches
	syntax Syntax
	// parts are what a line must match all of, the one to look for at the front;
	// nil where p alone decides.
	parts      []*pattern
	each       func() ([]*Matcher, error) // see compileEach
	term       byte
	linewise   bool // each line must be matched alone
	withinLine bool // no match holds a terminator
}

// Compile compiles the patterns of s into one, which matches where any of
// them does, in lines that match what s demands besides. An error is worded as
// ripgrep words it: it shows the place in the pattern, and what to do about it if
// there is something.
func Compile(s Syntax) (*Matcher, error) {
	m := &Matcher{syntax: s, term: '\n', withinLine: true}
	if s.NullData {
		m.term = 0
	}
	if len(s.Patterns) == 0 {
		return m, nil
	}
	var err error
	m.p, err = s.compile()
	if err != nil {
		return nil, err
	}
	m.linewise = m.p.facts&factHaystackAnchor != 0
	m.withinLine = m.p.facts&factWithinLine != 0
	m.each = sync.OnceValues(m.compileEach)
	m.parts, err = m.compileParts()
	return m, err
}

// compileParts compiles what [Syntax.And] asks for: the patterns, of which a line
// must match one, and each of the others.
func (m *Matcher) compileParts() (parts []*pattern, err error) {
	if len(m.syntax.And) == 0 {
		return nil, nil
	}
	lists := [][]string{m.syntax.Patterns}
	for _, one := range m.syntax.And {
		lists = append(lists, []string{one})
	}
	// What is long is rare, as a rule.
	slices.SortStableFunc(lists, func(a, b []string) int { return shortest(b) - shortest(a) })
	for _, list := range lists {
		s := m.of(list)
		p, err := s.compile()
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
	}
	return parts, nil
}

// of is the syntax of some of the patterns, read as they are beside the others.
func (m *Matcher) of(patterns []string) Syntax {
	s := m.syntax
	s.Patterns, s.And, s.Engine = patterns, nil, m.Engine()
	if s.Case == Smart {
		s.Case = Sensitive
		if m.p.facts&factInsensitive != 0 {
			s.Case = Insensitive
		}
	}
	return s
}

// shortest is the length of the shortest of the patterns, by the letters and digits
// in a row that each seems to hold.
func shortest(patterns []string) int {
	least := math.MaxInt
	for _, p := range patterns {
		most, n := 0, 0
		for i := range len(p) {
			if n++; p[i] < utf8.RuneSelf && !wordByte(p[i]) && p[i] != ' ' {
				n = 0
			}
			most = max(most, n)
		}
		least = min(least, most)
	}
	return least
}

// Engine returns the engine that compiled the patterns, never [AutoEngine].
func (m *Matcher) Engine() Engine {
	if m.p != nil && m.p.fallible {
		return PCRE2Engine
	}
	return DefaultEngine
}

// divider stands around an engine's error where both have one.
var divider = strings.Repeat("~", 79)

func (s *Syntax) compile() (*pattern, error) {
	if s.Engine == PCRE2Engine {
		return s.compilePCRE2()
	}
	p, err := s.compileDefault()
	if err == nil {
		return p, nil
	}
	text := advise(err.Error(), ownHints[:])
	if s.Engine == DefaultEngine {
		return nil, errors.New(advise(text, otherHints[:]))
	}
	p, other := s.compilePCRE2()
	if other == nil {
		return p, nil
	}
	return nil, fmt.Errorf("regex could not be compiled with either the default regex engine or with PCRE2.\n\n"+
		"default regex engine error:\n%s\n%s\n%[1]s\n\nPCRE2 regex engine error:\n%[3]v", divider, text, other)
}

// all are the patterns of which any makes a match.
func (s *Syntax) all() []string { return slices.Concat(s.Patterns, s.And) }

func (s *Syntax) compilePCRE2() (*pattern, error) {
	all := s.all()
	if len(s.And) > 0 && !s.Fixed {
		// Each counts its own groups: a reference that is right for a pattern
		// alone must be so among the others.
		all = []string{"(?|(?:" + strings.Join(all, ")|(?:") + "))"}
	}
	return compilePCRE2(all, s.planFlags())
}

func (s *Syntax) compileDefault() (*pattern, error) {
	plan, err := newPlan(s.all(), s.planFlags())
	if err != nil {
		return nil, err
	}
	defer plan.free()
	size, dfa := defaultSizeLimit, defaultDFASizeLimit
	if s.SizeLimit != nil {
		size = *s.SizeLimit
	}
	if s.DFASizeLimit != nil {
		dfa = *s.DFASizeLimit
	}
	return plan.compile(size, dfa)
}

// A hint is what a user can do about an error, which is known by its words as
// it is in ripgrep.
type hint struct {
	words []string // any of them, each of them split at the ellipsis
	text  string
}

var (
	// ownHints stay with the default engine.
	ownHints = [...]hint{
		{[]string{"the literal…not allowed"}, `Consider enabling multiline mode with the --multiline flag (or -U for short).
When multiline mode is enabled, new line characters can be matched.`},
		{[]string{`pattern contains "\0"`}, `Consider enabling text mode with the --text flag (or -a for short). Otherwise,
binary detection is enabled and matching a NUL byte is impossible.`},
	}
	// otherHints lead to another engine.
	otherHints = [...]hint{
		{[]string{"backreferences", "look-around"}, `Consider enabling PCRE2 with the --pcre2 flag, which can handle backreferences
and look-around.`},
	}
)

// advise adds the hints that belong to an error's text.
func advise(text string, hints []hint) string {
	for _, h := range hints {
		for _, words := range h.words {
			if containsAll(text, strings.Split(words, "…")) {
				text += "\n\n" + h.text
				break
			}
		}
	}
	return text
}

func containsAll(text string, words []string) bool {
	for _, w := range words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func (s *Syntax) planFlags() planFlags {
	var f planFlags
	for _, b := range []struct {
		on   bool
		flag planFlags
	}{
		{s.Fixed, planFixed},
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
