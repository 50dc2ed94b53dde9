package report

import (
	"fmt"
	"strings"

	"tally/match"
	"tally/report/escape"
)

// A PatternCount says how much one of several patterns matches alone.
type PatternCount struct {
	Pattern string
	// Files and Lines count what this pattern matches.
	Files, Lines Number
}

// An EachConfig says of which patterns it is told what they match alone.
type EachConfig struct {
	// Patterns are those, in the order of the counts that workers are given
	// ([Worker.Each]); nil: it is not told.
	Patterns []string
	// Asked says that it was asked for: it is then said even where nothing is
	// established, and wherever the ledger line may be printed.
	Asked bool
	// Zeros lists patterns that match nothing, too.
	Zeros bool
	// Together is where the patterns had to stand together for a result, such as
	// "in one line"; "" if any of them is enough.
	Together string
}

// eachCount is what one pattern matches.
type eachCount struct{ files, lines int64 }

// eachCounts are what each pattern matches; nil: nothing was counted yet.
type eachCounts []eachCount

func (e *eachCounts) add(o eachCounts) {
	if *e == nil && o != nil {
		*e = make(eachCounts, len(o))
	}
	for i, c := range o {
		(*e)[i].files += c.files
		(*e)[i].lines += c.lines
	}
}

// Each says of the file that was begun what each pattern matches alone, nil if
// that could not be found out. The counts must stay as they are until End.
func (w *Worker) Each(counts []match.Count) { w.file.each = counts }

// endEach enters what each pattern matches in a file whose search has ended.
func (w *Worker) endEach(o *match.Outcome) {
	if w.cfg.Ledger.Each.Patterns == nil {
		return
	}
	d, counts := &w.part.delta, w.file.each
	d.eachUnknown = d.eachUnknown || o.Stopped || counts == nil
	for i, c := range counts {
		if c.Lines == 0 {
			continue
		}
		if d.each == nil {
			d.each = make(eachCounts, len(counts))
		}
		d.each[i].files++
		d.each[i].lines += c.Lines
	}
}

// eachPattern draws up what each pattern matches; nil if it is not told.
func (p *Printer) eachPattern(established bool) []PatternCount {
	cfg, t := &p.cfg.Ledger.Each, &p.total
	known := established && !t.eachUnknown
	if cfg.Patterns == nil || t.eachUnknown && !cfg.Asked && !p.cfg.Ledger.Absent {
		return nil
	}
	var list []PatternCount
	seen := map[string]bool{}
	for i, text := range cfg.Patterns {
		if seen[text] {
			continue // it is one of several, and demanded besides
		}
		seen[text] = true
		var c eachCount
		if t.each != nil {
			c = t.each[i]
		}
		if c.files > 0 || cfg.Zeros {
			list = append(list, PatternCount{text, KnownOrBound(known, c.files), KnownOrBound(known, c.lines)})
		}
	}
	return list
}

// boundPatterns makes lower bounds of the counts of patterns where the totals are.
func (l *Ledger) boundPatterns() {
	for i := range l.Patterns {
		if p := &l.Patterns[i]; !l.Matched.known {
			p.Files, p.Lines = p.Files.bounded(), p.Lines.bounded()
		}
	}
}

// maxPatternLines is how many patterns are listed in lines.
const maxPatternLines = 20

// patternLines lists the patterns that match, and names those that do not.
func (l *Ledger) patternLines() []string {
	var found []PatternCount
	var missing []string
	known := l.Matched.known
	for _, p := range l.Patterns {
		known = known && p.Files.known
		if p.Files.n > 0 {
			found = append(found, p)
		} else {
			missing = append(missing, escape.Name(p.Pattern))
		}
	}
	all := int64(l.cfg.Ledger.Patterns)
	if missing != nil {
		all = int64(len(l.Patterns))
	}
	var lines []string
	if found != nil {
		lines = l.foundPatterns(found, all, known)
	}
	if missing == nil {
		return lines
	}
	which := "not found"
	if !known {
		which = "not found in what was read, which proves nothing"
	}
	n, more := len(missing), ""
	if n > maxPatternLines {
		missing, more = missing[:maxPatternLines], fmt.Sprintf(" and %s more; --json lists all", grouped(int64(n-maxPatternLines)))
	}
	return append(lines, fmt.Sprintf("%s: %s of %s: %s%s", which, grouped(int64(n)), some(all, "pattern", "patterns"), strings.Join(missing, ", "), more))
}

// foundPatterns lists the patterns that match, of so many.
func (l *Ledger) foundPatterns(found []PatternCount, all int64, known bool) []string {
	n := int64(len(found))
	which := some(n, "pattern", "patterns")
	if all > 0 {
		which = grouped(n) + " of " + some(all, "pattern", "patterns")
	}
	if !known {
		which = "at least " + which
	}
	head := which + " " + plural(n, "occurs", "occur") + ":"
	if where := l.cfg.Ledger.Each.Together; where != "" && known && l.Complete && !l.Found && n == all && n > 1 {
		head = "each pattern occurs, but never all of them " + where + ":"
	}
	lines := []string{head}
	for i, p := range found {
		if i == maxPatternLines {
			return append(lines, fmt.Sprintf("  and %s more; --json lists all", grouped(n-maxPatternLines)))
		}
		lines = append(lines, fmt.Sprintf("  %s: %s in %s", escape.Name(p.Pattern), p.Lines.of("line", "lines"), some(p.Files.n, "file", "files")))
	}
	return lines
}
