package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"time"

	"tally/flags"
	"tally/match"
	"tally/rank"
	"tally/report"
	"tally/walk"
	"tally/walk/glob"
	"tally/walk/ignore"
)

// A ranker is a run of --rank: one scan of the universe collects what is to be
// remembered of each file, and exact counts for each word of the question.
type ranker struct {
	*searcher
	collection rank.Collection
	floor      float64
	weights    []weight
	exact      []*match.Matcher // of each evidence
	reread     bool             // another walk has read the same files before
	evidence   []evidence
}

// A weight is a prior for the files that a glob fits.
type weight struct {
	glob   *glob.Override
	factor float64
}

// rank carries out --rank and returns the exit code.
func (p *plan) rank() int {
	r := &ranker{searcher: &searcher{plan: p}}
	if err := r.prepare(); err != nil {
		return refuse(p.args.Program, err)
	}
	if err := r.askMeaning(); err != nil {
		return refuse(p.args.Program, err)
	}
	start := time.Now()
	sources, errs := ignore.New(p.ignore)
	for _, err := range errs {
		p.say.ignoreRule(err)
	}
	p.walk.Ignore = sources
	r.printer = report.New(p.report, r.results(), os.Stderr)
	if p.args.Audit {
		r.audit = walk.NewAudit()
	}
	universe := walk.New(p.walk, p.say.ignoreRule)
	r.watcher = r.watch(universe, start)
	defer r.watcher.stop()
	r.stopped = universe.Stopped
	r.meaning.understand()
	var end error
	for part := range walk.Map(universe, r.visitor) {
		r.add(part)
		if part.report != nil {
			if end = r.take(part.report); end != nil {
				break
			}
		}
	}
	if r.audit != nil && end == nil {
		end = r.checkAudit(universe)
	}
	r.printer.Rank(r.ranking())
	return r.finish(start, r.watcher.why(end))
}

// prepare reads the question and settles what ranking decides by itself.
func (r *ranker) prepare() error {
	a := r.args
	if a.InvertMatch || a.Absent || a.Mode != flags.ModeSearch && a.Mode != flags.ModeJSON && a.Mode != flags.ModeFilesWithMatches {
		return errors.New("--rank lists files by how much they are about a question; it goes with --json, --files-with-matches and --count-only, but with no other mode, nor with --invert-match or --absent")
	}
	if asked := a.Sort.Key > flags.SortPath || a.Sort.Reverse; asked {
		return errors.New("--rank has an order of its own, the best first; it does not go with --sort or --sortr (--sort=path takes back what a configuration file says)")
	}
	if a.Program == flags.Tally && !a.FixedStrings {
		return errors.New("--rank looks for the words of a question, not for a pattern; it does not go with --regex, -P or --engine (-F takes back what a configuration file says)")
	}
	text := strings.Join(a.Patterns, " ")
	q, err := rank.ParseQuery(text)
	if err != nil {
		return err
	}
	r.collection.Forgiving = a.Fuzzy
	r.floor = a.Floor.Or(rank.Floor)
	for _, w := range a.Weights {
		g, err := glob.NewOverride([]string{w.Glob}, nil, false)
		if err != nil {
			return err
		}
		r.weights = append(r.weights, weight{g, w.Factor})
	}
	if err := r.ask(q, text); err != nil {
		return err
	}
	c := &r.report
	c.Ranked = map[flags.Mode]report.RankedForm{
		flags.ModeJSON: report.RankedJSON, flags.ModeFilesWithMatches: report.RankedPaths,
	}[a.Mode]
	c.Replacement = nil
	c.Stats = false // they are about lines
	c.Mode, c.Resorted, c.Quiet, c.LineNumber = report.Ranked, true, a.Quiet && !a.CountOnly, true
	c.Ledger.Query = "" // ranks are those among these files
	if c.Limit < 0 {
		c.Limit = defaultRanked
	}
	return nil
}

// defaultRanked is how many files are displayed if nobody says.
const defaultRanked = 10

// add takes over what a part has collected.
func (r *ranker) add(part *rankPart) {
	r.collection.Notes = append(r.collection.Notes, part.notes...)
	r.collection.Files += part.files
	for i, e := range part.evidence {
		t := &r.evidence[i]
		t.lines += e.lines
		t.matches += e.matches
		t.files += e.files
		t.cut = t.cut || e.cut
	}
	if r.meaning != nil {
		r.meaning.add(&part.compared)
	}
}

// ranking orders what was collected.
func (r *ranker) ranking() *report.Ranking {
	c := &r.collection
	above, below := c.Rank(r.floor)
	all := r.join(above, below)
	out := &report.Ranking{Floor: r.floor, Quoted: len(c.Query.Phrases) > 0, Files: all.files, Meaning: all.meaning}
	from, to := r.report.Page(len(out.Files))
	show := r.report.Ranked != report.RankedPaths && !r.report.Quiet && !r.report.CountOnly
	if show && (from < to || len(below) > 0) {
		reader := r.newShower()
		for i := from; i < to; i++ {
			if all.results[i] != nil {
				reader.show(&out.Files[i], all.results[i])
			}
		}
		for i := 0; len(out.Files) == 0 && i < min(nearest, len(below)) && below[i].Score >= r.floor/2; i++ {
			f := report.RankedFile{Path: []byte(below[i].Path), Score: below[i].Weighted}
			reader.show(&f, &below[i])
			out.Nearest = append(out.Nearest, f)
		}
	}
	out.Evidence = r.counted()
	return out
}

// nearest is how many files below the floor are named where none is above, if
// they come at least half as far.
const nearest = 3

