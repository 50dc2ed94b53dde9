package match

import "io"

// A line that does not match need not be in memory whole. Where a part of it tells
// (see the pattern's reach), a long line is looked at part by part, and what holds
// no match is forgotten. If there may be a match after all, the line is read again
// from its start and held, so that this decides nothing but what is not looked at.
// The plain twin is to hold every line; TestLong and FuzzLong hold the two equal.

// longLine is the size from which a line is looked at in parts, and longPart the
// size of all parts but the first, in bytes. Most lines of this size are held as
// fast as they are read twice; a small part stays in the processor's cache.
const (
	longLine = 8 << 20
	longPart = 1 << 20
)

// A long is the line at the end of the buffer, if it is looked at in parts.
type long struct {
	at    io.ReaderAt // where it is read again; nil: every line is held
	start int64       // its offset if its start was dropped, else -1
}

// parts prepares for lines of h that are too long to be held.
func (r *run) parts(h Haystack) {
	r.long = long{start: -1}
	buffered := r.detect != Text && !r.peeks // a NUL byte counts for its buffer
	if h.At == nil || r.sc == nil || r.each != nil || r.inContext() || r.buf.in.Facts().Derived || buffered && r.o.LongBuffer {
		return
	}
	if r.m.p.reach > 0 {
		r.long.at = h.At
		r.buf.part = r.partSize(r.longLine)
	}
}

// partSize is at least what a step forward takes.
func (r *run) partSize(n int) int { return max(n, 2*r.m.p.reach) }

// pass deals with a part of a line, or with the end of one whose start was
// dropped. It reports whether the buffer is to be searched; otherwise it is to be
// filled on, without what r.hay holds.
func (r *run) pass() bool {
	b, l := &r.buf, &r.long
	switch {
	case l.at == nil:
		return true
	case b.lines == 0 && b.end > 0 && !b.eof: // a part
		switch {
		case !r.sc.may(b.data[:b.end]):
			if l.start < 0 {
				l.start = b.base
			}
			r.hay = b.data[:b.end-r.m.p.reach]
			b.part = r.partSize(r.longPart)
		default:
			r.hold()
		}
		return false
	case b.lines > 0 && l.start >= 0: // the end
		end := lineEnd(r.hay, 0, r.m.term)
		if r.sc.may(body(r.hay[:end], r.m.term, false)) {
			r.hold()
			return false
		}
		l.start = -1
		r.st.pos, r.st.counted = end, end
		if r.hay[end-1] == r.m.term {
			r.st.number++
		}
	}
	b.part = r.partSize(r.longLine)
	return true
}

// hold has the line in work read as a whole, from its start.
func (r *run) hold() {
	l := &r.long
	if l.start >= 0 {
		r.buf.rewind(l.at, l.start)
		l.start = -1
	}
	r.hay = nil
	r.buf.part = 0
}
