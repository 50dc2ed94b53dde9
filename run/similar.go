package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"tally/match"
	"tally/rank"
	"tally/report"
	"tally/semantic"
	"tally/walk"
)

// similar is the part of a run of --meaning that looks for what is similar.
// Two walks do it: one compares all that is known and counts the rest, the
// other has the rest embedded and compared, so that how much there is to do is
// known from its first moment and no text is held for long.
type similar struct {
	*model
	// why says that there is nothing to ask, and why; "" if there is.
	why    string
	text   string
	floor  float64
	budget time.Duration // 0 for none

	// ctx ends with the run, or with the time that it has.
	ctx context.Context

	keep     int                  // that many files are displayed at most, and need their passages
	files    []report.SimilarFile // those that reach the floor
	below    []report.SimilarFile // the others
	compared int                  // files that were looked at
	passages int
	missing  int
	refused  int   // passages that the model takes in no form, or the server not
	refusal  error // why; nil if that is known from an earlier run
	failed   error // a file could not be read again
	// binary are the files that were found to be binary before they are compared, by
	// the hash of their paths; nil where they are compared as they are found.
	binary map[uint64]bool
	// unread are the files with passages that are missing, by the hash of their
	// paths; to look at one too many does no harm. soFar are those of them that
	// are similar already.
	unread map[uint64]counts
	soFar  map[string]report.SimilarFile
}

// newSimilar prepares the search by meaning; it is nil if none is asked for.
// Nothing is started; what is wrong with the description of a model is an error.
func (s *Session) newSimilar(ctx context.Context) (*similar, error) {
	if s.Meaning == nil {
		return nil, nil
	}
	m := &similar{ctx: ctx, text: s.Meaning.Text, budget: s.Meaning.Budget, unread: map[uint64]counts{}, soFar: map[string]report.SimilarFile{}}
	var err error
	m.model, err = s.openModel()
	switch {
	case err != nil:
		m.why = oneLine(err)
	case m.text == "":
		m.why = "there is no word in what is searched for"
	default:
		m.floor = m.index.Model().Floor
		if s.Meaning.Floor.Given {
			m.floor = s.Meaning.Floor.Score
		}
	}
	s.form.Matched, s.form.SumPaths = m.why == "", m.why == ""
	return m, nil
}

// close says what is wrong with the cache, which does no harm to the result, and
// ends the server and the cache. An interrupted run does not wait for a server
// to end in its own time.
func (m *similar) close(s *Session) {
	if m == nil || m.model == nil {
		return
	}
	for _, w := range m.store.Warnings() {
		s.say.print(w)
	}
	if errors.Is(s.limits.why(nil), errInterrupted) {
		m.server.Kill()
	}
	m.model.close()
}

// showSimilar looks for what is similar when all that is exact has been printed.
func (s *Session) showSimilar(m *similar) {
	want := s.ExpectDigest
	switch {
	case m.why != "":
		s.unavailable(m.why)
		return
	case s.printer.Full() && (want == "" || want == s.printer.ExactDigest()):
		s.printer.Similar(&report.Meaning{State: report.MeaningNotAsked})
		return
	}
	s.printer.Flush() // what is there is not kept waiting
	if err := m.index.Ask(m.ctx, m.text); err != nil {
		s.unavailable(oneLine(err))
		return
	}
	_, m.keep = s.printer.SimilarPage(1 << 60)
	q, err := rank.ParseQuery(m.text)
	if err != nil {
		q = &rank.Query{} // no word, or too many
	}
	counts, err := newWordCounts(s.Syntax, q, m.text)
	if err != nil {
		s.unavailable(oneLine(err))
		return
	}
	err = s.compareAll(m, &counts)
	s.printer.Similar(m.result(err, counts.evidence(nil, m.compared)))
}

// compareAll compares all files with the text, counts its words in them, and has
// embedded what is missing. The error says why that was not all.
func (s *Session) compareAll(m *similar, counts *wordCounts) error {
	form := s.form
	form.Mode, form.Quiet = report.Ranked, true
	// All is accounted for already.
	sub := &Session{
		Plan: s.Plan, world: s.world, say: s.say, scope: s.scope, form: form, input: s.input, limits: s.limits,
		matcher: s.matcher, printer: report.New(form, io.Discard, io.Discard),
	}
	m.binary = map[uint64]bool{}
	for _, hash := range s.printer.Binaries() {
		m.binary[hash] = true
	}
	left := s.printer.PathSum()
	pass(s.afresh(nil), func(emit func(*rankPart)) walk.Visitor {
		return sub.newReader(counts, m, true, emit)
	}, func(part *rankPart) error {
		counts.add(part.counts)
		m.compared += part.files
		m.add(&part.compared)
		if part.report != nil {
			m.fail(part.report.Errors())
			left -= part.report.PathSum()
		}
		return nil
	})
	if left != 0 && m.failed == nil && s.limits.why(nil) == nil {
		m.failed = errOthers
	}
	return s.readMissing(m)
}