// A rankPart is what one worker has collected of some files.
type rankPart struct {
	report   *report.Part // nil: nothing to account for
	notes    []*rank.Note
	files    int
	evidence []evidence
	compared comparedPart
	size     int
}

func (p *rankPart) Size() int { return p.size }

// visitor makes a worker's visitor.
func (r *ranker) visitor(emit func(*rankPart)) walk.Visitor {
	v := &rankVisitor{r: r, emit: emit, scanner: r.collection.Query.NewScanner(r.args.Fuzzy)}
	v.visitor = visitor{s: r.searcher, w: r.printer.Worker(nil)}
	v.in, v.counts = r.inputs(), make([]evidence, len(r.evidence))
	v.in.again = r.reread
	if r.meaning != nil && r.meaning.why == "" {
		v.comparer = &comparer{m: r.meaning, s: r.searcher}
	}
	v.reset()
	return v
}

// A rankVisitor collects what one worker comes to.
type rankVisitor struct {
	visitor
	r        *ranker
	emit     func(*rankPart)
	part     *rankPart
	scanner  *rank.Scanner
	in       inputs
	comparer *comparer      // nil: no meaning is asked for
	counts   []evidence     // in the file at work
	counter  *match.Counter // of all evidence, in text as it is
	// searchers count exactly in what is not: of each evidence, in a file that
	// was found and in one that was named.
	searchers [2][]*match.Searcher
	inBytes   []*match.Searcher // likewise, in what was taken for UTF-16
}

func (v *rankVisitor) reset() {
	v.part = &rankPart{evidence: make([]evidence, len(v.r.evidence))}
}

func (v *rankVisitor) Done() {
	v.part.report = v.w.Take()
	if v.part.report == nil && v.part.files == 0 {
		return
	}
	v.emit(v.part)
	v.reset()
}

func (v *rankVisitor) File(f *walk.File) {
	v.path = f.AppendPath(v.path[:0])
	if v.r.audit != nil {
		v.r.audit.File(v.path)
	}
	v.in.path = v.path
	in, err := v.in.open(f)
	if err != nil {
		v.w.Fail(*err)
		return
	}
	defer in.close()
	v.w.Begin(v.path)
	if f.Repeated() {
		// Another root has it; it is ranked once.
		v.w.Repeated()
		v.w.End(match.Outcome{BinaryOffset: -1}, 0, false)
		return
	}
	v.in.look(in)
	o, counts, failure := v.count(in, f.Explicit())
	quit := v.r.detection(f.Explicit()) == match.Quit
	if failure == nil && !(quit && o.BinaryOffset >= 0) {
		v.scanner.Begin(v.r.relative(string(v.path)))
		failure = v.in.pieces(in, func(text []byte) bool { v.scanner.Write(text); return true })
	}
	if failure == nil && !(quit && o.BinaryOffset >= 0) && v.comparer != nil {
		failure = v.compare(in, f.Explicit())
	}
	if failure != nil {
		if errors.Is(failure, match.ErrStopped) {
			v.w.Fail(walk.Error{Path: walk.Displayed(v.path), Op: walk.OpRead, Err: failure})
			return
		}
		v.failed(failure)
		return
	}
	for i, e := range counts {
		t := &v.part.evidence[i]
		t.lines += e.lines
		t.matches += e.matches
		t.files += e.files
		t.cut = t.cut || e.cut
	}
	if quit && o.BinaryOffset >= 0 {
		o.Stopped, o.Lines = true, 0
	} else {
		v.part.files++
		if n := v.scanner.End(); n != nil {
			n.Path = string(v.path)
			n.Prior = v.r.prior(n.Path)
			v.part.notes = append(v.part.notes, n)
			v.part.size += n.Size()
		}
	}
	o.Lines, o.Matches = 0, 0
	v.w.End(o, 0, quit)
}

// compare compares a file with the question by meaning.
func (v *rankVisitor) compare(in *rankInput, named bool) error {
	n, _, err := v.comparer.compare(&v.in, in, named)
	if err != nil || n == nil {
		return err
	}
	v.part.compared.add(n)
	if n.Best != nil {
		v.part.size += len(n.Best.Text) + len(n.Best.Passage)
	}
	return nil
}

// relative is a path seen from the root that it was found below, so that the
// way to the notes says nothing about them.
func (p *plan) relative(path string) string {
	best := path
	for _, root := range p.walk.Roots {
		if p.walk.Implied {
			return path
		}
		rest, below := strings.CutPrefix(path, strings.TrimSuffix(root, "/")+"/")
		if path == root {
			rest, below = filepath.Base(path), true
		}
		if below && len(rest) < len(best) {
			best = strings.TrimLeft(rest, "/")
		}
	}
	return best
}

// prior is the weight of a path: that of the last glob that fits it or a
// directory above.
func (r *ranker) prior(path string) float64 {
	prior := 1.0
	for _, w := range r.weights {
		dir, name := filepath.Split(path)
		if rel, err := filepath.Rel(r.walk.Cwd, dir); err == nil && filepath.IsAbs(dir) {
			dir = rel
		}
		dir = strings.TrimSuffix(strings.TrimPrefix(filepath.Clean(dir), "./"), "/")
		for isDir := false; ; isDir = true {
			if dir == "." {
				dir = ""
			}
			if _, verdict := w.glob.Match(dir, name, isDir); verdict == glob.Include {
				prior = w.factor
				break
			}
			if dir == "" || dir == "/" {
				break
			}
			dir, name = filepath.Split(dir)
			dir = strings.TrimSuffix(dir, "/")
		}
	}
	return prior
}
