package run

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"time"

	"tally/match"
	"tally/match/readings"
	"tally/report"
	"tally/run/input"
	"tally/walk"
)

// This file searches for near misses where nothing was found: one pass over all
// files, in scope and out of it, with all probes together. A file is read with
// every probe in one pattern first; only where that matches are they told apart.

// explain puts into the ledger of a zero what nearly matched.
func (s *Session) explain(l *report.Ledger) {
	n := s.NearMisses
	if l.Found || l.StoppedBy != report.NotStopped || !n.Wanted || !l.Complete && !n.Always {
		return
	}
	q := s.zeroQuery()
	l.Explanation = s.findNearMisses(q, readings.Of(q), s.nearMissLimit(2*l.Elapsed))
}

// nearMissLimit is how long near misses are searched for, 0 for any time: a
// second at least, and as long as it pays where that is longer.
func (s *Session) nearMissLimit(pays time.Duration) time.Duration {
	if s.NearMisses.Always {
		return 0
	}
	return max(time.Second, pays)
}

func (s *Session) zeroQuery() readings.Query {
	return readings.Query{
		Patterns:    s.Syntax.Patterns,
		Fixed:       s.Syntax.Fixed,
		Insensitive: s.Syntax.Case == match.Insensitive,
		Bounded:     s.Syntax.Boundary != match.Anywhere,
	}
}

// explainSyntax says, of patterns that are no regular expressions, how often
// they occur as literal text.
func (s *Session) explainSyntax() {
	if s.Syntax.Fixed || !s.NearMisses.Wanted {
		return
	}
	r := s.findNearMisses(s.zeroQuery(), []readings.Reading{readings.AsLiteral(s.Syntax.Patterns)}, s.nearMissLimit(0))
	if len(r.Findings) == 0 && r.Complete {
		s.say.print("as literal text the pattern does not occur either")
		return
	}
	for _, line := range r.Lines() {
		s.say.print(line)
	}
}

// A probe is one of the ways to read the query, compiled.
type probe struct {
	readings.Reading
	m *match.Matcher
}

// nearMisses is one pass over the files with all probes.
type nearMisses struct {
	*Session
	// all matches wherever a probe does, and perhaps elsewhere; ascii does so
	// in text of nothing but ASCII. nil: that is unknown.
	all, ascii *match.Matcher
	// lines matches wherever a probe that does not span lines does; nil: all
	// are of that kind.
	lines  *match.Matcher
	probes []probe
	// most is how much of a file is read, in bytes, to search it across lines,
	// -1 for all.
	most int64
	// cut says that the time was over, or a file not read to its end.
	cut bool
}

// findNearMisses searches all files for all probes; a limit of 0 is none.
func (s *Session) findNearMisses(q readings.Query, list []readings.Reading, limit time.Duration) *report.Explanation {
	n := &nearMisses{Session: s, most: -1}
	n.compile(q, list)
	u := s.afresh(func(c *walk.Config) { c.Beyond = true })
	if limit > 0 {
		n.most = mostOfFile
		defer time.AfterFunc(limit, u.Stop).Stop()
	}
	r := &report.Explanation{Reduced: readings.Reduced(q)}
	for _, p := range n.probes {
		r.Tried(p.Kind)
	}
	pass(u, n.visitor, func(part *probedPart) error {
		r.Files += part.files
		n.cut = n.cut || part.cut
		for _, f := range part.findings {
			r.Add(f)
		}
		return nil
	})
	r.Complete = !n.cut && !u.Stopped()
	r.Sort()
	return r
}

// compile compiles the probes, and the patterns that stand for all of them.
func (n *nearMisses) compile(q readings.Query, list []readings.Reading) {
	var hints []string
	union := n.syntax(readings.Reading{AnyCase: true, Bytes: true})
	for _, e := range list {
		if e.Bytes && n.Syntax.Engine != match.DefaultEngine {
			continue // no other engine searches what is not text
		}
		syntax := n.syntax(e)
		if e.Kind == readings.AsTyped {
			syntax = n.Syntax
			syntax.BanNUL = false
		}
		m, err := match.Compile(syntax)
		if err != nil {
			continue // that reading of the query means nothing
		}
		n.probes = append(n.probes, probe{e, m})
		if e.MultiLine {
			hints = readings.Hints(q)
			continue
		}
		union.Patterns = append(union.Patterns, e.Patterns...)
	}
	if hints != nil {
		n.lines, _ = match.Compile(union)
		union.Patterns = append(union.Patterns, hints...)
	}
	n.all, _ = match.Compile(union)
	union.Patterns = readings.ForASCII(union.Patterns)
	n.ascii, _ = match.Compile(union)
}

