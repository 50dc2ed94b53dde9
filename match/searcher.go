package match

import (
	"bytes"
	"io"
	"math"

	"tally/match/decode"
	"tally/match/mapping"
)

// A Haystack is what a search reads.
type Haystack struct {
	io.Reader
	// Format is the compression that the haystack's name speaks of.
	Format decode.Format
	// Stream marks a pipe or terminal: what has come is searched before more
	// is waited for.
	Stream bool
	// Mapped marks a file that ripgrep would map into memory. NUL bytes are
	// then looked for in its first 64 KiB and in lines that are shown, and
	// are never taken for line terminators. See Options.MapDerived.
	Mapped bool
	// At, if not nil, reads the same bytes anywhere, so that a large haystack
	// can be searched by several goroutines.
	At RandomReader
}

// A Searcher searches one haystack after another for one goroutine.
type Searcher struct {
	m   *Matcher
	o   Options
	sc  *scanner
	buf lineBuffer
	r   run
	all mapping.Room // the room for whole haystacks
	// helpers run the pattern on pieces of a large file.
	helpers []helper
	each    *eachCounter // nil: nobody asks what each pattern matches
	piece   int64        // the size of these, in bytes
	aside   Aside        // see Options.Aside
	// longLine and longPart are the sizes of parts of a line, in bytes.
	longLine, longPart int
}

// MultiLine reports whether a match may really span lines.
func (m *Matcher) MultiLine() bool { return !m.withinLine }

// NewSearcher returns a searcher for m with options o.
func (m *Matcher) NewSearcher(o Options) *Searcher {
	s := &Searcher{m: m, o: o, piece: pieceSize, longLine: longLine, longPart: longPart, buf: lineBuffer{in: decode.NewReader(o.Decode), stop: o.Stop, most: o.LineLimit}}
	if m.p != nil {
		s.sc = m.newScanner()
		if o.Each {
			s.each = &eachCounter{m: m}
		}
	}
	if o.Passthru {
		s.o.Before, s.o.After = 0, 0
	}
	if o.Aside != nil {
		s.aside = o.Aside()
	}
	return s
}

// Search searches h to its end, or as far as the options say, and hands what
// it selects to sink; a nil sink only counts. The error is h's; what had been
// found before it has been handed over and is in the outcome.
func (s *Searcher) Search(h Haystack, sink Sink) (Outcome, error) {
	detect := s.o.Detection
	if s.m.term == 0 {
		detect = Text
	}
	r := &s.r
	r.begin(s, h, sink, detect)
	r.flags = r.scanFlags()
	if s.sc != nil {
		s.sc.err = nil
	}
	if s.each != nil {
		s.each.begin()
	}
	var err error
	if s.multi() {
		err = r.whole(h)
	} else {
		err = r.lines(h)
	}
	if nul := r.out.BinaryOffset; r.peeks && nul >= 0 && !s.o.CountAll {
		// ripgrep speaks of what it searched before it saw the NUL.
		r.out.Bytes = min(r.out.Bytes, nul)
	}
	r.out.Facts = r.buf.in.Facts()
	r.out.MatchesKnown = (s.o.Spans || s.multi()) && !s.o.Invert
	r.out.Lines, r.out.Matches = r.st.lines, r.st.matches
	r.out.Digest = r.st.digest
	r.out.Cut = r.units() > r.most() && !r.ended
	r.hay = nil
	r.buf.release()
	r.all.Shrink()
	return r.out, err
}

// lines searches line by line, a buffer at a time.
func (r *run) lines(h Haystack) error {
	b := &r.buf
	b.open(h, r.m.term)
	r.peeks = r.peeks && (r.o.MapDerived || !b.in.Facts().Derived)
	detect := r.detect
	if r.peeks {
		detect = Text
	}
	b.detect = detect
	r.parts(h)
	begun, split, quit := false, false, false
	defer func() {
		r.out.Bytes = b.base + int64(b.end)
		switch {
		case r.out.Stopped && r.long.start >= 0:
			r.out.Bytes = r.long.start
		case quit:
			r.out.Bytes = b.base
		case r.out.Stopped || split:
			r.out.Bytes = r.reached()
		}
	}()
	for drop := 0; ; drop = r.roll() {
		if r.o.Stop != nil && r.o.Stop() {
			return ErrStopped
		}
		b.fill(drop)
		if b.nul >= 0 && r.out.BinaryOffset < 0 {
			r.out.BinaryOffset = b.nul
			if detect == Quit {
				// The buffer that holds the NUL is not searched at all.
				r.out.Stopped = true
				quit = true
				return nil
			}
		}
		r.hay, r.base = b.data[:b.lines], b.base
		// All of the first line and what was read with it, up to a limit.
		first := b.data[:max(0, min(int64(b.end), bufferSize-b.base))]
		on := begun && r.base > 0 || r.peek(first, b.base)
		if on && !r.pass() {
			continue
		}
		from, lines := r.st.pos, r.st.lines
		on = on && r.chunk()
		if on && r.aside != nil && b.asStored() {
			r.aside(r.hay[from:], r.base+int64(from), r.st.lines > lines)
		}
		if err := r.failure(); err != nil {
			return err
		}
		if !on {
			r.out.Stopped = true
			return nil
		}
		r.countEach(r.hay[from:], r.st.lines-lines)
		if b.eof {
			return b.err
		}
		if from := r.base + int64(len(r.hay)); !begun {
			begun = true
			if size, ok := r.splittable(h, from); ok {
				r.roll()
				split = true
				return r.split(h, from, size)
			}
		}
	}
}

