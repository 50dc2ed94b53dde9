package report

import (
	"fmt"
	"slices"

	"tally/match/digest"
	"tally/report/escape"
)

// A Meaning is what a search by meaning has found, and how much it has looked
// at. All other numbers of a ledger are those of exact results; in mode [Ranked]
// Matched counts the files of the joint ranking.
type Meaning struct {
	State MeaningState
	// Reason says what kept the search from being whole, for people to read.
	Reason string
	// Model is the name of the model that was asked, "" if none was, and Floor
	// the score from which on a file counts as similar.
	Model string
	Floor float64
	// Passages counts the pieces that the files were cut into, Read those
	// whose meaning is known.
	Passages, Read Number
	// Evidence counts the words of the query exactly.
	Evidence []Evidence
	// Files are those that reach the floor and hold no exact result, the most
	// similar first. Only those in the window need more than path and score.
	Files []SimilarFile
	// Unsure are the others, in the same order. They are shown where there is no
	// result at all.
	Unsure []SimilarFile

	shown Number
}

// A SimilarFile is a file with the passage in it that is most similar.
type SimilarFile struct {
	Path     []byte
	Score    float64
	From, To int64 // lines of the passage, the first is 1
	Heading  []byte
	Passage  []byte // its lines
}

// A MeaningState is how much of what was asked a search by meaning has done.
type MeaningState uint8

const (
	MeaningWhole       MeaningState = iota
	MeaningNotAsked                 // exact results fill the display
	MeaningUnavailable              // there is no model to ask
	MeaningBudget                   // not all was read within --meaning-budget
	MeaningFailed                   // nor, for another reason, here
)

func (MeaningState) names() []string {
	return []string{
		MeaningWhole:       "whole",
		MeaningNotAsked:    "not_asked",
		MeaningUnavailable: "unavailable",
		MeaningBudget:      "budget",
		MeaningFailed:      "failed",
	}
}

// answered reports whether files were compared with the query at all.
func (m *Meaning) answered() bool {
	return m.State == MeaningWhole || m.State == MeaningBudget || m.State == MeaningFailed
}

// whole reports whether all that was asked for was compared. Of a run without a
// search by meaning nothing was.
func (m *Meaning) whole() bool {
	return m == nil || m.State == MeaningWhole || m.State == MeaningNotAsked
}

// excused reports whether the user had to expect that something is missing:
// there is no model, or the budget was over. What was found is then a success.
func (m *Meaning) excused() bool {
	return m != nil && (m.State == MeaningUnavailable || m.State == MeaningBudget)
}

// similar is the number of similar files.
func (m *Meaning) similar() Number { return KnownIf(m.State == MeaningWhole, int64(len(m.Files))) }

// defaultSimilar is how many similar files are displayed if nobody says.
const defaultSimilar = 10

// similarPage returns the part of the similar files that is displayed after a
// number of exact results.
func (c *Config) similarPage(exact int64, n int) (from, to int) {
	if c.silent() || c.form().ranked || c.form().list == nil {
		return 0, 0
	}
	first := max(0, c.Offset-exact)
	last := first + defaultSimilar
	if _, limited := c.Limit.Get(); limited {
		last = max(first, c.end()-exact)
	}
	return int(min(first, int64(n))), int(min(last, int64(n)))
}

// SimilarPage returns the part of n similar files that will be displayed; all
// exact results have been printed.
func (p *Printer) SimilarPage(n int) (from, to int) { return p.cfg.similarPage(p.total.units, n) }

// Full reports whether the exact results that were printed fill the display.
func (p *Printer) Full() bool {
	return p.cfg.limit() > 0 && p.total.units >= p.cfg.end() && !p.cfg.CountOnly
}

// Found reports whether there is a result so far.
func (p *Printer) Found() bool { return p.total.found }

// PathSum is the sum of the hashes of the paths of all files that were read so
// far, if it was asked for: another walk over the same files comes to the same.
func (p *Printer) PathSum() uint64 { return p.total.pathSum }

// Binaries are the hashed paths of the files that were left as binary, if the sum
// was asked for.
func (p *Printer) Binaries() []uint64 { return p.total.binaries }

// ExactDigest returns the digest of the exact results, see
// [Ledger.ResultDigest].
func (p *Printer) ExactDigest() string { return p.results.Digest().String() }

// Similar writes what a search by meaning has found when all exact results have
// been printed, and enters it into the account.
func (p *Printer) Similar(m *Meaning) {
	p.meaning = m
	if !m.answered() {
		return
	}
	p.question.asked = true
	from, to := p.SimilarPage(len(m.Files))
	m.shown = Known(int64(to - from))
	files, verdict := m.Files, Found
	if len(files) == 0 && !p.total.found {
		files, verdict = m.Unsure, Unsure
		from, to = p.offer(len(files))
	}
	list := p.cfg.form().list
	if p.cfg.silent() || list == nil {
		return
	}
	b := p.appendEvidence(list, nil, m.Evidence, !m.whole())
	if blank := list.between(); blank != "" {
		if p.started && len(b) > 0 {
			b = append([]byte(blank), b...)
		}
		if from < to {
			b = append(b, blank...)
		}
	}
	for i := range files[from:to] {
		b = list.similar(p, b, verdict, from+i+1, &files[from+i])
	}
	p.out.Write(b)
}

