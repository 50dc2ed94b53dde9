package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A state goes from line to line.
type state struct {
	section int
	number  int    // of the line, from 1
	blank   bool   // a blank line came before
	ended   bool   // the line before ended a sentence
	fence   string // that is open: its marks, or ""
	last    int    // the atom of the line before; -1: it cannot be a heading
}

// read cuts the text into atoms.
func (s *splitter) read() {
	st := state{section: none, blank: true, last: -1}
	s.atoms = make([]atom, 0, len(s.text)/64+1)
	if s.mark == '#' {
		s.frontEnd = s.frontMatter(s.text)
	}
	for at := 0; at < len(s.text); {
		end := len(s.text)
		if i := strings.IndexByte(s.text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		st.number++
		s.readLine(&st, at, end)
		at = end
	}
}

// readLine takes the line that begins at start and ends, with its terminator,
// at end.
func (s *splitter) readLine(st *state, start, end int) {
	text := strings.TrimRightFunc(s.text[start:end], unicode.IsSpace)
	if text == "" {
		st.blank, st.ended, st.last = true, true, -1
		return
	}
	first := len(s.atoms)
	stop := start + len(text)
	switch {
	case start < s.frontEnd:
		s.add(st, start, stop, line)
	case st.fence != "":
		how := inFence
		if st.blank {
			how = fenceBlank
		}
		s.add(st, start, stop, how)
		if closes(text, st.fence) {
			st.fence, st.blank, st.ended = "", false, true
			return
		}
	case s.mark == '#' && s.underlined(st, text):
	default:
		s.readProse(st, text, start, stop)
	}
	st.blank, st.ended = false, endsSentence(text)
	st.last = -1
	if s.mark == '#' && st.fence == "" && start >= s.frontEnd && len(s.atoms) == first+1 && !s.atoms[first].heading {
		st.last = first
	}
}

// readProse takes a line outside of fences: a heading, the beginning of a
// fence, or text.
func (s *splitter) readProse(st *state, text string, start, stop int) {
	if s.mark != 0 && text[0] == s.mark {
		if title, level := s.headingOf(text); level > 0 {
			s.addHeading(st, start, stop, title, level)
			return
		}
	}
	how := inParagraph
	switch {
	case st.blank:
		how = paragraph
	case s.mark != 0 && isItem(text):
		how = item
	case st.ended:
		how = line
	}
	if s.mark == '#' {
		st.fence = opens(text)
	}
	s.add(st, start, stop, how)
}

func (s *splitter) addHeading(st *state, start, stop int, title string, level int) {
	st.section = s.open(st.section, title, level)
	first := len(s.atoms)
	s.add(st, start, stop, section)
	for i := first; i < len(s.atoms); i++ {
		s.atoms[i].heading = true
	}
}

// headingOf reads a heading that marks begin. Its level is 0 if it is none.
func (s *splitter) headingOf(text string) (title string, level int) {
	title = strings.TrimLeft(text, string(rune(s.mark)))
	level = len(text) - len(title)
	if level > 6 || title != "" && title[0] != ' ' && title[0] != '\t' || title == "" && s.mark != '#' {
		return "", 0
	}
	title = strings.TrimSpace(title)
	if s.mark == '#' {
		// Marks may also stand behind it.
		if bare := strings.TrimRight(title, "#"); bare == "" || strings.HasSuffix(bare, " ") {
			title = strings.TrimSpace(bare)
		}
	}
	return title, level
}

// maxUnderline keeps the atom of a heading and its underline small.
const maxUnderline = 100

// underlined reports whether a line makes a heading of the one before it, and
// makes it one.
func (s *splitter) underlined(st *state, text string) bool {
	level := 1
	switch strings.Trim(text, string(text[0])) {
	case "":
		if text[0] == '-' {
			level = 2
		} else if text[0] != '=' {
			return false
		}
	default:
		return false
	}
	if st.last < 0 || len(text) < 2 || len(text) > maxUnderline {
		return false
	}
	a := &s.atoms[st.last]
	title := strings.TrimSpace(s.text[a.start:a.end])
	if a.strength != paragraph || isItem(title) || title[0] == '>' {
		return false
	}
	st.section = s.open(st.section, title, level)
	a.strength, a.heading, a.section = section, true, int32(st.section)
	a.end += strings.Index(s.text[a.end:], text) + len(text)
	_, cost := measure(text, len(text))
	s.total += cost
	return true
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

// opens returns the marks of a fence that a line begins, or "".
func opens(text string) string {
	text = strings.TrimLeft(text, " \t")
	for _, mark := range []string{"`", "~"} {
		rest := strings.TrimLeft(text, mark)
		if n := len(text) - len(rest); n >= 3 && !(mark == "`" && strings.Contains(rest, "`")) {
			return text[:n]
		}
	}
	return ""
}

// closes reports whether a line ends a fence.
func closes(text, fence string) bool {
	text = strings.TrimSpace(text)
	return len(text) >= len(fence) && strings.Trim(text, fence[:1]) == ""
}
