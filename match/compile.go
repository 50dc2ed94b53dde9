package match

import (
	"errors"
	"fmt"
	"strings"
)

// A Matcher is a compiled pattern. It may be shared by goroutines, each of
// which searches with a [Searcher] of its own.
type Matcher struct {
	p          *pattern // nil: no pattern, nothing matches
	syntax     Syntax
	term       byte
	linewise   bool // each line must be matched alone
	withinLine bool // no match holds a terminator
}

// Compile compiles the patterns of s into one, which matches where any of
// them does. An error is worded as ripgrep words it: it shows the place in the
// pattern, and what to do about it if there is something.
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
	return m, nil
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
		return compilePCRE2(s.Patterns, s.planFlags())
	}
	p, err := s.compileDefault()
	if err == nil {
		return p, nil
	}
	text := advise(err.Error(), ownHints[:])
	if s.Engine == DefaultEngine {
		return nil, errors.New(advise(text, otherHints[:]))
	}
	p, other := compilePCRE2(s.Patterns, s.planFlags())
	if other == nil {
		return p, nil
	}
	return nil, fmt.Errorf("regex could not be compiled with either the default regex engine or with PCRE2.\n\n"+
		"default regex engine error:\n%s\n%s\n%[1]s\n\nPCRE2 regex engine error:\n%[3]v", divider, text, other)
}

func (s *Syntax) compileDefault() (*pattern, error) {
	plan, err := newPlan(s.Patterns, s.planFlags())
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
