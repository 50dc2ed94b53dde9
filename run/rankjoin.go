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
	words, similar := make([]string, len(above)), make([]string, len(m.files))
	for i := range above {
		words[i] = above[i].Path
	}
	for i := range m.files {
		similar[i] = string(m.files[i].Path)
	}
	fused := semantic.Fuse(words, similar, func(path string) bool { return rare[path] })
	j := joined{files: make([]report.RankedFile, len(fused)), results: make([]*rank.Result, len(fused)), meaning: whole}
	for i, f := range fused {
		file := report.RankedFile{Path: []byte(f.Path), Score: f.Score}
		if n := f.Ranks[0]; n > 0 {
			j.results[i] = &above[n-1]
			file.Words = &report.Place{Rank: n, Score: above[n-1].Weighted}
		}
		if n := f.Ranks[1]; n > 0 {
			file.Passage = &m.files[n-1]
			file.Similar = &report.Place{Rank: n, Score: m.files[n-1].Score}
		}
		j.files[i] = file
	}
	return j
}
