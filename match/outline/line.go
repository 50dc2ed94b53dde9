package outline

import (
	"bytes"
	"strings"
)

// A Kind says what a line is.
type Kind uint8

// The kinds of lines.
const (
	Text       Kind = iota // all others, blank ones too
	Head                   // a heading
	Underline              // makes a heading of the lines above
	FenceBegin             // begins a block of code
	Code                   // in such a block
	FenceEnd               // ends it
	FrontLine              // of front matter, its borders too
)

// A Line is one of a text.
type Line struct {
	Kind
	Start, End int     // in the text, with its terminator
	Heading    Heading // of a Head or an Underline
}

// A Reader reads a text line by line.
type Reader struct {
	state
	text  []byte
	at    int
	front Front
}

// NewReader returns a reader of a text; the syntax may be nil.
func NewReader(s *Syntax, text []byte) *Reader {
	r := &Reader{state: newState(s), text: text, front: s.front(text, nil)}
	r.titled = r.front.titled
	return r
}

// Front is the front matter of the text.
func (r *Reader) Front() *Front { return &r.front }

// Next returns the next line; ok is false if there is none.
func (r *Reader) Next() (l Line, ok bool) {
	if r.at >= len(r.text) {
		return Line{}, false
	}
	start := r.at
	r.at += lineLength(r.text[start:])
	if r.at <= r.front.End && r.front.End > r.front.Start {
		return Line{Kind: FrontLine, Start: start, End: r.at}, true
	}
	if start == 0 {
		start = r.front.Start // a mark of the byte order is no text
	}
	return r.read(r.text, start, r.at), true
}

// A state is what the lines so far say of the next one.
type state struct {
	*Syntax
	titled bool  // a title was found
	fence  fence // that is open
	// paragraph is where the paragraph begins that the next line may go on with,
	// and indent by how many columns.
	paragraph, indent int
}

const (
	noParagraph = -1
	// noHeading is a paragraph, or another block, that an underline makes no
	// heading of.
	noHeading = -2
)

func newState(s *Syntax) state { return state{Syntax: s, paragraph: noParagraph} }

// A fence is what begins a block of code. Its length is 0 if there is none.
type fence struct {
	mark           byte
	length, indent int
}

// deep reports whether a fence is so far indented that it stands in an entry of
// a list, which a line may leave.
func (f *fence) deep() bool { return f.length > 0 && f.indent > 3 }

// left reports whether a line that is indented by some columns has left the
// entry of a list that the fence stands in.
func (f *fence) left(indent int) bool { return f.deep() && indent < f.indent-3 }

// closes reports whether a line, without white space around it, ends the block.
func (f *fence) closes(line []byte, indent int) bool {
	return indent <= f.indent+3 && len(line) >= f.length && isRun(line, f.mark)
}

// trimRight trims ASCII white space. bytes.TrimRight would make a set of the
// characters for each line.
func trimRight(line []byte) []byte {
	n := len(line)
	for n > 0 && (line[n-1] == ' ' || '\t' <= line[n-1] && line[n-1] <= '\r') {
		n--
	}
	return line[:n]
}

// read takes the line of text from start to end.
func (st *state) read(text []byte, start, end int) Line {
	l := Line{Start: start, End: end}
	if st.Syntax == nil {
		return l
	}
	line := trimRight(text[start:end])
	indent, size := indentation(line)
	line = line[size:]
	if l.Kind = st.code(line, indent); l.Kind != Text {
		return l
	}
	if !st.markdown {
		if level := st.level(line); level > 0 && size == 0 {
			l.Kind, l.Heading = Head, st.heading(text, Heading{Start: start, End: end, Level: level})
		}
		return l
	}
	if len(line) == 0 {
		st.paragraph = noParagraph
		return l
	}
	if indent > 3 {
		if st.paragraph == noParagraph {
			st.paragraph = noHeading
		}
		return l
	}
	level, under := st.level(line), underline(line)
	switch {
	case level > 0:
		l.Kind, l.Heading = Head, st.heading(text, Heading{Start: start, End: end, Level: level})
		st.paragraph = noParagraph
	case under > 0 && st.paragraph >= 0 && start-st.paragraph <= maxSetext && indent >= st.indent:
		l.Kind = Underline
		l.Heading = st.heading(text, Heading{Start: st.paragraph, End: end, Level: under, underlined: true})
		st.paragraph = noParagraph
	case isBreak(line):
		st.paragraph = noParagraph
	case beginsBlock(line, st.paragraph != noParagraph):
		st.paragraph = noHeading
	case st.paragraph == noParagraph:
		st.paragraph, st.indent = start, indent
	}
	return l
}

