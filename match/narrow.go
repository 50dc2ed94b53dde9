package match

import "bytes"

// A scan for the pattern can be narrowed to lines that meet further conditions.
// Everything behind it (context, inversion, pieces of a large file) sees the lines
// that are left, and no others. The plain twin is in narrow_test.go.

// A narrowing is what a line must meet besides matching the pattern.
type narrowing struct {
	// parts are scanners for patterns that a line must match all of. The first
	// finds the lines, and the others are asked about each. The pattern itself,
	// which matches where any of them does, then only finds the matches.
	parts []*scanner
	rows  []row
	spans []Span
	// each counts in pieces of a large file; nil: nobody asks.
	each *eachCounter
}

// newScanner returns a scanner for what m matches.
func (m *Matcher) newScanner() *scanner {
	s := newScanner(m.p)
	for _, p := range m.parts {
		s.parts = append(s.parts, newScanner(p))
	}
	return s
}

func (n *narrowing) narrows() bool { return n.parts != nil }

// firstLimit is how many lines are looked for at first. Many of them may be
// dropped, or a single one may be enough.
const firstLimit = 16

// scanNarrowed is [scanner.scan] under conditions.
func (s *scanner) scanNarrowed(hay []byte, term byte, flags uint32, most int64, st *scanState) ([]row, []Span) {
	s.rows, s.spans = s.rows[:0], s.spans[:0]
	finder := s.parts[0]
	for limit := int64(firstLimit); most > 0 && st.pos < len(hay); limit = min(2*limit, batch) {
		own := scanState{pos: st.pos}
		rows, _ := finder.scanPattern(hay, term, flags&(scanLinewise|scanCRLF)|scanRows, min(limit, max(most, firstLimit)), &own)
		for i := range rows {
			w := &rows[i]
			ok := s.meets(hay[w.start:w.end], term, flags)
			if ok && s.err == nil {
				s.keep(hay, term, flags, w, st)
				most--
			}
			if s.err != nil {
				st.pos = w.start
				return s.rows, s.spans
			}
			if most == 0 {
				st.pos = w.end
				return s.rows, s.spans
			}
		}
		st.pos = own.pos
		if s.failed(finder) {
			break
		}
	}
	return s.rows, s.spans
}

// failed takes over the error of another scanner.
func (s *scanner) failed(other *scanner) bool {
	if other.err == nil {
		return false
	}
	s.err, other.err = other.err, nil
	return true
}

// meets asks about a line that the first part matches.
func (s *scanner) meets(line []byte, term byte, flags uint32) bool {
	for _, part := range s.parts[1:] {
		var st scanState
		part.scanPattern(line, term, flags&scanCRLF|scanLinewise, 1, &st)
		if s.failed(part) || st.lines == 0 {
			return false
		}
	}
	return true
}

// keep counts a line, and does with it what the flags say.
func (s *scanner) keep(hay []byte, term byte, flags uint32, w *row, st *scanState) {
	line := hay[w.start:w.end]
	if flags&scanSpans != 0 {
		var own scanState
		_, spans := s.scanPattern(line, term, flags&scanCRLF|scanLinewise|scanRows|scanSpans, 1, &own)
		if s.err != nil {
			return
		}
		if flags&scanRows != 0 {
			s.spans = append(s.spans, spans...)
		}
		st.matches += int64(max(1, len(spans)))
	}
	st.lines++
	var number int64
	if flags&(scanNumber|scanDigest) != 0 {
		st.number += int64(bytes.Count(hay[st.counted:w.start], []byte{term}))
		number = st.number
		st.counted = w.end
		st.number++
	}
	if flags&scanDigest != 0 {
		st.digest.Add(body(line, term, flags&scanCRLF != 0), number)
	}
	if flags&scanRows != 0 {
		s.rows = append(s.rows, row{start: w.start, end: w.end, number: number, spansEnd: len(s.spans)})
	}
}
