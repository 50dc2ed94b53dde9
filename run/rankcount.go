package run

import (
	"slices"
	"strings"

	"tally/match"
	"tally/rank"
	"tally/report"
	"tally/run/input"
)

// What is said about the words of a question, whatever a ranking makes of them:
// how often each occurs, as an exact search counts.

// wordCounts are the texts that are counted, and how often they occur.
type wordCounts struct {
	of     []counted
	totals []wordCount
}

// counted is one text.
type counted struct {
	text    string
	phrase  bool
	word    int // index in the query's words, -1: none
	matcher *match.Matcher
}

// A wordCount adds up what an exact search finds.
type wordCount struct {
	lines, matches, files int64
	cut                   bool // a binary file was left where it began to be one
}

// newWordCounts returns what is to be counted for a question: each word, each
// phrase, and the whole of it.
func newWordCounts(syntax match.Syntax, q *rank.Query, text string) (wordCounts, error) {
	var c wordCounts
	for i, w := range q.Words {
		c.of = append(c.of, counted{text: w.Text, word: i})
	}
	for _, phrase := range q.Phrases {
		c.addPhrase(phrase)
	}
	if whole := strings.TrimSpace(text); len(q.Phrases) != 1 || strings.TrimSpace(strings.Trim(whole, `"`)) != q.Phrases[0] {
		c.addPhrase(whole)
	}
	for i := range c.of {
		s := syntax
		s.Patterns, s.Fixed, s.MultiLine = []string{c.of[i].text}, true, false
		var err error
		if c.of[i].matcher, err = match.Compile(s); err != nil {
			return c, err
		}
	}
	c.totals = make([]wordCount, len(c.of))
	return c, nil
}

// addPhrase adds a text that is no single word, if it is new.
func (c *wordCounts) addPhrase(text string) {
	for _, e := range c.of {
		if e.text == text {
			return
		}
	}
	if !strings.ContainsAny(text, "\n\x00") {
		c.of = append(c.of, counted{text: text, phrase: true, word: -1})
	}
}

func (c *wordCounts) add(part []wordCount) { addCounts(c.totals, part) }

func addCounts(to, part []wordCount) {
	for i, e := range part {
		t := &to[i]
		t.lines += e.lines
		t.matches += e.matches
		t.files += e.files
		t.cut = t.cut || e.cut
	}
}

// evidence is what was counted for each text in a number of files: first what
// carries weight.
func (c *wordCounts) evidence(collection *rank.Collection, files int) (list []report.Evidence) {
	light := c.light(collection, int64(files))
	for i, e := range c.of {
		n := c.totals[i]
		x := report.Evidence{Text: e.text, Phrase: e.phrase, Light: light[i]}
		if n.cut {
			list = append(list, x)
			continue
		}
		x.Lines, x.Matches, x.Files = report.Known(n.lines), report.Known(n.matches), report.Known(n.files)
		if e.word >= 0 && collection != nil {
			if n, files, ok := collection.Occurrences(e.word); ok {
				x.Words, x.WordFiles = report.Known(n), report.Known(files)
			}
		}
		list = append(list, x)
	}
	slices.SortStableFunc(list, func(a, b report.Evidence) int {
		switch {
		case a.Light == b.Light:
			return 0
		case b.Light:
			return -1
		}
		return 1
	})
	return list
}

// light reports of each text whether it is a word that carries no weight, in so
// many files; if none carries any, none is. Without a collection, which knows the
// words as such, a word weighs little whose letters are in most files.
func (c *wordCounts) light(collection *rank.Collection, files int64) []bool {
	light := make([]bool, len(c.of))
	var weighs []bool
	if collection != nil {
		weighs = collection.WordsOfWeight()
	}
	all := true
	for i, e := range c.of {
		switch {
		case e.word < 0:
			continue
		case collection != nil:
			light[i] = !weighs[e.word]
		default:
			light[i] = !c.totals[i].cut && !rank.Weighs(c.totals[i].files, files)
		}
		all = all && light[i]
	}
	if all {
		clear(light)
	}
	return light
}

// A counter counts each text in one file after another.
type counter struct {
	s      *Session
	counts *wordCounts
	found  []wordCount    // in the file at work
	plain  *match.Counter // of all texts, in text as it is
	// exact count in files that are no plain text, others in the readings that these
	// were not read in; there is one for each text.
	exact  []searchers
	others []otherSearchers
}

// count counts in a file. The outcome is that of the first text.
func (c *counter) count(src *input.Source) (first match.Outcome, found []wordCount, err error) {
	if c.found == nil {
		c.found = make([]wordCount, len(c.counts.of))
	}
	clear(c.found)
	if text, plain := src.Plain(); plain {
		if c.plain == nil {
			c.plain = match.NewCounter(c.counts.matchers())
		}
		list, err := c.plain.Count(text)
		for i, n := range list {
			c.found[i].add(n.Lines, n.Matches)
		}
		return match.Outcome{BinaryOffset: -1, Bytes: int64(len(text))}, c.found, err
	}
	if c.exact == nil {
		c.prepare()
	}
	for i := range c.exact {
		h, err := src.Haystack()
		if err != nil {
			return first, nil, err
		}
		o, err := c.exact[i].of(src.Explicit).Search(h, nil)
		if err == nil && o.UTF16 {
			err = c.s.mixed(c.counts.of[i].matcher, &c.others[i], src, o.Facts, o.Lines > 0)
		}
		if err != nil {
			return first, nil, err
		}
		if i == 0 {
			first = o
		}
		c.found[i].add(o.Lines, o.Matches)
		c.found[i].cut = o.Stopped && o.Lines > 0
	}
	return first, c.found, nil
}

func (c *counter) prepare() {
	o := match.Options{
		CountAll: true, Spans: true, SinkBinary: true, LineLimit: c.s.Search.LineLimit,
		Decode: c.s.Input.Decode, MapDerived: c.s.Search.MapDerived,
	}
	for _, m := range c.counts.matchers() {
		c.exact = append(c.exact, c.s.searchers(m, o))
	}
	c.others = make([]otherSearchers, len(c.exact))
}

func (c *wordCounts) matchers() []*match.Matcher {
	list := make([]*match.Matcher, len(c.of))
	for i := range c.of {
		list[i] = c.of[i].matcher
	}
	return list
}

// add adds what was found in a file.
func (n *wordCount) add(lines, matches int64) {
	n.lines += lines
	n.matches += matches
	if lines > 0 {
		n.files++
	}
}
