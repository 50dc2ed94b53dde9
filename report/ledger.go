package report

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"tally/match"
	"tally/walk"
)

// A Ledger is the account of a run. Every number that is printed anywhere is
// one of its.
type Ledger struct {
	// InScope counts the files that the run meant to search; of these,
	// Searched were searched to the end or as far as was asked, and in
	// Matched something was found. Totals of what was found are lower bounds
	// in a run that ended early or could not read something.
	InScope, Searched, Matched Number
	// Lines and Matches are what is there, however little of it is displayed.
	Lines, Matches Number

	// Shown counts what the display holds. What it does not consist of is not
	// known: a list of paths has no lines.
	ShownFiles, ShownLines, ShownMatches Number
	// Truncated says that the display holds less than there is, TruncatedBy
	// for which reasons. A run that was told to display nothing is not
	// truncated.
	Truncated   bool
	TruncatedBy []Cut
	// Next is the flag that displays what follows, "" if nothing does or it is
	// not established what.
	Next string

	// Complete says that the run read all that it meant to read. If not,
	// StoppedBy may say why.
	Complete  bool
	StoppedBy Stop
	// Repeated counts the times that a file was reached again, by another root or
	// link. All other numbers count it once.
	Repeated int64
	Errors   []walk.Error
	// Skipped counts the paths that are out of scope, SkippedDirectories
	// those of them that are directories and stand for all below them.
	Skipped, SkippedDirectories [walk.NumReasons]int64
	// Nested counts the repositories below the roots whose files are in scope, and
	// NestedPaths names the first of them.
	Nested      Number
	NestedPaths []walk.Displayed
	// Binary counts the files that were searched although they hold a NUL
	// byte; known where every byte was looked at for one.
	Binary Number
	// Compressed counts the files that hold compressed text and were searched as
	// stored; known where that was looked for.
	Compressed Number
	// Patterns says of each pattern how much it matches, where that was asked
	// and established.
	Patterns []PatternCount
	// Meaning is what a search by meaning has come to, nil if there was none.
	Meaning *Meaning
	// Verdict is what a question has come to. UnsureFiles counts the files that are
	// offered and not claimed, where nothing was found; UnsureShown those of them
	// that are displayed.
	Verdict                  Verdict
	UnsureFiles, UnsureShown Number
	// Explanation is what nearly matched, nil if that was not looked for.
	Explanation *Explanation

	// ResultDigest identifies the results, whatever of them is displayed, as
	// 32 hexadecimal digits: [digest.Results], ordered where the order is not
	// that of paths ([Config.Resorted]). A file's lines are in it where the run
	// establishes all of them. "" if not all results were looked for, something
	// could not be read, or nobody reads it ([LedgerConfig.Digest]).
	ResultDigest string
	// ExactDigest is ResultDigest without what is similar.
	ExactDigest string

	// GuessedUTF16 counts the files that were searched as UTF-16 although
	// they have no byte-order mark.
	GuessedUTF16  int64
	BytesSearched int64
	Elapsed       time.Duration

	// Found says that there is a result.
	Found    bool
	foundRG  bool // ripgrep would say so
	cfg      *Config
	window   window
	units    int64 // results of the displayed kind
	question question
	// exactComplete and exactCut are Complete and Truncated without regard to
	// Meaning, if there is one.
	exactComplete, exactCut bool
}

// nestedNamed is how many nested repositories are named.
const nestedNamed = 100

// A Cut is a reason why the display holds less than there is.
type Cut uint8

const (
	CutByLimit Cut = iota
	CutByLimitBytes
	CutByOffset
	CutByMaxCount
	CutByMaxColumns
	CutByWindow
	CutByNonmatch
)

// cutFlags are the flags that make the cuts.
var cutFlags = [...]string{
	CutByLimit:      "--limit",
	CutByLimitBytes: "--limit-bytes",
	CutByOffset:     "--offset",
	CutByMaxCount:   "--max-count",
	CutByMaxColumns: "--max-columns",
	CutByWindow:     "--window",
	CutByNonmatch:   "--stop-on-nonmatch",
}

func (Cut) names() []string {
	return []string{
		CutByLimit:      "limit",
		CutByLimitBytes: "limit_bytes",
		CutByOffset:     "offset",
		CutByMaxCount:   "max_count",
		CutByMaxColumns: "max_columns",
		CutByWindow:     "window",
		CutByNonmatch:   "stop_on_nonmatch",
	}
}

// String returns the reason as the ledger's JSON names it.
func (c Cut) String() string { return c.names()[c] }

