package report

import "fmt"

// A Verdict is what a question has come to, in a ranking or a search by meaning.
type Verdict uint8

const (
	NoVerdict Verdict = iota // nothing was asked, or it is not established
	Found                    // something reaches the floor, or matches exactly
	Unsure                   // some files may be worth a look; nothing is claimed
	NotFound                 // nothing of the question that carries weight is there
)

func (Verdict) names() []string {
	return []string{NoVerdict: "", Found: "found", Unsure: "unsure", NotFound: "not_found"}
}

// A question is what a printer knows of what was asked.
type question struct {
	asked bool
	// floor is that of words, in a ranking.
	floor  float64
	quoted bool
	// unsure counts the files that are offered, shown those of them that are
	// displayed.
	unsure, shown int64
}

// unsureMark stands before each file that is offered and not claimed.
const unsureMark = "?"

// offer enters n files of which nothing is claimed into the account, and returns
// the part that is displayed. A list of paths is for other programs, which take
// each for a result.
func (p *Printer) offer(n int) (from, to int) {
	list := p.cfg.form().list
	switch {
	case p.cfg.silent() || list == nil || list.claims():
	case p.cfg.form().ranked:
		from, to = p.cfg.Page(n)
	default:
		from, to = p.SimilarPage(n)
	}
	p.question.unsure, p.question.shown = int64(n), int64(to-from)
	return from, to
}

// setVerdict says what the question has come to. That nothing was found is said of
// a complete run only, and only if there was something to look at.
func (p *Printer) setVerdict(l *Ledger) {
	q := &p.question
	if !q.asked {
		return
	}
	l.question = *q
	l.UnsureFiles, l.UnsureShown = KnownIf(l.Complete, q.unsure), Known(q.shown)
	switch {
	case l.Found:
		l.Verdict = Found
		l.UnsureFiles = Number{} // nobody looked
	case q.unsure > 0:
		l.Verdict = Unsure
	case l.Complete && l.InScope != Known(0):
		l.Verdict = NotFound
	}
}

// unsure says that no file reaches the floor, and how many come near.
func (l *Ledger) unsure() string {
	q := &l.question
	s := fmt.Sprintf("unsure: no file reaches %.2f", q.floor)
	switch m := l.Meaning; {
	case m == nil || !m.answered():
	case l.cfg.form().ranked:
		s += fmt.Sprintf(" by words or %.2f by meaning", m.Floor)
	default:
		s = fmt.Sprintf("unsure: no file reaches %.2f", m.Floor)
	}
	all, known := l.UnsureFiles.Value()
	switch {
	case q.shown == 0 && !known:
		return s + "; the nearest not shown, which a lower --floor lists"
	case q.shown == 0:
		return s + fmt.Sprintf("; %s nearest not shown, which a lower --floor lists", grouped(all))
	case known && q.shown < all:
		return s + fmt.Sprintf("; %s nearest shown of %s", grouped(q.shown), grouped(all))
	}
	return s + fmt.Sprintf("; %s nearest shown", grouped(q.shown))
}

// rankedZero says of a complete ranking that nothing is claimed.
func (l *Ledger) rankedZero() string {
	s := "not found: no file holds a word that carries weight"
	switch {
	case l.Verdict == Unsure:
		s = l.unsure()
	case l.question.quoted:
		s = "not found: no file holds what is quoted"
	}
	return fmt.Sprintf("%s; %s in scope read (%s)%s%s", s, l.all(), size(l.BytesSearched), l.guessed(), l.outOfScope())
}
