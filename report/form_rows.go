package report

import (
	"strconv"

	"tally/match"
)

// countForm shows how many lines of each file match, matchCountForm how many
// matches they hold.
var (
	countForm = form{
		rows: true, row: countRow, end: statsEnd{},
		spans: func(c *Config) bool { return c.Stats || c.MultiLine },
	}
	matchCountForm = form{
		rows: true, row: matchCountRow, end: statsEnd{},
		spans: func(*Config) bool { return true },
	}
)

// matchingForm shows the paths of files that match, unmatchedForm those of the
// others, pathForm every path in the universe.
var (
	matchingForm = form{
		rows: true, first: true, list: pathList{}, spans: statsNeedSpans, end: statsEnd{},
		row: func(w *Worker, o match.Outcome) {
			if o.Lines > 0 {
				w.pathRow(string(w.term))
			}
		},
	}
	unmatchedForm = form{
		rows: true, inverse: true, first: true, spans: statsNeedSpans, end: statsEnd{},
		row: func(w *Worker, o match.Outcome) {
			if o.Lines == 0 {
				w.pathRow(string(w.term))
			}
		},
	}
	// ripgrep ends these paths in a newline whatever ends its lines.
	pathForm = form{
		rows: true, unsearched: true, end: noEnd{},
		row: func(w *Worker, _ match.Outcome) { w.pathRow("\n") },
	}
)

func statsNeedSpans(c *Config) bool { return c.Stats }

// pathRow writes a path, ended by end.
func (w *Worker) pathRow(end string) {
	if w.startRow() {
		w.writePath()
		w.endRow(w.pathEnd(end))
	}
}

func countRow(w *Worker, o match.Outcome) {
	w.numberRow(o, w.cfg.MultiLine && !w.cfg.Invert)
}

func matchCountRow(w *Worker, o match.Outcome) { w.numberRow(o, true) }

// numberRow writes a path and a count.
func (w *Worker) numberRow(o match.Outcome, matches bool) {
	if (o.Lines > 0 || w.cfg.IncludeZero) && w.startRow() {
		if w.cfg.WithPath {
			w.writePath()
			w.part.buf = append(w.part.buf, w.pathEnd(":")...)
		}
		w.part.buf = strconv.AppendInt(w.part.buf, w.shownCount(o, matches), 10)
		w.endRow(string(w.term))
	}
}

// shownCount is the count that is displayed. It goes no further than -m lets
// the display go, even if the ledger's does. Where a match may span lines,
// lines are no measure of it, so that matches are counted; what is inverted
// has lines only.
func (w *Worker) shownCount(o match.Outcome, matches bool) int64 {
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
		w.shownFile()
	}
}

// noEnd writes nothing.
type noEnd struct{}

func (noEnd) end(*Printer, *Ledger) {}
