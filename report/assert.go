package report

import (
	"fmt"

	"tally/report/escape"
)

// A PatternCount says how much one of several patterns matches.
type PatternCount struct {
	Pattern string
	// Files and Lines count what this pattern matches.
	Files, Lines Number
}

// Asserted reports whether absence was asserted.
func (l *Ledger) Asserted() bool { return l.cfg.Ledger.Absent }

// An assertion is what that of absence has come to.
type assertion uint8

const (
	notAsserted assertion = iota
	proven
	refuted
	undecided
)

func (assertion) names() []string {
	return []string{notAsserted: "", proven: "proven", refuted: "refuted", undecided: "unknown"}
}

// absence returns what the assertion of absence has come to.
func (l *Ledger) absence() assertion {
	switch {
	case !l.cfg.Ledger.Absent:
		return notAsserted
	case l.Found:
		return refuted
	case !l.Complete || l.unproven() != "":
		return undecided
	}
	return proven
}

// SetPatterns enters what each of several patterns matches.
func (l *Ledger) SetPatterns(counts []PatternCount) {
	l.Patterns = counts
	l.boundPatterns()
}

// maxPatternLines is how many patterns are listed in lines.
const maxPatternLines = 20

// patternLines lists the patterns that match.
func (l *Ledger) patternLines() []string {
	if len(l.Patterns) == 0 {
		return nil
	}
	n := int64(len(l.Patterns))
	which := some(n, "pattern", "patterns")
	if all := int64(l.cfg.Ledger.Patterns); all > 0 {
		which = grouped(n) + " of " + some(all, "pattern", "patterns")
	}
	if !l.Matched.known {
		which = "at least " + which
	}
	lines := []string{which + " " + plural(n, "occurs", "occur") + ":"}
	for i, p := range l.Patterns {
		if i == maxPatternLines {
			return append(lines, fmt.Sprintf("  and %s more; --json lists all", grouped(n-maxPatternLines)))
		}
		lines = append(lines, fmt.Sprintf("  %s: %s in %s", escape.Name(p.Pattern), p.Lines.of("line", "lines"), some(p.Files.n, "file", "files")))
	}
	return lines
}
