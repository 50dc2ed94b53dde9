package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"tally/match"
	"tally/report"
	"tally/run/input"
	"tally/run/plan"
	"tally/walk"
	"tally/walk/ignore"
)

// This file is the course of every run that ends in a ledger.

// A task is what one mode adds to that course.
type task interface {
	// prepare settles what must be known before anything is walked.
	prepare(ctx context.Context) error
	// pass walks the universe. Its error is what ended it early.
	pass(u *walk.Universe) error
	// conclude adds to the results what only the whole pass tells.
	conclude()
	// complete adds to the ledger what the printer has not seen.
	complete(l *report.Ledger)
	// epilogue says what belongs behind the ledger, or behind the error of
	// prepare.
	epilogue()
}

// account returns the mode that a task is.
func account(newTask func(*Session) task) func(*Session, context.Context) int {
	return func(s *Session, ctx context.Context) int {
		if s.Pointless {
			return 1
		}
		return s.carryOut(ctx, newTask(s))
	}
}

func (s *Session) carryOut(ctx context.Context, t task) int {
	s.limits = s.watch(ctx)
	s.open()
	s.limits.begin(s)
	defer s.limits.end()
	defer t.epilogue()
	if err := t.prepare(ctx); err != nil {
		return s.refuse(err)
	}
	ended := s.scanStatus()
	s.printer = report.New(s.form, s.results(), s.say.out)
	if s.Audit {
		s.audit = walk.NewAudit()
	}
	s.limits.follow(s.universe)
	s.debugPlan()
	u := s.sorted(s.universe)
	end := t.pass(u)
	ended()
	if s.audit != nil && s.limits.why(end) == nil {
		end = s.fail(s.audit.Check(u))
	}
	if s.Absent && s.limits.why(end) == nil && !s.printer.Found() {
		end = s.fail(u.Changed())
	}
	end = s.limits.why(end)
	if end == nil || s.Mode == plan.Rank {
		t.conclude()
		end = s.limits.why(end)
	}
	return s.finish(end, t)
}

// open makes what the run reads: the universe, and the door to its files.
func (s *Session) open() {
	config := s.Ignore
	if s.say.Level > 0 {
		config.Loaded = s.say.debugRules
	}
	sources, errs := ignore.New(config)
	for _, err := range errs {
		s.say.ignoreRule(err)
	}
	s.scope, s.form = s.Walk, s.Report
	s.scope.Ignore = sources
	var stop <-chan struct{}
	if s.Limited && s.limits != nil {
		stop = s.limits.ctx.Done()
	}
	s.input = input.New(s.Input, s.world, s.say.print, stop)
	s.killable.Store(s.input)
	s.universe = walk.New(s.scope, s.say.walkedRule)
}

// pass walks a universe: each worker's visitor emits parts, and take receives
// them in path order until it returns an error. Every mode that looks at files
// goes through here.
func pass[P walk.Part](u *walk.Universe, visitor func(emit func(P)) walk.Visitor, take func(P) error) error {
	for part := range walk.Map(u, visitor) {
		if err := take(part); err != nil {
			return err
		}
	}
	return nil
}

// afresh is the universe for another pass. What is wrong with ignore rules was
// said in the first one.
func (s *Session) afresh(change func(*walk.Config)) *walk.Universe {
	config := s.scope
	config.Watch = false
	if change != nil {
		change(&config)
	}
	u := walk.New(config, func(error) {})
	s.limits.follow(u)
	return u
}

// stopped reports whether the pass that is going on is to end.
func (s *Session) stopped() bool { return s.limits.stopped() }

// sorted is a universe in the order that was asked for.
func (s *Session) sorted(u *walk.Universe) *walk.Universe {
	if !s.Sort.Sorted {
		return u
	}
	return u.Sorted(s.Sort.Key, s.Sort.Reverse)
}

