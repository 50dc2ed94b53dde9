package report

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"

	"github.com/cespare/xxhash/v2"

	"tally/match"
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
	// Nearest are the best files of those that do not, for the reader who
	// finds nothing among Files.
	Nearest []RankedFile
	// Meaning is what a search by meaning has put in, nil if there was none.
	Meaning *Meaning
}

// Evidence is how often a word of the query occurs in the universe, as an
// exact search counts it.
type Evidence struct {
	Text string
	// Phrase says that Text is more than a word.
	Phrase                bool
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
		var b [16]byte
		binary.LittleEndian.PutUint64(b[:], xxhash.Sum64(f.Path))
		binary.LittleEndian.PutUint64(b[8:], math.Float64bits(f.Score))
		p.digest.add(xxhash.Sum64(b[:]))
	}
	from, to := p.cfg.Page(len(r.Files))
	win.files, win.lines = int64(to-from), int64(to-from)
	win.first, win.last, win.position = int64(from), int64(to), int64(to)
	p.floor, p.quoted, p.nearest, p.meaning = r.Floor, r.Quoted, r.Nearest, r.Meaning
	if p.cfg.silent() {
		return
	}
	b := p.rankedEvidence(p.cfg.Ranked, r.Evidence)
	if p.cfg.Ranked == RankedText && from < to {
		b = append(b, '\n')
	}
	for i, f := range r.Files[from:to] {
		switch p.cfg.Ranked {
		case RankedPaths:
			b = p.rankedPath(b, &f)
		case RankedJSON:
			b = p.rankedJSON(b, "ranked", from+i+1, &f)
		default:
			b = p.rankedText(b, from+i+1, &f)
		}
	}
	if len(r.Files) == 0 && p.cfg.Ranked == RankedJSON {
		for i, f := range r.Nearest {
			b = p.rankedJSON(b, "below_floor", i+1, &f)
		}
	}
	p.out.Write(b)
}

// Page returns the part of n results that is displayed.
func (c *Config) Page(n int) (from, to int) {
	to = n
	if c.Limit >= 0 {
		to = int(min(int64(n), c.Offset+c.Limit))
	}
	return min(int(min(c.Offset, int64(n))), to), to
}

// rankedEvidence appends the counts, which are results in text and JSON. Where
// paths are listed for another program they go beside them.
func (p *Printer) rankedEvidence(form RankedForm, list []Evidence) (b []byte) {
	for _, e := range list {
		if form == RankedJSON {
			b = append(b, `{"type":"evidence","data":{"text":`...)
			b = appendString(b, []byte(e.Text))
			b = fmt.Appendf(b, `,"phrase":%t`, e.Phrase)
			b = append(b, `,"matches":`...)
			b = e.Matches.appendJSON(b)
			b = append(b, `,"lines":`...)
			b = e.Lines.appendJSON(b)
			b = append(b, `,"files":`...)
			b = e.Files.appendJSON(b)
			b = append(b, `,"as_word":`...)
			b = appendCounts(b, []string{"matches", "files"}, e.Words, e.WordFiles)
			b = append(b, "}}\n"...)
			continue
		}
		b = append(b, e.line()...)
		b = append(b, '\n')
	}
	switch {
	case form == RankedPaths && p.cfg.Ledger.Mode != LedgerNever:
		p.stderr.Write(b)
		return nil
	case form == RankedPaths:
		return nil
	}
	return b
}

func appendCounts(b []byte, keys []string, counts ...Number) []byte {
	b = append(b, '{')
	for i, c := range counts {
		b = appendComma(b, i)
		b = fmt.Appendf(b, `"%s":`, keys[i])
		b = c.appendJSON(b)
	}
	return append(b, '}')
}

// line is evidence for people to read.
func (e *Evidence) line() string {
	text := e.Text
	if e.Phrase {
		text = strconv.Quote(e.Text)
	}
	n, known := e.Matches.Value()
	if !known {
		return text + ": an unknown number of times, since binary files hold it"
	}
	s := text + ": 0 times"
	if n > 0 {
		s = fmt.Sprintf("%s: %s in %s", text, some(n, "time", "times"), some(e.Files.n, "file", "files"))
	}
	// The whole phrase has no such count, and what would only repeat the
	// first says nothing.
	if e.Words.known && (e.Words.n != n || e.WordFiles.n != e.Files.n) {
		s += fmt.Sprintf("; as a word, in any case: %s in %s", grouped(e.Words.n), grouped(e.WordFiles.n))
	}
	return s
}

// shownPath is a path as it is displayed.
func (p *Printer) shownPath(path []byte) []byte {
	w := Worker{cfg: &p.cfg, file: file{path: path}}
	return w.displayPath(nil)
}

func (p *Printer) rankedPath(b []byte, f *RankedFile) []byte {
	b = append(b, p.shownPath(f.Path)...)
	if p.cfg.Null {
		return append(b, 0)
	}
	return append(b, '\n')
}

