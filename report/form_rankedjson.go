package report

import (
	"fmt"
	"strconv"

	"tally/match"
)

// rankedJSONForm shows a ranking as JSON messages.
var rankedJSONForm = form{rows: true, ranked: true, messages: true, list: jsonList{}, end: summaryEnd{}}

// A jsonList shows files as JSON messages.
type jsonList struct{}

func (jsonList) evidence(_ *Printer, b []byte, list []Evidence) ([]byte, bool) {
	for _, e := range list {
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
		b = fmt.Appendf(b, ",\"weighs\":%t}}\n", !e.Light)
	}
	return b, false
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

func (jsonList) between() string { return "" }

func (jsonList) claims() bool { return false }

// kind is the type of a file's message, where one that is claimed has a type of its own.
func kind(v Verdict, claimed string) string {
	if v == Unsure {
		return "unsure"
	}
	return claimed
}

func (jsonList) ranked(p *Printer, b []byte, v Verdict, rank int, f *RankedFile) []byte {
	return p.rankedMessage(b, kind(v, "ranked"), rank, f)
}

// similar appends a file as a message. Its keys: matched ("meaning"), rank
// (from 1), score, path, line_number and last_line_number of the passage, its
// lines, and heading (null if there is none).
func (jsonList) similar(p *Printer, b []byte, v Verdict, rank int, f *SimilarFile) []byte {
	b = fmt.Appendf(b, `{"type":"%s","data":{"matched":"meaning","rank":%d,"score":%s,"path":`, kind(v, "similar"), rank, jsonFloat(f.Score))
	b = appendData(b, f.Path, p.cfg.JSONText)
	b = append(b, ',')
	return append(p.passageJSON(b, f), "}}\n"...)
}

// passageJSON appends the keys of a passage.
func (p *Printer) passageJSON(b []byte, f *SimilarFile) []byte {
	b = fmt.Appendf(b, `"line_number":%d,"last_line_number":%d,"lines":`, f.From, f.To)
	b = appendData(b, f.Passage, p.cfg.JSONText)
	b = append(b, `,"heading":`...)
	if len(f.Heading) == 0 {
		return append(b, "null"...)
	}
	return appendData(b, f.Heading, p.cfg.JSONText)
}

// rankedMessage appends a file as a message. Its keys: rank (from 1), score (of
// [0,1]), path, line_number (null if only the path speaks for the file), lines,
// heading (null if there is none), submatches as in a match, near (the words
// found in the place of others) and, if asked for, explain; where two rankings
// were joined also words and meaning, the places {"rank", "score"} in these, or null,
// and the passage that is meant, or null.
func (p *Printer) rankedMessage(b []byte, kind string, rank int, f *RankedFile) []byte {
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
	b = w.appendSubmatches(b, f.Line.Bytes, match.Span{Start: 0, End: len(f.Line.Bytes)}, f.Line.Spans, nil)
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