// heading notes that a heading was found, and whether it is the title.
func (st *state) heading(text []byte, h Heading) Heading {
	if !st.titled && (h.underlined || len(st.bare(text, h)) > 0) {
		h.Title, st.titled = true, true
	}
	return h
}

// code returns what a line is that belongs to a block of code, else Text.
func (st *state) code(line []byte, indent int) Kind {
	if st.fence.length > 0 {
		switch {
		case len(line) > 0 && st.fence.closes(line, indent):
			st.fence, st.paragraph = fence{}, noParagraph
			return FenceEnd
		case len(line) == 0 || !st.fence.left(indent):
			return Code
		}
		st.fence, st.paragraph = fence{}, noParagraph
	}
	if len(line) < 3 || strings.IndexByte(st.fences, line[0]) < 0 {
		return Text
	}
	n := 1
	for n < len(line) && line[n] == line[0] {
		n++
	}
	if n < 3 || line[0] == '`' && bytes.IndexByte(line[n:], '`') >= 0 {
		return Text
	}
	st.fence = fence{line[0], n, indent}
	return FenceBegin
}

// maxSetext is how many bytes the paragraph of a setext heading has at most.
const maxSetext = 256

// underline returns the level of the heading that a line underlines, 0 if it is
// no underline.
func underline(line []byte) int {
	switch {
	case line[0] == '=' && isRun(line, '='):
		return 1
	case line[0] == '-' && len(line) > 1 && isRun(line, '-'):
		return 2
	}
	return 0
}

// isBreak reports whether a line, without white space around it, is a thematic
// break.
func isBreak(line []byte) bool {
	mark, n := line[0], 0
	if mark != '-' && mark != '*' && mark != '_' {
		return false
	}
	for _, b := range line {
		switch b {
		case mark:
			n++
		case ' ', '\t':
		default:
			return false
		}
	}
	return n >= 3
}

// beginsBlock reports whether a line begins a quotation, an entry of a list, a
// table or, unless it goes on with a paragraph, HTML.
func beginsBlock(line []byte, goesOn bool) bool {
	switch line[0] {
	case '>', '|':
		return true
	case '<':
		return !goesOn
	case ':':
		return isRuleOfTable(line)
	case '-':
		return isRuleOfTable(line) || isItem(line[1:], goesOn)
	case '+', '*':
		return isItem(line[1:], goesOn)
	}
	n := 0
	for n < len(line) && n < 10 && '0' <= line[n] && line[n] <= '9' {
		n++
	}
	if n == 0 || n > 9 || n == len(line) || line[n] != '.' && line[n] != ')' {
		return false
	}
	if goesOn && string(line[:n]) != "1" {
		return false
	}
	return isItem(line[n+1:], goesOn)
}

// isItem reports whether what follows a mark makes it one of a list. An empty
// entry does not interrupt a paragraph.
func isItem(rest []byte, goesOn bool) bool {
	if len(rest) == 0 {
		return !goesOn
	}
	return rest[0] == ' ' || rest[0] == '\t'
}

// isRuleOfTable reports whether a line divides the head of a table from its rows.
func isRuleOfTable(line []byte) bool {
	return bytes.IndexByte(line, '|') >= 0 && len(bytes.Trim(line, "-:| \t")) == 0
}

// isRun reports whether a line is nothing but one character.
func isRun(line []byte, mark byte) bool {
	for _, b := range line {
		if b != mark {
			return false
		}
	}
	return true
}

// indentation returns by how many columns a line is indented, and in how many
// bytes. A tab goes to the next multiple of four.
func indentation(line []byte) (columns, size int) {
	for size < len(line) {
		switch line[size] {
		case ' ':
			columns++
		case '\t':
			columns += 4 - columns%4
		default:
			return columns, size
		}
		size++
	}
	return columns, size
}

// lineLength is the length of the first line, with its terminator.
func lineLength(text []byte) int {
	if i := bytes.IndexByte(text, '\n'); i >= 0 {
		return i + 1
	}
	return len(text)
}
