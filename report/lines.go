package report

import (
	"bytes"
	"slices"
	"strconv"

	"tally/match"
	"tally/report/escape"
)

// A shownLine is a line as it will be shown, which is not always as it is.
type shownLine struct {
	number, offset int64
	bytes          []byte
	spans          []match.Span // within bytes
	matches        int          // in the haystack
	context        bool
}

// plainLine writes a line as it is. It is what the time of a search goes into
// when nearly every line matches.
func (w *Worker) plainLine(p *prelude, l *match.Line) {
	before := p.path
	w.file.escapes += p.escapes
	if w.cfg.LineNumber && l.Number > 0 {
		before = p.at(l.Number, &w.styles)
		w.file.escapes += int64(len(w.styles.line) + len(w.styles.reset))
	}
	buf := append(w.part.buf, before...)
	if len(l.Bytes) > cap(buf)-len(buf)-1 {
		buf = slices.Grow(buf, len(l.Bytes)+1) // once, with its terminator
	}
	buf = append(buf, l.Bytes...)
	if !w.terminated(l.Bytes) {
		buf = append(buf, w.term...)
	}
	w.part.buf = buf
}

// content writes text of a file, which at a terminal must not drive it.
func (w *Worker) content(b []byte) {
	switch {
	case w.cfg.Terminal:
		w.part.buf = escape.AppendText(w.part.buf, b)
	case w.cfg.ValidText:
		w.part.buf = appendValid(w.part.buf, b)
	default:
		w.part.buf = append(w.part.buf, b...)
	}
}

// matchedLine writes a matching line in any way there is.
func (w *Worker) matchedLine(l *match.Line) {
	s := shownLine{number: l.Number, offset: l.Offset, bytes: l.Bytes}
	w.replace(&s, l)
	switch {
	case !w.cfg.MultiLine:
		w.single(&s)
	case len(s.spans) == 0:
		for rest := s.bytes; len(rest) > 0; {
			line := firstLine(rest, w.cfg.LineTerm)
			w.writePrelude(false, s.number, 0, s.offset)
			w.text(&s, line, s.spans)
			s.offset += int64(len(line))
			s.number = following(s.number)
			rest = rest[len(line):]
		}
	case w.cfg.OnlyMatching:
		w.multiOnlyMatching(&s)
	case w.cfg.PerMatch:
		w.multiPerMatch(&s)
	default:
		w.multi(&s)
	}
}

// contextLine writes a line around a matching one. It has matches if the
// matching lines are those that do not match.
func (w *Worker) contextLine(l *match.Line) {
	s := shownLine{number: l.Number, offset: l.Offset, bytes: l.Bytes, context: true}
	if w.cfg.Invert {
		w.replace(&s, l)
	}
	w.single(&s)
}

// replace puts the matches of l into s, or what takes their place.
func (w *Worker) replace(s *shownLine, l *match.Line) {
	if !w.granular {
		return
	}
	s.spans, s.matches = l.Spans, len(l.Spans)
	if w.cfg.Replacement != nil && len(l.Spans) > 0 {
		w.expanded, s.spans = w.exp.Expand(w.expanded[:0], *w.cfg.Replacement, l)
		s.bytes = w.expanded
	}
}

// single writes a line of one line.
func (w *Worker) single(s *shownLine) {
	switch {
	case len(s.spans) == 0:
		w.writePrelude(s.context, s.number, 0, s.offset)
		w.text(s, s.bytes, s.spans)
	case w.cfg.OnlyMatching:
		for _, m := range s.spans {
			start := int64(m.Start)
			w.writePrelude(s.context, s.number, start+1, s.offset+start)
			part := s.bytes[m.Start:m.End]
			w.styledText(s, part, []match.Span{{Start: 0, End: len(part)}})
		}
	case w.cfg.PerMatch:
		for i, m := range s.spans {
			start := int64(m.Start)
			w.writePrelude(s.context, s.number, start+1, s.offset+start)
			w.styledText(s, s.bytes, s.spans[i:i+1])
			w.flushIfLong() // the line comes as often as it has matches
		}
	default:
		w.writePrelude(s.context, s.number, int64(s.spans[0].Start)+1, s.offset)
		w.styledText(s, s.bytes, s.spans)
	}
}

