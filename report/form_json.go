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
func (jsonLines) matched(w *Worker, l *match.Line)  { w.jsonLines(jsonMatch, l) }
func (jsonLines) context(w *Worker, l *match.Line)  { w.jsonLines(jsonContext, l) }
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

// jsonLines writes the message of a line, which begins with start, or one for each
// part that is shown of it.
func (w *Worker) jsonLines(start string, l *match.Line) {
	var replaced []match.Span
	spans := l.Spans
	if start == jsonContext && !w.cfg.Invert {
		spans = nil
	}
	if w.cfg.Replacement != nil && len(spans) > 0 {
		w.expanded, replaced = w.exp.Expand(w.expanded[:0], *w.cfg.Replacement, l)
	}
	whole := match.Span{Start: 0, End: len(l.Bytes)}
	if w.cfg.Window == 0 || !w.tooLong(len(l.Bytes)) {
		w.jsonLine(start, l, whole, spans, replaced)
		return
	}
	parts, cut := w.excerpt(l.Bytes, whole, spans)
	if !cut {
		w.jsonLine(start, l, whole, spans, replaced)
		return
	}
	if last := &parts[len(parts)-1]; last.End == w.unterminated(l.Bytes, whole).End {
		last.End = whole.End
	}
	w.file.elided = w.file.elided || start == jsonMatch
	for i, part := range parts {
		n := 0
		for n < len(spans) && (i+1 == len(parts) || spans[n].Start < parts[i+1].Start) {
			n++
		}
		w.jsonLine(start, l, part, spans[:n], replaced[:min(n, len(replaced))])
		spans, replaced = spans[n:], replaced[min(n, len(replaced)):]
	}
}

// jsonLine writes the message of a part of a line, which mostly is all of it, with
// the matches in it and what takes their place.
func (w *Worker) jsonLine(start string, l *match.Line, part match.Span, spans, replaced []match.Span) {
	b := append(w.part.buf, start...)
	b = append(b, w.jsonPath...)
	b = append(b, `,"lines":`...)
	b = appendData(b, l.Bytes[part.Start:part.End], w.cfg.JSONText)
	b = append(b, `,"line_number":`...)
	if w.cfg.LineNumber && l.Number > 0 {
		b = strconv.AppendInt(b, l.Number, 10)
	} else {
		b = append(b, "null"...)
	}
	b = append(b, `,"absolute_offset":`...)
	b = strconv.AppendInt(b, l.Offset, 10)
	b = append(b, `,"submatches":[`...)
	b = w.appendSubmatches(b, l.Bytes, part, spans, replaced)
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
	if part.Start > 0 || part.End < len(l.Bytes) {
		b = append(b, `,"window":{"offset":`...)
		b = strconv.AppendInt(b, int64(part.Start), 10)
		b = append(b, `,"line_bytes":`...)
		b = strconv.AppendInt(b, int64(len(l.Bytes)), 10)
		b = append(b, '}')
	}
	w.part.buf = append(b, "}}\n"...)
}

// appendSubmatches appends the matches in a part of a line. Of a match that the part
// holds the beginning of, it says how long the match is.
func (w *Worker) appendSubmatches(b, line []byte, part match.Span, spans, replaced []match.Span) []byte {
	shown := line[part.Start:part.End]
	text := w.cfg.JSONText && !utf8.Valid(shown)
	for i, m := range spans {
		b = append(appendComma(b, i), `{"match":`...)
		from, to := m.Start-part.Start, min(m.End, part.End)-part.Start
		b = appendData(b, shown[from:to], w.cfg.JSONText)
		if i < len(replaced) {
			r := replaced[i]
			b = append(b, `,"replacement":`...)
			b = appendData(b, w.expanded[r.Start:r.End], w.cfg.JSONText)
		}
		if text {
			from, to = textLen(shown[:from]), textLen(shown[:to])
		}
		b = append(b, `,"start":`...)
		b = strconv.AppendInt(b, int64(from), 10)
		b = append(b, `,"end":`...)
		b = strconv.AppendInt(b, int64(to), 10)
		if m.End > part.End {
			b = append(b, `,"match_bytes":`...)
			b = strconv.AppendInt(b, int64(m.End-m.Start), 10)
		}
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
