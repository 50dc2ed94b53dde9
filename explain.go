package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"time"

	"tally/flags"
	"tally/match"
	"tally/match/decode"
	"tally/match/readings"
	"tally/report"
	"tally/walk"
)

// This file looks once more where nothing was found: one pass over all files,
// in scope and out of it, with all probes together. A file is read with every
// probe in one pattern first; only where that matches are they told apart.

// explainable reports whether a zero of this run is one that can be explained,
// and whether it is to be.
func (p *plan) explainable() bool {
	a := p.args
	when := a.ExplainZero
	if when == flags.WhenUnset {
		when = flags.WhenNever
		if !p.ripgrep() && a.Ledger != flags.WhenNever {
			when = flags.WhenAuto
		}
	}
	return when != flags.WhenNever && !a.Rank && a.Mode.Searches() && a.Inspect == flags.NoInspect &&
		p.report.Mode != report.FilesWithoutMatch && p.report.Mode != report.Ranked && !a.InvertMatch && len(p.syntax.Patterns) > 0
}

// explain puts into the ledger of a zero what nearly matched.
func (s *searcher) explain(l *report.Ledger) {
	if l.Found || l.StoppedBy != report.NotStopped || !s.explainable() ||
		!l.Complete && s.args.ExplainZero != flags.WhenAlways {
		return
	}
	q := s.zeroQuery()
	limit := time.Duration(0)
	if s.args.ExplainZero != flags.WhenAlways {
		limit = max(time.Second, 2*l.Elapsed)
	}
	l.Explanation = s.look(q, readings.Of(q), limit)
}

func (s *searcher) zeroQuery() readings.Query {
	return readings.Query{
		Patterns:    s.syntax.Patterns,
		Fixed:       s.syntax.Fixed,
		Insensitive: s.syntax.Case == match.Insensitive,
	}
}

