package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Sizes of sentences, in estimated tokens.
const (
	shortest = 12  // what has fewer says too little to be found by
	longest  = 100 // what has more is cut at lines or words
)

// sentences appends the sentences of paragraphs, entries of lists and rows of
// tables. Headings, front matter and code between fences have none.
func (s *splitter) sentences(list []Chunk) []Chunk {
	for i := 0; i < len(s.atoms); {
		j := i + 1
		for j < len(s.atoms) && s.goesOn(j) && s.prose(i) == s.prose(j) {
			j++
		}
		if s.prose(i) {
			list = s.cutRun(list, i, j)
		}
		i = j
	}
	return list
}

// goesOn reports whether atom i may belong to a sentence that began before it.
func (s *splitter) goesOn(i int) bool {
	a := &s.atoms[i]
	return a.strength < item && (a.strength <= sentence && a.strength != inParagraph || !isItem(s.text[a.start:a.end]))
}

// prose reports whether atom i is neither code nor a name.
func (s *splitter) prose(i int) bool {
	return !s.atoms[i].code && !s.named(i)
}

// cutRun appends the sentences of the atoms from i to before j.
func (s *splitter) cutRun(list []Chunk, i, j int) []Chunk {
	c := Chunk{Heading: s.path(int(s.atoms[i].section)), kind: sentenceOfText}
	if s.syntax.Markdown() {
		c.kind = sentenceOfMarkdown
	}
	c.Under = s.head(c.Heading, false)
	line := s.atoms[i].line
	for rest := s.text[s.atoms[i].start:s.atoms[j-1].end]; rest != ""; {
		n := sentenceEnd(rest)
		c.Passage = strings.TrimLeftFunc(rest[:n], unicode.IsSpace)
		line += strings.Count(rest[:n-len(c.Passage)], "\n")
		lines := strings.Count(c.Passage, "\n")
		c.Passage = strings.TrimRightFunc(c.Passage, unicode.IsSpace)
		c.From, c.To = line, line+strings.Count(c.Passage, "\n")
		line += lines
		if c.Text = c.embedded(); !isShort(c.Text) && strings.IndexFunc(c.Text, unicode.IsLetter) >= 0 {
			list = append(list, c)
		}
		rest = rest[n:]
	}
	return list
}

func isShort(text string) bool {
	length, cost := measure(text, shortest)
	return length == len(text) && cost < shortest
}

// sentenceEnd returns where the first sentence of a text ends, with the white
// space behind it, or as much of it as is taken.
func sentenceEnd(text string) int {
	end := endOfSentence(text[:min(len(text), longestBytes)])
	most, _ := measure(text[:end], longest)
	if most == end && (end == len(text) || end < longestBytes) {
		return end
	}
	for _, between := range []string{"\n", " "} {
		if i := strings.LastIndex(text[:min(most+1, len(text))], between); i >= 0 && strings.TrimSpace(text[:i]) != "" {
			return i + 1
		}
	}
	for most < len(text) && !utf8.RuneStart(text[most]) {
		most--
	}
	return most
}

// longestBytes is how far the end of a sentence is looked for: white space costs
// no tokens.
const longestBytes = 4 << 10

// endOfSentence is sentenceEnd for sentences of any length.
func endOfSentence(text string) int {
	for i, r := range text {
		if !isEnd(r) && r != ':' {
			continue
		}
		size := utf8.RuneLen(r)
		rest := strings.TrimLeftFunc(text[i+size:], isCloser)
		next := strings.TrimLeftFunc(rest, unicode.IsSpace)
		follower, _ := utf8.DecodeRuneInString(next)
		if (len(next) < len(rest) || size > 1 && r != '…') && !unicode.IsLower(follower) {
			return len(text) - len(next)
		}
	}
	return len(text)
}

// isCloser reports whether a character may stand between the end of a sentence
// and the white space behind it.
func isCloser(r rune) bool {
	return unicode.In(r, unicode.Pe, unicode.Pf) || r == '"' || r == '\'' || r == '*' || r == '_'
}

// bare is a sentence without marks of lists and quotations, on one line; and of
// Markdown without emphasis, tags and the addresses of links.
func bare(passage string, markdown bool) string {
	if isBare(passage) {
		return passage
	}
	var text strings.Builder
	for i, line := range strings.Split(passage, "\n") {
		line = strings.TrimLeft(line, "> \t")
		if i == 0 && len(line) > 1 && line[1] == ' ' && strings.IndexByte("-*+|", line[0]) >= 0 {
			line = line[2:]
		}
		text.WriteString(line)
		text.WriteByte(' ')
	}
	s := strings.Join(strings.Fields(text.String()), " ")
	if !markdown {
		return s
	}
	return strings.Join(strings.Fields(withoutEmphasis(withoutTags(withoutAddresses(s)))), " ")
}

// isBare reports whether there is nothing to strip of a sentence, as far as a
// short look tells.
func isBare(passage string) bool {
	if passage == "" || classes[passage[0]] != letter {
		return false
	}
	for i := range len(passage) {
		switch c := passage[i]; {
		case c == ' ' && i+1 < len(passage) && passage[i+1] == ' ':
			return false
		case c != ' ' && classes[c] != letter && classes[c] != digit && strings.IndexByte(".,:;?!()'\"/-", c) < 0:
			return false
		}
	}
	return true
}

// withoutAddresses leaves of a link or an image what is read: [text](address).
func withoutAddresses(s string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(s, "](")
		open := strings.LastIndexByte(before, '[')
		end := strings.IndexByte(after, ')')
		if !found || end < 0 {
			out.WriteString(s)
			return out.String()
		}
		if open >= 0 {
			out.WriteString(strings.TrimSuffix(before[:open], "!"))
			out.WriteString(before[open+1:])
		} else {
			out.WriteString(before)
		}
		s = after[end+1:]
	}
}

// withoutTags drops what looks like a tag of HTML.
func withoutTags(s string) string {
	var out strings.Builder
	for {
		i := strings.IndexByte(s, '<')
		if i < 0 || i+1 == len(s) {
			break
		}
		next := s[i+1]
		end := strings.IndexByte(s[i:], '>')
		if end < 0 {
			break
		}
		if next == '/' || next == '!' || next|0x20 >= 'a' && next|0x20 <= 'z' {
			out.WriteString(s[:i])
		} else {
			out.WriteString(s[:i+end+1])
		}
		s = s[i+end+1:]
	}
	out.WriteString(s)
	return out.String()
}

// withoutEmphasis drops stars and backticks beside a word, and underscores at
// its ends.
func withoutEmphasis(s string) string {
	var out strings.Builder
	isWord := func(i int) bool { return i >= 0 && i < len(s) && classes[s[i]] != space && classes[s[i]] != mark }
	for i := range len(s) {
		switch c := s[i]; {
		case c == '`', c == '*' && !(isSpace(s, i-1) && isSpace(s, i+1)), c == '_' && !(isWord(i-1) && isWord(i+1)):
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}

func isSpace(s string, i int) bool { return i < 0 || i >= len(s) || s[i] == ' ' }
