package report

import (
	"time"

	"github.com/cespare/xxhash/v2"

	"tally/match"
	"tally/match/digest"
	"tally/walk"
)

// A Worker renders the results of one file after another, as they are found.
// It is a [match.Sink] between Begin and End. Each goroutine that searches has
// one of its own.
type Worker struct {
	p     *Printer
	cfg   *Config
	form  *form
	lines lineForm // the form's, which is called for each line
	emit  func(*Part)
	part  *Part
	exp   Expander

	granular bool  // lines are shown match by match
	plain    bool  // lines are shown as they are, with the same before all of them
	summary  bool  // lines are counted, not shown
	breaks   bool  // something divides two groups of lines
	enough   bool  // a file's first match says all that is asked
	windowed bool  // only some of the results are shown,
	cap      int64 // of one file never more than these; -1 if any number

	file           file
	match, context prelude
	styles         styles
	term           []byte
	target         []byte // of hyperlinks to the file
	targetReady    bool
	expanded       []byte // the line with its replacements
	jsonPath       []byte // the file's path as JSON
	scratch        []byte
	near           []string
	nearLine       []byte       // a line with these at its end
	parts          []match.Span // of a line, see excerpt
}

// file is the state of the file that is being searched.
type file struct {
	path []byte
	open bool
	// calls, lines and matches count what Matched received, units the lines
	// of it that could be displayed.
	calls, lines, matches int64
	units                 int64
	repeated              bool          // counted already, by another path
	second                bool          // so are its bytes; these are further results
	counted               bool          // and it is known to have a result
	leftOut               bool          // or was, as a binary file without any, left out
	binary                bool          // holds a NUL byte
	compressed            bool          // holds compressed text
	each                  []match.Count // what each pattern matches, nil if that is not known
	past                  bool          // beyond what can be displayed
	blank                 bool          // something but results is beyond it
	begun                 bool          // something was rendered
	continued             bool          // some of that has been handed on
	printed, escapes      int64         // bytes rendered; of these, escape sequences
	elided                bool          // -M kept something from the display

	// Of use in a window only: what has been rendered in this part; whether
	// its end belongs to the last result of this part (inRegion) or of the one
	// before (lead); whether there was any result; the bytes that divide the
	// next region from the last one.
	block     block
	inRegion  bool
	lead      bool
	marked    bool
	separator int32
}

// Worker returns a new worker. While a file's results are long, emit is called
// with parts of them before the file has ended; it takes the part over.
func (p *Printer) Worker(emit func(*Part)) *Worker {
	c, f := &p.cfg, p.cfg.form()
	w := &Worker{
		p: p, cfg: c, form: f, lines: f.lines, emit: emit, part: p.newPart(),
		granular: c.granular(),
		summary:  f.rows || c.silent(),
		breaks:   f.gaps && c.ContextSeparator != nil,
		enough:   !c.Stats && !c.CountOnly && (f.first || c.Quiet),
		windowed: c.windowed(), cap: c.end(),
		styles: newStyles(c), term: c.terminator(),
	}
	w.plain = !w.granular && !c.Trim && c.MaxColumns == 0 && !c.ByteOffset &&
		!c.MultiLine && !w.styles.links && !c.Terminal && !c.ValidText
	return w
}

// SetExpander tells w what resolves [Config.Replacement].
func (w *Worker) SetExpander(e Expander) { w.exp = e }

// Begin starts the results of the file at path, as displayed. The path must
// stay as it is until End or Fail.
func (w *Worker) Begin(path []byte) {
	w.file = file{path: path, open: true}
	w.file.past = w.windowed && w.p.full.Load()
	w.match.ready, w.context.ready, w.targetReady = false, false, false
}

// Repeated says of the file that was begun that it has been searched before, by
// another path: it is displayed again but counted only once.
func (w *Worker) Repeated() { w.file.repeated = true }

// Binary says of the file that was begun that it holds a NUL byte.
func (w *Worker) Binary() { w.file.binary = true }

// Compressed says of the file that was begun that it holds compressed text, and
// was searched as it is stored.
func (w *Worker) Compressed() { w.file.compressed = true }

// Supplement says of the file that was begun that it has been accounted for, and
// that its results come on top of others. With counted it was counted as a file that
// matches, with leftOut as a binary file that is out of scope.
func (w *Worker) Supplement(counted, leftOut bool) {
	w.file.second, w.file.counted, w.file.leftOut = true, counted, leftOut
}

// Near names the words that were found in the place of those that were asked
// for in the lines that follow, nil for none. Text shows it behind the line,
// JSON under the key near.
func (w *Worker) Near(words []string) { w.near = words }

