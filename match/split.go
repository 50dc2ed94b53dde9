package match

import (
	"bytes"
	"errors"
	"io"
	"math"
	"sync"
	"unsafe"

	"tally/match/mapping"
)

// A large file is searched by several goroutines at once. It is cut at fixed
// offsets; a piece owns the lines that start in it, so that every line has one
// owner wherever the cuts fall. The pieces' rows reach the sink in order; line
// numbers and the digest follow from sums over the pieces before. The plain
// twin is [run.lines], and TestSplit and FuzzSplit hold the two equal.

// pieceSize bounds what the pieces in flight may hold: rows take at most 16
// times the bytes of a piece (a row of 32 bytes for a line of two).
const pieceSize = 256 << 10

// rowless is how many times larger a piece is that leads to no rows, but only
// to sums: handing over costs a switch of threads.
const rowless = 4

// mostHeld is how much the rows of pieces may take that were searched far ahead,
// in bytes.
const mostHeld = 8 << 20

// minSplit is the number of pieces from which a file is worth cutting.
const minSplit = 16

// A RandomReader is a file that can be read anywhere.
type RandomReader interface {
	io.ReaderAt
	// Size returns the present size in bytes.
	Size() (int64, error)
	// Descriptor returns the file's descriptor, or a negative number where
	// there is no file.
	Descriptor() int
}

// splittable reports whether what is left of h from an offset may be cut: its
// bytes are what is searched, in any order, and no line depends on another.
func (r *run) splittable(h Haystack, from int64) (size int64, ok bool) {
	if h.At == nil || r.o.Threads < 2 || r.sc == nil || r.inContext() || r.most() < math.MaxInt64 || r.muted && r.sink != nil || r.o.Decode.Inspect {
		return 0, false
	}
	if r.buf.in.Facts().Derived || !r.peeks && r.detect != Text {
		return 0, false
	}
	size, err := h.At.Size()
	return size, err == nil && size-from >= minSplit*r.piece
}

// A piece is what the search of one piece came to.
type piece struct {
	room  mapping.Room // the memory of buf
	start int64        // offset of buf
	buf   []byte       // whole lines, in room or in window
	// window is where buf is mapped; nil: it was read.
	window *window
	rows   []row // numbers count from 1 at the piece's start
	spans  []Span
	st     scanState
	each   []Count // what each pattern matches; empty if that is nothing or not asked
	lines  int64   // terminators in buf and of the line behind it
	// passed is the size of a line behind buf that does not match, in bytes.
	passed int64
	err    error
	long   bool // a line that is too long follows buf
}

// size is the memory that rows and spans take, in bytes.
func (p *piece) size() int {
	return len(p.rows)*int(unsafe.Sizeof(row{})) + len(p.spans)*int(unsafe.Sizeof(Span{}))
}

// A splitter is a file being searched in pieces.
type splitter struct {
	at    io.ReaderAt
	from  int64
	size  int64 // of a piece
	count int64
	maps  windows
	term  byte
	flags uint32
	limit int64     // of lines that match in a piece
	most  int64     // bytes that a line may have, 0 for any number
	by    *Searcher // nothing of it is changed

	mu   sync.Mutex
	room sync.Cond // a piece was consumed, or no more are wanted
	// ring holds pieces that were searched until it is their turn, by number
	// modulo its length: a worker is at most a round ahead, and where much is
	// held no further than near pieces.
	ring []*piece
	near int64
	held int      // bytes of rows and spans in ring
	idle []*piece // to be used again
	next int64    // the number of the next piece to be searched
	due  int64    // of the next one to be consumed
	busy bool     // somebody consumes
	done bool     // no more are wanted
	err  error
}

