package run

import (
	"context"
	"maps"
	"path/filepath"
	"strings"

	"tally/match"
	"tally/rank"
	"tally/report"
	"tally/run/input"
	"tally/walk"
	"tally/walk/glob"
)

// A ranking orders files by how much they are about a question: one pass over
// the universe collects what is to be remembered of each file, and exact counts
// for each word of the question.
type ranking struct {
	*Session
	collection rank.Collection
	counts     wordCounts
	roots      map[string]bool // as given, without a slash at their end
	// pipes are the beginnings of files that cannot be read twice, by path.
	pipes   map[string][]byte
	similar *similar // nil: what is similar is not asked for
}

func newRanking(s *Session) task { return &ranking{Session: s} }

func (t *ranking) prepare(context.Context) (err error) {
	t.collection = rank.Collection{Query: t.Rank.Query, Forgiving: t.Rank.Fuzzy}
	t.pipes = map[string][]byte{}
	t.roots = make(map[string]bool, len(t.Walk.Roots))
	for _, root := range t.Walk.Roots {
		t.roots[strings.TrimSuffix(root, "/")] = true
	}
	if t.counts, err = newWordCounts(t.Syntax, t.Rank.Query, t.Rank.Text); err != nil {
		return err
	}
	if t.similar, err = t.newSimilar(t.limits.ctx); err != nil || t.similar == nil {
		return err
	}
	t.form.Matched, t.form.SumPaths = false, t.similar.why == ""
	_, t.similar.keep = t.form.Page(int(^uint(0) >> 1))
	t.similar.understand()
	return nil
}

func (t *ranking) pass(u *walk.Universe) error {
	return pass(u, t.visitor, func(part *rankPart) error {
		t.add(part)
		if part.report == nil {
			return nil
		}
		return t.take(part.report)
	})
}

// add takes over what a part has collected.
func (t *ranking) add(part *rankPart) {
	t.collection.Notes = append(t.collection.Notes, part.notes...)
	t.collection.Files += part.files
	t.counts.add(part.counts)
	maps.Copy(t.pipes, part.pipes)
	if t.similar != nil {
		t.similar.add(&part.compared)
	}
}

// conclude orders what was collected.
func (t *ranking) conclude() {
	floor := t.Rank.Floor
	above, below := t.collection.Rank(floor)
	all := t.join(above, below)
	out := &report.Ranking{
		Floor: floor, Quoted: len(t.Rank.Query.Phrases) > 0,
		Files: all.files, Partial: t.limits.why(nil) != nil, Meaning: all.meaning,
	}
	if len(all.files) == 0 {
		all = t.offered(below)
		out.Unsure = all.files
	}
	if t.form.Ranked != report.RankedPaths && !t.form.Quiet && !t.form.CountOnly {
		from, to := t.form.Page(len(all.files))
		p := t.newPresenter()
		for i := from; i < to; i++ {
			if all.results[i] != nil {
				p.present(&all.files[i], all.results[i])
			}
		}
	}
	out.Evidence = t.counts.evidence(&t.collection, t.collection.Files)
	t.printer.Rank(out)
}

func (t *ranking) complete(*report.Ledger) {}

func (t *ranking) epilogue() { t.similar.close(t.Session) }

// A rankPart is what one worker has collected of some files.
type rankPart struct {
	report   *report.Part // nil: nothing to account for
	notes    []*rank.Note
	files    int
	counts   []wordCount
	pipes    map[string][]byte
	compared comparedPart
	size     int
}

func (p *rankPart) Size() int { return p.size }

// A reader reads, for one worker, what a question is asked of: the exact counts
// of its words and, where it is asked for, what is similar.
type reader struct {
	visitor
	counter  counter
	comparer *comparer // nil: no meaning is asked for
	part     *rankPart
	emitPart func(*rankPart)
}

func (s *Session) newReader(counts *wordCounts, similar *similar, reread bool, emit func(*rankPart)) *reader {
	v := &reader{visitor: *s.newVisitor(nil), counter: counter{s: s, counts: counts}, emitPart: emit}
	v.door.Reread = reread
	if similar != nil && similar.why == "" {
		v.comparer = &comparer{m: similar, s: s}
	}
	v.reset()
	return v
}

func (v *reader) reset() { v.part = &rankPart{counts: make([]wordCount, len(v.counter.counts.of))} }

func (v *reader) Done() {
	v.part.report = v.w.Take()
	if v.part.report == nil && v.part.files == 0 {
		return
	}
	v.emitPart(v.part)
	v.reset()
}

func (v *reader) File(f *walk.File) { v.read(f, nil) }