// reached is the offset up to which the haystack was looked at when the search
// has ended early.
func (r *run) reached() int64 {
	if !r.inContext() {
		return r.base + int64(r.st.pos)
	}
	at := max(r.visited, r.lastEnd)
	if !r.o.Invert || !r.byBuffer() {
		return at
	}
	// ripgrep looks for the next line that matches first, and then takes those
	// before it.
	for _, w := range r.rows {
		if end := r.base + int64(w.end); end > at {
			return end
		}
	}
	return r.base + int64(len(r.hay))
}

// peek looks for a NUL byte in bytes at an offset, where none was noticed yet,
// and reports whether to go on.
func (r *run) peek(p []byte, offset int64) bool {
	if !r.peeks || r.out.BinaryOffset >= 0 {
		return true
	}
	i := bytes.IndexByte(p, 0)
	if i < 0 {
		return true
	}
	r.out.BinaryOffset = offset + int64(i)
	return r.detect != Quit
}

// run is the search of one haystack.
type run struct {
	*Searcher
	sink  Sink
	muted bool // nothing reaches the sink any more, lines are still counted
	// detect is what a NUL byte does here; with peeks it is looked for only
	// where a file that is mapped would be touched.
	detect Detection
	peeks  bool
	out    Outcome
	flags  uint32

	hay  []byte // the buffer in work: whole lines
	base int64  // its offset
	st   scanState
	ctr  counter
	long long

	rows  []row  // copies, where the scanner is needed in between
	spans []Span // likewise

	stopped   bool  // a line that is not selected has ended the display
	ended     bool  // something else than the maximal count has ended the display
	visited   int64 // offset behind the last line that reached the sink
	sunk      bool  // one has
	afterLeft int   // lines of after-context still owed
	lastEnd   int64 // offset behind the last selected line
	found     int64 // matches that may span lines, empty ones at the end of another included
	line      Line
}

// A counter numbers lines in ascending order.
type counter struct {
	pos    int // in the buffer; a line's start
	number int64
}

func (c *counter) at(hay []byte, start int, term byte) int64 {
	c.number += int64(bytes.Count(hay[c.pos:start], []byte{term}))
	c.pos = start
	return c.number
}

// begin forgets the haystack before, but for the room it took. Field by field,
// since a file is often small, and to copy a whole new run costs as much as to
// open it.
func (r *run) begin(s *Searcher, h Haystack, sink Sink, detect Detection) {
	r.Searcher, r.sink, r.muted = s, sink, sink == nil
	r.detect, r.peeks = detect, detect != Text && (h.Mapped || s.multi())
	r.out = Outcome{BinaryOffset: -1}
	r.hay, r.base = nil, 0
	r.st, r.ctr = scanState{number: 1}, counter{number: 1}
	r.stopped, r.ended = false, false
	r.visited, r.sunk, r.afterLeft, r.lastEnd, r.found = 0, false, 0, 0, 0
}

func (r *run) scanFlags() uint32 {
	var f uint32
	if r.o.Spans {
		f |= scanSpans
	}
	if r.o.Digest && !r.o.Invert {
		f |= scanDigest
	}
	if r.o.Numbers {
		f |= scanNumber
	}
	if r.m.linewise {
		f |= scanLinewise
	}
	if r.m.syntax.CRLF {
		f |= scanCRLF
	}
	return f
}

// batch is how many rows one scan returns at most; it bounds memory where
// every line matches.
const batch = 4096