// unavailable enters into the account that there was no model to ask.
func (s *Session) unavailable(why string) {
	s.printer.Similar(s.notAsked(why))
}

// notAsked is the account of a search by meaning that asked no model. Where accounts
// are not printed, a message of its own gives the reason.
func (s *Session) notAsked(why string) *report.Meaning {
	if s.form.Ledger.Mode == report.LedgerNever {
		s.say.print("similar files were not looked for: " + why)
	}
	return &report.Meaning{State: report.MeaningUnavailable, Reason: why}
}

// add takes over what a worker has compared.
func (m *similar) add(part *comparedPart) {
	m.passages += part.passages
	m.missing += part.missing
	m.refused += part.refused
	for _, n := range part.notes {
		f := similarFile(n)
		switch {
		case n.Missing > 0:
			m.unread[pathHash(n.Path)] = m.unread[pathHash(n.Path)].plus(n)
			if n.Best != nil {
				m.soFar[n.Path] = f
			}
		default:
			m.take(f)
		}
	}
}

// counts are passages of a file: how many there are, how many of these are missing,
// and how many have no vector and will get none.
type counts struct{ passages, missing, refused int }

func (c counts) plus(n *semantic.Note) counts {
	return counts{c.passages + n.Passages, c.missing + n.Missing, c.refused + n.Refused}
}

// reread replaces the counts of a file that was read again, since it may have
// changed: was is what the first walk counted.
func (m *similar) reread(was counts, n *semantic.Note) {
	m.passages += n.Passages - was.passages
	m.missing += n.Missing - was.missing
	m.refused += n.Refused - was.refused
}

// fail notes that files could not be read again, which the exact search had read.
func (m *similar) fail(errs []walk.Error) {
	for _, e := range errs {
		if m.failed == nil && !errors.Is(e.Err, match.ErrStopped) {
			m.failed = fmt.Errorf("%s could not be read again: %s", e.Path, errorText(e.Err))
		}
	}
}

// turned reports whether a file that is binary was none before.
func (m *similar) turned(path string) bool { return m.binary != nil && !m.binary[pathHash(path)] }

func pathHash(path string) uint64 { return xxhash.Sum64String(path) }

// similarFile is a note as it may be displayed.
func similarFile(n *semantic.Note) report.SimilarFile {
	f := report.SimilarFile{Path: []byte(n.Path), Score: n.Score}
	if n.Best != nil {
		f.From, f.To = int64(n.Best.From), int64(n.Best.To)
		f.Heading, f.Passage = []byte(n.Best.Heading), []byte(n.Best.Passage)
	}
	return f
}

// take takes a file into account of which all is known that will be.
func (m *similar) take(f report.SimilarFile) {
	list := &m.below
	switch {
	case f.From == 0: // there is no passage in it
		return
	case f.Score >= m.floor:
		list = &m.files
	case f.Score <= 0: // it resembles nothing
		return
	}
	*list = append(*list, f)
	if len(*list)%(2*m.keep+1024) == 0 {
		m.order(*list)
	}
}

// compareSimilar orders by score, then by path.
func compareSimilar(a, b report.SimilarFile) int {
	switch {
	case a.Score != b.Score && a.Score > b.Score:
		return -1
	case a.Score != b.Score:
		return 1
	}
	return strings.Compare(string(a.Path), string(b.Path))
}

// order puts the most similar first and forgets passages that will not be
// displayed.
func (m *similar) order(files []report.SimilarFile) {
	slices.SortFunc(files, compareSimilar)
	for i := m.keep; i < len(files); i++ {
		files[i].Heading, files[i].Passage = nil, nil
	}
}

// result is the account of what was found; err says why it is not whole.
func (m *similar) result(err error, evidence []report.Evidence) *report.Meaning {
	for _, f := range m.soFar {
		m.take(f)
	}
	m.order(m.files)
	m.order(m.below)
	out := &report.Meaning{
		Model: m.index.Model().Name, Floor: m.floor, Evidence: evidence, Files: m.files, Unsure: m.below,
		Passages: report.Known(int64(m.passages)), Read: report.Known(int64(m.passages - m.missing - m.refused)),
	}
	if err == nil && m.refused > 0 {
		err = m.refusal
		if err == nil {
			err = semantic.ErrTooLong
		}
	}
	if err == nil {
		err = m.failed
	}
	switch {
	case errors.Is(err, errBudget):
		out.State, out.Reason = report.MeaningBudget, oneLine(err)
	case err != nil:
		out.State, out.Reason = report.MeaningFailed, oneLine(err)
	}
	if m.failed != nil {
		out.Passages = report.Number{}
	}
	return out
}

// oneLine is the text of an error, which may quote what a server has said.
func oneLine(err error) string {
	return strings.Join(strings.FieldsFunc(err.Error(), func(r rune) bool { return r == '\n' || r == '\r' }), "; ")
}