// syntax is the query's, changed as a probe needs it.
func (n *nearMisses) syntax(p readings.Reading) match.Syntax {
	s := n.Syntax
	s.Fixed, s.BanNUL, s.Patterns = false, false, p.Patterns
	if p.AnyCase {
		s.Case = match.Insensitive
	}
	if p.MultiLine {
		s.MultiLine = true
	}
	if p.Bytes || p.Unbounded {
		s.Boundary = match.Anywhere
	}
	return s
}

// probedPart is what a worker has found in some files.
type probedPart struct {
	files    int64
	findings []report.Finding
	cut      bool // a file was not read to its end
}

func (*probedPart) Size() int { return 0 }

func (n *nearMisses) visitor(emit func(*probedPart)) walk.Visitor {
	v := &prober{n: n, door: n.input.Door(), emit: emit, part: new(probedPart), each: make([]*match.Searcher, len(n.probes))}
	v.door.Reread = true
	return &fileVisitor{v.file, v.done}
}

// A prober probes the files that one worker comes to.
type prober struct {
	n    *nearMisses
	door *input.Door
	emit func(*probedPart)
	part *probedPart
	// all, ascii and lines are searchers for those of nearMisses.
	all, ascii, lines *match.Searcher
	each              []*match.Searcher
	path              []byte
	src               *input.Source
	packed            bool // the file is taken apart first
}

func (v *prober) done() {
	if v.part.files > 0 {
		v.emit(v.part)
		v.part = new(probedPart)
	}
}

func (v *prober) file(f *walk.File) {
	v.path = f.AppendPath(v.path[:0])
	if !f.Regular() && !f.Stdin() || !f.Stdin() && v.n.input.Preprocessed(v.path) {
		return // it cannot be read twice, or is read through a program
	}
	if f.Repeated() {
		return
	}
	v.part.files++
	scope := report.InScope
	if reason, out := f.OutOfScope(); out {
		scope = reason.String()
	}
	src, failure := v.door.Open(f, v.path)
	if failure != nil {
		return
	}
	defer src.Close()
	v.src, v.packed = src, false
	if v.matches() {
		v.tellApart(scope)
	}
	if scope == report.InScope && !v.n.Input.SearchZip && src.Packed() {
		v.packed = true
		if v.matches() {
			v.tellApart("compressed")
		}
	}
}

// search reads at most so many bytes of the file, or all if that is negative.
func (v *prober) search(s *match.Searcher, sink match.Sink, most int64) (o match.Outcome, seen content) {
	var h match.Haystack
	var err error
	if v.packed {
		h.Reader, err = v.src.Unpacked()
	} else {
		h.Reader, err = v.src.Reader()
		h.Format = v.src.Format()
	}
	if err != nil {
		return o, content{}
	}
	w := contentReader{r: h.Reader, left: most}
	h.Reader = &w
	o, err = s.Search(h, sink)
	v.part.cut = v.part.cut || errors.Is(err, errTooMuch)
	// Of what is decoded the bytes on disk tell nothing.
	w.beyondASCII = w.beyondASCII || o.Derived
	w.nul = w.nul && !o.Derived
	return o, w.content
}

// content is what stands out in what was read.
type content struct{ nul, beyondASCII bool }

// A contentReader watches what is read, and ends with errTooMuch what is longer
// than left bytes, unless that is negative.
type contentReader struct {
	r    io.Reader
	left int64
	content
}

// mostOfFile is nearMisses.most, unless all is to be read: a search across lines
// keeps the file in memory.
const mostOfFile = 256 << 20

var errTooMuch = errors.New("too much to be searched across lines")

func (c *contentReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	if c.left >= 0 {
		if c.left -= int64(n); c.left < 0 {
			return 0, errTooMuch
		}
	}
	c.nul = c.nul || bytes.IndexByte(p[:n], 0) >= 0
	c.beyondASCII = c.beyondASCII || beyondASCII(p[:n])
	return n, err
}

// beyondASCII reports whether a byte is no ASCII character.
func beyondASCII(p []byte) bool {
	var bits uint64
	for len(p) >= 64 {
		for i := 0; i < 64; i += 8 {
			bits |= binary.NativeEndian.Uint64(p[i:])
		}
		if bits&0x8080808080808080 != 0 {
			return true
		}
		p = p[64:]
	}
	for _, c := range p {
		bits |= uint64(c)
	}
	return bits&0x80 != 0
}

// matches reports whether any probe may match.
func (v *prober) matches() bool {
	if v.n.all == nil {
		return true
	}
	if v.n.ascii != nil {
		matches, seen := v.first(&v.ascii, v.n.ascii)
		if matches || !seen.beyondASCII {
			return matches
		}
	}
	matches, _ := v.first(&v.all, v.n.all)
	return matches
}

