package run

import (
	"slices"

	"tally/rank"
	"tally/report"
	"tally/semantic"
)

// understand has the question embedded.
func (m *similar) understand() {
	if m.why != "" {
		return
	}
	if err := m.index.Ask(m.ctx, m.text); err != nil {
		m.why = oneLine(err)
	}
}

// joined is what both rankings come to: the files in their order and, of those
// that words speak for, these results.
type joined struct {
	files   []report.RankedFile
	results []*rank.Result
	meaning *report.Meaning // nil: nothing was joined
}

// byWords is the ranking by words alone.
func byWords(above []rank.Result) joined {
	j := joined{files: make([]report.RankedFile, len(above)), results: make([]*rank.Result, len(above))}
	for i := range above {
		j.files[i] = report.RankedFile{Path: []byte(above[i].Path), Score: above[i].Weighted}
		j.results[i] = &above[i]
	}
	return j
}

// join joins the ranking by words with that by meaning. A file that holds a rare
// word of the question comes before those that only resemble it, even if for
// words alone it would be below the floor.
func (t *ranking) join(above, below []rank.Result) joined {
	m := t.similar
	if m == nil {
		return byWords(above)
	}
	if m.why != "" {
		j := byWords(above)
		j.meaning = t.notAsked(m.why)
		return j
	}
	whole := m.result(t.readMissing(m), nil)
	rare := t.collection.HoldRare()
	if len(m.files) > 0 {
		above = slices.Clone(above)
		for _, b := range below {
			if rare[b.Path] {
				above = append(above, b)
			}
		}
	}
	j := fuse(above, m.files, rare)
	j.meaning = whole
	return j
}

// offered is what may be worth a look where nothing is a result.
func (t *ranking) offered(below []rank.Result) joined {
	words := t.collection.Offered(below)
	if m := t.similar; m != nil && m.why == "" {
		return fuse(words, m.below, t.collection.HoldRare())
	}
	return byWords(words)
}

// fuse makes one ranking of two.
func fuse(byWords []rank.Result, byMeaning []report.SimilarFile, rare map[string]bool) joined {
	words, similar := make([]string, len(byWords)), make([]string, len(byMeaning))
	for i := range byWords {
		words[i] = byWords[i].Path
	}
	for i := range byMeaning {
		similar[i] = string(byMeaning[i].Path)
	}
	fused := semantic.Fuse(words, similar, func(path string) bool { return rare[path] })
	j := joined{files: make([]report.RankedFile, len(fused)), results: make([]*rank.Result, len(fused))}
	for i, f := range fused {
		file := report.RankedFile{Path: []byte(f.Path), Score: f.Score}
		if n := f.Ranks[0]; n > 0 {
			j.results[i] = &byWords[n-1]
			file.Words = &report.Place{Rank: n, Score: byWords[n-1].Weighted}
		}
		if n := f.Ranks[1]; n > 0 {
			file.Passage = &byMeaning[n-1]
			file.Similar = &report.Place{Rank: n, Score: byMeaning[n-1].Score}
		}
		j.files[i] = file
	}
	return j
}