// chunk searches the buffer in work and reports whether to go on.
func (r *run) chunk() bool {
	if r.sc == nil {
		if !r.o.Invert && !r.o.Passthru {
			return false
		}
		return r.chunkInContext()
	}
	if r.inContext() {
		return r.chunkInContext()
	}
	// Where a NUL byte in a line that matches would end the search, lines are
	// looked at even if none is shown.
	watched := r.sink == nil && r.peeks && r.detect == Quit
	for r.st.pos < len(r.hay) {
		if r.muted && !watched {
			return r.count()
		}
		limit := r.room()
		if limit == 0 {
			if !r.cut() {
				return false
			}
			watched = false
			continue
		}
		before := r.st
		rows, spans := r.sc.scan(r.hay, r.m.term, r.flags|scanRows, limit, &r.st)
		from := 0
		for i := range rows {
			w := &rows[i]
			if !r.peek(r.hay[w.start:w.end], r.base+int64(w.start)) {
				end := w.end
				r.st = before
				r.first(r.hay, i, &r.st)
				r.st.pos = end
				return false
			}
			if r.binaryStop() {
				// The lines of this batch behind it were counted already.
				if !r.o.CountAll {
					r.st.lines -= int64(len(rows) - i - 1)
					r.st.matches -= int64(len(spans) - w.spansEnd)
					r.st.pos = w.end
					return false
				}
				break
			}
			r.line = Line{
				Bytes:  r.hay[w.start:w.end],
				Number: w.number,
				Offset: r.base + int64(w.start),
				Spans:  spans[from:w.spansEnd],
			}
			from = w.spansEnd
			if !watched && !r.sink.Matched(&r.line) {
				return false
			}
		}
		if r.failure() != nil {
			return false
		}
		if r.o.FirstOnly && len(rows) > 0 {
			return false
		}
	}
	// With nothing left to find, what the next buffer holds is not looked at.
	return r.o.CountAll || !r.over()
}

// failure is why the engine has given up, nil if it has not.
func (r *run) failure() error {
	if r.sc == nil {
		return nil
	}
	return r.sc.err
}

// inContext reports whether lines that do not match matter.
func (r *run) inContext() bool {
	return r.o.Invert || r.o.Before > 0 || r.o.After > 0 || r.o.Passthru || r.o.StopOnNonmatch
}

// room is how many more rows may reach the sink, at most a batch.
func (r *run) room() int64 {
	if r.o.FirstOnly {
		return 1
	}
	return min(batch, r.most()-r.st.lines)
}

// count counts what is left of the buffer.
func (r *run) count() bool {
	limit := int64(math.MaxInt64)
	if r.o.FirstOnly {
		limit = 1
	} else if !r.o.CountAll {
		limit = max(0, r.most()-r.st.lines)
	}
	before := r.st.lines
	r.sc.scan(r.hay, r.m.term, r.flags, limit, &r.st)
	return r.st.lines-before < limit
}

// cut ends the display at the maximal count; it reports whether to go on
// counting.
func (r *run) cut() bool {
	r.muted = true
	return r.o.CountAll
}

// binaryStop ends the display at the first line behind a converted NUL.
func (r *run) binaryStop() bool {
	if r.out.BinaryOffset < 0 || r.o.SinkBinary || r.detect != Convert {
		return false
	}
	r.endDisplay()
	return true
}

// endDisplay ends the display for another reason than the maximal count, which
// may have ended it before.
func (r *run) endDisplay() {
	r.muted = true
	r.ended = r.ended || r.units() <= r.most()
}

// first scans once more, for no more than the first n lines that match.
func (r *run) first(hay []byte, n int, st *scanState) {
	if n > 0 {
		r.sc.scan(hay, r.m.term, r.flags, int64(n), st)
	}
}

// roll drops what is no longer needed of the buffer, keeping before-context. It
// keeps as much as ripgrep, which takes what it has dropped for searched.
func (r *run) roll() int {
	hay, drop := r.hay, len(r.hay)
	if r.o.Before > 0 || r.o.After > 0 {
		drop = startOfLast(hay, r.o.Before+1, r.m.term)
		if v := int(r.visited - r.base); v > drop {
			drop = v
		}
	}
	if r.o.Numbers || r.o.Digest {
		r.st.number += int64(bytes.Count(hay[r.st.counted:], []byte{r.m.term}))
		if r.inContext() {
			r.ctr.at(hay, drop, r.m.term)
		}
	}
	r.st.pos = len(hay) - drop
	r.st.counted = r.st.pos
	r.ctr.pos = 0
	return drop
}

// startOfLast returns where the last n lines of hay begin.
func startOfLast(hay []byte, n int, term byte) int {
	end := len(hay)
	for ; n > 0 && end > 0; n-- {
		end = bytes.LastIndexByte(hay[:end-1], term) + 1
	}
	return end
}

// lineEnd returns the end of the line that starts at start.
func lineEnd(hay []byte, start int, term byte) int {
	if i := bytes.IndexByte(hay[start:], term); i >= 0 {
		return start + i + 1
	}
	return len(hay)
}

// body returns a line without its terminator.
func body(line []byte, term byte, crlf bool) []byte {
	if n := len(line); n > 0 && line[n-1] == term {
		line = line[:n-1]
		if n := len(line); crlf && n > 0 && line[n-1] == '\r' {
			line = line[:n-1]
		}
	}
	return line
}
