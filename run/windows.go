package run

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"tally/match"
	"tally/match/decode"
	"tally/match/readings"
	"tally/report"
	"tally/run/input"
)

// windows looks at the few lines of a text where a probe may match, for one
// goroutine.
type windows struct {
	n       *nearMisses
	sifters                     // without a needle every line is looked at
	each    [][]*match.Searcher // of each probe

	path  []byte
	scope string
	found []*candidate // one of a kind at most
	seen

	text    []byte // the window at work
	base    int64  // its offset
	cut     bool   // it begins or ends within a line
	decoded bool   // it is not what the file holds
	from    int    // lines that begin before this place are another window's,
	to      int    // and those that do from here on
	starts  []int  // where its lines begin
	claimed []bool // by a kind
}

func (n *nearMisses) newWindows() *windows {
	return &windows{n: n, sifters: n.sieves.sifters(), each: make([][]*match.Searcher, len(n.probes))}
}

// begin prepares for another file.
func (w *windows) begin(path []byte, scope string) {
	w.path, w.scope, w.found, w.seen = path, scope, nil, seen{}
}

// farthest is how much of a line is looked at on each side of a place, in bytes.
const farthest = 4 << 10

// atOnce is how many places are asked for.
const atOnce = 256

// take looks at one chunk.
func (w *windows) take(c *input.Chunk) bool {
	if c.Base == 0 && c.From == 0 && !c.Decoded {
		copy(w.head[:], c.Text)
	}
	if w.n.beyondASCII && !w.notUTF8 && !c.Decoded {
		w.notUTF8 = !validUTF8(c.Text[c.From:c.To])
	}
	if w.needle == nil {
		from, _ := w.extent(c, c.From)
		_, to := w.extent(c, max(c.From, c.To-1))
		w.look(c, from, to)
		return true
	}
	from, to := 0, 0 // the window that is not looked at yet
	for at := c.From; at < c.To && !w.n.stopped(); {
		var places []int
		places, at = w.needle.Sift(c.Text, at, atOnce)
		for _, p := range places {
			if p >= c.To {
				break
			}
			a, b := w.extent(c, p)
			if a < to {
				to = max(to, b)
				continue
			}
			w.look(c, from, to)
			from, to = a, b
		}
	}
	w.look(c, from, to)
	return true
}

// validUTF8 reports whether a text is UTF-8 but for a character that is cut at
// one of its ends.
func validUTF8(text []byte) bool {
	for i := 0; i < utf8.UTFMax-1 && len(text) > 0 && !utf8.RuneStart(text[0]); i++ {
		text = text[1:]
	}
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ {
		if last := text[len(text)-i:]; utf8.RuneStart(last[0]) {
			if !utf8.FullRune(last) {
				text = text[:len(text)-i]
			}
			break
		}
	}
	return utf8.Valid(text)
}

// extent returns the lines around a place.
func (w *windows) extent(c *input.Chunk, at int) (from, to int) {
	term, text := w.n.term(), c.Text
	low, high := max(0, at-farthest), min(len(text), at+farthest)
	from, to = at, at
	for range w.n.around + 1 {
		i := bytes.LastIndexByte(text[low:max(low, from)], term)
		if i < 0 {
			from = low
			break
		}
		from = low + i // the terminator before the line
	}
	if from > 0 && text[from] == term {
		from++
	}
	for from < at && !utf8.RuneStart(text[from]) {
		from++
	}
	for range w.n.around + 1 {
		i := bytes.IndexByte(text[to:high], term)
		if i < 0 {
			to = high
			break
		}
		to += i + 1
	}
	return from, to
}

// look looks for every probe in c.Text[from:to].
func (w *windows) look(c *input.Chunk, from, to int) {
	if from >= to || w.n.stopped() {
		return
	}
	w.text, w.base, w.decoded = c.Text[from:to], c.Base+int64(from), c.Decoded
	if !w.holdsAlso(w.text, false) {
		return
	}
	term := w.n.term()
	w.cut = w.base > 0 && (from == 0 || c.Text[from-1] != term) || to < len(c.Text) && c.Text[to-1] != term
	w.from, w.to = c.From-from, c.To-from
	w.starts, w.claimed = append(w.starts[:0], 0), w.claimed[:0]
	for i, b := range w.text {
		if b == term && i+1 < len(w.text) {
			w.starts = append(w.starts, i+1)
		}
	}
	w.claimed = append(w.claimed, make([]bool, len(w.starts))...)
	matched := false
	for i, p := range w.n.probes {
		if w.scope != report.InScope && p.Kind != readings.AsTyped && (p.Kind != readings.Combined || matched) && len(w.n.probes) > 1 {
			// What lies out of scope is there as typed, or in any other way.
			continue
		}
		if w.n.stopped() { // a reading may take long to compile
			return
		}
		lines := w.try(i)
		matched = matched || lines
	}
}