// split searches h from an offset, where a line starts, up to its end.
func (r *run) split(h Haystack, from, size int64) error {
	step := r.piece
	if r.muted {
		step *= rowless
	}
	sp := &splitter{
		at: h.At, from: from, size: step, count: (size - from + step - 1) / step,
		maps: windows{fd: h.At.Descriptor(), end: size},
		term: r.m.term, flags: r.flags, limit: math.MaxInt64, most: r.o.LineLimit, by: r.Searcher,
	}
	sp.room.L = &sp.mu
	if !r.muted {
		sp.flags |= scanRows
	}
	if r.o.FirstOnly {
		sp.limit = 1
	}
	workers := min(r.o.Threads, int(sp.count))
	sp.ring, sp.near = make([]*piece, 16*workers), int64(2*workers)
	r.st.pos, r.st.counted = 0, 0
	var wg sync.WaitGroup
	for i := range workers {
		if i == len(r.helpers) {
			r.helpers = append(r.helpers, r.newHelper())
		}
		sc := r.helpers[i]
		wg.Go(func() { sp.work(r, sc) })
	}
	wg.Wait()
	for _, sc := range r.helpers {
		if r.each != nil && sc.each.err != nil {
			r.each.err, sc.each.err = sc.each.err, nil
		}
	}
	sp.maps.clear()
	for _, p := range append(sp.ring, sp.idle...) {
		if p != nil {
			p.room.Release()
		}
	}
	return sp.err
}

// A helper searches pieces for one goroutine.
type helper struct {
	*scanner
	aside Aside
}

func (s *Searcher) newHelper() helper {
	h := helper{scanner: s.m.newScanner()}
	if s.each != nil {
		h.each = &eachCounter{m: s.m}
	}
	if s.o.Aside != nil {
		h.aside = s.o.Aside()
	}
	return h
}

// work searches pieces until there are none left, and consumes those whose turn
// it is. That whoever has completed what is due also consumes it spares a
// goroutine for that, and two switches of threads for each piece.
func (sp *splitter) work(r *run, sc helper) {
	sp.mu.Lock()
	defer sp.mu.Unlock()
	for {
		for !sp.done && sp.next < sp.count && sp.full() {
			sp.room.Wait()
		}
		if sp.done || sp.next == sp.count {
			return
		}
		n := sp.next
		sp.next++
		p := sp.unused()
		sp.mu.Unlock()
		sp.search(sc, p, n)
		sp.mu.Lock()
		sp.ring[n%int64(len(sp.ring))] = p
		sp.held += p.size()
		if !sp.busy {
			sp.drain(r)
		}
	}
}

// full reports whether enough is searched, or being searched, ahead of what is
// due. That one is never waited for here, so that it goes on.
func (sp *splitter) full() bool {
	ahead := sp.next - sp.due
	return ahead >= int64(len(sp.ring)) || ahead >= sp.near && sp.held > mostHeld
}

func (sp *splitter) unused() *piece {
	n := len(sp.idle)
	if n == 0 {
		return new(piece)
	}
	p := sp.idle[n-1]
	sp.idle = sp.idle[:n-1]
	return p
}

// drain consumes what is due for as long as there is any. It is called with mu
// held, which it gives up meanwhile.
func (sp *splitter) drain(r *run) {
	sp.busy = true
	for !sp.done {
		place := &sp.ring[sp.due%int64(len(sp.ring))]
		p := *place
		if p == nil {
			break
		}
		*place = nil
		sp.held -= p.size()
		sp.mu.Unlock()
		on, err := sp.hand(r, p)
		sp.mu.Lock()
		sp.idle = append(sp.idle, p)
		sp.due++
		sp.done, sp.err = !on, err
		sp.room.Broadcast()
	}
	sp.busy = false
}

// hand consumes a piece and reports whether to go on.
func (sp *splitter) hand(r *run, p *piece) (on bool, err error) {
	if r.o.Stop != nil && r.o.Stop() {
		return false, ErrStopped
	}
	if p.err != nil {
		return false, p.err
	}
	on = r.consume(p)
	if p.window != nil {
		if p.window.damaged() {
			return false, errShrunk
		}
		sp.maps.release(p.window)
	}
	if on && p.long {
		return false, ErrLongLine
	}
	if !on {
		r.out.Stopped = true
	}
	return on, nil
}

// errShrunk is the error of a file that lost bytes while they were shown.
var errShrunk = errors.New("became shorter, or could not be read, while it was searched")

