package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"tally/match/outline"
)

// A state goes from line to line.
type state struct {
	section int
	number  int  // of the line, from 1
	blank   bool // a blank line came before
	ended   bool // the line before ended a sentence
}

// read cuts the text, of which these are the bytes, into atoms.
func (s *splitter) read(text []byte) {
	st := state{section: none, blank: true}
	s.atoms = make([]atom, 0, len(text)/64+1)
	lines := outline.NewReader(s.syntax, text)
	s.readFront(lines.Front(), s.text)
	for {
		l, ok := lines.Next()
		if !ok {
			return
		}
		st.number++
		s.readLine(&st, l, text)
	}
}

// readLine takes a line.
func (s *splitter) readLine(st *state, l outline.Line, bytes []byte) {
	text := strings.TrimRightFunc(s.text[l.Start:l.End], unicode.IsSpace)
	if text == "" {
		st.blank, st.ended = true, true
		return
	}
	first := len(s.atoms)
	how := s.strength(st, l.Kind, text)
	switch l.Kind {
	case outline.Head, outline.Underline:
		st.section = s.open(st.section, s.syntax.Text(bytes, l.Heading), l.Heading.Level)
		for first > 0 && s.atoms[first-1].start >= l.Heading.Start {
			first--
		}
	}
	s.add(st, l.Start, l.Start+len(text), how)
	for i := first; i < len(s.atoms); i++ {
		a := &s.atoms[i]
		switch l.Kind {
		case outline.Head, outline.Underline:
			a.heading, a.section = true, int32(st.section)
			if i == first {
				a.strength = section
			}
		case outline.FenceBegin, outline.Code, outline.FenceEnd:
			a.code = true
		}
	}
	st.blank, st.ended = false, l.Kind == outline.FenceEnd || endsSentence(text)
}

// strength says how good a place it is to cut before a line.
func (s *splitter) strength(st *state, kind outline.Kind, text string) strength {
	switch {
	case kind == outline.FrontLine:
		return line
	case (kind == outline.Code || kind == outline.FenceEnd) && st.blank:
		return fenceBlank
	case kind == outline.Code || kind == outline.FenceEnd:
		return inFence
	case st.blank:
		return paragraph
	case s.syntax != nil && isItem(text):
		return item
	case st.ended:
		return line
	}
	return inParagraph
}

// add appends a line as one atom, or as several if it is long.
func (s *splitter) add(st *state, start, stop int, how strength) {
	for start < stop {
		length, cost := measure(s.text[start:stop], grain)
		next := start + length
		if next < stop {
			var c int
			if length, c = cutSentence(s.text[start:stop], length); c > 0 {
				cost = c
			}
			next = start + length
		}
		s.atoms = append(s.atoms, atom{start: start, end: next, line: st.number, before: s.total, section: int32(st.section), strength: how})
		s.total += max(cost, 1) // so that what is looked at has a bound
		how = inSentence
		if endsSentence(strings.TrimRight(s.text[start:next], " \t")) {
			how = sentence
		}
		start = next
	}
}

// cutSentence returns how much of a text, of which length bytes may be taken,
// is taken: to the end of the last sentence, else of the last word, and what
// that costs, if it is not all.
func cutSentence(text string, length int) (n, cost int) {
	cut := 0
	for i := length; i > 0; {
		r, size := utf8.DecodeLastRuneInString(text[:i])
		if isEnd(r) && (size > 1 && r != '…' || i < len(text) && text[i] == ' ') {
			cut = i
			break
		}
		i -= size
	}
	if cut == 0 {
		cut = strings.LastIndexAny(text[:length], " \t") + 1
	}
	if cut == 0 {
		return length, 0
	}
	// The spaces behind it belong to it.
	for cut < length && text[cut] == ' ' {
		cut++
	}
	_, cost = measure(text[:cut], length)
	return cut, cost
}

func isEnd(r rune) bool {
	switch r {
	case '.', '!', '?', '…', '。', '！', '？', '｡':
		return true
	}
	return false
}

// endsSentence reports whether a text that white space follows ends a sentence.
func endsSentence(text string) bool {
	for {
		r, size := utf8.DecodeLastRuneInString(text)
		if size == 0 {
			return false
		}
		if isEnd(r) || r == ':' {
			return true
		}
		if !isCloser(r) {
			return false
		}
		text = text[:len(text)-size]
	}
}

// isItem reports whether a line begins an entry of a list or a row of a table.
func isItem(text string) bool {
	text = strings.TrimLeft(text, " \t")
	digits := strings.TrimLeft(text, "0123456789")
	switch {
	case strings.HasPrefix(text, "- "), strings.HasPrefix(text, "* "), strings.HasPrefix(text, "+ "):
		return true
	case len(digits) < len(text):
		return strings.HasPrefix(digits, ". ") || strings.HasPrefix(digits, ") ")
	}
	return strings.HasPrefix(text, "|")
}