// setMeaning puts what was found by meaning beside the exact results. A display
// that they fill leaves out what was not even looked for.
func (p *Printer) setMeaning(l *Ledger) {
	m := p.meaning
	if m == nil {
		return
	}
	l.Meaning = m
	l.Complete = l.Complete && m.whole()
	n := int64(len(m.Files))
	l.Found, l.foundRG = l.Found || n > 0, l.foundRG || n > 0
	switch {
	case !m.whole() && m.State != MeaningUnavailable:
		l.ResultDigest = ""
	case n > 0 && l.ResultDigest != "" && !p.cfg.form().ranked:
		l.ResultDigest = m.digest(l.ResultDigest)
	}
	exact := p.total.units
	from, to := p.SimilarPage(int(n))
	unseen := m.State == MeaningNotAsked
	if p.cfg.silent() || to == from && !unseen && p.cfg.limit() != 0 && n == 0 {
		return
	}
	if f := p.cfg.form(); f.ranked || f.list == nil {
		return
	}
	if from > 0 || n > 0 && p.cfg.Offset > 0 {
		l.addCut(CutByOffset)
	}
	if int64(to) < n || unseen {
		l.addCut(CutByLimit)
		if p.cfg.limit() != 0 {
			next := exact + int64(to)
			if unseen {
				next = p.cfg.end()
			}
			l.Next = fmt.Sprintf("--offset %d", next)
		}
	}
}

// exactlyComplete is [Ledger.Complete] of the exact search alone.
func (l *Ledger) exactlyComplete() bool {
	if l.Meaning == nil {
		return l.Complete
	}
	return l.exactComplete
}

// exactlyCut is [Ledger.Truncated] of the exact search alone.
func (l *Ledger) exactlyCut() bool {
	if l.Meaning == nil {
		return l.Truncated
	}
	return l.exactCut
}

// addCut says that the display holds less than there is, for one more reason.
func (l *Ledger) addCut(by Cut) {
	l.Truncated = true
	if !slices.Contains(l.TruncatedBy, by) {
		l.TruncatedBy = append(l.TruncatedBy, by)
		slices.Sort(l.TruncatedBy)
	}
}

// digest is that of the exact results and of all that is similar, in order.
// Scores are left out: they differ in their last digits with what was embedded
// together.
func (m *Meaning) digest(exact string) string {
	sum, _ := digest.Parse(exact)
	for _, f := range m.Files {
		path := digest.OfPath(f.Path)
		sum = sum.With(path[0], path[1], uint64(f.From), uint64(f.To))
	}
	return sum.String()
}

// similarLine says what was found by meaning, for people to read.
func (l *Ledger) similarLine() string {
	m := l.Meaning
	switch m.State {
	case MeaningNotAsked:
		return "; similar files were not looked for, since exact results fill the display"
	case MeaningUnavailable:
		return "; similar files were not looked for: " + m.Reason
	}
	n := int64(len(m.Files))
	s := fmt.Sprintf("; %s (from %.2f on)", some(n, "similar file", "similar files"), m.Floor)
	if shown := m.shown.n; m.shown.known && shown < n && !l.cfg.silent() {
		s = fmt.Sprintf("; %s of %s (from %.2f on)", grouped(shown), some(n, "similar file", "similar files"), m.Floor)
	}
	if n == 0 && l.Found && !l.cfg.form().ranked && len(m.Unsure) > 0 {
		s += fmt.Sprintf("; nearest, and no answer: %s (%.2f)", escape.Name(string(m.Unsure[0].Path)), m.Unsure[0].Score)
	}
	return s
}

// unread says how much was not read for its meaning.
func (m *Meaning) unread() string {
	if !m.Passages.known || !m.Read.known {
		return "not every passage was read for its meaning: " + m.Reason
	}
	return fmt.Sprintf("%s of %s not read for their meaning: %s",
		grouped(m.Passages.n-m.Read.n), some(m.Passages.n, "passage was", "passages were"), m.Reason)
}

// appendPlaces appends where a file stands in two rankings that were joined.
func (f *RankedFile) appendPlaces(b []byte) []byte {
	separator := "  "
	if f.Words != nil {
		b = fmt.Appendf(b, "  words %.3f", f.Words.Score)
		separator = ", "
	}
	if f.Similar != nil {
		b = fmt.Appendf(b, "%s≈ %.3f", separator, f.Similar.Score)
	}
	return b
}

func (p *Place) appendJSON(b []byte) []byte {
	if p == nil {
		return append(b, "null"...)
	}
	return fmt.Appendf(b, `{"rank":%d,"score":%s}`, p.Rank, jsonFloat(p.Score))
}

// rankedPassage appends a passage below a file that no word speaks for.
func (p *Printer) rankedPassage(b []byte, f *SimilarFile) []byte {
	s := newStyles(&p.cfg)
	b = append(append(b, "   "...), s.line...)
	b = append(fmt.Appendf(b, "%d-%d", f.From, f.To), s.reset...)
	if len(f.Heading) > 0 {
		b = p.appendContent(append(b, "  "...), f.Heading)
	}
	return p.appendPassage(append(b, '\n'), f.Passage)
}