// explainSyntax says, of patterns that are no regular expressions, how often
// they occur as literal text.
func (s *searcher) explainSyntax() {
	if s.syntax.Fixed || !s.explainable() {
		return
	}
	r := s.look(s.zeroQuery(), []readings.Reading{readings.AsLiteral(s.syntax.Patterns)}, time.Second)
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

// A look is one further pass over the files.
type look struct {
	s *searcher
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
	// stopped reports whether the look is to end early.
	stopped func() bool
}

// look looks for all probes in all files; a limit of 0 is none.
func (s *searcher) look(q readings.Query, list []readings.Reading, limit time.Duration) *report.Explanation {
	k := &look{s: s}
	var hints []string
	union := k.syntax(readings.Reading{AnyCase: true, Bytes: true})
	for _, e := range list {
		if e.Bytes && s.syntax.Engine != match.DefaultEngine {
			continue // no other engine searches what is not text
		}
		syntax := k.syntax(e)
		if e.Kind == readings.AsTyped {
			syntax = s.syntax
			syntax.BanNUL = false
		}
		m, err := match.Compile(syntax)
		if err != nil {
			continue // that reading of the query means nothing
		}
		k.probes = append(k.probes, probe{e, m})
		if e.MultiLine {
			hints = readings.Hints(q)
			continue
		}
		union.Patterns = append(union.Patterns, e.Patterns...)
	}
	if hints != nil {
		k.lines, _ = match.Compile(union)
		union.Patterns = append(union.Patterns, hints...)
	}
	k.all, _ = match.Compile(union)
	union.Patterns = readings.ForASCII(union.Patterns)
	k.ascii, _ = match.Compile(union)
	config := s.walk
	config.Beyond = true
	u := walk.New(config, func(error) {}) // the first pass has reported it
	k.stopped = u.Stopped
	if s.watcher != nil {
		s.watcher.follow(u)
	}
	k.most = -1
	if limit > 0 {
		k.most = mostOfFile
		defer time.AfterFunc(limit, u.Stop).Stop()
	}
	r := &report.Explanation{Reduced: readings.Reduced(q)}
	for _, p := range k.probes {
		r.Tried(p.Kind)
	}
	cut := false
	for part := range walk.Map(u, k.visitor) {
		r.Files += part.files
		cut = cut || part.cut
		for _, f := range part.findings {
			r.Add(f)
		}
	}
	r.Complete = !cut && !u.Stopped()
	r.Sort()
	return r
}

// syntax is the query's, changed as a probe needs it.
func (k *look) syntax(p readings.Reading) match.Syntax {
	s := k.s.syntax
	s.Fixed, s.BanNUL, s.Patterns = false, false, p.Patterns
	if p.AnyCase {
		s.Case = match.Insensitive
	}
	if p.MultiLine {
		s.MultiLine = true
	}
	if p.Bytes {
		s.Boundary = match.Anywhere
	}
	return s
}

// lookPart is what a worker has found in some files.
type lookPart struct {
	files    int64
	findings []report.Finding
	cut      bool // a file was not read to its end
}

func (*lookPart) Size() int { return 0 }

func (k *look) visitor(emit func(*lookPart)) walk.Visitor {
	return &looker{k: k, emit: emit, part: new(lookPart), each: make([]*match.Searcher, len(k.probes))}
}

// A looker looks at the files that one worker comes to.
type looker struct {
	k    *look
	emit func(*lookPart)
	part *lookPart
	// all and ascii are searchers for look.all and look.ascii.
	all, ascii, lines *match.Searcher
	each              []*match.Searcher
	path              []byte
}

func (v *looker) Skip(*walk.Skip) {}
func (v *looker) Fail(walk.Error) {}

func (v *looker) Done() {
	if v.part.files > 0 {
		v.emit(v.part)
		v.part = new(lookPart)
	}
}

func (v *looker) File(f *walk.File) {
	v.path = f.AppendPath(v.path[:0])
	if !f.Regular() && !f.Stdin() || !f.Stdin() && v.k.s.pre.wants(v.path) {
		return // it cannot be read twice, or is read through a program
	}
	v.part.files++
	scope := report.InScope
	if reason, out := f.OutOfScope(); out {
		scope = reason.String()
	}
	packed := false
	search := func(s *match.Searcher, sink match.Sink, most int64) (o match.Outcome, seen content) {
		r, done, err := v.open(f, packed)
		if err != nil {
			return o, content{}
		}
		defer done()
		w := contentReader{r: r, left: most}
		h := match.Haystack{Reader: &w}
		if !f.Stdin() && !packed {
			h.Format = v.k.s.format(v.path)
		}
		o, err = s.Search(h, sink)
		v.part.cut = v.part.cut || errors.Is(err, errTooMuch)
		// Of what is decoded the bytes on disk tell nothing.
		w.beyondASCII = w.beyondASCII || o.Derived
		w.nul = w.nul && !o.Derived
		return o, w.content
	}
	if v.any(search) {
		v.tellApart(scope, search)
	}
	if scope == report.InScope && !v.k.s.args.SearchZip && v.isPacked(f) {
		packed = true
		if v.any(search) {
			v.tellApart("compressed", search)
		}
	}
}

// A searchFunc reads at most so many bytes of a file, or all if that is negative.
type searchFunc func(s *match.Searcher, sink match.Sink, most int64) (match.Outcome, content)

// content is what stands out in what was read.
type content struct{ nul, beyondASCII bool }

// A contentReader watches what is read, and ends with errTooMuch what is longer
// than left bytes, unless that is negative.
type contentReader struct {
	r    io.Reader
	left int64
	content
}

// mostOfFile is look.most, unless all is to be read: a search across lines
// keeps the file in memory.
const mostOfFile = 256 << 20

var errTooMuch = errors.New("too much for a closer look")

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

// any reports whether any probe may match.
func (v *looker) any(search searchFunc) bool {
	if v.k.all == nil {
		return true
	}
	if v.k.ascii != nil {
		matches, seen := v.first(&v.ascii, v.k.ascii, search)
		if matches || !seen.beyondASCII {
			return matches
		}
	}
	matches, _ := v.first(&v.all, v.k.all, search)
	return matches
}

// first reports whether m, for which s is or becomes the searcher, matches.
func (v *looker) first(s **match.Searcher, m *match.Matcher, search searchFunc) (bool, content) {
	if *s == nil {
		*s = v.searcher(m, match.Options{FirstOnly: true})
	}
	o, seen := search(*s, nil, -1)
	return o.Lines > 0, seen
}

func (v *looker) searcher(m *match.Matcher, o match.Options) *match.Searcher {
	o.MaxCount, o.Stop, o.Decode = -1, v.k.stopped, v.k.s.options.Decode
	return m.NewSearcher(o)
}

// tellApart finds out which probes match. What lies out of scope is looked for
// as typed, and only if that is not there in all ways together.
func (v *looker) tellApart(scope string, search searchFunc) {
	out := scope != report.InScope
	matched, otherForm := false, false
	onlyAcross := false
	if v.k.lines != nil {
		matches, _ := v.first(&v.lines, v.k.lines, search)
		onlyAcross = !matches
	}
	for i := range v.k.probes {
		p := &v.k.probes[i]
		alone := p.Kind == readings.Combined || out
		if onlyAcross && !p.MultiLine || alone && matched || otherForm && p.Kind == readings.Accents || out && p.Kind != readings.AsTyped && p.Kind != readings.Combined && len(v.k.probes) > 1 {
			continue
		}
		if v.each[i] == nil {
			v.each[i] = v.searcher(p.m, match.Options{Spans: true, Numbers: true})
		}
		sink := firstLine{probe: p}
		most := int64(-1)
		if p.MultiLine {
			most = v.k.most
		}
		_, seen := search(v.each[i], &sink, most)
		if sink.lines == 0 {
			continue
		}
		matched, otherForm = true, p.Kind == readings.UnicodeForm
		first := report.Example{Path: string(v.path), Line: report.KnownIf(sink.number > 0, sink.number)}
		f := report.Finding{Kind: p.Kind, Scope: scope, Lines: sink.lines, Files: 1, Example: first}
		if seen.nul && f.Scope == report.InScope && p.Kind != readings.UTF16 {
			f.Scope = walk.Binary.String()
		}
		f.Flags = v.flags(p, f.Scope, sink.text)
		v.part.findings = append(v.part.findings, f)
		if p.Kind == readings.AsTyped {
			return // all others would match as well
		}
	}
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

// flags are what finds a text that a probe has matched.
func (v *looker) flags(p *probe, scope string, text []byte) string {
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

// open opens a file for another look; packed takes it apart first.
func (v *looker) open(f *walk.File, packed bool) (io.Reader, func(), error) {
	if f.Stdin() {
		r, err := v.k.s.kept.reader()
		return r, func() {}, err
	}
	h, err := f.Open()
	if err != nil || !packed {
		return &h, h.Close, err
	}
	r := decode.NewReader(decode.Config{Encoding: decode.None, Unpack: true})
	r.Reset(&h, decode.FormatByName(v.path))
	return r, h.Close, nil
}

// isPacked reports whether a file is compressed, by its name or its content.
func (v *looker) isPacked(f *walk.File) bool {
	if f.Stdin() {
		return false
	}
	if decode.FormatByName(v.path) != decode.Plain {
		return true
	}
	h, err := f.Open()
	if err != nil {
		return false
	}
	defer h.Close()
	var head [8]byte
	n, _ := h.Read(head[:])
	return slices.ContainsFunc(packedMagic, func(m string) bool { return bytes.HasPrefix(head[:n], []byte(m)) })
}

// packedMagic is what common compressed files begin with.
var packedMagic = []string{"\x1f\x8b", "BZh", "\xfd7zXZ\x00", "\x04\x22\x4d\x18", "\x28\xb5\x2f\xfd"}

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