// search scans the n-th piece.
func (sp *splitter) search(sc helper, p *piece, n int64) {
	if sp.mapped(p, n) {
		p.long, p.passed = false, 0
		sp.scan(sc, p, 0)
		if !p.window.damaged() {
			return
		}
		sp.maps.release(p.window)
		p.window = nil
	}
	var ends int64
	if ends, p.err = sp.read(sc, p, n); p.err == nil {
		sp.scan(sc, p, ends)
	}
}

// scan scans what is in p.buf; behind it the piece has so many ends of lines.
func (sp *splitter) scan(sc helper, p *piece, ends int64) {
	p.st = scanState{number: 1}
	rows, spans := sc.scan(p.buf, sp.term, sp.flags, sp.limit, &p.st)
	p.each = p.each[:0]
	if sc.each != nil && (p.st.lines > 0 || sc.touches(p.buf, sp.term, sp.flags)) {
		p.each = append(p.each, sc.each.count(p.buf)...)
	}
	p.err, sc.err = sc.err, nil
	p.rows, p.spans = append(p.rows[:0], rows...), append(p.spans[:0], spans...)
	if sp.flags&(scanNumber|scanDigest) != 0 {
		// The scan has counted up to the end of the last line that matches.
		p.lines = p.st.number - 1 + int64(bytes.Count(p.buf[p.st.counted:], []byte{sp.term})) + ends
	}
	if sc.aside != nil {
		sc.aside(p.buf, p.start, p.st.lines > 0)
	}
}

// mapped finds the lines that start in the n-th piece in the file's mapping. It
// reports whether they are there: the last piece goes on to wherever the file
// ends by now, and a line may be longer than what is mapped behind its piece.
func (sp *splitter) mapped(p *piece, n int64) bool {
	if n == sp.count-1 {
		return false
	}
	w := sp.maps.window(sp, n)
	if w == nil {
		return false
	}
	start := sp.from + n*sp.size
	if n > 0 {
		start-- // to see whether a line starts where the cut is
	}
	buf := w.mapping.Bytes()[start-w.start:]
	size := int(sp.from + (n+1)*sp.size - start) // up to the next cut
	first := 0
	if n > 0 {
		first = bytes.IndexByte(buf[:size-1], sp.term) + 1
	}
	end := size - 1
	switch i := bytes.IndexByte(buf[end:], sp.term); {
	case n > 0 && first == 0:
		first, end = 0, 0 // no line starts here
	case i < 0:
		sp.maps.release(w)
		return false
	default:
		end += i + 1
	}
	p.window, p.start, p.buf = w, start+int64(first), buf[first:end]
	return true
}

// read reads the lines that start in the n-th piece. All but the first begin a
// byte early, to see whether a line starts where the cut is. It returns how many
// ends of lines there are behind p.buf: one, if a line was passed.
func (sp *splitter) read(sc helper, p *piece, n int64) (ends int64, err error) {
	p.rows, p.spans, p.st, p.lines = p.rows[:0], p.spans[:0], scanState{number: 1}, 0
	p.window, p.long, p.passed = nil, false, 0
	p.start = sp.from + n*sp.size
	end := p.start + sp.size // where the next piece's lines begin, or later
	last := n == sp.count-1
	if n > 0 {
		p.start--
	}
	p.buf = p.room.Bytes()[:0]
	held := false
	for want := int(end - p.start); ; want = max(bufferSize, len(p.buf)) {
		have := len(p.buf)
		if sp.most > 0 && int64(have)-sp.size > sp.most {
			p.long = true
			p.buf = p.buf[:bytes.LastIndexByte(p.buf, sp.term)+1]
			break
		}
		if err := p.room.Grow(have + want); err != nil {
			return 0, err
		}
		p.buf = p.room.Bytes()[:have+want]
		got, err := sp.at.ReadAt(p.buf[have:], p.start+int64(have))
		p.buf = p.buf[:have+got]
		if err != nil && err != io.EOF {
			return 0, err
		}
		if have == 0 && n > 0 && !last && bytes.IndexByte(p.buf[:min(len(p.buf), want-1)], sp.term) < 0 {
			// No line starts here. It is not read on for one that does behind
			// the next cut: all pieces of a long line would read it to its end.
			p.buf = p.buf[:0]
			return 0, nil
		}
		// The line that is cut at end belongs here up to its terminator; the
		// last piece goes up to the end, wherever that is by now.
		from := min(max(have, int(end-p.start)-1), len(p.buf))
		if i := bytes.IndexByte(p.buf[from:], sp.term); i >= 0 && !last {
			p.buf = p.buf[:from+i+1]
			break
		}
		if err == io.EOF {
			break
		}
		if !last && !held && sc.each == nil && sp.by.m.p.reach > 0 && len(p.buf) >= int(sp.size)+sp.by.longLine {
			if ends, held, err = sp.pass(sc, p); err != nil {
				return 0, err
			}
			if !held {
				break
			}
		}
	}
	if n == 0 {
		return ends, nil
	}
	i := bytes.IndexByte(p.buf, sp.term)
	if i < 0 {
		p.buf = p.buf[:0]
		return 0, nil
	}
	p.start += int64(i + 1)
	p.buf = p.buf[i+1:]
	return ends, nil
}

