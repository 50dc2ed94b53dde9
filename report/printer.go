package report

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"tally/match/digest"
	"tally/report/escape"
	"tally/walk"
)

// A Printer adds up the ledger of a run and writes its results, in the order
// in which it is given them.
type Printer struct {
	cfg       Config
	out       *output
	stderr    io.Writer
	separator []byte // between the results of two files
	parts     sync.Pool

	held     *held // nil: results are written as they come
	started  bool  // something was written
	total    delta
	results  digest.Results
	question question
	meaning  *Meaning // nil: nobody asked for it
	window   window
	// full tells the workers that no result that they may still find can be
	// displayed.
	full atomic.Bool
}

// New returns a printer that writes results to stdout and the ledger line to
// stderr.
func New(cfg Config, stdout, stderr io.Writer) *Printer {
	p := &Printer{
		cfg: cfg, out: newOutput(stdout), stderr: stderr,
		separator: cfg.fileSeparator(), results: digest.Results{Ordered: cfg.Resorted},
	}
	if cfg.Ledger.Mode == LedgerFirst && !cfg.silent() {
		p.held = &held{w: stdout, overflow: cfg.notFirst()}
		p.out = newOutput(p.held)
	}
	p.window.end = cfg.end()
	if cfg.Twice {
		p.window.shown = map[uint64]bool{}
	}
	p.full.Store(p.window.isFull())
	p.parts.New = func() any { return new(Part) }
	return p
}

func (p *Printer) newPart() *Part { return p.parts.Get().(*Part) }

// Print adds a part to the ledger and writes it; the part must not be used any
// more. Only one caller may print at a time. It returns the error of the
// writer as it is; the ledger is kept nevertheless.
func (p *Printer) Print(part *Part) error {
	p.count(&part.delta)
	var err error
	if p.cfg.windowed() {
		err = p.printWindow(part)
	} else if buf := part.buf; len(buf) > 0 {
		if !p.started {
			buf = buf[part.separator:]
			// The file's bytes are counted with its last part, which may not
			// have come yet.
			p.total.stats.printed -= int64(part.separator)
		}
		p.started = true
		_, err = p.out.Write(buf)
	}
	switch {
	case err != nil:
	case p.cfg.LineBuffered:
		err = p.out.Flush()
	default:
		err = p.out.settle()
	}
	part.reset()
	p.parts.Put(part)
	return err
}

// Flush writes out what is still buffered.
func (p *Printer) Flush() error { return p.out.Flush() }

// count adds d to the totals.
func (p *Printer) count(d *delta) {
	t := &p.total
	t.inScope += d.inScope
	t.pathSum += d.pathSum
	t.binaries = append(t.binaries, d.binaries...)
	t.scopeUnknown = t.scopeUnknown || d.scopeUnknown
	t.repeated += d.repeated
	t.searched += d.searched
	t.matched += d.matched
	t.lines += d.lines
	t.matches += d.matches
	t.bytes += d.bytes
	t.guessed += d.guessed
	t.binary += d.binary
	t.compressed += d.compressed
	t.linesUnknown = t.linesUnknown || d.linesUnknown
	t.matchesUnknown = t.matchesUnknown || d.matchesUnknown
	t.each.add(d.each)
	t.eachUnknown = t.eachUnknown || d.eachUnknown
	t.torn = t.torn || d.torn
	t.found = t.found || d.found
	t.foundRG = t.foundRG || d.foundRG
	t.cut = t.cut || d.cut
	t.elided = t.elided || d.elided
	t.nonmatch = t.nonmatch || d.nonmatch
	t.units += d.units
	t.blanks += d.blanks
	t.shownFiles += d.shownFiles
	t.shownMatches += d.shownMatches
	t.shownRepeated.add(d.shownRepeated)
	for i, s := range d.skipped {
		t.skipped[i].paths += s.paths
		t.skipped[i].directories += s.directories
	}
	t.errors = append(t.errors, d.errors...)
	t.stats.add(&d.stats)
	for _, file := range d.digests {
		p.results.Add(file)
	}
}