// multi writes each line that a match touches.
func (w *Worker) multi(s *shownLine) {
	index := 0
	for start := 0; start < len(s.bytes); {
		line := match.Span{Start: start, End: start + len(firstLine(s.bytes[start:], w.cfg.LineTerm))}
		w.writePrelude(false, s.number, int64(s.spans[0].Start)+1, s.offset+int64(start))
		s.number = following(s.number)
		start = line.End
		line = w.trimmed(s.bytes, line)
		if w.tooLong(line.End - line.Start) {
			w.elide(s, s.bytes, line, s.spans, &index)
			continue
		}
		w.styledSpans(s, s.bytes, line, s.spans, &index)
		w.part.buf = append(w.part.buf, w.term...)
	}
}

// multiOnlyMatching writes the part of each match in each line it touches.
func (w *Worker) multiOnlyMatching(s *shownLine) {
	index := 0
	for start := 0; start < len(s.bytes); {
		line := match.Span{Start: start, End: start + len(firstLine(s.bytes[start:], w.cfg.LineTerm))}
		start = line.End
		line = w.trimmed(s.bytes, w.unterminated(s.bytes, line))
		for line.Start < line.End {
			m := s.spans[index]
			if m.End <= line.Start {
				if index+1 == len(s.spans) {
					break
				}
				index++
				continue
			}
			if line.Start < m.Start {
				line.Start = min(line.End, m.Start)
				continue
			}
			w.writePrelude(false, s.number, int64(m.Start)+1, s.offset+int64(m.Start))
			part := match.Span{Start: line.Start, End: min(line.End, m.End)}
			line.Start = part.End
			if w.tooLong(part.End - part.Start) {
				w.elide(s, s.bytes, part, s.spans, &index)
				continue
			}
			w.escape(w.styles.match)
			w.content(s.bytes[part.Start:part.End])
			w.escape(w.styles.reset)
			w.part.buf = append(w.part.buf, w.term...)
		}
		s.number = following(s.number)
	}
}

// multiPerMatch writes the first line that each match touches: that is what
// the editors want that read this format.
func (w *Worker) multiPerMatch(s *shownLine) {
	for i, m := range s.spans {
		number := s.number
		for start := 0; start < len(s.bytes); {
			line := match.Span{Start: start, End: start + len(firstLine(s.bytes[start:], w.cfg.LineTerm))}
			start = line.End
			if line.Start >= m.End {
				break
			}
			if line.End <= m.Start {
				number = following(number)
				continue
			}
			column := max(0, m.Start-line.Start)
			w.writePrelude(false, number, int64(column)+1, s.offset+int64(line.Start))
			line = w.trimmed(s.bytes, w.unterminated(s.bytes, line))
			if w.tooLong(line.End - line.Start) {
				index := 0
				w.elide(s, s.bytes, line, s.spans[i:i+1], &index)
				if w.cfg.Window > 0 {
					break
				}
				// A line that is too long does not count as the first one.
				number = following(number)
				continue
			}
			w.perMatchLine(s.bytes, line, m)
			break
		}
	}
}

// perMatchLine writes a line with one match in its style.
func (w *Worker) perMatchLine(b []byte, line, m match.Span) {
	from := min(max(m.Start, line.Start), line.End)
	to := max(min(m.End, line.End), from)
	w.content(b[line.Start:from])
	if from < to {
		w.escape(w.styles.match)
		w.content(b[from:to])
		w.escape(w.styles.reset)
	}
	w.content(b[to:line.End])
	w.part.buf = append(w.part.buf, w.term...)
}

// text writes a line whose matches have no style.
func (w *Worker) text(s *shownLine, b []byte, spans []match.Span) {
	line := w.trimmed(b, match.Span{Start: 0, End: len(b)})
	if w.tooLong(line.End - line.Start) {
		index := 0
		w.elide(s, b, line, spans, &index)
		return
	}
	w.content(b[line.Start:])
	if !w.terminated(b[line.Start:]) {
		w.part.buf = append(w.part.buf, w.term...)
	}
}

