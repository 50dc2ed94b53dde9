package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"time"

	"tally/flags"
	"tally/match"
	"tally/match/decode"
	"tally/report"
	"tally/walk"
	"tally/walk/ignore"
)

// run carries the plan out and returns the exit code.
func (p *plan) run() int {
	if p.pointless() {
		return 1
	}
	if p.args.Meaning && p.args.Mode.Searches() && p.args.Inspect == flags.NoInspect {
		if err := p.fitsMeaning(); err != nil {
			return refuse(p.args.Program, err)
		}
	}
	if p.args.Rank && p.args.Inspect == flags.NoInspect {
		return p.rank()
	}
	if p.args.Fuzzy && p.args.Mode.Searches() && p.args.Inspect == flags.NoInspect {
		return p.forgive()
	}
	start := time.Now()
	sources, errs := ignore.New(p.ignore)
	for _, err := range errs {
		p.say.ignoreRule(err)
	}
	p.walk.Ignore = sources
	if p.args.Inspect != flags.NoInspect {
		return p.inspect()
	}
	s := &searcher{plan: p}
	if p.args.Mode.Searches() {
		var err error
		if p.args.Meaning {
			if s.meaning, err = p.newMeaning(); err != nil {
				return refuse(p.args.Program, err)
			}
		}
		if s.matcher, err = match.Compile(p.syntax); err != nil {
			refuse(p.args.Program, err)
			s.explainSyntax()
			return exitError
		}
		p.report.MultiLine = s.matcher.MultiLine()
	}
	s.printer = report.New(p.report, s.results(), os.Stderr)
	if p.args.Audit {
		s.audit = walk.NewAudit()
	}
	universe := walk.New(p.walk, p.say.ignoreRule)
	s.watcher = s.watch(universe, start)
	defer s.watcher.stop()
	s.stopped = universe.Stopped
	s.debugPlan()
	s.breakdown = p.newBreakdown()
	universe = p.sorted(universe)
	var end error
	for part := range walk.Map(universe, s.visitor) {
		if end = s.take(part); end != nil {
			break
		}
	}
	if s.audit != nil && end == nil {
		end = s.checkAudit(universe)
	}
	if s.meaning != nil && s.watcher.why(end) == nil {
		s.answer()
	}
	return s.finish(start, s.watcher.why(end))
}

// checkAudit puts into the ledger what the second walker found and the first
// did not account for.
func (s *searcher) checkAudit(u *walk.Universe) (end error) {
	w := s.printer.Worker(nil)
	for _, e := range s.audit.Check(u) {
		w.Fail(e)
	}
	if part := w.Take(); part != nil {
		end = s.take(part)
	}
	return end
}

// sorted is the universe in the order that was asked for.
func (p *plan) sorted(u *walk.Universe) *walk.Universe {
	key, ok := map[flags.SortKey]walk.Key{
		flags.SortPath:     walk.ByPath,
		flags.SortModified: walk.ByModified,
		flags.SortAccessed: walk.ByAccessed,
		flags.SortCreated:  walk.ByCreated,
	}[p.args.Sort.Key]
	if !ok || key == walk.ByPath && !p.args.Sort.Reverse {
		return u
	}
	return u.Sorted(key, p.args.Sort.Reverse)
}

// pointless reports whether nothing can match; ripgrep then does not even look
// at the files. Under our own name they are searched nevertheless, so that the
// ledger is true.
func (p *plan) pointless() bool {
	return p.ripgrep() && !p.args.OwnFlag && p.args.Mode.Searches() &&
		(len(p.args.Patterns) == 0 && !p.args.InvertMatch || p.options.MaxCount == 0)
}

// errEnough ends the walk when what was found is enough.
var errEnough = errors.New("found")

// A searcher is one run in progress.
type searcher struct {
	*plan
	matcher *match.Matcher
	printer *report.Printer
	audit   *walk.Audit // nil: none
	stopped func() bool // the run was ended early
	errored bool        // an error that the ledger does not hold
	// breakdown is for several patterns of an assertion; nil: none.
	breakdown *breakdown
	watcher   *watch
	meaning   *meaning // nil: what is similar is not asked for
	kept      keptInput
	held      *bytes.Buffer // results of which it is not yet known whether to print them
}