// pass looks at the last line in p.buf part by part, up to its end. If there is no
// match in it, it is taken out of p.buf, with its end, if it has one; otherwise it
// must be held.
func (sp *splitter) pass(sc helper, p *piece) (ends int64, held bool, err error) {
	start := bytes.LastIndexByte(p.buf, sp.term) + 1
	part := p.buf[start:]
	reach, at := sp.by.m.p.reach, p.start+int64(len(p.buf))
	buf := make([]byte, reach+max(sp.by.longPart, reach))
	for !sc.may(part) {
		if sp.by.o.Stop != nil && sp.by.o.Stop() {
			return 0, false, ErrStopped
		}
		if ends > 0 || err == io.EOF {
			p.passed = at - p.start - int64(start)
			p.buf = p.buf[:start]
			return ends, false, nil
		}
		var n int
		kept := copy(buf, part[len(part)-min(reach, len(part)):])
		n, err = sp.at.ReadAt(buf[kept:], at)
		if err != nil && err != io.EOF {
			return 0, false, err
		}
		part = buf[:kept+n]
		if i := bytes.IndexByte(buf[kept:kept+n], sp.term); i >= 0 {
			ends, n, part = 1, i+1, buf[:kept+i]
		}
		at += int64(n)
	}
	return 0, true, nil
}

// consume hands a piece's rows to the sink and adds it to the sums. It reports
// whether to go on.
func (r *run) consume(p *piece) bool {
	if len(p.buf) == 0 && p.passed == 0 {
		return true // it lies within a line of a piece before
	}
	base := r.st.number - 1
	r.hay, r.base = p.buf, p.start
	r.st.pos = p.st.pos
	from := 0
	for i := range p.rows {
		w := &p.rows[i]
		if !r.peek(p.buf[w.start:w.end], p.start+int64(w.start)) {
			before := scanState{number: 1}
			r.first(p.buf, i, &before)
			r.addPiece(&before, base)
			return false
		}
		if r.binaryStop() {
			if !r.o.CountAll {
				r.st.lines += int64(i + 1)
				return false
			}
			break
		}
		r.line = Line{
			Bytes:  p.buf[w.start:w.end],
			Number: base + w.number,
			Offset: p.start + int64(w.start),
			Spans:  p.spans[from:w.spansEnd],
		}
		from = w.spansEnd
		if !r.sink.Matched(&r.line) {
			return false
		}
	}
	r.addPiece(&p.st, base)
	if r.each != nil {
		r.each.add(p.each)
	}
	r.st.number += p.lines
	if r.o.FirstOnly && p.st.lines > 0 {
		return false
	}
	r.st.pos += int(p.passed)
	return true
}

// addPiece adds up what was found in a piece behind base lines.
func (r *run) addPiece(st *scanState, base int64) {
	r.st.lines += st.lines
	r.st.matches += st.matches
	r.st.digest.Merge(st.digest.Moved(base))
}