// A Final is what is known about a run when it ends.
type Final struct {
	// Elapsed is the time since the run began.
	Elapsed time.Duration
	// StoppedBy says what ended the walk before the universe did.
	StoppedBy Stop
	// Nested are the repositories below the roots that the walk has entered.
	Nested []walk.Displayed
}

// A Stop is what ends a run early.
type Stop uint8

const (
	NotStopped  Stop = iota
	Enough           // what was found was all that was asked
	Interrupted      // by a signal
	TimeLimit        // --time-limit
	OutputGone       // nobody reads the results any more
)

func (Stop) names() []string {
	return []string{
		NotStopped:  "",
		Enough:      "enough",
		Interrupted: "interrupt",
		TimeLimit:   "time_limit",
		OutputGone:  "output",
	}
}

// Finish writes what comes after all results: the statistics or the JSON
// summary, and the ledger line if it is due.
func (p *Printer) Finish(l *Ledger) error {
	p.total.stats.printed = max(0, p.total.stats.printed)
	if p.cfg.windowed() {
		// What the workers rendered depends on when they knew that it would
		// not be displayed.
		p.total.stats.printed = 0
		if !p.cfg.form().rows {
			p.total.stats.printed = p.window.printed
		}
	}
	p.cfg.form().end.end(p, l)
	lines := l.AppendLines(nil, p.cfg.Ledger.Name)
	first := p.held != nil && !p.held.open
	if p.cfg.ledgerOnStdout() && !first {
		p.out.Write(lines)
	}
	// A write error has stuck to the buffer, so that this returns it.
	err := p.out.end()
	if first && err == nil {
		err = p.held.release(p.apart("totals", l, lines))
	}
	switch {
	case p.cfg.Ledger.Mode == LedgerApart:
		if _, failed := p.cfg.Ledger.Apart.Write(p.apart("ledger", l, lines)); failed != nil && err == nil {
			err = &LedgerError{failed}
		}
	case p.cfg.ledgerOnStderr(l):
		p.stderr.Write(lines)
	}
	return err
}

// A LedgerError says that the ledger could not be written to a descriptor of its own.
type LedgerError struct{ Err error }

func (e *LedgerError) Error() string { return "the ledger could not be written: " + e.Err.Error() }

// apart is the ledger where nothing but it is written: as the lines that it has for
// people, or with results in JSON as a message of a type.
func (p *Printer) apart(kind string, l *Ledger, lines []byte) []byte {
	if !p.cfg.form().messages {
		return lines
	}
	return append(l.AppendJSON([]byte(`{"type":"`+kind+`","data":`)), "}\n"...)
}

// notFirst says that the ledger comes behind the results after all.
func (c *Config) notFirst() []byte {
	if c.form().messages {
		return []byte(`{"type":"totals","data":null}` + "\n")
	}
	return fmt.Appendf(nil, "%s: the totals are below the results, which are longer than %s\n", c.Ledger.Name, size(mostHeld))
}

// AppendLines appends the ledger line and what belongs below it, each line
// beginning with the program's name.
func (l *Ledger) AppendLines(b []byte, name string) []byte {
	lines := append([]string{l.Line()}, l.patternLines()...)
	if l.Explanation != nil {
		lines = append(lines, l.Explanation.Lines()...)
	}
	for _, line := range lines {
		b = append(b, name+": "+escape.Line(line)+"\n"...)
	}
	return b
}

// ledgerOnStdout reports whether the ledger line is a result.
func (c *Config) ledgerOnStdout() bool {
	return !c.form().messages && (c.CountOnly || c.Ledger.Mode == LedgerStdout || c.Ledger.Mode == LedgerFirst)
}

// ledgerOnStderr reports whether the ledger line is due beside the results.
func (c *Config) ledgerOnStderr(l *Ledger) bool {
	switch c.Ledger.Mode {
	case LedgerAlways:
		return true
	case LedgerAuto:
		if c.CountOnly && !c.form().messages {
			return false // it is on standard output
		}
		return c.Ledger.Terminal || c.Ledger.Absent || c.Ledger.Each.Asked || l.StoppedBy != OutputGone && (l.Truncated || !l.Found) ||
			!l.Complete && l.StoppedBy != Enough && l.StoppedBy != OutputGone
	}
	return false
}
