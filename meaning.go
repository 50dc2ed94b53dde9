package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"

	"tally/flags"
	"tally/match"
	"tally/rank"
	"tally/report"
	"tally/semantic"
	"tally/walk"
)

// A meaning is the part of a run of --meaning that looks for what is similar.
// Two walks do it: one compares all that is known and counts the rest, the
// other has the rest embedded and compared, so that how much there is to do is
// known from its first moment and no text is held for long.
type meaning struct {
	*model
	// why says that there is nothing to ask, and why; "" if there is.
	why    string
	text   string
	floor  float64
	budget time.Duration // 0 for none

	// ctx ends with the run, or with the time that it has.
	ctx    context.Context
	cancel context.CancelFunc

	keep     int // that many files are displayed at most, and need their passages
	files    []report.SimilarFile
	nearest  report.SimilarFile
	passages int
	missing  int
	failed   error // a file could not be read again
	// unread are the files with passages that are missing, by the hash of their
	// paths; to look at one too many does no harm. soFar are those of them that
	// are similar already.
	unread map[uint64]counts
	soFar  map[string]report.SimilarFile
}

// fitsMeaning refuses what goes with no search by meaning.
func (p *plan) fitsMeaning() error {
	a := p.args
	switch {
	case a.Absent:
		return errors.New("--absent is a claim about what is there word for word, and --meaning lists what is not; run them one after the other")
	case a.InvertMatch || a.Mode == flags.ModeFilesWithoutMatch:
		return errors.New("--meaning lists what resembles the pattern; it does not go with --invert-match or --files-without-match")
	case !a.FixedStrings && !p.ripgrep() && !a.Rank || a.Multiline:
		return errors.New("--meaning takes a text, not a regular expression; leave out --regex, --pcre2, --engine and --multiline")
	case a.Fuzzy && !a.Rank:
		return errors.New("--fuzzy and --meaning both look past what was typed; give one of them, or --rank with both")
	}
	return nil
}

// newMeaning prepares the search by meaning. Nothing is started; what is wrong
// with the description of a model is an error.
func (p *plan) newMeaning() (*meaning, error) {
	a := p.args
	m := &meaning{
		text:   strings.Join(strings.Fields(strings.Join(a.Patterns, " ")), " "),
		budget: a.MeaningBudget.Or(0), unread: map[uint64]counts{}, soFar: map[string]report.SimilarFile{},
	}
	m.ctx, m.cancel = context.WithCancel(context.Background())
	described, err := describedModels(a.MeaningModels)
	if err != nil {
		return nil, err
	}
	m.model, err = p.openModel(described)
	switch {
	case err != nil:
		m.why = oneLine(err)
	case m.text == "":
		m.why = "there is no word in what is searched for"
	default:
		m.floor = m.index.Model().Floor
		if !a.Rank {
			m.floor = a.Floor.Or(m.floor)
		}
	}
	p.report.Matched = m.why == ""
	p.report.SumPaths = m.why == ""
	p.report.Ledger.Query = "" // similarity is no property of one file
	return m, nil
}

// interrupt ends what is being embedded.
func (m *meaning) interrupt() {
	if m != nil {
		m.cancel()
	}
}

// kill ends the server at once.
func (m *meaning) kill() {
	if m != nil && m.model != nil {
		m.server.Kill()
	}
}

// warnings say what is wrong with the cache, which does no harm to the result.
func (m *meaning) warnings() []string {
	if m == nil {
		return nil
	}
	return m.model.warnings()
}

// close ends the server and the cache.
func (m *meaning) close() {
	if m != nil {
		m.cancel()
		m.model.close()
	}
}

// answer looks for what is similar when all that is exact has been printed.
func (s *searcher) answer() {
	m := s.meaning
	want := s.args.ExpectDigest
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
	r, err := s.counting()
	if err != nil {
		s.unavailable(oneLine(err))
		return
	}
	r.printer = report.New(r.report, io.Discard, io.Discard) // all is accounted for already
	left := s.printer.PathSum()
	for part := range walk.Map(r.again(), r.visitor) {
		r.add(part)
		if part.report != nil {
			m.fail(part.report.Errors())
			left -= part.report.PathSum()
		}
	}
	if left != 0 && m.failed == nil && s.watcherError() == nil {
		m.failed = errOthers
	}
	s.printer.Similar(m.result(m.read(r), r.counted()))
}