// rankedText appends a file: rank, score and path, the heading, the line.
func (p *Printer) rankedText(b []byte, rank int, f *RankedFile) []byte {
	s := newStyles(&p.cfg)
	styled := func(style []byte, text []byte) {
		b = append(append(append(b, style...), text...), s.reset...)
	}
	b = fmt.Appendf(b, "%d. %.3f ", rank, f.Score)
	styled(s.path, p.shownPath(f.Path))
	for i, n := range f.Near {
		separator := ", "
		if i == 0 {
			separator = "  ~ "
		}
		b = append(b, separator+n.Found...)
	}
	b = append(f.appendPlaces(b), '\n')
	if f.Similar != nil && f.Line.Number == 0 {
		return p.rankedPassage(b, f.Passage)
	}
	if len(f.Heading) > 0 {
		b = append(append(append(b, "   "...), f.Heading...), '\n')
	}
	if f.Line.Number > 0 {
		b = append(b, "   "...)
		styled(s.line, strconv.AppendInt(nil, f.Line.Number, 10))
		b = append(b, ':')
		at := 0
		for _, m := range f.Line.Spans {
			b = append(b, f.Line.Bytes[at:m.Start]...)
			styled(s.match, f.Line.Bytes[m.Start:m.End])
			at = m.End
		}
		b = append(append(b, f.Line.Bytes[at:]...), '\n')
	}
	if f.Explain != nil {
		b = append(b, "   "...)
		for i, e := range f.Explain {
			if i > 0 {
				b = append(b, ' ')
			}
			b = fmt.Appendf(b, "%s=%.3f", e.Name, e.Value)
		}
		b = append(b, '\n')
	}
	return b
}

// rankedJSON appends a file as a message. Its keys: rank (from 1), score (of
// [0,1]), path, line_number (null if only the path speaks for the file), lines,
// heading (null if there is none), submatches as in a match, near (the words
// found in the place of others) and, if asked for, explain; where two rankings
// were joined also words and meaning, the places {"rank", "score"} in these, or null,
// and the passage that is meant, or null.
func (p *Printer) rankedJSON(b []byte, kind string, rank int, f *RankedFile) []byte {
	text := p.cfg.JSONText
	b = fmt.Appendf(b, `{"type":"%s","data":{"rank":%d,"score":%s,"path":`, kind, rank, jsonFloat(f.Score))
	b = appendData(b, f.Path, text)
	b = append(b, `,"line_number":`...)
	b = KnownIf(f.Line.Number > 0, f.Line.Number).appendJSON(b)
	b = append(b, `,"lines":`...)
	if f.Line.Number > 0 {
		b = appendData(b, f.Line.Bytes, text)
	} else {
		b = append(b, "null"...)
	}
	b = append(b, `,"heading":`...)
	if f.Heading != nil {
		b = appendData(b, f.Heading, text)
	} else {
		b = append(b, "null"...)
	}
	b = append(b, `,"submatches":[`...)
	w := Worker{cfg: &p.cfg}
	b = w.appendSubmatches(b, &f.Line)
	b = append(b, `],"near":[`...)
	for i, n := range f.Near {
		b = append(appendComma(b, i), `{"word":`...)
		b = appendString(b, []byte(n.Word))
		b = append(b, `,"found":`...)
		b = appendString(b, []byte(n.Found))
		b = append(b, '}')
	}
	b = append(b, ']')
	if f.Words != nil || f.Similar != nil {
		b = append(b, `,"words":`...)
		b = append(f.Words.appendJSON(b), `,"meaning":`...)
		b = f.Similar.appendJSON(b)
		b = append(b, `,"passage":`...)
		if f.Similar == nil {
			b = append(b, "null"...)
		} else {
			b = append(p.passageJSON(append(b, '{'), f.Passage), '}')
		}
	}
	if f.Explain != nil {
		b = append(b, `,"explain":{`...)
		for i, e := range f.Explain {
			b = fmt.Appendf(appendComma(b, i), `"%s":%s`, e.Name, jsonFloat(e.Value))
		}
		b = append(b, '}')
	}
	return append(b, "}}\n"...)
}

// jsonFloat writes a number as short as it can be and still be the same.
func jsonFloat(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// rankedZero says that nothing reached the floor, and what came nearest.
func (l *Ledger) rankedZero() string {
	quoted := ""
	if l.quoted {
		quoted = " and holds what is quoted"
	}
	s := fmt.Sprintf("not found: no file reaches the score of %.2f%s in %s in scope (%s)%s%s",
		l.floor, quoted, l.all(), size(l.BytesSearched), l.guessed(), l.outOfScope())
	for i, f := range l.nearest {
		separator := ", "
		if i == 0 {
			separator = "; nearest, and no answer: "
		}
		s += fmt.Sprintf("%s%s (%.2f)", separator, f.Path, f.Score)
	}
	return s
}
