package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"

	"tally/match"
	"tally/run/input"
	"tally/semantic"
	"tally/semantic/chunk"
	"tally/walk"
	"tally/walk/opt"
)

// errBudget ends the embedding when the time for it is over.
var errBudget = errors.New("the time of --meaning-budget was over")

// cutAt is how much of a long text is cut into passages at once, in bytes.
const cutAt = 4 << 20

// A comparer compares the files that one worker reads with the question.
type comparer struct {
	m     *similar
	s     *Session
	text  []byte
	exact searchers // for the pattern itself
}

// compare compares a file and returns the passages whose vectors are missing. The
// note is nil if the file holds an exact result, since it is listed already.
func (c *comparer) compare(src *input.Source) (*semantic.Note, []chunk.Chunk, error) {
	n := &semantic.Note{Path: src.Path()}
	_, plain := src.Plain()
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
	err := src.Pieces(func(piece []byte) bool {
		if plain {
			cut(piece)
			return true
		}
		if c.text = append(c.text, piece...); len(c.text) >= cutAt {
			cut(c.text)
			c.text = c.text[:0]
		}
		return true
	}, c.s.stopped)
	if err != nil {
		return nil, nil, err
	}
	if len(c.text) > 0 {
		cut(c.text)
	}
	if n.Missing == 0 && n.Score < c.m.floor || c.s.matcher == nil {
		return n, missing, nil
	}
	o, err := c.search(src)
	if err != nil || o.Lines > 0 {
		return nil, nil, err
	}
	return n, missing, nil
}

// search searches a file for the pattern itself.
func (c *comparer) search(src *input.Source) (match.Outcome, error) {
	if c.exact.make == nil {
		o := c.s.Search
		o.MaxCount, o.FirstOnly, o.CountAll, o.Digest, o.Spans = opt.Value[int64]{}, true, false, false, false
		o.Before, o.After, o.Passthru = 0, 0, false
		c.exact = c.s.searchers(c.s.matcher, o)
	}
	h, err := src.Haystack()
	if err != nil {
		return match.Outcome{}, err
	}
	return c.exact.of(src.Explicit).Search(h, nil)
}

// A comparedPart is what one worker has compared.
type comparedPart struct {
	notes             []*semantic.Note
	missing, passages int
	refused           int
}

func (p *comparedPart) add(n *semantic.Note) {
	p.passages += n.Passages
	p.missing += n.Missing
	p.refused += n.Refused
	if n.Best != nil || n.Missing > 0 {
		p.notes = append(p.notes, n)
	}
}

// readMissing has embedded what is missing, and returns why that was not all.
func (s *Session) readMissing(m *similar) error {
	if m.missing == 0 {
		return s.limits.why(nil)
	}
	ctx, cancel := context.WithCancel(m.ctx)
	defer cancel()
	if m.budget > 0 {
		ctx, cancel = context.WithTimeoutCause(m.ctx, m.budget, errBudget)
		defer cancel()
	}
	show := s.newProgress(m.missing)
	defer show.end()
	reader := m.index.NewReader()
	reader.Progress = func(known, more int) {
		m.missing += more - known
		m.passages += more
		show.step(known, more)
	}
	reader.Refused = func(why error) {
		m.refused++
		m.refusal = why
	}
	reader.Finish = func(n *semantic.Note) {
		delete(m.soFar, n.Path)
		m.take(similarFile(n))
	}
	left := maps.Clone(m.unread) // the workers look at that one
	err := pass(s.afresh(nil), func(emit func(*unreadPart)) walk.Visitor {
		v := &unreadReader{door: s.input.Door(), c: comparer{m: m, s: s}, emit: emit}
		v.door.Reread = true
		return &fileVisitor{file: v.file}
	}, func(part *unreadPart) error {
		was := left[part.hash]
		delete(left, part.hash)
		if part.err != nil {
			m.fail([]walk.Error{*part.err})
			return nil
		}
		m.reread(was, part.note)
		return reader.Add(ctx, part.note, part.missing)
	})
	if err == nil {
		err = reader.Flush(ctx)
	}
	if err == nil && len(left) > 0 && m.failed == nil && s.limits.why(nil) == nil {
		m.failed = goneFiles(len(left))
	}
	for _, n := range reader.Unfinished() {
		delete(m.soFar, n.Path)
		m.take(similarFile(n))
	}
	switch {
	case err == nil:
		return s.limits.why(nil)
	case context.Cause(ctx) != nil:
		err = context.Cause(ctx)
	}
	if errors.Is(err, context.Canceled) {
		err = s.limits.why(nil)
	}
	return err
}

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

// An unreadReader reads the files with passages that are missing once more.
type unreadReader struct {
	door *input.Door
	path []byte
	c    comparer
	emit func(*unreadPart)
}

func (v *unreadReader) file(f *walk.File) {
	v.path = f.AppendPath(v.path[:0])
	hash := pathHash(string(v.path))
	if _, unread := v.c.m.unread[hash]; !unread || f.Repeated() {
		return
	}
	part := &unreadPart{hash: hash}
	defer v.emit(part)
	src, failure := v.door.Open(f, v.path)
	if failure != nil {
		part.err = failure
		return
	}
	defer src.Close()
	if part.err = src.Keep(); part.err != nil {
		return
	}
	var err error
	if v.c.s.quits(src.Explicit) && src.HoldsNUL(v.c.s.stopped) {
		err = errTurned
	} else if part.note, part.missing, err = v.c.compare(src); err == nil && part.note == nil {
		err = errAltered
	}
	if err != nil {
		part.err = src.Failure(walk.OpReread, err)
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

// errAltered is said of a file that holds an exact result now and held none before.
var errAltered = errors.New("it holds an exact result now, and did not before")

// errTurned is said of a file that was text when it was read before.
var errTurned = errors.New("it is binary now, and was text before")
