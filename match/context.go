package match

import (
	"math"
)

// chunkInContext searches the buffer in work where lines that do not match
// matter too: inverted, with context, with all lines, or up to the first line
// that is not selected.
func (r *run) chunkInContext() bool {
	pos, from := r.st.pos, 0
	known := r.find()
	for _, w := range r.rows {
		if r.o.Invert {
			if !r.selectGap(pos, w.start) {
				return false
			}
		} else if !r.selected(w.start, w.end, r.spans[from:w.spansEnd]) {
			return false
		}
		from = w.spansEnd
		pos = w.end
	}
	if r.o.Invert && !r.selectGap(pos, known) {
		return false
	}
	if r.passedNonmatch(known) && !r.stopOnNonmatch() {
		return false
	}
	if !r.trailing(known) {
		return false
	}
	return !r.finished()
}

// find collects the matching lines from st.pos on as rows. It returns up to
// where the other lines are known not to match: to the buffer's end, unless
// the engine has failed.
func (r *run) find() int {
	r.rows, r.spans = r.rows[:0], r.spans[:0]
	if r.sc == nil {
		r.st.pos = len(r.hay)
		return len(r.hay)
	}
	st := r.st
	// Numbers and digest are worked out as lines are selected, since the
	// search may end at any of them.
	flags := r.flags&^(scanDigest|scanNumber) | scanRows
	if r.o.Invert {
		flags &^= scanSpans
	}
	for st.pos < len(r.hay) && r.failure() == nil {
		rows, spans := r.sc.scan(r.hay, r.m.term, flags, batch, &st)
		for _, w := range rows {
			w.spansEnd += len(r.spans)
			r.rows = append(r.rows, w)
		}
		r.spans = append(r.spans, spans...)
	}
	r.st.pos = st.pos
	return st.pos
}

// selectGap selects the lines between two that match, for an inverted search.
func (r *run) selectGap(from, to int) bool {
	for from < to {
		end := lineEnd(r.hay, from, r.m.term)
		if !r.selected(from, end, nil) {
			return false
		}
		from = end
	}
	return true
}

// selected receives each selected line in order.
func (r *run) selected(start, end int, spans []Span) bool {
	if r.passedNonmatch(start) && !r.stopOnNonmatch() {
		return false
	}
	if r.stopped {
		r.out.Nonmatch = true
	}
	if r.over() && !r.muted {
		// Behind the maximal count lines are still counted, and shown as
		// part of the after-context that is owed (see trailing).
		if !r.trailing(start) {
			return false
		}
		if r.finished() {
			return false
		}
	}
	over := r.over()
	if over && !r.o.CountAll {
		return true // only context is left to show
	}
	// A line whose only match has nothing to stand before matches once all the same.
	matches := int64(max(1, len(spans)))
	r.st.lines++
	r.st.matches += matches
	before, digest := r.lastEnd, r.st.digest
	r.lastEnd = r.base + int64(end)
	if r.o.Digest {
		number := r.st.numberAt(r.hay, start, r.m.term)
		r.st.digest.Add(body(r.hay[start:end], r.m.term, r.m.syntax.CRLF), number)
	}
	if over || r.muted {
		return !r.o.FirstOnly
	}
	if !r.reach(start, end) {
		r.st.lines--
		r.st.matches -= matches
		r.lastEnd, r.st.digest = before, digest
		return false
	}
	if !r.muted && !r.match(start, end, spans) {
		return false
	}
	return !r.o.FirstOnly
}

// reach shows the context before lines that were selected, and reports whether
// the search gets as far as them: a NUL byte on the way ends it.
func (r *run) reach(start, end int) bool {
	return r.trailing(start) && r.before(start) &&
		(r.muted && r.sink != nil || r.peek(r.hay[start:end], r.base+int64(start)))
}

// match hands a selected line to the sink.
func (r *run) match(start, end int, spans []Span) bool {
	if !r.gap(start) {
		return false
	}
	if r.binaryStop() {
		return r.o.CountAll
	}
	if !r.sink.Matched(r.at(start, end, spans)) {
		return false
	}
	r.shown(end)
	r.afterLeft = r.o.After
	return true
}

// numberAt numbers the line at start for the digest.
func (st *scanState) numberAt(hay []byte, start int, term byte) int64 {
	c := counter{st.counted, st.number}
	n := c.at(hay, start, term)
	st.counted, st.number = c.pos, c.number
	return n
}

// units is how much of the maximal count is used up: selected lines, or
// matches where they may span lines.
func (r *run) units() int64 {
	if r.multi() && !r.o.Invert {
		return r.found
	}
	return r.st.lines
}

// over reports whether the maximal count is reached.
func (r *run) over() bool { return r.units() >= r.most() }

// most is the maximal count.
func (r *run) most() int64 { return r.o.MaxCount.Or(math.MaxInt64) }