// take receives parts in path order.
func (s *searcher) take(part *report.Part) error {
	for i, e := range part.Errors() {
		if !errors.Is(e.Err, match.ErrStopped) {
			s.say.failed(&part.Errors()[i])
		}
	}
	found := part.Found()
	if err := s.printer.Print(part); err != nil {
		if errors.Is(err, errBrokenPipe) {
			return errBrokenPipe
		}
		return err
	}
	if found && s.report.Quiet && !s.report.Stats && s.report.Mode != report.JSON {
		return errEnough
	}
	return nil
}

// finish writes what comes last and returns the exit code.
func (s *searcher) finish(start time.Time, end error) int {
	stop, ok := map[error]report.Stop{
		nil: report.NotStopped, errEnough: report.Enough, errInterrupted: report.Interrupted,
		errTimeLimit: report.TimeLimit, errBrokenPipe: report.OutputGone,
	}[end]
	if !ok {
		stop = report.OutputGone
	}
	ledger := s.printer.Ledger(report.Final{Elapsed: time.Since(start), StoppedBy: stop})
	if err := s.unexpected(ledger); err != nil {
		return refuse(s.args.Program, err)
	}
	s.setPatterns(ledger)
	s.explain(ledger)
	err := s.printer.Finish(ledger)
	if err == nil && s.held != nil {
		_, err = s.held.WriteTo(os.Stdout)
	}
	if ok {
		end = err
	}
	// A reader that has gone away has had enough.
	if end != nil && !errors.Is(end, errBrokenPipe) {
		s.say.print("standard output: " + systemText(end))
		return exitError
	}
	for _, w := range s.meaning.warnings() {
		s.say.print(w)
	}
	if s.nothingSearched(ledger) {
		s.errored = true
		s.say.print("No files were searched, which means " + programTitle(s.args.Program) +
			" probably applied a filter you didn't expect.\nRunning with --debug will show why files are being skipped.")
	}
	return ledger.ExitCode(report.Rules{
		RG:      s.ripgrep(),
		Quiet:   s.report.Quiet,
		Absent:  s.args.Absent,
		Errored: s.errored,
	})
}

// nothingSearched reports whether the current directory, taken because no
// path was given, held no file to search.
func (s *searcher) nothingSearched(l *report.Ledger) bool {
	searched, known := l.InScope.Value()
	return s.walk.Implied && s.args.Mode.Searches() && known && searched == 0
}

// visitor makes a worker's visitor.
func (s *searcher) visitor(emit func(*report.Part)) walk.Visitor {
	v := &visitor{s: s, w: s.printer.Worker(emit), emit: emit}
	if s.report.Replacement != nil && s.matcher != nil {
		v.w.SetExpander(s.matcher.NewExpander())
	}
	return v
}

// A visitor searches the files that one worker comes to.
type visitor struct {
	s    *searcher
	w    *report.Worker
	emit func(*report.Part)
	path []byte
	h    walk.Handle
	// found and named search files that were found by walking and those
	// that were named: a NUL byte means something else in them.
	found, named *match.Searcher
	// regular and stdin say what is being searched, so that it can be read
	// again; asBytes searches it as it is where it was taken for UTF-16.
	regular, stdin bool
	reread         func() (io.Reader, error) // what does so instead, if not nil
	asBytes        *match.Searcher
	lines          *match.Searcher   // see breakDown
	each           []*match.Searcher // likewise
}

