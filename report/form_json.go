package report

import (
	"fmt"
	"strconv"
	"time"
	"unicode/utf8"

	"tally/match"
)

const (
	jsonMatch   = `{"type":"match","data":{"path":`
	jsonContext = `{"type":"context","data":{"path":`
)

// jsonForm shows JSON messages, one a line, as ripgrep does.
var jsonForm = form{
	messages: true,
	spans:    func(*Config) bool { return true },
	lines:    jsonLines{},
	list:     jsonList{},
	end:      summaryEnd{},
}

type jsonLines struct{}

func (jsonLines) separator(*Config) []byte          { return nil }
func (jsonLines) matched(w *Worker, l *match.Line)  { w.jsonLine(jsonMatch, l) }
func (jsonLines) context(w *Worker, l *match.Line)  { w.jsonLine(jsonContext, l) }
func (jsonLines) foot(*Worker, match.Outcome, bool) {}

func (jsonLines) late(w *Worker, o match.Outcome, elapsed time.Duration) {
	if w.file.begun {
		w.jsonEnd(o, elapsed)
	}
}

// summaryEnd writes the last message of a run.
type summaryEnd struct{}

func (summaryEnd) end(p *Printer, l *Ledger) {
	shown := l
	if !p.cfg.Ledger.JSON {
		shown = nil
	}
	p.out.Write(jsonSummary(&p.total.stats, l.Elapsed, shown))
}

// head writes the message that begins a file's results.
func (jsonLines) head(w *Worker) {
	w.jsonPath = appendData(w.jsonPath[:0], w.file.path, w.cfg.JSONText)
	b := append(w.part.buf, `{"type":"begin","data":{"path":`...)
	b = append(b, w.jsonPath...)
	w.part.buf = append(b, "}}\n"...)
}

// jsonLine writes the message of a line, which begins with start.
func (w *Worker) jsonLine(start string, l *match.Line) {
	b := append(w.part.buf, start...)
	b = append(b, w.jsonPath...)
	b = append(b, `,"lines":`...)
	b = appendData(b, l.Bytes, w.cfg.JSONText)
	b = append(b, `,"line_number":`...)
	if w.cfg.LineNumber && l.Number > 0 {
		b = strconv.AppendInt(b, l.Number, 10)
	} else {
		b = append(b, "null"...)
	}
	b = append(b, `,"absolute_offset":`...)
	b = strconv.AppendInt(b, l.Offset, 10)
	b = append(b, `,"submatches":[`...)
	if start == jsonMatch || w.cfg.Invert {
		b = w.appendSubmatches(b, l)
	}
	b = append(b, ']')
	if w.near != nil && start == jsonMatch {
		b = append(b, `,"near":[`...)
		for i, word := range w.near {
			b = appendString(appendComma(b, i), []byte(word))
		}
		b = append(b, ']')
	}
	if w.cfg.Matched && start == jsonMatch {
		b = append(b, `,"matched":"exact"`...)
	}
	w.part.buf = append(b, "}}\n"...)
}

func (w *Worker) appendSubmatches(b []byte, l *match.Line) []byte {
	var replaced []match.Span
	if w.cfg.Replacement != nil && len(l.Spans) > 0 {
		w.expanded, replaced = w.exp.Expand(w.expanded[:0], *w.cfg.Replacement, l)
	}
	text := w.cfg.JSONText && !utf8.Valid(l.Bytes)
	for i, m := range l.Spans {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"match":`...)
		b = appendData(b, l.Bytes[m.Start:m.End], w.cfg.JSONText)
		if i < len(replaced) {
			r := replaced[i]
			b = append(b, `,"replacement":`...)
			b = appendData(b, w.expanded[r.Start:r.End], w.cfg.JSONText)
		}
		if text {
			m.Start, m.End = textLen(l.Bytes[:m.Start]), textLen(l.Bytes[:m.End])
		}
		b = append(b, `,"start":`...)
		b = strconv.AppendInt(b, int64(m.Start), 10)
		b = append(b, `,"end":`...)
		b = strconv.AppendInt(b, int64(m.End), 10)
		b = append(b, '}')
	}
	return b
}

// jsonEnd writes the message that ends a file's results.
func (w *Worker) jsonEnd(o match.Outcome, elapsed time.Duration) {
	f := &w.file
	s := stats{
		searches: 1, searched: o.Bytes, printed: f.printed,
		matchedLines: f.lines, matches: f.matches, elapsed: elapsed,
	}
	if f.lines > 0 {
		s.withMatch = 1
	}
	b := append(w.part.buf, `{"type":"end","data":{"path":`...)
	b = append(b, w.jsonPath...)
	b = append(b, `,"binary_offset":`...)
	if o.BinaryOffset >= 0 {
		b = strconv.AppendInt(b, o.BinaryOffset, 10)
	} else {
		b = append(b, "null"...)
	}
	d := s.elapsed
	b = fmt.Appendf(b, `,"stats":{"elapsed":{"secs":%d,"nanos":%d,"human":"%.6fs"},`+
		`"searches":%d,"searches_with_match":%d,"bytes_searched":%d,"bytes_printed":%d,`+
		`"matched_lines":%d,"matches":%d}}}`+"\n",
		d/time.Second, d%time.Second, d.Seconds(),
		s.searches, s.withMatch, s.searched, s.printed, s.matchedLines, s.matches)
	w.part.buf = b
}

// jsonSummary is the last message of a run. ripgrep sorts the keys of this one;
// ours, the ledger's, happens to be in its place among them.
func jsonSummary(s *stats, total time.Duration, ledger *Ledger) []byte {
	b := fmt.Appendf(nil, `{"data":{"elapsed_total":%s,"stats":{"bytes_printed":%d,`+
		`"bytes_searched":%d,"elapsed":%s,"matched_lines":%d,"matches":%d,`+
		`"searches":%d,"searches_with_match":%d}`,
		sortedDuration(total), s.printed, s.searched, sortedDuration(s.elapsed),
		s.matchedLines, s.matches, s.searches, s.withMatch)
	if ledger != nil {
		b = append(b, `,"tally":`...)
		b = ledger.AppendJSON(b)
	}
	return append(b, `},"type":"summary"}`+"\n"...)
}

func sortedDuration(d time.Duration) string {
	return fmt.Sprintf(`{"human":"%.6fs","nanos":%d,"secs":%d}`,
		d.Seconds(), d%time.Second, d/time.Second)
}
