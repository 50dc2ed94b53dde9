package main

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"time"

	"github.com/zeebo/xxh3"

	"tally/flags"
	"tally/match"
	"tally/report"
	"tally/walk"
	"tally/walk/ignore"
)

// A forgiver is a run of --fuzzy without --rank: a pass over the universe finds
// out which of its words may be meant, and another one searches for them.
type forgiver struct {
	*searcher
	near *match.Matcher // of the words that were found; nil: there is none
	// rest are the parts with what is no exact hit, to be shown after all that
	// is. They are held in memory, as far as they may be displayed.
	rest []*report.Part
	// names are the files that have such words in their name, in path order.
	names []foundName
	named map[string]bool // these, since several patterns may find one
}

// forgive carries out --fuzzy and returns the exit code.
func (p *plan) forgive() int {
	f := &forgiver{searcher: &searcher{plan: p}, named: map[string]bool{}}
	regex := p.args.Program == flags.Tally && !p.args.FixedStrings // as rg it is so unasked
	if p.args.InvertMatch || p.args.Mode == flags.ModeFilesWithoutMatch || p.args.Absent || regex || p.args.Multiline {
		return refuse(p.args.Program, errors.New("--fuzzy looks for words; it does not go with --regex, -P, --engine, --multiline, --invert-match, --files-without-match or --absent"))
	}
	p.syntax.Fixed = true
	var err error
	if f.matcher, err = match.Compile(p.syntax); err != nil {
		return refuse(p.args.Program, err)
	}
	start := time.Now()
	sources, errs := ignore.New(p.ignore)
	for _, err := range errs {
		p.say.ignoreRule(err)
	}
	p.walk.Ignore = sources
	universe := walk.New(p.walk, p.say.ignoreRule)
	f.watcher = f.watch(universe, start)
	defer f.watcher.stop()
	f.stopped = universe.Stopped
	if err := f.expand(); err != nil {
		return refuse(p.args.Program, err)
	}
	f.watcher.follow(universe)
	p.report.Twice = true
	f.printer = report.New(p.report, f.results(), os.Stderr)
	if p.args.Audit {
		f.audit = walk.NewAudit()
	}
	var end error
	for part := range walk.Map(p.sorted(universe), f.visitor) {
		if part.near != nil {
			f.rest = append(f.rest, part.near)
		}
		if part.exact != nil {
			if end = f.take(part.exact); end != nil {
				break
			}
		}
	}
	for _, part := range f.rest {
		if end == nil {
			end = f.take(part)
		}
	}
	if f.audit != nil && end == nil {
		end = f.checkAudit(universe)
	}
	code := f.finish(start, f.watcher.why(end))
	f.sayNames()
	return code
}

// A forgivenPart holds what a worker has found word for word, and otherwise.
type forgivenPart struct{ exact, near *report.Part }

func (p *forgivenPart) Size() int {
	n := 0
	if p.exact != nil {
		n += p.exact.Size()
	}
	return n
}

// visitor makes a worker's visitor.
func (f *forgiver) visitor(emit func(*forgivenPart)) walk.Visitor {
	v := &forgivingVisitor{f: f, emit: emit, in: f.inputs()}
	v.in.again = true
	v.visitor = visitor{s: f.searcher}
	v.visitor.w = f.printer.Worker(func(p *report.Part) { emit(&forgivenPart{exact: p}) })
	v.near.w = f.printer.Worker(func(p *report.Part) { emit(&forgivenPart{near: p}) })
	if f.report.Replacement != nil {
		v.w.SetExpander(f.matcher.NewExpander())
		if f.near != nil {
			v.near.w.SetExpander(f.near.NewExpander())
		}
	}
	v.near.exact = f.matcher.NewSearcher(match.Options{MaxCount: -1, FirstOnly: true})
	return v
}

// A forgivingVisitor searches the files that one worker comes to.
type forgivingVisitor struct {
	visitor
	f         *forgiver
	emit      func(*forgivenPart)
	in        inputs
	near      nearSink
	searchers [2]*match.Searcher // of near words, in a file found and one named
	nearBytes *match.Searcher    // likewise, in what was taken for UTF-16
}

func (v *forgivingVisitor) Done() {
	part := &forgivenPart{v.w.Take(), v.near.w.Take()}
	if part.exact != nil || part.near != nil {
		v.emit(part)
	}
}

func (v *forgivingVisitor) File(f *walk.File) {
	v.path = f.AppendPath(v.path[:0])
	if v.f.audit != nil {
		v.f.audit.File(v.path)
	}
	v.in.path = v.path
	in, failure := v.in.open(f)
	if failure != nil {
		v.w.Fail(*failure)
		return
	}
	defer in.close()
	v.reread = in.reader
	h, err := in.haystack()
	if err != nil {
		v.w.Fail(walk.Error{Path: walk.Displayed(v.path), Op: walk.OpOpen, Err: err, Repeated: f.Repeated()})
		return
	}
	if c := v.s.report.Mode; v.f.near != nil && (c == report.Count || c == report.CountMatches) {
		v.count(in, h, f)
		return
	}
	again := f.Repeated()
	o, ok := v.search(h, f.Explicit(), again, nil)
	if !ok || v.f.near == nil || again {
		return
	}
	v.forgive(in, f.Explicit(), o)
}