// hand gives the part away and starts a new one.
func (w *Worker) hand() {
	w.part.dirty = true
	w.emit(w.part)
	w.part = w.p.newPart()
}

// Take returns what has accumulated since the last part, nil if nothing has.
// It must not be called between Begin and End.
func (w *Worker) Take() *Part {
	if !w.part.dirty {
		return nil
	}
	part := w.part
	w.part = w.p.newPart()
	return part
}

// Skip counts a path that the universe leaves out; a directory stands for all
// that is below it.
func (w *Worker) Skip(reason walk.Reason, directory bool) {
	s := &w.part.delta.skipped[reason]
	s.paths++
	if directory {
		s.directories++
	}
	w.part.dirty = true
}

// Fail counts what could not be read, outside of Begin and End. A file that could
// not be opened or read is in scope, and was not searched. If a directory could not
// be listed or rules could not be read, it is not known what is in scope.
// [walk.OpChange] and [walk.OpPreprocess] are about a file that was ended before.
func (w *Worker) Fail(e walk.Error) {
	if !e.Repeated && (e.Op == walk.OpOpen || e.Op == walk.OpRead) {
		w.part.delta.inScope++
	}
	w.failed(e)
}

// Abort ends the file that was begun with an error and with what the search of
// it has found so far. It is in scope, unless it was accounted for before
// ([Worker.Supplement], [Worker.Repeated]), and was not searched to its end.
func (w *Worker) Abort(e walk.Error, o match.Outcome) {
	d, f := &w.part.delta, &w.file
	f.open = false
	w.closeFile(len(w.part.buf))
	e.Repeated = e.Repeated || f.repeated
	d.torn = d.torn || f.calls > 0
	d.cut, d.nonmatch = d.cut || o.Cut, d.nonmatch || o.Nonmatch
	if !e.Repeated && !f.second {
		d.inScope++
		d.bytes += o.Bytes
	}
	if o.Lines > 0 && !w.form.inverse {
		d.found = true
		w.addTotals(o)
	}
	w.failed(e)
}

// failed enters an error.
func (w *Worker) failed(e walk.Error) {
	d := &w.part.delta
	d.scopeUnknown = d.scopeUnknown || e.Op.OfScope()
	d.errors = append(d.errors, e)
	w.part.dirty = true
}

// addTotals adds what was found in a file, unless it was counted before by
// another path.
func (w *Worker) addTotals(o match.Outcome) {
	d := &w.part.delta
	if w.file.repeated {
		return
	}
	if !w.file.counted {
		d.matched++
	}
	partial := o.Stopped || w.enough
	d.lines += o.Lines
	d.matches += o.Matches
	d.linesUnknown = d.linesUnknown || partial
	d.matchesUnknown = d.matchesUnknown || partial || !o.MatchesKnown
}

// Path renders a path of the universe (--files), which may lead to a file that was
// counted before.
func (w *Worker) Path(path []byte, repeated bool) {
	d := &w.part.delta
	if repeated {
		d.repeated++
	} else {
		d.inScope++
	}
	d.found, d.foundRG = true, true
	d.digests = append(d.digests, digest.OfPath(path))
	w.part.dirty = true
	w.file = file{path: path, repeated: repeated}
	w.targetReady = false
	if !w.cfg.silent() {
		w.form.row(w, match.Outcome{})
	}
}

// End ends the file's results with what the search of it found out; elapsed is
// how long that took. With quit, the search was to leave out binary files
// rather than to search them as far as the first match.
func (w *Worker) End(o match.Outcome, elapsed time.Duration, quit bool) {
	f := &w.file
	f.open = false
	binaryQuit := quit && o.BinaryOffset >= 0
	// What stood before the NUL byte counts, though ripgrep's summaries pass
	// over it, so that all modes agree on which files match.
	dropped := binaryQuit && (o.Lines == 0 || w.summary && w.cfg.Ripgrep)

	if w.summary {
		w.account(o, elapsed)
		if !dropped && !(w.file.counted && w.form.first) && !w.cfg.silent() && w.form.row != nil {
			w.form.row(w, o)
		}
	} else {
		w.finishFile(o, elapsed, binaryQuit)
	}

	d := &w.part.delta
	w.part.dirty = true
	if f.repeated {
		w.endRepeated(o, binaryQuit, dropped)
		return
	}
	if f.second {
		w.endSupplement(o, binaryQuit)
		return
	}
	if w.cfg.SumPaths {
		sum := xxhash.Sum64(f.path)
		d.pathSum += sum
		if binaryQuit {
			d.binaries = append(d.binaries, sum)
		}
	}
	d.bytes += o.Bytes
	if binaryQuit {
		d.skipped[walk.Binary].paths++
	}
	if dropped {
		// ripgrep calls the run a success if a file without a match was asked
		// for and the one it dropped has none that it would show.
		d.foundRG = d.foundRG || w.form.inverse
		return
	}
	d.inScope++
	d.searched++
	if f.binary {
		d.binary++
	}
	if f.compressed {
		d.compressed++
	}
	if o.Guessed {
		d.guessed++
	}
	w.endEach(&o)
	d.cut = d.cut || o.Cut
	d.nonmatch = d.nonmatch || o.Nonmatch
	matched := o.Lines > 0
	if matched {
		w.addTotals(o)
	} else if o.Stopped {
		d.linesUnknown, d.matchesUnknown = true, true
	}
	if result := matched != w.form.inverse; result {
		w.result(o, binaryQuit)
	}
}