func (v *visitor) File(f *walk.File) {
	v.path = f.AppendPath(v.path[:0])
	if v.s.audit != nil {
		v.s.audit.File(v.path)
	}
	if v.s.report.Mode == report.Paths {
		v.w.Path(v.path, f.Repeated())
		return
	}
	v.regular, v.stdin = false, f.Stdin()
	if !f.Stdin() && v.s.pre.wants(v.path) {
		v.preprocess(f)
		return
	}
	var h match.Haystack
	var handle *walk.Handle
	if f.Stdin() {
		h = match.Haystack{Reader: v.s.stdin(f), Stream: true, Mapped: v.s.args.Absent}
	} else {
		var err error
		if v.h, err = f.Open(); err != nil {
			v.w.Fail(walk.Error{Path: walk.Displayed(v.path), Op: walk.OpOpen, Err: err, Repeated: f.Repeated()})
			return
		}
		defer v.h.Close()
		handle = &v.h
		h = match.Haystack{Reader: &v.h, Stream: !f.Regular(), Mapped: v.s.mapped(f.Explicit()), Format: v.s.format(v.path)}
		if f.Regular() {
			v.regular, h.At = true, &v.h
		}
	}
	if v.s.args.Absent {
		v.assert(f, h, handle)
		return
	}
	v.search(h, f.Explicit(), f.Repeated(), nil)
}

// search searches a file, which w watches if it is not nil, and returns
// what it found, and whether that is known.
func (v *visitor) search(h match.Haystack, named, again bool, w *witness) (o match.Outcome, ok bool) {
	searcher, quit := v.searcher(named)
	var start time.Time
	if v.s.report.Stats || v.s.report.Mode == report.JSON {
		start = time.Now()
	}
	v.w.Begin(v.path)
	if again {
		v.w.Repeated()
	}
	o, err := searcher.Search(h, v.sink())
	v.traceOutcome(&o)
	if err != nil {
		v.failed(err)
		return o, false
	}
	if !v.checkGuess(h, &o) || w != nil && !w.holds(v, o) {
		return o, false
	}
	var elapsed time.Duration
	if !start.IsZero() {
		elapsed = time.Since(start)
	}
	v.w.End(o, elapsed, quit)
	return o, true
}

// failed reports the error of a search.
func (v *visitor) failed(err error) {
	op := walk.OpRead
	var damaged *decode.Error
	if errors.As(err, &damaged) {
		op = walk.OpDecompress
	}
	v.w.Fail(walk.Error{Path: walk.Displayed(v.path), Op: op, Err: err})
}

// sink is where lines go; nowhere if only numbers are displayed.
func (v *visitor) sink() match.Sink {
	c := &v.s.report
	lines := (c.Mode == report.Standard || c.Mode == report.JSON) && !c.Quiet && !c.CountOnly
	// Where -m cuts what is counted, the worker sees where.
	if lines || v.s.options.MaxCount >= 0 {
		return v.w
	}
	return nil
}

func (v *visitor) searcher(named bool) (s *match.Searcher, quit bool) {
	which := &v.found
	if named {
		which = &v.named
	}
	detection := v.s.detection(named)
	if *which == nil {
		o := v.s.options
		o.Detection = detection
		o.Stop = v.s.stopped
		*which = v.s.matcher.NewSearcher(o)
	}
	return *which, detection == match.Quit
}

func (v *visitor) Skip(s *walk.Skip) {
	if v.s.audit != nil {
		note := v.s.audit.File
		if s.IsDir {
			note = v.s.audit.Dir
		}
		note(s.AppendPath(nil))
	}
	v.debugSkip(s)
	if !s.Repeated() {
		v.w.Skip(s.Reason, s.IsDir)
	}
}

func (v *visitor) Fail(e walk.Error) {
	if v.s.audit != nil {
		v.s.audit.Dir([]byte(e.Path))
	}
	v.w.Fail(e)
}

func (v *visitor) Done() {
	if part := v.w.Take(); part != nil {
		v.emit(part)
	}
}

// typeList prints the table of file types.
func typeList(args *flags.Args) int {
	types, err := selectTypes(args.TypeChanges)
	if err != nil {
		return refuse(args.Program, err)
	}
	if _, err := types.Selection(); err != nil {
		return refuse(args.Program, err)
	}
	return write(args, types.List())
}
