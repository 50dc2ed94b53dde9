package run

import (
	"context"

	"tally/match"
	"tally/report"
	"tally/walk"
)

// A search looks for patterns, or lists the universe if there are none to look
// for.
type search struct {
	*Session
	similar *similar // nil: what is similar is not asked for
}

func newSearch(s *Session) task { return &search{Session: s} }

func (t *search) prepare(context.Context) (err error) {
	if !t.Matches {
		return nil
	}
	if t.similar, err = t.newSimilar(t.limits.ctx); err != nil {
		return err
	}
	if t.matcher, err = match.Compile(t.Syntax); err != nil {
		return err
	}
	t.form.MultiLine = t.matcher.MultiLine()
	if t.AllOf {
		if t.alone, err = t.matcher.Alone(); err != nil {
			return err
		}
	}
	t.sifting = t.newSifting()
	return nil
}

func (t *search) pass(u *walk.Universe) error {
	return pass(u, t.visitor, t.take)
}

func (t *search) visitor(emit func(*report.Part)) walk.Visitor {
	return t.newVisitor(emit)
}

func (t *search) conclude() {
	if t.similar != nil {
		t.showSimilar(t.similar)
	}
}

func (t *search) complete(l *report.Ledger) { t.explain(l) }

func (t *search) epilogue() {
	if t.Matches && t.matcher == nil {
		t.explainSyntax()
	}
	t.similar.close(t.Session)
}
