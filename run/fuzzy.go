package run

import (
	"bytes"
	"context"
	"slices"

	"tally/match"
	"tally/match/digest"
	"tally/report"
	"tally/run/input"
	"tally/walk"
	"tally/walk/opt"
)

// A fuzzySearch is a search that tolerates typing errors: one pass over the universe
// finds out which of its words may be meant, and another one searches for them.
// What holds the pattern itself comes first; lines with near words follow.
type fuzzySearch struct {
	*Session
	near *match.Matcher // of near words; nil: there are none
	// rest are the parts with near words, to be shown after all that is exact.
	// They are held in memory, as far as they may be displayed.
	rest  []*report.Part
	names nearNames
}

func newFuzzy(s *Session) task { return &fuzzySearch{Session: s} }

func (t *fuzzySearch) prepare(context.Context) (err error) {
	if t.matcher, err = match.Compile(t.Syntax); err != nil {
		return err
	}
	return t.findNearWords()
}

func (t *fuzzySearch) pass(u *walk.Universe) error {
	end := pass(u, t.visitor, func(part *fuzzyPart) error {
		if part.near != nil {
			t.rest = append(t.rest, part.near)
		}
		if part.exact != nil {
			return t.take(part.exact)
		}
		return nil
	})
	for _, part := range t.rest {
		if end == nil {
			end = t.take(part)
		}
	}
	return end
}

func (t *fuzzySearch) conclude() {}

func (t *fuzzySearch) complete(l *report.Ledger) { t.explain(l) }

func (t *fuzzySearch) epilogue() { t.names.say(t.Session) }

// A fuzzyPart holds what a worker has found word for word, and by near words.
type fuzzyPart struct{ exact, near *report.Part }

func (p *fuzzyPart) Size() int {
	if p.exact == nil {
		return 0
	}
	return p.exact.Size()
}

// visitor makes a worker's visitor.
func (t *fuzzySearch) visitor(emit func(*fuzzyPart)) walk.Visitor {
	v := &fuzzyVisitor{t: t, emit: emit}
	v.visitor = t.newVisitor(func(p *report.Part) { emit(&fuzzyPart{exact: p}) })
	v.door.Reread = true
	n := &v.near
	n.w = t.printer.Worker(func(p *report.Part) { emit(&fuzzyPart{near: p}) })
	if t.near == nil {
		return v
	}
	if t.form.Replacement != nil {
		n.w.SetExpander(t.near.NewExpander())
	}
	n.exact = t.matcher.NewSearcher(match.Options{FirstOnly: true})
	o := t.Search
	o.Spans = true
	o.Digest = false                // of all lines; the sink leaves some out
	o.MaxCount = opt.Value[int64]{} // likewise
	v.nearWords = t.searchers(t.near, o)
	return v
}

// A fuzzyVisitor searches the files that one worker comes to.
type fuzzyVisitor struct {
	*visitor
	t          *fuzzySearch
	emit       func(*fuzzyPart)
	near       nearSink
	nearWords  searchers
	nearOthers otherSearchers // of near words, in other readings
}

func (v *fuzzyVisitor) Done() {
	part := &fuzzyPart{v.w.Take(), v.near.w.Take()}
	if part.exact != nil || part.near != nil {
		v.emit(part)
	}
}

func (v *fuzzyVisitor) File(f *walk.File) {
	src := v.openKept(f)
	if src == nil {
		return
	}
	defer src.Close()
	if c := v.s.form.Mode; v.t.near != nil && (c == report.Count || c == report.CountMatches) {
		v.count(src, f.Repeated())
		return
	}
	repeated := f.Repeated()
	o, ok := v.searchFile(src, repeated)
	if ok && v.t.near != nil && !repeated {
		v.addNear(src, o)
	}
}

// count counts a file's lines of both kinds in one row.
func (v *fuzzyVisitor) count(src *input.Source, repeated bool) {
	v.w.Begin(v.path)
	if repeated {
		v.w.Repeated()
	}
	h, err := src.Haystack()
	var o match.Outcome
	if err == nil {
		o, err = v.search.of(src.Explicit).Search(h, v.sink())
	}
	if err == nil {
		if !v.checkGuess(src, &o) {
			return
		}
		n := &v.near
		n.shown = nil
		if v.sink() != nil {
			n.shown = v.w
		}
		if _, err = v.searchNear(src, o.Lines); err == nil {
			o.Lines, o.Matches = o.Lines+n.lines, o.Matches+n.matches
			o.Digest.Merge(n.digest)
			o.Cut = o.Cut || n.cut
		}
	}
	if err != nil {
		v.w.Abort(*src.Failure(walk.OpRead, err), o)
		return
	}
	v.w.End(o, 0, v.s.quits(src.Explicit))
}

// addNear searches for near words in a file of which some lines hold the pattern
// itself.
func (v *fuzzyVisitor) addNear(src *input.Source, exact match.Outcome) {
	quit := v.s.quits(src.Explicit)
	n := &v.near
	n.shown = n.w
	n.w.Begin(v.path)
	n.w.Supplement(exact.Lines > 0, quit && exact.BinaryOffset >= 0 && exact.Lines == 0)
	o, err := v.searchNear(src, exact.Lines)
	n.w.Near(nil)
	if err != nil {
		// The file is in the ledger already; what it holds by other words is
		// not known.
		n.w.Abort(*src.Failure(walk.OpReread, err), match.Outcome{Lines: n.lines, Matches: n.matches, MatchesKnown: true, Cut: n.cut})
		return
	}
	o.Lines, o.Matches, o.Digest, o.Cut = n.lines, n.matches, n.digest, n.cut
	n.w.End(o, 0, quit)
}

// searchNear lets the sink see the lines with near words, in a file of which
// some lines were displayed.
func (v *fuzzyVisitor) searchNear(src *input.Source, displayed int64) (match.Outcome, error) {
	h, err := src.Haystack()
	if err != nil {
		return match.Outcome{}, err
	}
	n := &v.near
	n.lines, n.matches, n.digest, n.cut = 0, 0, digest.Lines{}, false
	n.room = -1
	if most, limited := v.s.Search.MaxCount.Get(); limited {
		n.room = max(0, most-displayed)
	}
	o, err := v.nearWords.of(src.Explicit).Search(h, n)
	if err == nil && o.UTF16 {
		err = v.s.mixed(v.t.near, &v.nearOthers, src, o.Facts, o.Lines > 0)
	}
	return o, err
}

// A nearSink receives lines with near words, and leaves out those that hold the
// pattern itself, which have been shown.
type nearSink struct {
	w              *report.Worker
	shown          *report.Worker // what receives the lines, nil: nothing does
	exact          *match.Searcher
	lines, matches int64
	digest         digest.Lines
	room           int64 // lines that may still be displayed (-m), -1: any number
	cut            bool  // there were more
}

func (n *nearSink) Matched(l *match.Line) bool {
	if o, err := n.exact.SearchText(l.Bytes); err != nil || o.Lines > 0 {
		return true
	}
	n.digest.Add(bytes.TrimSuffix(l.Bytes, []byte("\n")), l.Number)
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