// count counts a file's lines of both kinds in one row.
func (v *forgivingVisitor) count(in *rankInput, h match.Haystack, f *walk.File) {
	searcher, quit := v.searcher(f.Explicit())
	v.w.Begin(v.path)
	if f.Repeated() {
		v.w.Repeated()
	}
	o, err := searcher.Search(h, v.sink())
	if err == nil {
		if !v.checkGuess(h, &o) {
			return
		}
		n := &v.near
		n.shown = nil
		if v.sink() != nil {
			n.shown = v.w
		}
		if _, err = v.searchNear(in, f.Explicit(), o.Lines); err == nil {
			o.Lines, o.Matches = o.Lines+n.lines, o.Matches+n.matches
			o.Digest.Sum += n.digest.Sum
			o.Digest.Weighted += n.digest.Weighted
			o.Cut = o.Cut || n.cut
		}
	}
	if err != nil {
		v.failed(err)
		return
	}
	v.w.End(o, 0, quit)
}

// forgive searches for the words that may be meant, in a file of which some
// lines hold the pattern itself.
func (v *forgivingVisitor) forgive(in *rankInput, named bool, exact match.Outcome) {
	quit := v.f.detection(named) == match.Quit
	n := &v.near
	n.shown = n.w
	n.w.Begin(v.path)
	n.w.Further(exact.Lines > 0, quit && exact.BinaryOffset >= 0 && exact.Lines == 0)
	o, err := v.searchNear(in, named, exact.Lines)
	n.w.Near(nil)
	if err != nil {
		// The file is in the ledger already; what it holds by other words is
		// not known.
		n.w.Fail(walk.Error{Path: walk.Displayed(v.path), Op: walk.OpReread, Err: err})
		return
	}
	o.Lines, o.Matches, o.Digest, o.Cut = n.lines, n.matches, n.digest, n.cut
	n.w.End(o, 0, quit)
}

// searchNear lets the sink see the lines with words that may be meant, in a file
// of which some lines were displayed.
func (v *forgivingVisitor) searchNear(in *rankInput, named bool, displayed int64) (match.Outcome, error) {
	h, err := in.haystack()
	if err != nil {
		return match.Outcome{}, err
	}
	s := &v.searchers[0]
	if named {
		s = &v.searchers[1]
	}
	if *s == nil {
		o := v.f.options
		o.Spans, o.Detection, o.Stop = true, v.f.detection(named), v.f.stopped
		o.Digest = false // of all lines; the sink leaves some out
		o.MaxCount = -1  // likewise
		*s = v.f.near.NewSearcher(o)
	}
	n := &v.near
	n.lines, n.matches, n.digest, n.cut = 0, 0, match.Digest{}, false
	n.room = -1
	if most := v.f.options.MaxCount; most >= 0 {
		n.room = max(0, most-displayed)
	}
	o, err := (*s).Search(h, n)
	if err != nil || !o.Guessed {
		return o, err
	}
	if v.nearBytes == nil {
		v.nearBytes = v.f.searchBytes(v.f.near)
	}
	r, err := in.reader()
	if err != nil {
		return o, err
	}
	mixed, err := findsText(v.nearBytes, r, h.Format)
	if err == nil && mixed {
		err = errMixed
	}
	return o, err
}

// A nearSink receives lines with words that may be meant, and leaves out those
// that hold the pattern itself, which have been shown.
type nearSink struct {
	w              *report.Worker
	shown          *report.Worker // what receives the lines, nil: nobody
	exact          *match.Searcher
	lines, matches int64
	digest         match.Digest
	room           int64 // lines that may still be displayed (-m), -1: any number
	cut            bool  // there were more
}

func (n *nearSink) Matched(l *match.Line) bool {
	if o, err := n.exact.SearchText(l.Bytes); err != nil || o.Lines > 0 {
		return true
	}
	text := bytes.TrimSuffix(l.Bytes, []byte("\n"))
	sum := xxh3.Hash(text) | 1
	n.digest.Sum += sum
	n.digest.Weighted += sum * uint64(l.Number)
	n.lines++
	n.matches += int64(len(l.Spans))
	if n.cut = n.cut || n.room == 0; n.cut || n.shown == nil {
		return true
	}
	n.room--
	var words []string
	for _, s := range l.Spans {
		if word := string(l.Bytes[s.Start:s.End]); !slices.Contains(words, word) {
			words = append(words, word)
		}
	}
	n.shown.Near(words)
	return n.shown.Matched(l)
}

func (n *nearSink) Context(l *match.Line, kind match.ContextKind) bool {
	return n.cut || n.room == 0 && kind != match.After || n.shown == nil || n.shown.Context(l, kind)
}

func (n *nearSink) Break() bool { return n.cut || n.room == 0 || n.shown == nil || n.shown.Break() }
