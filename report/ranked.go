package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"tally/match"
	"tally/match/digest"
	"tally/report/escape"
)

// A Ranking is what a run in mode [Ranked] has to show.
type Ranking struct {
	Evidence []Evidence
	// Files are those that score at least Floor, the best first. Only those
	// in the window need more than their path and score.
	Files []RankedFile
	Floor float64
	// Quoted says that a file must hold what the question quotes.
	Quoted bool
	// Unsure are files below Floor that may be worth a look, the best first; they
	// are shown where there is nothing among Files. As of these, only those in
	// the window need more than their path and score.
	Unsure []RankedFile
	// Partial says that the run ended before all files were read.
	Partial bool
	// Meaning is what a search by meaning has put in, nil if there was none.
	Meaning *Meaning
}

// Evidence is how often a word of the query occurs in the universe, as an
// exact search counts it.
type Evidence struct {
	Text string
	// Phrase says that Text is more than a word, Light that it is a word that
	// carries no weight, since most files hold it.
	Phrase, Light         bool
	Lines, Matches, Files Number
	// Words and WordFiles count it as a word of its own, whatever its case and
	// marks; unknown where Text is no single word.
	Words, WordFiles Number
}

// A RankedFile is a file with its score.
type RankedFile struct {
	Path  []byte
	Score float64
	// Line is the best line of the first 16 MB; its number is 0 if only the path
	// or what follows speaks for the file. Heading stands above it, if there is any.
	Line    match.Line
	Heading []byte
	Near    []NearWord
	Explain []ScorePart // in the order of display; nil if not asked for
	// Words and Similar are the places in the two rankings that the file's is
	// made of; nil for none, and where there is only one ranking.
	Words, Similar *Place
	// Passage is the most similar one, where Similar is not nil.
	Passage *SimilarFile
}

// A Place is one in a ranking, from 1, with its score.
type Place struct {
	Rank  int
	Score float64
}

// A NearWord was found in the place of one of the query's.
type NearWord struct{ Word, Found string }

// A ScorePart is something that a score is made of.
type ScorePart struct {
	Name  string
	Value float64
}

// A RankedForm is a way to show a ranking.
type RankedForm uint8

const (
	RankedText  RankedForm = iota
	RankedPaths            // one path a line
	RankedJSON
)

// Rank writes a ranking when all parts have been printed, and enters it into
// the account.
func (p *Printer) Rank(r *Ranking) {
	t, win := &p.total, &p.window
	n := int64(len(r.Files))
	t.units, t.matched, t.found, t.foundRG = n, n, n > 0, n > 0
	for _, f := range r.Files {
		p.results.Add(digest.OfPath(f.Path).With(math.Float64bits(f.Score)))
	}
	from, to := p.cfg.Page(len(r.Files))
	win.files, win.lines = int64(to-from), int64(to-from)
	win.first, win.last, win.position = int64(from), int64(to), int64(to)
	p.meaning = r.Meaning
	p.question = question{asked: true, floor: r.Floor, quoted: r.Quoted}
	files, verdict := r.Files, Found
	if len(files) == 0 {
		files, verdict = r.Unsure, Unsure
		from, to = p.offer(len(files))
	}
	if p.cfg.silent() {
		return
	}
	list := p.cfg.form().list
	b := p.appendEvidence(list, nil, r.Evidence, r.Partial)
	if from < to {
		b = append(b, list.between()...)
	}
	for i := range files[from:to] {
		b = list.ranked(p, b, verdict, from+i+1, &files[from+i])
	}
	p.out.Write(b)
}

// appendEvidence appends the counts, unless they belong beside the results. They
// are lower bounds where the run is partial or could not read something.
func (p *Printer) appendEvidence(list listForm, b []byte, counts []Evidence, partial bool) []byte {
	if partial || p.total.failed() {
		counts = slices.Clone(counts)
		for i := range counts {
			e := &counts[i]
			for _, n := range []*Number{&e.Lines, &e.Matches, &e.Files, &e.Words, &e.WordFiles} {
				*n = n.bounded()
			}
		}
	}
	text, beside := list.evidence(p, nil, counts)
	if !beside {
		return append(b, text...)
	}
	if p.cfg.Ledger.Mode != LedgerNever {
		p.stderr.Write(text)
	}
	return b
}

// Page returns the part of n results that is displayed.
func (c *Config) Page(n int) (from, to int) {
	to = int(min(int64(n), c.end()))
	return min(int(min(c.Offset, int64(n))), to), to
}

// line is evidence for people to read.
func (e *Evidence) line() string {
	text := escape.Name(e.Text)
	if e.Phrase {
		text = strconv.Quote(e.Text)
	}
	var s string
	switch n := e.Matches.n; {
	case !e.Matches.stated():
		return text + ": an unknown number of times, since binary files hold it"
	case n > 0:
		s = fmt.Sprintf("%s: %s in %s", text, e.Matches.of("time", "times"), some(e.Files.n, "file", "files"))
	case e.Matches.bound:
		s = text + ": 0 times in what could be read"
	default:
		s = text + ": 0 times"
	}
	// The whole phrase has no such count, and what would only repeat the
	// first says nothing.
	if e.Words.stated() && (e.Words.n != e.Matches.n || e.WordFiles.n != e.Files.n) {
		s += fmt.Sprintf("; as a word, in any case: %s in %s", e.Words, grouped(e.WordFiles.n))
	}
	return s
}
