package report

import (
	"strconv"

	"tally/match"
)

// summaryRow writes what a mode that shows no lines says about a file.
func (w *Worker) summaryRow(o match.Outcome) {
	if w.cfg.silent() {
		return
	}
	matched := o.Lines > 0
	switch w.cfg.Mode {
	case FilesWithMatches, FilesWithoutMatch:
		if matched == (w.cfg.Mode == FilesWithMatches) && w.startRow() {
			w.writePath()
			w.endRow(w.pathEnd(string(w.term)))
		}
	case Count, CountMatches:
		if (matched || w.cfg.IncludeZero) && w.startRow() {
			if w.cfg.WithPath {
				w.writePath()
				w.part.buf = append(w.part.buf, w.pathEnd(":")...)
			}
			w.part.buf = strconv.AppendInt(w.part.buf, w.shownCount(o), 10)
			w.endRow(string(w.term))
		}
	}
}

// shownCount is the count that is displayed. It goes no further than -m lets
// the display go, even if the ledger's does. Where a match may span lines,
// lines are no measure of it, so that matches are counted; what is inverted
// has lines only.
func (w *Worker) shownCount(o match.Outcome) int64 {
	matches := w.cfg.Mode == CountMatches || w.cfg.MultiLine && !w.cfg.Invert
	switch {
	case w.file.calls == 0 && matches:
		return o.Matches
	case w.file.calls == 0:
		return o.Lines
	case matches:
		return w.file.matches
	}
	return w.file.lines
}

// startRow counts a path that is a result, and reports whether it may be
// displayed.
func (w *Worker) startRow() bool {
	w.part.delta.units++
	if w.windowed && w.p.full.Load() {
		return false
	}
	w.startBlock()
	return true
}

// endRow ends the row of a path.
func (w *Worker) endRow(end string) {
	w.part.buf = append(w.part.buf, end...)
	if w.windowed {
		w.part.marks = append(w.part.marks, mark{end: len(w.part.buf), lines: 1})
		w.endBlock(len(w.part.buf))
	} else {
		w.part.delta.shownFiles++
	}
}
