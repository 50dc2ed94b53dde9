package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"time"

	"tally/match"
	"tally/semantic"
	"tally/semantic/chunk"
	"tally/walk"
)

// errBudget is why a run has not read everything that it was allowed to leave.
var errBudget = errors.New("the time of --meaning-budget was over")

// cutAt is how much of a long text is cut into passages at once, in bytes.
const cutAt = 4 << 20

// A comparer compares the files that one worker reads with the question.
type comparer struct {
	m     *meaning
	s     *searcher
	text  []byte
	exact [2]*match.Searcher // in a file found and one named; for the pattern
}

// compare compares a file. A file that the exact search has shown is none: the
// note is nil then. What is missing of it is returned.
func (c *comparer) compare(v *inputs, in *rankInput, named bool) (*semantic.Note, []chunk.Chunk, error) {
	n := &semantic.Note{Path: string(v.path)}
	var missing []chunk.Chunk
	line := 0
	cut := func(text []byte) {
		chunks := chunk.Split(n.Path, text)
		for i := range chunks {
			chunks[i].From += line
			chunks[i].To += line
		}
		line += bytes.Count(text, []byte("\n"))
		missing = append(missing, c.m.index.Look(n, chunks)...)
	}
	c.text = c.text[:0]
	err := v.pieces(in, func(piece []byte) bool {
		if in.plain {
			cut(piece)
			return true
		}
		if c.text = append(c.text, piece...); len(c.text) >= cutAt {
			cut(c.text)
			c.text = c.text[:0]
		}
		return true
	})
	if err != nil {
		return nil, nil, err
	}
	if len(c.text) > 0 {
		cut(c.text)
	}
	if n.Missing == 0 && n.Score < c.m.floor || c.s.matcher == nil {
		return n, missing, nil
	}
	o, err := c.search(in, named)
	if err != nil || o.Lines > 0 {
		return nil, nil, err
	}
	return n, missing, nil
}

// search searches a file for the pattern itself.
func (c *comparer) search(in *rankInput, named bool) (match.Outcome, error) {
	s := &c.exact[0]
	if named {
		s = &c.exact[1]
	}
	if *s == nil {
		o := c.s.options
		o.MaxCount, o.FirstOnly, o.CountAll, o.Digest, o.Spans = -1, true, false, false, false
		o.Before, o.After, o.Passthru = 0, 0, false
		o.Detection, o.Stop = c.s.detection(named), c.s.stopped
		*s = c.s.matcher.NewSearcher(o)
	}
	h, err := in.haystack()
	if err != nil {
		return match.Outcome{}, err
	}
	return (*s).Search(h, nil)
}

// A comparedPart is what one worker has compared.
type comparedPart struct {
	notes             []*semantic.Note
	missing, passages int
}

func (p *comparedPart) add(n *semantic.Note) {
	p.passages += n.Passages
	p.missing += n.Missing
	if n.Best != nil || n.Missing > 0 {
		p.notes = append(p.notes, n)
	}
}

// read has embedded what is missing, and returns why that was not all.
func (m *meaning) read(r *ranker) error {
	if m.missing == 0 {
		return r.watcherError()
	}
	ctx, cancel := context.WithCancel(m.ctx)
	defer cancel()
	if m.budget > 0 {
		ctx, cancel = context.WithTimeoutCause(m.ctx, m.budget, errBudget)
		defer cancel()
	}
	show := newProgress(m.missing, r.say.quiet)
	defer show.end()
	reader := m.index.NewReader()
	reader.Progress = func(known, more int) {
		m.missing += more - known
		m.passages += more
		show.step(known, more)
	}
	reader.Finish = func(n *semantic.Note) {
		delete(m.soFar, n.Path)
		m.take(similarFile(n))
	}
	var err error
	left := maps.Clone(m.unread) // the workers look at that one
	for part := range walk.Map(r.searcher.again(), func(emit func(*unreadPart)) walk.Visitor {
		v := &unreadVisitor{in: r.inputs(), c: comparer{m: m, s: r.searcher}, emit: emit}
		v.in.again = true
		return v
	}) {
		was := left[part.hash]
		delete(left, part.hash)
		if part.err != nil {
			m.fail([]walk.Error{*part.err})
			continue
		}
		m.readAgain(was, part.note)
		if err = reader.Add(ctx, part.note, part.missing); err != nil {
			break
		}
	}
	if err == nil {
		err = reader.Flush(ctx)
	}
	if err == nil && len(left) > 0 && m.failed == nil && r.watcherError() == nil {
		m.failed = goneFiles(len(left))
	}
	for _, n := range reader.Unfinished() {
		delete(m.soFar, n.Path)
		m.take(similarFile(n))
	}
	switch {
	case err == nil:
		return r.watcherError()
	case context.Cause(ctx) != nil:
		err = context.Cause(ctx)
	}
	if errors.Is(err, context.Canceled) {
		err = r.watcherError()
	}
	return err
}