// first reports whether m, for which s is or becomes the searcher, matches.
func (v *prober) first(s **match.Searcher, m *match.Matcher) (bool, content) {
	if *s == nil {
		*s = v.searcher(m, match.Options{FirstOnly: true})
	}
	o, seen := v.search(*s, nil, -1)
	return o.Lines > 0, seen
}

func (v *prober) searcher(m *match.Matcher, o match.Options) *match.Searcher {
	o.MaxCount, o.Stop, o.Decode = -1, v.n.stopped, v.n.Input.Decode
	return m.NewSearcher(o)
}

// tellApart finds out which probes match. What lies out of scope is searched for
// as typed, and only if that is not there in all ways together.
func (v *prober) tellApart(scope string) {
	out := scope != report.InScope
	matched, otherForm := false, false
	onlyAcross := false
	if v.n.lines != nil {
		matches, _ := v.first(&v.lines, v.n.lines)
		onlyAcross = !matches
	}
	for i := range v.n.probes {
		p := &v.n.probes[i]
		alone := p.Kind == readings.Combined || out
		if onlyAcross && !p.MultiLine || alone && matched || otherForm && p.Kind == readings.Accents || out && p.Kind != readings.AsTyped && p.Kind != readings.Combined && len(v.n.probes) > 1 {
			continue
		}
		f, found := v.try(i, scope)
		if !found {
			continue
		}
		matched, otherForm = true, p.Kind == readings.UnicodeForm
		v.part.findings = append(v.part.findings, f)
		if p.Kind == readings.AsTyped {
			return // all others would match as well
		}
	}
}

// try searches the file for one probe.
func (v *prober) try(i int, scope string) (f report.Finding, found bool) {
	p := &v.n.probes[i]
	if v.each[i] == nil {
		v.each[i] = v.searcher(p.m, match.Options{Spans: true, Numbers: true})
	}
	sink := firstLine{probe: p}
	most := int64(-1)
	if p.MultiLine {
		most = v.n.most
	}
	_, seen := v.search(v.each[i], &sink, most)
	if sink.lines == 0 {
		return f, false
	}
	first := report.Example{Path: string(v.path), Line: report.KnownIf(sink.number > 0, sink.number)}
	f = report.Finding{Kind: p.Kind, Scope: scope, Lines: sink.lines, Files: 1, Example: first}
	if seen.nul && f.Scope == report.InScope && p.Kind != readings.UTF16 {
		f.Scope = walk.Binary.String()
	}
	f.Flags = p.advice(f.Scope, sink.text)
	return f, true
}

// scopeFlags are what brings files into scope.
var scopeFlags = map[string]string{
	report.InScope:         "",
	walk.Hidden.String():   "--hidden",
	walk.Ignored.String():  "--no-ignore",
	walk.Binary.String():   "--text",
	walk.TooLarge.String(): "--max-filesize with a larger limit",
	walk.Type.String():     "no or another --type",
	walk.Glob.String():     "no or another --glob",
	walk.MaxDepth.String(): "--max-depth with a larger limit",
	"compressed":           "--search-zip",
}

// advice is what flags find a text that the probe has matched.
func (p *probe) advice(scope string, text []byte) string {
	flags := p.Flags
	if flags == "" && p.Kind != readings.AsTyped {
		flags = readings.Suggest(string(text))
	}
	switch add := scopeFlags[scope]; {
	case flags == "" && add == "":
		return "the same search: it was not there before"
	case flags == "":
		return add
	case add != "":
		return add + " " + flags
	}
	return flags
}

// firstLine counts the lines that a probe is about and keeps the first.
type firstLine struct {
	probe  *probe
	lines  int64
	number int64
	text   []byte
}

func (s *firstLine) Matched(l *match.Line) bool {
	i := slices.IndexFunc(l.Spans, func(m match.Span) bool {
		switch {
		case s.probe.MultiLine:
			return bytes.IndexByte(l.Bytes[m.Start:m.End], '\n') >= 0
		case s.probe.Bytes:
			return (l.Offset+int64(m.Start))%2 == 0
		}
		return true
	})
	if i < 0 {
		return true
	}
	span := l.Spans[i]
	if s.lines == 0 {
		s.number = l.Number + int64(bytes.Count(l.Bytes[:span.Start], []byte("\n")))
		s.text = bytes.Clone(l.Bytes[span.Start:span.End])
	}
	s.lines++
	return true
}

func (s *firstLine) Context(*match.Line, match.ContextKind) bool { return true }
func (s *firstLine) Break() bool                                 { return true }