// unavailable enters into the account that there was nothing to ask.
func (s *searcher) unavailable(why string) {
	s.printer.Similar(s.refused(why))
}

// refused is the account of a search by meaning that was none. Where accounts
// are not printed it is said beside them.
func (s *searcher) refused(why string) *report.Meaning {
	if s.report.Ledger.Mode == report.LedgerNever {
		s.say.print("similar files were not looked for: " + why)
	}
	return &report.Meaning{State: report.MeaningUnavailable, Reason: why}
}

// again is the universe for another walk.
func (s *searcher) again() *walk.Universe {
	u := walk.New(s.walk, func(error) {})
	s.watcher.follow(u)
	s.stopped = u.Stopped
	return u
}

// counting is a ranker that counts the words of the text exactly, and ranks
// nothing.
func (s *searcher) counting() (*ranker, error) {
	r := &ranker{searcher: &searcher{plan: new(*s.plan), matcher: s.matcher, watcher: s.watcher, meaning: s.meaning}, reread: true}
	r.searcher.kept = s.kept
	r.report.Mode, r.report.Quiet = report.Ranked, true
	q, err := rank.ParseQuery(s.meaning.text)
	if err != nil {
		q = &rank.Query{} // no word, or too many
	}
	return r, r.ask(q, s.meaning.text)
}

// add takes over what a worker has compared.
func (m *meaning) add(part *comparedPart) {
	m.passages += part.passages
	m.missing += part.missing
	for _, n := range part.notes {
		f := similarFile(n)
		switch {
		case n.Missing > 0:
			m.unread[pathHash(n.Path)] = m.unread[pathHash(n.Path)].plus(n)
			if n.Best != nil && n.Score >= m.floor {
				m.soFar[n.Path] = f
			}
		default:
			m.take(f)
		}
	}
}

// counts are passages of a file: how many there are, and how many of these are
// missing.
type counts struct{ passages, missing int }

func (c counts) plus(n *semantic.Note) counts {
	return counts{c.passages + n.Passages, c.missing + n.Missing}
}

// readAgain takes over that a file was read again, of which was was known. It may
// have changed since: what counts is what is in it now.
func (m *meaning) readAgain(was counts, n *semantic.Note) {
	m.passages += n.Passages - was.passages
	m.missing += n.Missing - was.missing
}

// fail notes that files could not be read again; they were when the exact search
// read them.
func (m *meaning) fail(errs []walk.Error) {
	for _, e := range errs {
		if m.failed == nil && !errors.Is(e.Err, match.ErrStopped) {
			m.failed = fmt.Errorf("%s could not be read again: %s", e.Path, systemText(e.Err))
		}
	}
}

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
func (m *meaning) take(f report.SimilarFile) {
	switch {
	case f.From == 0: // there is no passage in it
	case f.Score >= m.floor:
		m.files = append(m.files, f)
		if len(m.files)%(2*m.keep+1024) == 0 {
			m.order()
		}
	case m.nearest.Path == nil || compareSimilar(f, m.nearest) < 0:
		m.nearest = f
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
func (m *meaning) order() {
	slices.SortFunc(m.files, compareSimilar)
	for i := m.keep; i < len(m.files); i++ {
		m.files[i].Heading, m.files[i].Passage = nil, nil
	}
}

// result is the account of what was found; err says why it is not whole.
func (m *meaning) result(err error, evidence []report.Evidence) *report.Meaning {
	for _, f := range m.soFar {
		m.take(f)
	}
	m.order()
	out := &report.Meaning{
		Model: m.index.Model().Name, Floor: m.floor, Evidence: evidence, Files: m.files, Nearest: m.nearest,
		Passages: report.Known(int64(m.passages)), Read: report.Known(int64(m.passages - m.missing)),
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
