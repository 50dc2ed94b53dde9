package run

import (
	"time"

	"tally/match"
	"tally/report"
	"tally/run/input"
	"tally/walk"
	"tally/walk/opt"
)

// A visitor searches the files that one worker comes to.
type visitor struct {
	s    *Session
	w    *report.Worker
	emit func(*report.Part)
	path []byte
	door *input.Door

	search  searchers   // for the patterns
	alone   []searchers // for each of them, where a file needs all
	others  otherSearchers
	sifting *siftingWorker // nil: none
}

// newVisitor makes a worker's visitor.
func (s *Session) newVisitor(emit func(*report.Part)) *visitor {
	v := &visitor{s: s, w: s.printer.Worker(emit), emit: emit, door: s.input.Door()}
	if s.matcher != nil {
		o := s.Search
		if v.sifting = s.sifting.worker(); v.sifting != nil {
			o.Aside = v.sifting.aside
		}
		v.search = s.searchers(s.matcher, o)
		for _, m := range s.alone {
			v.alone = append(v.alone, s.searchers(m, occurs(s.Search)))
		}
		if s.form.Replacement != nil {
			v.w.SetExpander(s.matcher.NewExpander())
		}
	}
	return v
}

// searchers search for one thing: the first in files that were found by walking,
// the second in those that were named. A NUL byte means something else in them.
type searchers struct {
	make func(explicit bool) *match.Searcher
	made [2]*match.Searcher
}

// searchers returns searchers for m.
func (s *Session) searchers(m *match.Matcher, o match.Options) searchers {
	o.Stop = s.stopped
	return searchers{make: func(explicit bool) *match.Searcher {
		o.Detection = s.Input.Of(explicit).Detection
		return m.NewSearcher(o)
	}}
}

func (s *searchers) of(explicit bool) *match.Searcher {
	which := &s.made[0]
	if explicit {
		which = &s.made[1]
	}
	if *which == nil {
		*which = s.make(explicit)
	}
	return *which
}

// quits reports whether a NUL byte ends the search of a file.
func (s *Session) quits(explicit bool) bool { return s.Input.Of(explicit).Detection == match.Quit }

// come notes which file is at work.
func (v *visitor) come(f *walk.File) {
	v.path = f.AppendPath(v.path[:0])
	if v.s.audit != nil {
		v.s.audit.File(v.path)
	}
}

// open opens the file that is at work; it is nil if that has failed.
func (v *visitor) open(f *walk.File) *input.Source {
	v.come(f)
	src, failure := v.door.Open(f, v.path)
	if failure != nil {
		v.w.Fail(*failure)
		return nil
	}
	return src
}

// openKept opens a file that will be read more than once; it is nil if that has
// failed.
func (v *visitor) openKept(f *walk.File) *input.Source {
	src := v.open(f)
	if src == nil {
		return nil
	}
	if failure := src.Keep(); failure != nil {
		src.Close()
		v.w.Fail(*failure)
		return nil
	}
	return src
}

func (v *visitor) File(f *walk.File) {
	if v.s.form.Mode == report.Paths {
		v.come(f)
		v.w.Path(v.path, f.Repeated())
		return
	}
	open := v.open
	if v.alone != nil {
		open = v.openKept // it is read for each pattern
	}
	src := open(f)
	if src == nil {
		return
	}
	repeated := f.Repeated()
	switch o, known := v.searchFile(src, repeated); {
	case !v.s.Absent:
	case o.Lines > 0:
		v.afterMatch(src)
	case known:
		v.afterMiss(src, &o, repeated)
	}
	if err := src.Close(); err != nil && !v.s.stopped() {
		v.w.Fail(*src.Failure(walk.OpPreprocess, err))
	}
	if v.s.Limited {
		v.Done() // what is found is not lost with a worker that nobody waits for
	}
}

// searchFile searches a file and returns what it found, and whether that is
// known.
func (v *visitor) searchFile(src *input.Source, repeated bool) (o match.Outcome, ok bool) {
	var start time.Time
	if v.s.form.Stats || v.s.form.Mode == report.JSON {
		start = time.Now()
	}
	v.w.Begin(v.path)
	if repeated {
		v.w.Repeated()
	}
	o, lacks, err := v.lacks(src)
	if err == nil {
		switch {
		case !lacks:
			o, err = v.find(src, v.sink())
		case v.s.Search.Each && !v.s.Search.FirstOnly:
			_, err = v.find(src, nil) // counts the patterns that are there
		}
		v.s.traceOutcome(v.path, &o)
		v.sifting.end(v.path, &o, err == nil)
	}
	if err != nil {
		v.w.Abort(*src.Failure(walk.OpRead, err), o)
		return o, false
	}
	if !v.checkGuess(src, &o) || !v.checkWatch(src, &o) {
		return o, false
	}
	var elapsed time.Duration
	if !start.IsZero() {
		elapsed = time.Since(start)
	}
	v.w.End(o, elapsed, v.s.quits(src.Explicit))
	return o, true
}

// find searches a file for the patterns.
func (v *visitor) find(src *input.Source, sink match.Sink) (o match.Outcome, err error) {
	h, err := src.Haystack()
	if err != nil {
		return o, err
	}
	searcher := v.search.of(src.Explicit)
	o, err = searcher.Search(h, sink)
	if counts, known := searcher.Each(); known {
		v.w.Each(counts)
	}
	return o, err
}

// occurs are options of a search that asks whether there is a match.
func occurs(o match.Options) match.Options {
	o.MaxCount, o.FirstOnly, o.CountAll, o.Spans, o.Each, o.Aside = opt.Value[int64]{}, true, false, false, false, nil
	o.Before, o.After, o.Passthru, o.StopOnNonmatch = 0, 0, false, false
	return o
}

// lacks reports whether one of the patterns is not in a file that needs all. The
// outcome is then that of the search for it, which has found nothing.
func (v *visitor) lacks(src *input.Source) (o match.Outcome, lacks bool, err error) {
	for i := range v.alone {
		h, err := src.Haystack()
		if err != nil {
			return o, false, err
		}
		o, err = v.alone[i].of(src.Explicit).Search(h, nil)
		if err != nil {
			return o, false, err
		}
		if o.Lines == 0 {
			o.MatchesKnown = true
			return o, true, nil
		}
	}
	return match.Outcome{}, false, nil
}

// sink is where lines go; nowhere if only numbers are displayed.
func (v *visitor) sink() match.Sink {
	c := &v.s.form
	lines := (c.Mode == report.Standard || c.Mode == report.JSON) && !c.Quiet && !c.CountOnly
	// Where less is counted than there is, the worker sees where that ends.
	_, most := v.s.Search.MaxCount.Get()
	if lines || most || v.s.Search.StopOnNonmatch {
		return v.w
	}
	return nil
}

func (v *visitor) Skip(k *walk.Skip) {
	if v.s.audit != nil {
		note := v.s.audit.File
		if k.IsDir {
			note = v.s.audit.Dir
		}
		note(k.AppendPath(nil))
	}
	v.s.debugSkip(k)
	if !k.Repeated() {
		v.w.Skip(k.Reason, k.IsDir)
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

// fileVisitor visits the files of a pass that accounts for nothing else: an
// earlier one has.
type fileVisitor struct {
	file func(*walk.File)
	done func()
}

func (v *fileVisitor) File(f *walk.File) { v.file(f) }
func (v *fileVisitor) Skip(*walk.Skip)   {}
func (v *fileVisitor) Fail(walk.Error)   {}

func (v *fileVisitor) Done() {
	if v.done != nil {
		v.done()
	}
}
