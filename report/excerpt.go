package report

import (
	"unicode/utf8"

	"tally/match"
)

// ellipsis stands for what is left out of a line.
const ellipsis = "…"

// excerpt returns the parts of a line, which lies in b, that are shown where
// [Config.Window] bounds them: at most that many bytes around each match, and of a
// line without a match its beginning. Parts that touch are one. A line that is no
// longer is one part. The parts hold no terminator, and whole characters only.
func (w *Worker) excerpt(b []byte, line match.Span, spans []match.Span) (parts []match.Span, cut bool) {
	line = w.unterminated(b, line)
	size := int(w.cfg.Window)
	if line.End-line.Start <= size {
		return append(w.parts[:0], line), false
	}
	parts = w.parts[:0]
	for _, m := range spans {
		if m.End < line.Start || m.Start > line.End {
			continue
		}
		from, to := max(m.Start, line.Start), min(m.End, line.End)
		next := around(b, line, from, to, size)
		if n := len(parts); n > 0 && next.Start <= parts[n-1].End {
			parts[n-1].End = max(parts[n-1].End, next.End)
			continue
		}
		parts = append(parts, next)
	}
	if len(parts) == 0 {
		parts = append(parts, around(b, line, line.Start, line.Start, size))
	}
	w.parts = parts
	return parts, len(parts) > 1 || parts[0] != line
}

// around returns at most size bytes of a line around what lies from from to to in
// it: as much on one side as on the other, and what one side does not need goes to
// the other. Of more than size bytes it is the beginning.
func around(b []byte, line match.Span, from, to, size int) match.Span {
	if to-from >= size {
		return match.Span{Start: from, End: lastWhole(b, from, from+size)}
	}
	start := max(line.Start, from-(size-(to-from))/2)
	end := min(line.End, start+size)
	start = max(line.Start, end-size)
	// Characters that are cut in two go; the match stays.
	return match.Span{Start: firstWhole(b, start, from), End: lastWhole(b, max(to, start), end)}
}

// firstWhole is the first place from start on, but not behind limit, at which a
// character begins.
func firstWhole(b []byte, start, limit int) int {
	if start == 0 {
		return start
	}
	for n := 0; n < utf8.UTFMax && start+n <= limit; n++ {
		if start+n == limit || utf8.RuneStart(b[start+n]) {
			return start + n
		}
	}
	return start // this is not UTF-8
}

// lastWhole is the last place up to end, but not before limit, at which a character
// ends.
func lastWhole(b []byte, limit, end int) int {
	if end == len(b) {
		return end
	}
	for n := 0; n < utf8.UTFMax && end-n >= limit; n++ {
		if end-n == limit || utf8.RuneStart(b[end-n]) {
			return end - n
		}
	}
	return end
}

// writeExcerpt writes what is shown of a line. Spans before index are behind it; it
// is moved on.
func (w *Worker) writeExcerpt(s *shownLine, b []byte, line match.Span, spans []match.Span, index *int) {
	line = w.unterminated(b, line)
	parts, cut := w.excerpt(b, line, spans[min(*index, len(spans)):])
	w.file.elided = w.file.elided || cut && !s.context
	at := line.Start
	for _, part := range parts {
		if part.Start > at {
			w.part.buf = append(w.part.buf, ellipsis...)
		}
		w.styledSpans(s, b, part, spans, index)
		at = part.End
	}
	if at < line.End {
		w.part.buf = append(w.part.buf, ellipsis...)
	}
}
