package report

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"tally/match"
)

// standardForm shows the matching lines themselves, as grep does.
var standardForm = form{
	gaps:      true,
	endsAtNUL: true,
	spans:     (*Config).granular,
	lines:     standardLines{},
	list:      textList{},
	end:       statsEnd{},
}

type standardLines struct{}

func (standardLines) separator(c *Config) []byte {
	switch {
	case c.Heading:
		return c.terminator()
	case c.Context && c.ContextSeparator != nil:
		return append(append([]byte(nil), *c.ContextSeparator...), c.terminator()...)
	}
	return nil
}

func (standardLines) head(w *Worker) {
	if len(w.part.buf) == 0 {
		w.part.separator = len(w.p.separator)
	}
	w.part.buf = append(w.part.buf, w.p.separator...)
	w.file.block.separatorEnd = len(w.part.buf)
	if w.cfg.Heading && w.cfg.WithPath {
		w.writePath()
		w.part.buf = append(w.part.buf, w.pathEnd(string(w.term))...)
	}
}

func (standardLines) matched(w *Worker, l *match.Line) {
	if w.near != nil {
		l = w.withNear(l)
	}
	if w.plain {
		w.plainLine(w.preludeFor(false), l)
	} else {
		w.matchedLine(l)
	}
}

func (standardLines) context(w *Worker, l *match.Line) {
	if w.plain {
		w.plainLine(w.preludeFor(true), l)
	} else {
		w.contextLine(l)
	}
}

// foot says that a binary file matches. It is written even if no line was.
func (standardLines) foot(w *Worker, o match.Outcome, quit bool) {
	f := &w.file
	if o.BinaryOffset < 0 || o.Lines == 0 {
		return
	}
	if f.past && !f.begun {
		f.blank = true
		return
	}
	if !f.begun {
		f.begun = true
		w.startBlock()
	}
	w.binaryMessage(o.BinaryOffset, quit)
}

func (standardLines) late(*Worker, match.Outcome, time.Duration) {}

// withNear returns a line with the words that were found at its end.
func (w *Worker) withNear(l *match.Line) *match.Line {
	text := bytes.TrimSuffix(l.Bytes, []byte{w.cfg.LineTerm})
	marked := *l
	w.nearLine = append(w.nearLine[:0], text...)
	w.nearLine = append(w.nearLine, "  ~ "...)
	w.nearLine = append(w.nearLine, strings.Join(w.near, ", ")...)
	marked.Bytes = append(w.nearLine, l.Bytes[len(text):]...)
	return &marked
}

// statsEnd writes ripgrep's statistics, if they were asked for.
type statsEnd struct{}

func (statsEnd) end(p *Printer, l *Ledger) {
	if !p.cfg.Stats {
		return
	}
	s := &p.total.stats
	fmt.Fprintf(p.out, "\n%d matches\n%d matched lines\n%d files contained matches\n"+
		"%d files searched\n%d bytes printed\n%d bytes searched\n"+
		"%.6f seconds spent searching\n%.6f seconds total\n",
		s.matches, s.matchedLines, s.withMatch, s.searches, s.printed, s.searched,
		s.elapsed.Seconds(), l.Elapsed.Seconds())
}