// watcherError is why the run is to end, nil if it is not.
func (s *searcher) watcherError() error { return s.watcher.why(nil) }

// An unreadPart is a file with passages that are missing.
type unreadPart struct {
	note    *semantic.Note
	missing []chunk.Chunk
	err     *walk.Error
	hash    uint64 // of the path
}

// Size is the memory that the passages hold.
func (p *unreadPart) Size() int {
	n := 0
	for i := range p.missing {
		n += 2*len(p.missing[i].Text) + 100
	}
	return n
}

// An unreadVisitor comes again to the files with passages that are missing.
type unreadVisitor struct {
	in   inputs
	c    comparer
	emit func(*unreadPart)
}

func (v *unreadVisitor) File(f *walk.File) {
	v.in.path = f.AppendPath(v.in.path[:0])
	hash := pathHash(string(v.in.path))
	if _, unread := v.c.m.unread[hash]; !unread || f.Repeated() {
		return
	}
	part := &unreadPart{hash: hash}
	defer v.emit(part)
	in, failure := v.in.open(f)
	if failure != nil {
		part.err = failure
		return
	}
	defer in.close()
	v.in.look(in)
	var err error
	part.note, part.missing, err = v.c.compare(&v.in, in, f.Explicit())
	if err == nil && part.note == nil {
		err = errAltered
	}
	if err != nil {
		part.err = &walk.Error{Path: walk.Displayed(v.in.path), Op: walk.OpReread, Err: err}
	}
}

// goneFiles says that files were not there any more when they were to be read
// again.
func goneFiles(n int) error {
	if n == 1 {
		return errors.New("1 file was gone when it was to be read again")
	}
	return fmt.Errorf("%d files were gone when they were to be read again", n)
}

// errOthers says that files have come or gone between two walks.
var errOthers = errors.New("these were not the same files when they were to be compared")

// errAltered is said of a file in which there is an exact result now, and was none
// before.
var errAltered = errors.New("it holds an exact result now, and did not before")

func (v *unreadVisitor) Skip(*walk.Skip) {}
func (v *unreadVisitor) Fail(walk.Error) {}
func (v *unreadVisitor) Done()           {}

// A progress tells a person at a terminal how far the reading has come.
type progress struct {
	total, done  int
	start, shown time.Time
	quiet        bool
}

func newProgress(total int, quiet bool) *progress {
	return &progress{total: total, start: time.Now(), quiet: quiet || !isTerminal(os.Stderr)}
}

// between is the time between two lines of progress.
const between = 200 * time.Millisecond

// step counts passages that were read, and those that have come on top.
func (p *progress) step(done, more int) {
	p.done += done
	p.total += more
	now := time.Now()
	if p.quiet || now.Sub(p.shown) < between {
		return
	}
	p.shown = now
	fmt.Fprintf(os.Stderr, "\r\x1b[K%s", p.line(now))
}

// line says how much is read, how fast, and how long the rest will take.
func (p *progress) line(now time.Time) string {
	s := fmt.Sprintf("tally: reading what passages mean: %d of %d", p.done, p.total)
	if rate := float64(p.done) / now.Sub(p.start).Seconds(); p.done > 0 && rate > 0 {
		left := time.Duration(float64(p.total-p.done) / rate * float64(time.Second))
		s += fmt.Sprintf(", %.0f a second, %v left", rate, max(time.Second, left.Round(time.Second)))
	}
	return s
}

// end removes the line.
func (p *progress) end() {
	if !p.shown.IsZero() {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
}