// read reads a file for what counts and compares, and, with a scanner, for the
// ranking.
func (v *reader) read(f *walk.File, scanner *rankScanner) {
	src := v.openKept(f)
	if src == nil {
		return
	}
	defer src.Close()
	v.w.Begin(v.path)
	if f.Repeated() {
		// Another root has it; it is ranked once.
		v.w.Repeated()
		v.w.End(match.Outcome{BinaryOffset: -1}, 0, false)
		return
	}
	quit := v.s.quits(src.Explicit)
	o, counts, err := v.counter.count(src)
	binary := quit && o.BinaryOffset >= 0
	if err == nil && binary && v.comparer != nil && v.comparer.m.turned(string(v.path)) {
		err = errTurned
	}
	if err == nil && !binary && scanner != nil {
		err = scanner.scan(src, string(v.path))
	}
	if err == nil && !binary && v.comparer != nil {
		err = v.compare(src)
	}
	if err != nil {
		v.w.Abort(*src.Failure(walk.OpRead, err), match.Outcome{})
		return
	}
	addCounts(v.part.counts, counts)
	if binary {
		o.Stopped, o.Lines = true, 0
	} else {
		v.part.files++
		if scanner != nil {
			if n := scanner.note(string(v.path)); n != nil {
				v.part.keep(n)
				v.hold(src)
			}
		}
	}
	o.Lines, o.Matches = 0, 0
	v.w.End(o, 0, quit)
}

func (p *rankPart) keep(n *rank.Note) {
	p.notes = append(p.notes, n)
	p.size += n.Size()
}

// hold keeps what may be shown of a pipe, which cannot be read again: to open it
// once more would wait for somebody who writes.
func (v *reader) hold(src *input.Source) {
	if src.Again() {
		return
	}
	text, _, err := src.Head(presentedMost)
	if err != nil {
		return
	}
	if v.part.pipes == nil {
		v.part.pipes = map[string][]byte{}
	}
	v.part.pipes[string(v.path)] = text
	v.part.size += len(text)
}

// compare compares a file with the question by meaning.
func (v *reader) compare(src *input.Source) error {
	n, _, err := v.comparer.compare(src)
	if err != nil || n == nil {
		return err
	}
	v.part.compared.add(n)
	if n.Best != nil {
		v.part.size += len(n.Best.Text) + len(n.Best.Passage)
	}
	return nil
}

// visitor makes a worker's visitor.
func (t *ranking) visitor(emit func(*rankPart)) walk.Visitor {
	return &rankVisitor{
		reader:  *t.newReader(&t.counts, t.similar, false, emit),
		scanner: rankScanner{t: t, s: t.collection.Query.NewScanner(t.Rank.Fuzzy)},
	}
}

// A rankVisitor reads files for the ranking as well.
type rankVisitor struct {
	reader
	scanner rankScanner
}

func (v *rankVisitor) File(f *walk.File) { v.read(f, &v.scanner) }

// A rankScanner collects what is to be remembered of a file.
type rankScanner struct {
	t *ranking
	s *rank.Scanner
}

func (c *rankScanner) scan(src *input.Source, path string) error {
	c.s.Begin(c.t.relative(path))
	return src.Pieces(func(text []byte) bool { c.s.Write(text); return true }, c.t.stopped)
}

func (c *rankScanner) note(path string) *rank.Note {
	n := c.s.End()
	if n != nil {
		n.Path, n.Prior = path, c.t.prior(path)
	}
	return n
}

// relative is a path seen from the root that it was found below, so that the
// way to the notes says nothing about them.
func (t *ranking) relative(path string) string {
	switch {
	case t.Walk.Implied:
		return path
	case t.roots[path]:
		return filepath.Base(path)
	}
	// Each place above the path is looked up, since there may be more roots than
	// files below any of them.
	for i := strings.LastIndexByte(path, '/'); i >= 0; i = strings.LastIndexByte(path[:i], '/') {
		if t.roots[path[:i]] {
			return strings.TrimLeft(path[i:], "/")
		}
	}
	return path
}

// prior is the weight of a path: that of the last glob that fits it or a
// directory above.
func (t *ranking) prior(path string) float64 {
	prior := 1.0
	for _, w := range t.Rank.Weights {
		dir, name := filepath.Split(path)
		if rel, err := filepath.Rel(t.Walk.Cwd, dir); err == nil && filepath.IsAbs(dir) {
			dir = rel
		}
		dir = strings.TrimSuffix(strings.TrimPrefix(filepath.Clean(dir), "./"), "/")
		for isDir := false; ; isDir = true {
			if dir == "." {
				dir = ""
			}
			if _, verdict := w.Glob.Match(dir, name, isDir); verdict == glob.Include {
				prior = w.Factor
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