// fail puts into the ledger what a second look at the universe has found.
func (s *Session) fail(errs []walk.Error) error {
	w := s.printer.Worker(nil)
	for _, e := range errs {
		w.Fail(e)
	}
	if part := w.Take(); part != nil {
		return s.take(part)
	}
	return nil
}

// errEnough ends the walk when what was found is enough.
var errEnough = errors.New("found")

// take receives rendered parts in path order.
func (s *Session) take(part *report.Part) error {
	for i, e := range part.Errors() {
		if !errors.Is(e.Err, match.ErrStopped) {
			s.say.failed(&part.Errors()[i])
		}
	}
	s.searched.Add(part.Searched())
	s.matched.Add(part.Matched())
	found := part.Found()
	if err := s.printer.Print(part); err != nil {
		if gone(err) {
			return errBrokenPipe
		}
		return err
	}
	if found && s.form.Quiet && !s.form.Stats && s.form.Mode != report.JSON {
		return errEnough
	}
	return nil
}

// results is where results go: to standard output, or, if they must first be
// known to be the expected ones, into memory.
func (s *Session) results() io.Writer {
	switch {
	case s.ExpectDigest != "":
	case s.Limited:
		return (*watchedOutput)(s)
	default:
		return s.stdout
	}
	s.held = new(bytes.Buffer)
	return s.held
}

// unexpected returns an error if the results are not those that
// --expect-digest speaks of.
func (s *Session) unexpected(l *report.Ledger) error {
	want := s.ExpectDigest
	switch {
	case want == "" || l.ResultDigest == want || l.Meaning != nil && l.ExactDigest == want:
		return nil
	case l.ResultDigest == "":
		return errors.New("the run ended before the digest of the results was known; nothing is shown. Run it again without a limit of time")
	}
	return fmt.Errorf("the results have changed: their digest is %s and not %s; nothing is shown. "+
		"Begin again at the first page and go on with the digest that it gives", l.ResultDigest, want)
}

// stops are what can end a run early.
var stops = map[error]report.Stop{
	nil: report.NotStopped, errEnough: report.Enough, errInterrupted: report.Interrupted,
	errTimeLimit: report.TimeLimit, errBrokenPipe: report.OutputGone,
}

// finish writes what comes last and returns the exit code.
func (s *Session) finish(end error, t task) int {
	s.finishing.Store(true)
	stop, known := stops[end]
	if !known {
		stop = report.OutputGone
	}
	ledger := s.printer.Ledger(report.Final{Elapsed: time.Since(s.start), StoppedBy: stop, Nested: s.universe.Nested()})
	if err := s.unexpected(ledger); err != nil {
		return s.refuse(err)
	}
	t.complete(ledger)
	err := s.printer.Finish(ledger)
	if err == nil && s.held != nil {
		_, err = s.held.WriteTo(s.stdout)
	}
	if known {
		end = err
	}
	if failed, ok := errors.AsType[*report.LedgerError](end); ok {
		s.say.print("--ledger: " + errorText(failed.Err))
		return exitError
	}
	// A reader that has gone away has had enough.
	if end != nil && !gone(end) {
		s.say.print("standard output: " + errorText(end))
		return exitError
	}
	if s.nothingSearched(ledger) {
		s.errored = true
	}
	if s.errored && s.Walk.Implied {
		s.say.print("No files were searched, which means " + s.Title +
			" probably applied a filter you didn't expect.\nRunning with --debug will show why files are being skipped.")
	}
	return ledger.ExitCode(report.Rules{RG: s.Ripgrep, Quiet: s.form.Quiet, Absent: s.Absent, Errored: s.errored})
}

// nothingSearched reports whether there was no file to search: then nothing may be
// said of the patterns. ripgrep says so only of the current directory, taken
// because no path was given.
func (s *Session) nothingSearched(l *report.Ledger) bool {
	searched, known := l.InScope.Value()
	return s.Matches && known && searched == 0 && (s.Walk.Implied || !s.Ripgrep)
}
