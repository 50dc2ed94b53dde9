package run

import (
	"bytes"
	"io"
	"sync"
	"sync/atomic"

	"tally/match"
	"tally/match/decode"
	"tally/report"
	"tally/run/input"
)

// A breakdown counts for each of several patterns what it matches. It looks
// only at lines that the search for all of them together has found.
type breakdown struct {
	syntax   match.Syntax
	patterns []patternCount
	partial  atomic.Bool // something that matches could not be read again
}

type patternCount struct {
	text         string
	compile      func() (*match.Matcher, error)
	files, lines atomic.Int64
}

// newBreakdown returns nil if there is nothing to be told apart.
func (s *Session) newBreakdown() *breakdown {
	if !s.Absent || s.Search.Invert || len(s.Syntax.Patterns) < 2 {
		return nil
	}
	b := &breakdown{syntax: s.Syntax, patterns: make([]patternCount, len(s.Syntax.Patterns))}
	for i, text := range s.Syntax.Patterns {
		one := s.Syntax
		one.Patterns = []string{text}
		b.patterns[i].text = text
		b.patterns[i].compile = sync.OnceValues(func() (*match.Matcher, error) { return match.Compile(one) })
	}
	return b
}

// complete puts the breakdown into the ledger if it is whole.
func (b *breakdown) complete(l *report.Ledger) {
	if b != nil && l.StoppedBy == report.NotStopped && !b.partial.Load() {
		l.SetPatterns(b.found())
	}
}

// found returns the counts of the patterns that match, nil if none do.
func (b *breakdown) found() []report.PatternCount {
	var counts []report.PatternCount
	for i := range b.patterns {
		p := &b.patterns[i]
		if n := p.files.Load(); n > 0 {
			counts = append(counts, report.PatternCount{Pattern: p.text, Files: report.Known(n), Lines: report.Known(p.lines.Load())})
		}
	}
	return counts
}

// plain reports whether a pattern can match only where its bytes stand.
func (b *breakdown) plain() bool { return b.syntax.Fixed && b.syntax.Case == match.Sensitive }

// breakDown reads a file that matches once more and adds it to the breakdown.
func (v *visitor) breakDown(src *input.Source) error {
	lines, err := v.matchingLines(src)
	if err != nil {
		return err
	}
	b := v.breakdown
	if v.each == nil {
		v.each = make([]*match.Searcher, len(b.patterns))
	}
	for i := range b.patterns {
		p := &b.patterns[i]
		if b.plain() && !bytes.Contains(lines, []byte(p.text)) {
			continue
		}
		if v.each[i] == nil {
			m, err := p.compile()
			if err != nil {
				return err // not met: all of them together were compiled
			}
			decoded := decode.Config{Encoding: decode.None}
			v.each[i] = m.NewSearcher(match.Options{Stop: v.s.stopped, Decode: decoded})
		}
		o, err := v.each[i].Search(match.Haystack{Reader: bytes.NewReader(lines)}, nil)
		if err != nil {
			return err
		}
		if o.Lines > 0 {
			p.files.Add(1)
			p.lines.Add(o.Lines)
		}
	}
	return nil
}

// matchingLines returns the lines that match; of a search across lines, which
// cannot be told from them alone, the whole file.
func (v *visitor) matchingLines(src *input.Source) ([]byte, error) {
	r, err := src.Reader()
	if err != nil {
		return nil, err
	}
	if v.s.matcher.MultiLine() {
		in := decode.NewReader(v.s.Input.Decode)
		in.Reset(r, src.Format())
		return io.ReadAll(in)
	}
	if v.lines == nil {
		v.lines = v.s.matcher.NewSearcher(match.Options{Stop: v.s.stopped, Decode: v.s.Input.Decode})
	}
	var sink lineCollector
	_, err = v.lines.Search(match.Haystack{Reader: r, Format: src.Format()}, &sink)
	return sink, err
}

// A lineCollector keeps the lines that match.
type lineCollector []byte

func (c *lineCollector) Matched(l *match.Line) bool {
	*c = append(*c, l.Bytes...)
	return true
}

func (c *lineCollector) Context(*match.Line, match.ContextKind) bool { return true }
func (c *lineCollector) Break() bool                                 { return true }