// styledText writes a line with its matches in their style.
func (w *Worker) styledText(s *shownLine, b []byte, spans []match.Span) {
	if !w.styles.matched {
		if w.cfg.Window == 0 {
			spans = s.spans // ripgrep tells of all that are left out
		}
		w.text(s, b, spans)
		return
	}
	index := 0
	line := w.trimmed(b, match.Span{Start: 0, End: len(b)})
	// Here, as in ripgrep, white space that is trimmed makes a line too long.
	if w.tooLong(len(b)) {
		w.elide(s, b, line, spans, &index)
		return
	}
	w.styledSpans(s, b, line, spans, &index)
	w.part.buf = append(w.part.buf, w.term...)
}

// styledSpans writes a part of b without its terminator. Spans before index
// are behind it; it is moved on.
func (w *Worker) styledSpans(s *shownLine, b []byte, line match.Span, spans []match.Span, index *int) {
	line = w.unterminated(b, line)
	if len(spans) == 0 {
		w.content(b[line.Start:line.End])
		return
	}
	highlight := w.styles.highlighted && !s.context
	after := w.styles.reset
	if highlight {
		after = w.styles.highlight
		w.escape(w.styles.highlight)
	}
	styled := false
	style := func(on bool) {
		if on != styled {
			styled = on
			if on {
				w.escape(w.styles.match)
			} else {
				w.escape(after)
			}
		}
	}
	for line.Start < line.End {
		m := spans[*index]
		end := line.End
		switch {
		case m.End <= line.Start && *index+1 < len(spans):
			*index++
			continue
		case m.End <= line.Start:
			style(false)
		case line.Start < m.Start:
			end = min(end, m.Start)
			style(false)
		default:
			end = min(end, m.End)
			style(true)
		}
		w.content(b[line.Start:end])
		line.Start = end
	}
	style(false)
	if highlight {
		w.escape(w.styles.reset)
	}
}

// binaryMessage writes that a binary file matches, or was not read on.
func (w *Worker) binaryMessage(offset int64, quit bool) {
	if w.cfg.WithPath {
		w.writePath()
		w.part.buf = append(w.part.buf, ": "...)
	}
	text := "binary file matches"
	if quit {
		text = "WARNING: stopped searching binary file after match"
	}
	w.part.buf = append(w.part.buf, text...)
	w.part.buf = append(w.part.buf, ` (found "\0" byte around offset `...)
	w.part.buf = strconv.AppendInt(w.part.buf, offset, 10)
	w.part.buf = append(w.part.buf, ")\n"...)
}

// terminated reports whether a line ends in a terminator.
func (w *Worker) terminated(b []byte) bool {
	return len(b) > 0 && b[len(b)-1] == w.cfg.LineTerm
}

// unterminated is line without its terminator.
func (w *Worker) unterminated(b []byte, line match.Span) match.Span {
	if w.terminated(b[line.Start:line.End]) {
		line.End--
		if w.cfg.CRLF && line.End > 0 && b[line.End-1] == '\r' {
			line.End--
		}
	}
	return line
}

// trimmed is line without the white space before it, if that is to be left
// out. A terminator is not white space.
func (w *Worker) trimmed(b []byte, line match.Span) match.Span {
	if !w.cfg.Trim {
		return line
	}
	for line.Start < line.End {
		switch c := b[line.Start]; {
		case c != ' ' && (c < '\t' || c > '\r'),
			c == w.cfg.LineTerm, c == '\r' && w.cfg.CRLF:
			return line
		}
		line.Start++
	}
	return line
}

// firstLine is the first line of b, with its terminator.
func firstLine(b []byte, term byte) []byte {
	if i := bytes.IndexByte(b, term); i >= 0 {
		return b[:i+1]
	}
	return b
}

// countLines is the number of lines in b.
func countLines(b []byte, term byte) int64 {
	n := int64(bytes.Count(b, []byte{term}))
	if len(b) > 0 && b[len(b)-1] != term {
		n++
	}
	return n
}

// following is the number of the next line; lines that are not numbered stay so.
func following(number int64) int64 {
	if number == 0 {
		return 0
	}
	return number + 1
}
