package report

import (
	"encoding/base64"
	"encoding/binary"
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

// jsonBegin writes the message that begins a file's results.
func (w *Worker) jsonBegin() {
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

// appendData appends text as {"text":...}, anything else as base64 or, with
// lossy, as text in which U+FFFD stands for each byte that is none.
func appendData(b, data []byte, lossy bool) []byte {
	if lossy || utf8.Valid(data) {
		b = append(b, `{"text":`...)
		b = appendString(b, data)
		return append(b, '}')
	}
	b = append(b, `{"bytes":"`...)
	b = base64.StdEncoding.AppendEncode(b, data)
	return append(b, `"}`...)
}

const hexDigits = "0123456789abcdef"

// escapes holds, for each byte that a JSON string cannot hold as it is, the
// letter after the backslash, or 'u'.
var escapes = func() (t [256]byte) {
	for c := range 0x20 {
		t[c] = 'u'
	}
	t['"'], t['\\'], t['\b'], t['\f'] = '"', '\\', 'b', 'f'
	t['\n'], t['\r'], t['\t'] = 'n', 'r', 't'
	return t
}()

// appendString appends s as a JSON string, escaping no more than JSON demands;
// for each byte that is not UTF-8 it appends U+FFFD.
func appendString(b, s []byte) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		if len(s)-i >= 8 && asItIs(binary.LittleEndian.Uint64(s[i:])) {
			i += 8
			continue
		}
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(s[i:])
			if r == utf8.RuneError && size == 1 {
				b = append(b, s[from:i]...)
				b = append(b, "\uFFFD"...)
				from = i + 1
			}
			i += size
			continue
		}
		i++
		e := escapes[c]
		if e == 0 {
			continue
		}
		b = append(b, s[from:i-1]...)
		from = i
		b = append(b, '\\', e)
		if e == 'u' {
			b = append(b, '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}

func appendComma(b []byte, i int) []byte {
	if i > 0 {
		return append(b, ',')
	}
	return b
}

// asItIs reports whether all bytes of x are ASCII that a JSON string holds
// unescaped. Subtracting from each byte sets its high bit if it was too small;
// what is borrowed from the next one matters only where one was.
func asItIs(x uint64) bool {
	const ones = 0x0101010101010101
	quotes, slashes := x^'"'*ones, x^'\\'*ones
	return (x|(x-' '*ones)|(quotes-ones)|(slashes-ones))&(0x80*ones) == 0
}

// textLen is the length of s once U+FFFD stands for each byte that is not
// UTF-8.
func textLen(s []byte) int {
	n := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRune(s[i:])
		n += utf8.RuneLen(r)
		i += size
	}
	return n
}
