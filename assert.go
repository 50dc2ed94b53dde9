package main

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"tally/match"
	"tally/match/decode"
	"tally/report"
	"tally/walk"
)

// This file is what --absent adds to the search of a file: every byte is looked
// at for NUL, the file must be the same before and after, and of several
// patterns each gets counts of its own.

var errChanged = errors.New("changed while being read")

// A witness reads a file and watches it meanwhile.
type witness struct {
	r      io.Reader
	stamp  func() (walk.Stamp, error) // nil: a stream, which cannot change
	before walk.Stamp
	binary bool
}

// watchFile begins to watch a file, which is read through r.
func watchFile(stamp func() (walk.Stamp, error), r io.Reader) (*witness, error) {
	w := &witness{r: r, stamp: stamp}
	var err error
	if stamp != nil {
		w.before, err = stamp()
	}
	return w, err
}

func (w *witness) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	w.binary = w.binary || bytes.IndexByte(p[:n], 0) >= 0
	return n, err
}

// check returns errChanged if the file has changed since it was opened.
func (w *witness) check() error {
	if w.stamp == nil {
		return nil
	}
	now, err := w.stamp()
	if err == nil && now != w.before {
		err = errChanged
	}
	return err
}

// holds tells the worker, at the end of a search, what was witnessed, and
// reports whether the search counts. That of a file that has changed does only
// if it found something: this was there.
func (w *witness) holds(v *visitor, o match.Outcome) bool {
	if w.binary && !o.Derived || o.BinaryOffset >= 0 {
		v.w.Binary()
	}
	err := w.check()
	if err == nil || o.Lines > 0 {
		return true
	}
	v.w.Fail(walk.Error{Path: walk.Displayed(v.path), Op: walk.OpChange, Err: err})
	return false
}

// assert searches a file of which absence is asserted. Its handle is nil if it
// is standard input.
func (v *visitor) assert(f *walk.File, h match.Haystack, handle *walk.Handle) {
	fail := func(err error) {
		v.w.Fail(walk.Error{Path: walk.Displayed(v.path), Op: walk.OpChange, Err: err})
	}
	var stamp func() (walk.Stamp, error)
	if handle != nil && f.Regular() {
		stamp = handle.Stamp
	}
	w, err := watchFile(stamp, h.Reader)
	if err != nil {
		fail(err)
		return
	}
	h.Reader, h.At = w, nil
	again := f.Repeated()
	if o, _ := v.search(h, f.Explicit(), again, w); o.Lines == 0 {
		return
	}
	if v.s.breakdown != nil && !again {
		if err := v.breakDown(f); err != nil {
			v.s.breakdown.partial.Store(true)
		}
	}
	if err := w.check(); err != nil {
		fail(err)
	}
}

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
func (p *plan) newBreakdown() *breakdown {
	if !p.args.Absent || p.args.InvertMatch || len(p.syntax.Patterns) < 2 {
		return nil
	}
	b := &breakdown{syntax: p.syntax, patterns: make([]patternCount, len(p.syntax.Patterns))}
	for i, text := range p.syntax.Patterns {
		one := p.syntax
		one.Patterns = []string{text}
		b.patterns[i].text = text
		b.patterns[i].compile = sync.OnceValues(func() (*match.Matcher, error) { return match.Compile(one) })
	}
	return b
}

// found returns the counts of the patterns that match, nil if none do.
func (b *breakdown) found() []report.PatternCount {
	var counts []report.PatternCount
	for i := range b.patterns {
		p := &b.patterns[i]
		if n := p.files.Load(); n > 0 {
			counts = append(counts, report.PatternCount{Pattern: p.text, Files: n, Lines: p.lines.Load()})
		}
	}
	return counts
}

// breakDown reads a file that matches once more and adds it to the breakdown.
func (v *visitor) breakDown(f *walk.File) error {
	b := v.s.breakdown
	r, done, err := v.again(f)
	if err != nil {
		return err
	}
	defer done()
	lines, err := v.matchingLines(r)
	if err != nil {
		return err
	}
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
			v.each[i] = m.NewSearcher(match.Options{MaxCount: -1, Stop: v.s.stopped, Decode: decoded})
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

// again opens a file that has been read for another look at it.
func (v *visitor) again(f *walk.File) (r io.Reader, done func(), err error) {
	if f.Stdin() {
		r, err = v.s.kept.reader()
		return r, func() {}, err
	}
	h, err := f.Open()
	return &h, h.Close, err
}

// plain reports whether a pattern matches exactly where its bytes stand, or
// less often.
func (b *breakdown) plain() bool { return b.syntax.Fixed && b.syntax.Case == match.Sensitive }

// matchingLines returns the lines that match; of a search across lines, which
// cannot be told from them alone, the whole file.
func (v *visitor) matchingLines(r io.Reader) ([]byte, error) {
	if v.s.matcher.MultiLine() {
		in := decode.NewReader(v.s.options.Decode)
		in.Reset(r, v.s.format(v.path))
		return io.ReadAll(in)
	}
	if v.lines == nil {
		v.lines = v.s.matcher.NewSearcher(match.Options{MaxCount: -1, Stop: v.s.stopped, Decode: v.s.options.Decode})
	}
	var sink lineCollector
	_, err := v.lines.Search(match.Haystack{Reader: r, Format: v.s.format(v.path)}, &sink)
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

// setPatterns puts the breakdown into the ledger if it is whole.
func (s *searcher) setPatterns(l *report.Ledger) {
	if b := s.breakdown; b != nil && l.StoppedBy == report.NotStopped && !b.partial.Load() {
		l.Patterns = b.found()
	}
}
