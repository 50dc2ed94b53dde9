package main

import (
	"strings"

	"tally/match"
	"tally/rank"
	"tally/report"
)

// What a ranking says about the words of the question, whatever it makes of
// them: how often each occurs, as an exact search counts.

// evidence adds up what exact searches find.
type evidence struct {
	text                  string
	phrase                bool
	word                  int // index in the query's words, -1: none
	lines, matches, files int64
	cut                   bool // a binary file was left where it began to be one
}

// ask sets the question, and what is to be counted for it.
func (r *ranker) ask(q *rank.Query, text string) error {
	r.collection.Query = q
	for i, w := range q.Words {
		r.evidence = append(r.evidence, evidence{text: w.Text, word: i})
	}
	for _, phrase := range q.Phrases {
		r.addPhrase(phrase)
	}
	if whole := strings.TrimSpace(text); len(q.Phrases) != 1 || strings.TrimSpace(strings.Trim(whole, `"`)) != q.Phrases[0] {
		r.addPhrase(whole)
	}
	for _, e := range r.evidence {
		s := r.syntax
		s.Patterns, s.Fixed, s.MultiLine = []string{e.text}, true, false
		m, err := match.Compile(s)
		if err != nil {
			return err
		}
		r.exact = append(r.exact, m)
	}
	return nil
}

// addPhrase adds evidence for a text that is no single word, if it is new.
func (r *ranker) addPhrase(text string) {
	for _, e := range r.evidence {
		if e.text == text {
			return
		}
	}
	if !strings.ContainsAny(text, "\n\x00") {
		r.evidence = append(r.evidence, evidence{text: text, phrase: true, word: -1})
	}
}

// counted is what was counted for each evidence.
func (r *ranker) counted() (list []report.Evidence) {
	for _, e := range r.evidence {
		x := report.Evidence{Text: e.text, Phrase: e.phrase}
		if e.cut {
			list = append(list, x)
			continue
		}
		x.Lines, x.Matches, x.Files = report.Known(e.lines), report.Known(e.matches), report.Known(e.files)
		if e.word >= 0 {
			if n, files, ok := r.collection.Occurrences(e.word); ok {
				x.Words, x.WordFiles = report.Known(n), report.Known(files)
			}
		}
		list = append(list, x)
	}
	return list
}

// count counts each evidence in a file. The outcome is that of the first.
func (v *rankVisitor) count(in *rankInput, named bool) (first match.Outcome, counts []evidence, err error) {
	counts = v.counts
	clear(counts)
	if in.plain {
		if v.counter == nil {
			v.counter = match.NewCounter(v.r.exact)
		}
		list, err := v.counter.Count(in.kept)
		for i, c := range list {
			counts[i].add(c.Lines, c.Matches)
		}
		return match.Outcome{BinaryOffset: -1, Bytes: int64(len(in.kept))}, counts, err
	}
	for i, s := range v.exactSearchers(named) {
		h, err := in.haystack()
		if err != nil {
			return first, nil, err
		}
		o, err := s.Search(h, nil)
		if err == nil && o.Guessed {
			err = v.checkGuess(in, i)
		}
		if err != nil {
			return first, nil, err
		}
		if i == 0 {
			first = o
		}
		counts[i].add(o.Lines, o.Matches)
		counts[i].cut = o.Stopped && o.Lines > 0
	}
	return first, counts, nil
}

// checkGuess fails a file that was searched as UTF-16 if evidence i is in what
// is none.
func (v *rankVisitor) checkGuess(in *rankInput, i int) error {
	if v.inBytes == nil {
		for _, m := range v.r.exact {
			v.inBytes = append(v.inBytes, v.r.searchBytes(m))
		}
	}
	r, err := in.reader()
	if err != nil {
		return err
	}
	mixed, err := findsText(v.inBytes[i], r, in.format)
	if err == nil && mixed {
		err = errMixed
	}
	return err
}

// add adds what was found in a file.
func (e *evidence) add(lines, matches int64) {
	e.lines += lines
	e.matches += matches
	if lines > 0 {
		e.files++
	}
}

func (v *rankVisitor) exactSearchers(named bool) []*match.Searcher {
	which := &v.searchers[0]
	if named {
		which = &v.searchers[1]
	}
	if *which == nil {
		for _, m := range v.r.exact {
			*which = append(*which, m.NewSearcher(match.Options{
				MaxCount: -1, CountAll: true, Spans: true, SinkBinary: true,
				Detection: v.r.detection(named), Stop: v.r.stopped,
				Decode: v.r.options.Decode, MapDerived: v.r.options.MapDerived,
			}))
		}
	}
	return *which
}