// try looks for one probe and reports whether it matches.
func (w *windows) try(i int) bool {
	p := w.n.probes[i]
	switch {
	case w.cut && p.syntax.Boundary == match.Lines,
		p.Encoding != "" && (w.decoded || utf8.Valid(w.text)),
		p.Unit > 1 && w.decoded, p.Unit == 1 && !w.decoded:
		return false
	}
	if w.each[i] == nil {
		w.each[i] = []*match.Searcher{}
		for _, m := range p.matchers() {
			o := match.Options{Spans: true, Numbers: true, Decode: decode.Config{Encoding: decode.None}}
			if p.Encoding != "" {
				o.Decode.Encoding, _ = decode.Lookup(p.Encoding)
			}
			w.each[i] = append(w.each[i], m.NewSearcher(o))
		}
	}
	if len(w.each[i]) == 0 {
		return false
	}
	if p.All != nil {
		return w.tryAll(i)
	}
	sink := matches{w: w, p: p}
	w.each[i][0].Search(match.Haystack{Reader: bytes.NewReader(w.text)}, &sink)
	return sink.found
}

// matches receives the lines of a window that a probe matches.
type matches struct {
	w     *windows
	p     *probe
	found bool
}

func (s *matches) Matched(l *match.Line) bool {
	w, p := s.w, s.p
	for _, m := range l.Spans {
		text := l.Bytes[m.Start:m.End]
		switch {
		case p.MultiLine && bytes.IndexByte(text[:max(len(text)-1, 0)], w.n.term()) < 0,
			p.Unit > 1 && (w.base+l.Offset+int64(m.Start))%int64(p.Unit) != 0:
			continue
		}
		line := int(l.Number) - 1 + bytes.Count(l.Bytes[:m.Start], []byte{w.n.term()})
		if !w.claim(line) {
			continue
		}
		s.found = true
		w.note(p, line, text)
	}
	return true
}

func (*matches) Context(*match.Line, match.ContextKind) bool { return true }
func (*matches) Break() bool                                 { return true }

// claim counts a line for a kind if it is this window's to count and no other
// kind has it.
func (w *windows) claim(line int) bool {
	if line >= len(w.starts) || w.claimed[line] {
		return false
	}
	w.claimed[line] = true
	if start := w.starts[line]; line == 0 && w.cut {
		return true
	} else if start < w.from || start >= w.to {
		return false
	}
	return true
}

// note counts a line for a kind. words are what was looked for in it, if that is
// more than one text.
func (w *windows) note(p *probe, line int, text []byte, words ...string) {
	i := slices.IndexFunc(w.found, func(c *candidate) bool { return c.kind == p.Kind })
	if i < 0 {
		i = len(w.found)
		w.found = append(w.found, &candidate{place: place{p.Kind, w.scope}, files: 1})
	}
	c := w.found[i]
	c.lines++
	if p.Reported {
		c.count(string(text), 1)
	}
	s := sample{probe: p, path: string(w.path), offset: w.base + int64(w.starts[line]), length: w.length(line)}
	if c.lines > 1 && s.rank() >= c.best.rank() {
		return
	}
	s.text, s.words = string(text), words
	s.window, s.line, s.base = bytes.Clone(w.text), line, w.base
	c.best = s
}

// length is that of a line.
func (w *windows) length(line int) int {
	if line+1 < len(w.starts) {
		return w.starts[line+1] - w.starts[line]
	}
	return len(w.text) - w.starts[line]
}

// tryAll looks for lines, or groups of lines, that hold all of several
// expressions.
func (w *windows) tryAll(i int) bool {
	p := w.n.probes[i]
	first := make([][]int, len(p.All)) // for each, where it is in each line
	for k, s := range w.each[i] {
		sink := positions{make([]int, len(w.starts))}
		s.Search(match.Haystack{Reader: bytes.NewReader(w.text)}, &sink)
		first[k] = sink.at
	}
	found := false
	for line := 0; line < len(w.starts); line++ {
		end := min(line+p.Within, len(w.starts))
		var at []int
		near := -1
		for _, lines := range first {
			k := slices.IndexFunc(lines[line:end], func(at int) bool { return at > 0 })
			if k < 0 {
				break
			}
			near = max(near, k)
			at = append(at, lines[line+k])
		}
		// A group begins with a line that has one of them.
		if len(at) < len(p.All) || !slices.ContainsFunc(first, func(lines []int) bool { return lines[line] > 0 }) || !w.claim(line) {
			continue
		}
		found = true
		w.note(p, line, nil, inOrder(p.All, at)...)
		line += near
	}
	return found
}

// inOrder sorts expressions by where they were found.
func inOrder(all []string, at []int) []string {
	index := make([]int, len(all))
	for i := range index {
		index[i] = i
	}
	slices.SortStableFunc(index, func(a, b int) int { return at[a] - at[b] })
	sorted := make([]string, len(all))
	for i, k := range index {
		sorted[i] = all[k]
	}
	return sorted
}

// positions are where an expression is first found in each line, counted from 1;
// 0 where it is not.
type positions struct{ at []int }

func (s *positions) Matched(l *match.Line) bool {
	if i := int(l.Number) - 1; i < len(s.at) && len(l.Spans) > 0 {
		s.at[i] = int(l.Offset) + l.Spans[0].Start + 1
	}
	return true
}

func (*positions) Context(*match.Line, match.ContextKind) bool { return true }
func (*positions) Break() bool                                 { return true }