// finished reports whether the maximal count is reached and nothing is left
// to show or count.
func (r *run) finished() bool {
	return r.over() && !r.o.CountAll && r.afterLeft == 0 && !r.o.Passthru
}

// at describes a line of the buffer.
func (r *run) at(start, end int, spans []Span) *Line {
	r.line = Line{
		Bytes:  r.hay[start:end],
		Offset: r.base + int64(start),
		Spans:  spans,
	}
	if r.multi() {
		r.line.around, r.line.at = r.hay, start
	}
	if r.o.Numbers {
		r.line.Number = r.ctr.at(r.hay, start, r.m.term)
	}
	return &r.line
}

func (r *run) shown(end int) {
	r.visited = r.base + int64(end)
	r.sunk = true
}

// next returns where display goes on in the buffer.
func (r *run) next() int { return max(0, int(r.visited-r.base)) }

// trailing shows the lines up to a position that follow what was shown last:
// after-context, or all of them.
func (r *run) trailing(upto int) bool {
	if r.muted {
		return true
	}
	over := r.over()
	for pos := r.next(); pos < upto && !r.muted && (r.o.Passthru || r.afterLeft > 0); {
		end := lineEnd(r.hay, pos, r.m.term)
		if over && r.byBuffer() && r.isSelected(pos, end) {
			// ripgrep shows such a line as the match that it is.
			if !r.o.CountAll {
				r.st.lines++
			}
			if !r.sink.Matched(r.at(pos, end, r.spansOf(pos, end))) {
				return false
			}
		} else if !r.context(pos, end, r.trailingKind()) {
			return false
		}
		r.shown(end)
		if r.afterLeft > 0 {
			r.afterLeft--
		}
		pos = end
	}
	return true
}

// byBuffer reports whether ripgrep would run the pattern over the buffer rather
// than over each line.
func (r *run) byBuffer() bool {
	return !r.o.Passthru && (r.multi() || !r.o.StopOnNonmatch && !r.m.linewise && r.m.Engine() != PCRE2Engine)
}

func (r *run) trailingKind() ContextKind {
	if r.o.Passthru {
		return Other
	}
	return After
}

// before shows the before-context of the line at start.
func (r *run) before(start int) bool {
	pos := r.next()
	if r.o.Before == 0 || pos >= start {
		return true
	}
	pos += startOfLast(r.hay[pos:start], r.o.Before, r.m.term)
	if !r.gap(pos) {
		return false
	}
	for pos < start && !r.muted {
		end := lineEnd(r.hay, pos, r.m.term)
		if !r.context(pos, end, Before) {
			return false
		}
		r.shown(end)
		pos = end
	}
	return true
}

// gap announces a break if lines were left out before start.
func (r *run) gap(start int) bool {
	if r.o.Before+r.o.After == 0 || !r.sunk || r.visited >= r.base+int64(start) {
		return true
	}
	r.visited = r.base + int64(start)
	return r.sink.Break()
}

func (r *run) context(start, end int, kind ContextKind) bool {
	if !r.peek(r.hay[start:end], r.base+int64(start)) {
		return false
	}
	if r.binaryStop() {
		if r.o.Passthru {
			r.shown(end) // as far as the search came
		}
		return r.o.CountAll
	}
	line := r.at(start, end, nil)
	if r.o.Invert && r.o.Spans {
		line.Spans = r.spansOf(start, end)
	}
	return r.sink.Context(line, kind)
}

// passedNonmatch reports whether a line before pos is the first that is not
// selected behind one that is, if that matters.
func (r *run) passedNonmatch(pos int) bool {
	return r.o.StopOnNonmatch && !r.stopped && r.st.lines > 0 && r.lastEnd < r.base+int64(pos)
}

// stopOnNonmatch ends the display at a line that is not selected, which is shown
// if it is owed. It reports whether to go on counting.
func (r *run) stopOnNonmatch() bool {
	start := int(r.lastEnd - r.base)
	end := lineEnd(r.hay, start, r.m.term)
	r.trailing(end)
	r.lastEnd = r.base + int64(end)
	r.stopped = true
	r.endDisplay()
	return r.o.CountAll
}

// isSelected asks about one line alone.
func (r *run) isSelected(start, end int) bool {
	var st scanState
	if r.sc != nil {
		r.sc.scan(r.hay[start:end], r.m.term, r.flags&scanCRLF|scanLinewise, 1, &st)
	}
	return (st.lines > 0) != r.o.Invert
}

// spansOf finds the matches of one line alone.
func (r *run) spansOf(start, end int) []Span {
	if r.sc == nil || !r.o.Spans {
		return nil
	}
	var st scanState
	_, spans := r.sc.scan(r.hay[start:end], r.m.term, r.flags&scanCRLF|scanLinewise|scanRows|scanSpans, 1, &st)
	return spans
}
