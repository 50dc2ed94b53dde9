package match

import (
	"bytes"
	"io"

	"tally/match/mapping"
)

// multi reports whether matches may really span lines, so that a haystack has
// to be in memory whole.
func (s *Searcher) multi() bool { return !s.m.withinLine }

// whole searches all of the haystack at once. Matches on lines that touch
// make one block of lines.
func (r *run) whole(h Haystack) error {
	r.buf.in.Reset(h.Reader, h.Format)
	n, err := readAll(&r.all, r.buf.in)
	r.out.Bytes = int64(n)
	if err != nil {
		// The part of a file that could be read is no haystack: a match
		// might have begun in it.
		return err
	}
	r.hay = r.all.Bytes()[:n]
	if !r.peek(r.hay[:min(len(r.hay), bufferSize)], 0) {
		r.out.Stopped, r.out.Bytes = true, 0
		return nil
	}
	if r.o.Invert {
		r.out.Stopped = !r.wholeInverted()
	} else {
		r.out.Stopped = !r.blocks()
	}
	if !r.out.Stopped {
		r.countEach(r.hay, r.st.lines)
	}
	return r.failure()
}

// readAll reads all that there is into a room, and returns how much that is.
func readAll(room *mapping.Room, r io.Reader) (n int, err error) {
	for {
		if err := room.Grow(n + bufferSize); err != nil {
			return n, err
		}
		m, err := r.Read(room.Bytes()[n:])
		n += m
		switch {
		case err == io.EOF:
			return n, nil
		case err != nil:
			return n, err
		}
	}
}

// nextMatch finds the first match at or after pos. An empty one behind the last
// terminator is none.
func (r *run) nextMatch(pos int) (Span, bool) {
	if r.sc == nil || pos >= len(r.hay) {
		return Span{}, false
	}
	m, ok := r.sc.find(r.hay, pos)
	if ok && m.Start == len(r.hay) && r.hay[len(r.hay)-1] == r.m.term {
		return Span{}, false
	}
	return m, ok
}

// behind is where the search goes on behind a match.
func (r *run) behind(m Span) int {
	if m.Start == m.End {
		return m.End + 1
	}
	return m.End
}

// around widens a match to its lines.
func (r *run) around(m Span) Span {
	start := bytes.LastIndexByte(r.hay[:m.Start], r.m.term) + 1
	last := m.End
	if m.End > m.Start {
		last-- // a match that ends with a terminator ends on its line
	}
	return Span{start, lineEnd(r.hay, last, r.m.term)}
}

// blocks selects the lines of all matches.
func (r *run) blocks() bool {
	var block Span // of lines, not yet handed over; empty if there is none
	counted := 0   // lines up to here have been counted
	flush := func() bool {
		if block.Start == block.End {
			return true
		}
		b := block
		block = Span{}
		ok := r.block(b)
		counted = b.End
		r.spans = r.spans[:0]
		return ok
	}
	r.spans = r.spans[:0]
	for pos, last := 0, -1; ; {
		m, ok := r.nextMatch(pos)
		if !ok {
			break
		}
		// An empty match at the end of another is not one of its own, but its
		// line matches, and it uses up some of the maximal count.
		empty := m.Start == m.End && m.End == last
		pos, last = r.behind(m), m.End
		lines := r.around(m)
		if r.over() {
			// Only numbers are left to establish.
			if !flush() || !r.o.CountAll {
				break
			}
			if !empty {
				r.st.matches++
			}
			r.countLines(Span{max(counted, lines.Start), lines.End})
			counted = max(counted, lines.End)
			r.found++
			continue
		}
		if lines.Start > block.End || block.Start == block.End {
			if !flush() {
				return false
			}
			block = lines
		}
		block.End = max(block.End, lines.End)
		r.found++
		if !empty {
			r.st.matches++
			// As within lines, behind a last line that has no terminator there
			// is nothing to show.
			if m.Start < len(r.hay) {
				r.spans = append(r.spans, m)
			}
		}
	}
	return flush() && r.failure() == nil && r.trailing(len(r.hay)) && !r.finished()
}

// countLines counts the lines of a range.
func (r *run) countLines(b Span) {
	for pos := b.Start; pos < b.End; {
		end := lineEnd(r.hay, pos, r.m.term)
		r.st.lines++
		if r.o.Digest {
			number := r.st.numberAt(r.hay, pos, r.m.term)
			r.st.digest.Add(body(r.hay[pos:end], r.m.term, r.m.syntax.CRLF), number)
		}
		pos = end
	}
}

// block counts a block of lines and hands it to the sink.
func (r *run) block(b Span) bool {
	for i := range r.spans {
		r.spans[i].Start -= b.Start
		r.spans[i].End -= b.Start
	}
	if !r.reach(b.Start, b.End) {
		r.st.matches -= int64(len(r.spans))
		return false
	}
	r.countLines(b)
	if !r.muted && !r.match(b.Start, b.End, r.spans) {
		return false
	}
	return !r.o.FirstOnly
}

// wholeInverted selects the lines that no match touches.
func (r *run) wholeInverted() bool {
	pos, from := 0, 0
	for {
		m, ok := r.nextMatch(pos)
		if !ok {
			break
		}
		lines := r.around(m)
		if !r.selectGap(from, lines.Start) {
			return false
		}
		pos, from = max(r.behind(m), lines.End), max(from, lines.End)
	}
	return r.failure() == nil && r.selectGap(from, len(r.hay)) && r.trailing(len(r.hay))
}
