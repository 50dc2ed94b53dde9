package report

import (
	"github.com/cespare/xxhash/v2"

	"tally/match"
)

// Matched renders a matching line.
func (w *Worker) Matched(l *match.Line) bool {
	f := &w.file
	n := int64(1)
	if w.cfg.MultiLine {
		n = countLines(l.Bytes, w.cfg.LineTerm)
	}
	f.calls++
	f.lines += n
	if w.summary {
		// A line that was selected holds at least the match for which it was,
		// even if the search was not asked where.
		f.matches += max(1, int64(len(l.Spans)))
		return !w.enough
	}
	f.matches += int64(len(l.Spans))
	if !w.nextResult(n) {
		return true
	}
	w.enter()
	w.lines.matched(w, l)
	if w.windowed {
		f.inRegion = true
		w.part.marks = append(w.part.marks, mark{
			separator: f.separator, lines: int32(n), matches: int32(len(l.Spans)),
		})
	}
	w.flushIfLong()
	return true
}

// Context renders a line around a matching one.
func (w *Worker) Context(l *match.Line, kind match.ContextKind) bool {
	if w.summary || kind == match.Before && !w.nextResult(0) {
		return true
	}
	if w.file.past {
		w.file.blank = true
		return true
	}
	w.enter()
	w.lines.context(w, l)
	w.flushIfLong()
	return true
}

// Break renders what divides two groups of lines.
func (w *Worker) Break() bool {
	if w.summary || !w.breaks || !w.nextResult(0) {
		return true
	}
	n := len(w.part.buf)
	w.part.buf = append(w.part.buf, *w.cfg.ContextSeparator...)
	w.part.buf = append(w.part.buf, w.term...)
	w.file.separator = int32(len(w.part.buf) - n)
	return true
}

// nextResult ends the region of the last result, since what comes belongs to
// the next one, and counts that result's lines, if it has come to them. It
// reports whether the result may be displayed.
func (w *Worker) nextResult(lines int64) bool {
	f := &w.file
	if w.windowed {
		w.endRegion()
		f.past = f.past || f.units >= w.cap || w.p.full.Load()
	}
	f.units += lines
	return !f.past
}

// enter renders what comes before the first line of a file.
func (w *Worker) enter() {
	f := &w.file
	if f.begun {
		return
	}
	f.begun = true
	w.startBlock()
	w.lines.head(w)
	f.block.headEnd = len(w.part.buf)
}

// startBlock notes where the rendering of this file starts in this part.
func (w *Worker) startBlock() {
	n := len(w.part.buf)
	w.file.block = block{start: n, separatorEnd: n, headEnd: n, continued: w.file.continued, repeated: w.file.repeated}
	if w.cfg.Twice {
		w.file.block.path = xxhash.Sum64(w.file.path)
	}
}

// endRegion ends the region of the last result, or what an earlier part left
// of it.
func (w *Worker) endRegion() {
	f := &w.file
	if f.inRegion {
		m := &w.part.marks[len(w.part.marks)-1]
		m.end, m.elided = len(w.part.buf), f.elided
		f.inRegion, f.elided, f.separator, f.marked = false, false, 0, true
	} else if f.lead {
		f.block.headEnd = len(w.part.buf)
	}
	f.lead = false
}

// endBlock closes the block of the current file, whose tail begins at tail.
func (w *Worker) endBlock(tail int) {
	f := &w.file
	f.block.tail, f.block.end, f.block.marks = tail, len(w.part.buf), len(w.part.marks)
	w.part.blocks = append(w.part.blocks, f.block)
}

// flushIfLong hands the part on when it has become long. In a window that is
// done after a result only, so that a part ends in a whole region, to which the
// next part may add.
func (w *Worker) flushIfLong() {
	f := &w.file
	if len(w.part.buf) < flushAt && !w.cfg.LineBuffered || w.windowed && !f.inRegion {
		return
	}
	if w.windowed {
		w.endRegion()
		w.endBlock(len(w.part.buf))
		f.lead = true
	} else {
		w.countShown()
	}
	f.printed += int64(len(w.part.buf) - f.block.start)
	f.continued = true
	w.hand()
	w.startBlock()
}

// shownFile counts a file that is displayed.
func (w *Worker) shownFile() {
	w.part.delta.shownFiles++
	if w.file.repeated {
		w.part.delta.shownRepeated.files++
	}
}

// countShown accounts for a file that has results in the display, once.
func (w *Worker) countShown() {
	if !w.file.continued && !w.file.counted {
		w.shownFile()
	}
}
