package rank

import (
	"bytes"
	"math/bits"
	"path"
	"strings"

	"tally/match/masks"
)

// frontMatter maps the keys of front matter that have a field of their own.
var frontMatter = map[string]Field{
	"title": Title, "name": Title,
	"aliases": Aliases, "alias": Aliases, "tags": Aliases, "tag": Aliases,
	"keywords": Aliases, "keyword": Aliases,
}

// headingMarks are the characters that begin a heading, by the extension of
// the file. In other files there are none, so that a comment is not taken for
// one.
var headingMarks = map[string]byte{
	".md": '#', ".markdown": '#', ".mdx": '#', ".qmd": '#', ".rmd": '#', ".mkd": '#',
	".org": '*', ".adoc": '=', ".asciidoc": '=', ".wiki": '=',
}

func headingMark(file string) byte { return headingMarks[strings.ToLower(path.Ext(file))] }

// Write takes the next piece of the text, which ends where a line does.
func (s *Scanner) Write(text []byte) {
	if s.mark == 0 {
		s.cut(Body, text)
		return
	}
	if !s.begun {
		text = s.frontMatter(text)
	}
	s.begun = true
	s.body = 0
	if len(text) > 0 {
		s.line(text, 0)
	}
	for base := 0; base < len(text); base += len(s.lineMasks) * masks.Size {
		n := s.lines().Find(s.lineMasks[:], text[base:])
		for block, mask := range s.lineMasks[:n] {
			for ; mask != 0; mask &= mask - 1 {
				i := base + block*masks.Size + bits.TrailingZeros64(mask)
				if text[i] == '\n' && i+1 < len(text) {
					s.line(text, i+1)
				}
			}
		}
	}
	s.cut(Body, text[s.body:])
}

// lines are the beginnings of lines that may not be body, with the end of the
// line before.
func (s *Scanner) lines() *masks.Heads {
	h := s.lineHeads[s.mark]
	if h == nil {
		h = new(masks.Heads)
		for _, head := range []string{"\n" + string(rune(s.mark)), "\n``", "\n~~"} {
			h.Add(head, false)
		}
		s.lineHeads[s.mark] = h
	}
	return h
}

// line looks at the line that begins at a place in text, to see whether it is
// a heading, or the border of a block of code. What stands between s.body and
// a heading is taken first.
func (s *Scanner) line(text []byte, at int) {
	end := at + lineLength(text[at:])
	line := text[at:end]
	switch {
	case isFence(line):
		s.fenced = !s.fenced
	case !s.fenced && line[0] == s.mark && isHeading(line, s.mark):
		s.cut(Body, text[s.body:at])
		s.heading(line)
		s.body = end
	}
}

// isFence reports whether a block of code begins or ends with a line.
func isFence(line []byte) bool {
	return bytes.HasPrefix(line, []byte("```")) || bytes.HasPrefix(line, []byte("~~~"))
}

// heading takes the first heading for a title if there is none yet.
func (s *Scanner) heading(line []byte) {
	if s.note.length[Title] == 0 && s.note.length[Headings] == 0 {
		s.cut(Title, line)
		return
	}
	s.cut(Headings, line)
}

// isHeading reports whether a line is marks, white space and text.
func isHeading(line []byte, mark byte) bool {
	rest := bytes.TrimLeft(line, string(rune(mark)))
	return len(line)-len(rest) <= 6 && len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t')
}

// lineLength is the length of the first line, with its terminator.
func lineLength(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}

// frontMatter reads what stands between two lines of --- at the beginning, and
// returns what follows.
func (s *Scanner) frontMatter(text []byte) []byte {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	n := lineLength(text)
	if string(bytes.TrimRight(text[:n], " \t\r\n")) != "---" {
		return text
	}
	end := n
	for end < len(text) {
		l := lineLength(text[end:])
		if l := string(bytes.TrimRight(text[end:end+l], " \t\r\n")); l == "---" || l == "..." {
			break
		}
		end += l
	}
	if end == len(text) {
		return text // a rule, not front matter
	}
	field := Body
	for at := n; at < end; {
		l := lineLength(text[at:])
		line := text[at : at+l]
		at += l
		value := line
		if key, v, ok := bytes.Cut(line, []byte(":")); ok && line[0] != ' ' && line[0] != '-' && line[0] != '\t' {
			field = Body
			if f, ok := frontMatter[strings.ToLower(string(key))]; ok {
				field, value = f, v
			}
		}
		s.cut(field, value)
	}
	return text[end+lineLength(text[end:]):]
}
