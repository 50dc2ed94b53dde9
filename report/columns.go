package report

import (
	"strconv"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"tally/match"
	"tally/match/decode"
)

// tooLong reports whether a line of n bytes is longer than may be shown. Whether its
// terminator is what makes it so is left to [Worker.elide].
func (w *Worker) tooLong(n int) bool {
	c := w.cfg
	return c.MaxColumns > 0 && int64(n) > c.MaxColumns || c.Window > 0 && int64(n) > c.Window
}

// elide writes what stands for a line that is too long.
func (w *Worker) elide(s *shownLine, b []byte, line match.Span, spans []match.Span, index *int) {
	if w.cfg.Window > 0 {
		w.writeExcerpt(s, b, line, spans, index)
		w.part.buf = append(w.part.buf, w.term...)
		return
	}
	w.file.elided = w.file.elided || !s.context
	switch {
	case w.cfg.Preview:
		end := line.Start + prefixOfGraphemes(b[line.Start:line.End], w.cfg.MaxColumns)
		w.styledSpans(s, b, match.Span{Start: line.Start, End: end}, spans, index)
		w.part.buf = append(w.part.buf, " [... "...)
		if len(spans) == 0 {
			w.part.buf = append(w.part.buf, "omitted end of long line]"...)
			break
		}
		n := int64(0)
		for _, m := range spans {
			if m.Start >= end && m.Start < line.End {
				n++
			}
		}
		w.part.buf = strconv.AppendInt(w.part.buf, n, 10)
		w.part.buf = append(w.part.buf, " more "...)
		w.part.buf = append(w.part.buf, plural(n, "match", "matches")...)
		w.part.buf = append(w.part.buf, ']')
	case s.matches > 0 && !w.cfg.OnlyMatching:
		w.part.buf = append(w.part.buf, "[Omitted long line with "...)
		w.part.buf = strconv.AppendInt(w.part.buf, int64(s.matches), 10)
		w.part.buf = append(w.part.buf, " matches]"...)
	case s.context:
		w.part.buf = append(w.part.buf, "[Omitted long context line]"...)
	default:
		w.part.buf = append(w.part.buf, "[Omitted long matching line]"...)
	}
	w.part.buf = append(w.part.buf, w.term...)
}

// prefixOfGraphemes is the length in bytes of the first n grapheme clusters of
// b. Where b is not UTF-8, what a decoder would replace by one character is one.
func prefixOfGraphemes(b []byte, n int64) int {
	at := 0
	for ; n > 0 && at < len(b); n-- {
		// An ASCII character before another is a cluster, unless it is CR LF.
		if c := b[at]; c < utf8.RuneSelf && c != '\r' && (at+1 == len(b) || b[at+1] < utf8.RuneSelf) {
			at++
			continue
		}
		if r, size := utf8.DecodeRune(b[at:]); r == utf8.RuneError && size <= 1 {
			bad, _ := decode.Subpart(b[at:])
			at += bad
			continue
		}
		end := at
		for end < len(b) {
			r, size := utf8.DecodeRune(b[end:])
			if r == utf8.RuneError && size <= 1 {
				break
			}
			end += size
			// No cluster needs more to be told from the next one than
			// this; the whole of a long line would be gone through again
			// for each of its clusters.
			if end-at >= 1<<10 {
				break
			}
		}
		cluster, _, _, _ := uniseg.FirstGraphemeCluster(b[at:end], -1)
		at += len(cluster)
	}
	return at
}