// Ledger draws up the account when all parts have been printed.
func (p *Printer) Ledger(f Final) *Ledger {
	t, cfg := &p.total, &p.cfg
	form := cfg.form()
	searching := !form.unsearched
	whole := f.StoppedBy == NotStopped
	l := &Ledger{
		InScope:       KnownOrBound(whole && !t.scopeUnknown, t.inScope),
		Searched:      KnownIf(searching, t.searched),
		Errors:        t.errors,
		Complete:      whole && len(t.errors) == 0 && (!searching || t.searched == t.inScope),
		GuessedUTF16:  t.guessed,
		BytesSearched: t.bytes,
		Elapsed:       f.Elapsed,
		Binary:        KnownIf(cfg.Ledger.Absent && whole && !t.failed(), t.binary),
		Compressed:    KnownIf(cfg.Ledger.Absent && whole && !t.failed(), t.compressed),
		Found:         t.found,
		foundRG:       t.foundRG,
		StoppedBy:     f.StoppedBy,
		Repeated:      t.repeated,
		Nested:        KnownOrBound(whole && !t.scopeUnknown, int64(len(f.Nested))),
		NestedPaths:   f.Nested[:min(len(f.Nested), nestedNamed)],
		cfg:           cfg,
		units:         t.units,
	}
	for reason, s := range t.skipped {
		l.Skipped[reason], l.SkippedDirectories[reason] = s.paths, s.directories
	}
	established := whole && !t.failed()
	if searching {
		l.Matched = KnownOrBound(established, t.matched)
		if !form.ranked && !t.linesUnknown {
			l.Lines = KnownOrBound(established, t.lines)
		}
		if !form.ranked && !t.linesUnknown && !t.matchesUnknown {
			l.Matches = KnownOrBound(established, t.matches)
		}
	}
	if whole && searching {
		l.Patterns = p.eachPattern(established)
	}
	same := established && !t.torn
	if same && p.cfg.Ledger.Digest {
		l.ResultDigest = p.results.Digest().String()
	}
	p.setShown(l)
	if same && !p.cfg.silent() { // the next page is cut from the same results
		l.Next = p.next(&l.window)
	}
	l.exactComplete, l.exactCut, l.ExactDigest = l.Complete, l.Truncated, l.ResultDigest
	p.setMeaning(l)
	p.setVerdict(l)
	return l
}

// setShown compares the display with what there is.
func (p *Printer) setShown(l *Ledger) {
	t, cfg := &p.total, &p.cfg
	win := p.window
	if !cfg.windowed() {
		win.files, win.matches, win.elided = t.shownFiles, t.shownMatches, t.elided
		win.lines, win.last = t.units, t.units
		win.repeats = t.shownRepeated
	}
	// Results that were not even rendered are behind the window.
	win.before = win.before || min(cfg.Offset, t.units) > 0
	win.after = win.after || cfg.windowed() && t.units > max(win.position, win.end)
	l.window = win

	// Like the totals, these count once what is displayed twice. Which of the times
	// that a file is reached is the first is left to chance, and so would be what a
	// page adds to them.
	once := t.repeated == 0 || !win.before && !win.after
	l.ShownFiles = KnownIf(once, win.files-win.repeats.files)
	l.ShownLines = KnownIf(once && !cfg.form().rows, win.lines-win.repeats.lines)
	l.ShownMatches = KnownIf(once && !cfg.form().rows && cfg.NeedsSpans() && !cfg.Invert, win.matches-win.repeats.matches)
	if cfg.silent() {
		l.ShownFiles, l.ShownLines, l.ShownMatches = Known(0), Known(0), Known(0)
		return
	}
	for _, cut := range []struct {
		by  Cut
		cut bool
	}{
		{CutByLimit, win.after},
		{CutByLimitBytes, win.full},
		{CutByOffset, win.before},
		{CutByMaxCount, t.cut},
		{CutByMaxColumns, win.elided && cfg.Window == 0},
		{CutByWindow, win.elided && cfg.Window > 0},
		{CutByNonmatch, t.nonmatch},
	} {
		if cut.cut {
			l.Truncated = true
			l.TruncatedBy = append(l.TruncatedBy, cut.by)
		}
	}
}

// next returns the flags that display what follows, "" if nothing does, or not so.
func (p *Printer) next(win *window) string {
	switch {
	case win.full && win.lines > 0:
		return fmt.Sprintf("--offset %d", win.last) + p.cfg.Ledger.Pinned
	case !win.full && win.after && p.cfg.limit() > 0:
		return fmt.Sprintf("--offset %d", win.end) + p.cfg.Ledger.Pinned
	}
	return ""
}

// Rules are the meaning of the exit code.
type Rules struct {
	// RG asks for ripgrep's rules, by which a complete scan is not needed to
	// say that nothing matched.
	RG bool
	// Quiet is -q: a match is enough, whatever else failed.
	Quiet bool
	// Absent asserts that nothing matches.
	Absent bool
	// Errored says that an error was reported that is not in the ledger.
	Errored bool
}

// ExitCode returns what the program's exit code says about the run: 0 found, 1
// not found, 2 that neither may be claimed. With [Rules.Absent], 0 and 1 change
// places.
func (l *Ledger) ExitCode(r Rules) int {
	errored := r.Errored || slices.ContainsFunc(l.Errors, r.isFailure)
	complete := l.Complete || l.Found && l.exactlyComplete() && l.Meaning.excused()
	found, failed := l.Found, errored || !complete
	if r.RG && !r.Absent {
		found, failed = l.foundRG, errored || l.StoppedBy == TimeLimit || !l.Meaning.whole() && !complete
	}
	switch {
	case r.Absent && found:
		return 1
	case found && (r.Quiet || l.StoppedBy != NotStopped && !errored):
		return 0
	case failed || r.Absent && l.unproven() != "":
		return 2
	case found != r.Absent:
		return 0
	}
	return 1
}

// isFailure reports whether an error is more than the end of the run, which
// finds workers within a file or between two by chance. To ripgrep, rules and a
// configuration that it could not read are none.
func (r Rules) isFailure(e walk.Error) bool {
	if r.RG && !r.Absent && (e.Op == walk.OpRules || e.Op == walk.OpConfig) {
		return false
	}
	return !errors.Is(e.Err, match.ErrStopped)
}

// Contradict takes back that all was read, and with it the totals: a file that was
// searched in vain holds what was looked for a moment later.
func (l *Ledger) Contradict(e walk.Error) {
	l.Errors = append(l.Errors, e)
	l.Complete, l.exactComplete = false, false
	for _, n := range []*Number{&l.Matched, &l.Lines, &l.Matches} {
		*n = n.bounded()
	}
	l.boundPatterns()
	l.ResultDigest, l.ExactDigest = "", ""
}
