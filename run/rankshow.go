package run

import (
	"tally/match"
	"tally/rank"
	"tally/report"
	"tally/run/input"
)

// A presenter fills in what is displayed of a ranked file.
type presenter struct {
	t      *ranking
	reader *rank.Reader
	door   *input.Door
}

func (t *ranking) newPresenter() *presenter {
	return &presenter{t, t.collection.NewReader(t.Rank.Fuzzy), t.input.Door()}
}

// presentedMost is how much of a file is read for its best line, in bytes.
const presentedMost = 16 << 20

// present reads the file once more for its best line. One that has become
// unreadable since is shown without.
func (p *presenter) present(f *report.RankedFile, r *rank.Result) {
	words := p.t.Rank.Query.Words
	for _, n := range r.Nears() {
		f.Near = append(f.Near, report.NearWord{Word: words[n.Word].Text, Found: n.Found})
	}
	if p.t.Rank.Explain {
		f.Explain = scoreParts(p.t.collection.Explain(r))
	}
	text, ok := p.text(r.Path)
	if !ok {
		return
	}
	passage := p.reader.Passage(r.Path, text)
	f.Heading = passage.Heading
	f.Line = match.Line{Number: passage.Line, Bytes: passage.Text}
	for _, m := range passage.Marks {
		f.Line.Spans = append(f.Line.Spans, match.Span{Start: m.Start, End: m.End})
	}
}

// text is the beginning of a file, unless it cannot be read any more.
func (p *presenter) text(path string) (text []byte, ok bool) {
	if text, ok = p.t.pipes[path]; ok {
		return text, true
	}
	src, err := p.door.OpenPath(path)
	if err != nil {
		return nil, false
	}
	defer src.Close()
	text, _, err = src.Head(presentedMost)
	return text, err == nil
}

// scoreParts lists what a score is made of.
func scoreParts(e rank.Explanation) []report.ScorePart {
	list := []report.ScorePart{
		{Name: "words", Value: e.Words},
		{Name: "closeness", Value: e.Closeness},
		{Name: "neighbours", Value: e.Neighbours},
		{Name: "title", Value: e.Title},
	}
	for f, value := range e.Fields {
		list = append(list, report.ScorePart{Name: "in_" + rank.Field(f).String(), Value: value})
	}
	return list
}
