package report

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"tally/report/escape"
)

// rankedTextForm shows a ranking for people: the evidence, then each file with
// its best line.
var rankedTextForm = form{rows: true, ranked: true, list: textList{}, end: statsEnd{}}

// A textList shows files for people.
type textList struct{}

func (textList) evidence(_ *Printer, b []byte, list []Evidence) ([]byte, bool) {
	var light []string
	for _, e := range list {
		if e.Light {
			light = append(light, escape.Name(e.Text))
			continue
		}
		b = append(append(b, e.line()...), '\n')
	}
	if light != nil {
		b = append(b, "also: "+strings.Join(light, ", ")+"\n"...)
	}
	return b, false
}

func (textList) between() string { return "\n" }

func (textList) claims() bool { return false }

// ranked appends a file: rank, score and path, the heading, the line.
func (textList) ranked(p *Printer, b []byte, v Verdict, rank int, f *RankedFile) []byte {
	s := newStyles(&p.cfg)
	styled := func(style []byte, text []byte) {
		b = append(append(append(b, style...), text...), s.reset...)
	}
	mark := strconv.Itoa(rank) + "."
	if v == Unsure {
		mark = unsureMark
	}
	b = fmt.Appendf(b, "%s %.3f ", mark, f.Score)
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
		b = append(p.appendContent(append(b, "   "...), f.Heading), '\n')
	}
	if f.Line.Number > 0 {
		b = append(b, "   "...)
		styled(s.line, strconv.AppendInt(nil, f.Line.Number, 10))
		b = append(b, ':')
		at := 0
		for _, m := range f.Line.Spans {
			b = p.appendContent(b, f.Line.Bytes[at:m.Start])
			styled(s.match, p.appendContent(nil, f.Line.Bytes[m.Start:m.End]))
			at = m.End
		}
		b = append(p.appendContent(b, f.Line.Bytes[at:]), '\n')
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

// similar appends a file: sign, score, path and lines, the heading, and
// the passage below.
func (textList) similar(p *Printer, b []byte, v Verdict, _ int, f *SimilarFile) []byte {
	s := newStyles(&p.cfg)
	mark := "≈"
	if v == Unsure {
		mark = unsureMark
	}
	b = fmt.Appendf(b, "%s %.3f ", mark, f.Score)
	b = append(append(append(b, s.path...), p.shownPath(f.Path)...), s.reset...)
	b = append(b, ':')
	b = append(append(fmt.Appendf(append(b, s.line...), "%d-%d", f.From, f.To), s.reset...), "  "...)
	if len(f.Heading) == 0 {
		b = b[:len(b)-2]
	}
	b = append(p.appendContent(b, f.Heading), '\n')
	return p.appendPassage(b, f.Passage)
}

// appendContent appends text of a file, which at a terminal must not drive it.
func (p *Printer) appendContent(b, text []byte) []byte {
	w := Worker{cfg: &p.cfg, part: &Part{buf: b}}
	w.content(text)
	return w.part.buf
}

// passageBytes is how much of a passage people are shown.
const passageBytes = 600

// appendPassage appends the lines of a passage, set in. What is left out at
// its end is said.
func (p *Printer) appendPassage(b, passage []byte) []byte {
	passage = bytes.Trim(passage, "\r\n")
	cut := len(passage) > passageBytes
	if cut {
		end := passageBytes
		for end > 0 && !utf8.RuneStart(passage[end]) {
			end--
		}
		if space := bytes.LastIndexAny(passage[:end], " \n"); space > passageBytes/2 {
			end = space
		}
		passage = bytes.TrimRight(passage[:end], " \t\r\n")
	}
	for line := range bytes.Lines(passage) {
		line = bytes.TrimRight(line, "\r\n")
		if len(bytes.TrimSpace(line)) > 0 {
			b = p.appendContent(append(b, "   "...), line)
			b = append(b, '\n')
		}
	}
	if cut {
		b = append(bytes.TrimSuffix(b, []byte("\n")), " […]\n"...)
	}
	return b
}
