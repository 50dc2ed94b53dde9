package outline

import (
	"bytes"
	"math/bits"

	"tally/match/masks"
)

// A Finder finds the headings of one text after another, each handed over in
// pieces. Most lines are never looked at: those that may not be body are found
// by how they begin, in blocks of 64 bytes. What is above an underline is read
// when one is found, by the rules of [Reader].
type Finder struct {
	state
	blocks [64]uint64
	values []Value // of the front matter
	// No line from floor on is a heading or a border, up to the one at work.
	// open says that a paragraph may reach the floor from before.
	floor int
	open  bool
	cut   bool // the piece before ended within a line
}

// Begin begins a text, and reads the front matter at the beginning of its first
// piece, whose values are valid until the next text begins. The headings are
// those behind it.
func (f *Finder) Begin(s *Syntax, text []byte) Front {
	front := s.front(text, f.values[:0])
	f.values = front.Values
	f.state = newState(s)
	f.titled = front.titled
	f.open, f.cut = false, false
	return front
}

// Find finds the headings of the next piece of a text that has a syntax. A
// paragraph that may have begun in another piece is no heading, and neither is
// the rest of a line.
func (f *Finder) Find(text []byte, take func(Heading)) {
	at := 0
	if f.cut {
		at, f.open = lineLength(text), true
	}
	f.floor = at
	if f.fence.deep() {
		at = f.lines(text, at, take)
	} else {
		at = f.visit(text, at, take)
	}
	heads := f.heads()
	for base := 0; base < len(text); base += len(f.blocks) * masks.Size {
		n := heads.Find(f.blocks[:], text[base:])
		for block, mask := range f.blocks[:n] {
			for ; mask != 0; mask &= mask - 1 {
				i := base + block*masks.Size + bits.TrailingZeros64(mask)
				if text[i] == '\n' && i+1 >= at {
					at = f.visit(text, i+1, take)
				}
			}
		}
	}
	f.open = true
	f.cut = len(text) > 0 && text[len(text)-1] != '\n'
}

// visit reads the line of text at some place, unless it is plainly body, and
// returns where the next one is that may have to be visited.
func (f *Finder) visit(text []byte, at int, take func(Heading)) int {
	i := at
	for i < len(text) && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	if i == len(text) {
		return at
	}
	next := byte('\n')
	if i+1 < len(text) {
		next = text[i+1]
	}
	f.paragraph = noHeading
	switch c := text[i]; {
	case c == f.mark:
	case f.markdown && (c == '=' || c == '-' && next == '-'):
		if f.fence.length == 0 {
			f.paragraph = f.above(text, at)
		}
	case (c == '`' || c == '~') && next == c:
	default:
		return at
	}
	return f.lines(text, at, take)
}

// lines reads the line of text at some place, and those that follow it in a
// block of code that one of them may leave. It returns where the next line is.
func (f *Finder) lines(text []byte, at int, take func(Heading)) int {
	for at < len(text) {
		start := at
		at += lineLength(text[at:])
		wasDeep := f.fence.deep()
		l := f.read(text, start, at)
		switch {
		case l.Kind == Head || l.Kind == Underline:
			take(l.Heading)
			f.settle(at)
		case l.Kind == FenceBegin || l.Kind == FenceEnd || l.Kind == Text && f.paragraph == noParagraph:
			f.settle(at)
		case l.Kind == Text && wasDeep:
			f.settle(start)
		}
		if !f.fence.deep() {
			break
		}
	}
	return at
}

// settle notes that no paragraph goes on at some place.
func (f *Finder) settle(at int) { f.floor, f.open = at, false }

// above returns what [state] says of a paragraph before a line of text, which is
// in no block of code. Nothing is read twice but the paragraphs of headings, and
// these are short.
func (f *Finder) above(text []byte, at int) int {
	for i := at; i > f.floor && at-i <= maxSetext; {
		before := f.floor + bytes.LastIndexByte(text[f.floor:i-1], '\n') + 1
		line := trimRight(text[before:i])
		indent, size := indentation(line)
		if len(line) == size || indent <= 3 && isBreak(line[size:]) {
			f.settle(i)
			break
		}
		i = before
	}
	if f.open || at-f.floor > maxSetext {
		f.floor, f.open = at, true
		return noHeading
	}
	st := state{Syntax: f.Syntax, paragraph: noParagraph}
	for i := f.floor; i < at; {
		end := i + lineLength(text[i:])
		st.read(text, i, end)
		i = end
	}
	f.indent = st.indent
	return st.paragraph
}