// endRepeated ends a file that was counted before; only its results count again.
func (w *Worker) endRepeated(o match.Outcome, binaryQuit, dropped bool) {
	w.part.delta.repeated++
	if result := (o.Lines > 0) != w.form.inverse; result && !dropped {
		w.result(o, binaryQuit)
	}
}

// endSupplement ends a file that has been accounted for but for these results. A
// binary file that was left out for having none has been searched after all.
func (w *Worker) endSupplement(o match.Outcome, binaryQuit bool) {
	d := &w.part.delta
	if o.Lines == 0 {
		return
	}
	if w.file.leftOut && !w.file.counted {
		d.inScope++
		d.searched++
	}
	d.cut = d.cut || o.Cut
	d.nonmatch = d.nonmatch || o.Nonmatch
	w.addTotals(o)
	w.result(o, binaryQuit)
}

// result enters a file that is a result into what was found: its path and, where
// the run establishes them, its matching lines. Of a binary file that is left
// these are the lines before its NUL byte.
func (w *Worker) result(o match.Outcome, binaryQuit bool) {
	d := &w.part.delta
	d.found, d.foundRG = true, true
	file := digest.OfPath(w.file.path)
	if !w.enough && !w.form.inverse && (!o.Stopped || binaryQuit) {
		file = digest.OfLines(w.file.path, o.Lines, o.Digest)
	}
	d.digests = append(d.digests, file)
}

// finishFile ends a file whose lines were rendered.
func (w *Worker) finishFile(o match.Outcome, elapsed time.Duration, quit bool) {
	if w.windowed {
		w.endRegion()
	}
	tail := len(w.part.buf)
	w.lines.foot(w, o, quit)
	w.account(o, elapsed)
	w.lines.late(w, o, elapsed)
	w.closeFile(tail)
}

// closeFile closes a file's block, if it has one; its tail begins at tail.
func (w *Worker) closeFile(tail int) {
	f, d := &w.file, &w.part.delta
	d.units += f.units
	switch {
	case w.windowed && f.begun:
		w.endRegion()
		// Lines that belong to no result make one of no lines.
		start := f.block.headEnd
		if n := len(w.part.marks); n > 0 && w.part.marks[n-1].end > start {
			start = w.part.marks[n-1].end
		}
		if !f.marked || tail > start {
			w.part.marks = append(w.part.marks, mark{end: tail, separator: f.separator})
		}
		w.endBlock(tail)
	case w.windowed && f.blank && f.units == 0:
		d.blanks++
	case !w.windowed:
		d.elided = d.elided || f.elided
		d.shownMatches += f.matches
		if f.repeated {
			d.shownRepeated.add(shown{lines: f.units, matches: f.matches})
		}
		if f.begun {
			w.countShown()
		}
	}
}

// account adds the file to the statistics. These count what the display was
// given, which may be less than what there is (-m).
func (w *Worker) account(o match.Outcome, elapsed time.Duration) {
	f, s := &w.file, &w.part.delta.stats
	lines, matches := f.lines, f.matches
	switch {
	case w.summary && f.calls == 0:
		lines, matches = o.Lines, max(o.Matches, o.Lines)
	case w.form.endsAtNUL && o.BinaryOffset >= 0 && o.Lines > lines && !o.Cut:
		// The line at which the display of a binary file ended counts, the
		// ledger's lines behind it do not.
		switch {
		case o.MatchesKnown && o.Lines == lines+1:
			matches = o.Matches
		case !w.cfg.Invert:
			matches++
		}
		lines++
	}
	if !f.second {
		s.searches++
		s.searched += o.Bytes
	}
	if lines > 0 && !f.counted {
		s.withMatch++
	}
	s.matchedLines += lines
	s.matches += matches
	s.elapsed += elapsed
	if f.begun {
		f.printed += int64(len(w.part.buf)-f.block.start) - f.escapes
		s.printed += f.printed
	}
}
