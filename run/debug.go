package run

import (
	"fmt"
	"strings"

	"tally/flags"
	"tally/match"
	"tally/report/escape"
	"tally/walk"
)

// debugPlan tells what is searched, for what and how.
func (s *Session) debugPlan() {
	s.say.debug("roots: %q", s.Walk.Roots)
	s.say.debug("threads: %d", s.Walk.Workers())
	if s.matcher == nil {
		return
	}
	engine := map[match.Engine]string{match.DefaultEngine: "regex", match.PCRE2Engine: "PCRE2"}[s.matcher.Engine()]
	unit := "line by line"
	if s.matcher.MultiLine() {
		unit = "each file as a whole, since a match may span lines"
	}
	s.say.debug("patterns: %q, searched by %s, %s", s.Syntax.Patterns, engine, unit)
}

// debugSkip tells what was left out, and why.
func (s *Session) debugSkip(k *walk.Skip) {
	if s.say.Level >= flags.LogDebug {
		s.say.debug("skipped as %s", skipFinding(k).text())
	}
}

// traceOutcome tells what the search of a file found out.
func (s *Session) traceOutcome(path []byte, o *match.Outcome) {
	if s.say.Level < flags.LogTrace {
		return
	}
	notes := []string{fmt.Sprintf("%d bytes, matching lines: %d", o.Bytes, o.Lines)}
	if o.Stopped {
		notes = append(notes, "stopped before its end")
	}
	if o.BinaryOffset >= 0 {
		notes = append(notes, fmt.Sprintf("binary: NUL at byte %d", o.BinaryOffset))
	}
	if o.Guessed {
		notes = append(notes, "UTF-16 by its look")
	}
	s.say.trace("searched %s: %s", escape.Name(string(path)), strings.Join(notes, "; "))
}
