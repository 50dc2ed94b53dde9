package rank

import (
	"unicode"
	"unicode/utf8"
)

// Text is cut into atoms: runs of letters and digits, with the marks upon
// them. Where Unicode's words (UAX #29) are longer, because they hold an
// apostrophe, a full stop or an underscore, an atom is a part of one, so that
// "l'osservabilità" is found by "osservabilità" and "spin_lock" by "lock"; a
// word of the query that has several atoms is looked for as a [sequence] of
// them. So is a capital after a small letter the start of an atom
// (handleAuthError), with the whole as one more at the place of the first.
// In scripts without spaces each character is an atom, and each two that
// follow one another are one more at the place of the second.

// A place is where an atom stands.
type place struct {
	pos        int // atoms before it
	start, end int // bytes
}

// A cutter cuts text into atoms. It goes on counting from one text to the
// next until it is reset.
type cutter struct {
	folder
	filter *filter // passes over most atoms that nobody minds; nil: none
	known  *known  // with a filter: slips are forgiven, and this does the same
	mind   func(atom []byte, at place)
	pos    int // atoms so far
	word   []byte
	whole  []byte // of the parts before, where capitals divide more than ASCII
	prev   []byte // the character before, in a script without spaces
	strip  strip  // of the text at work
}

// isWhole says of a place that mind is called with whether parts, divided by
// capitals, have been handed on before.
func (c *cutter) isWhole(at place) bool { return at.pos < c.pos }

// width is the number of places that such an atom takes.
func (c *cutter) width(at place) int { return max(1, c.pos-at.pos) }

// gap lets the next atom not be the neighbour of the last one.
func (c *cutter) gap() { c.pos += 100 }

// cut hands each atom of text, folded, to mind; the bytes are valid during the
// call. Places in bytes count from the beginning of text.
func (c *cutter) cut(text []byte) {
	c.strip.from, c.strip.to = 0, 0
	for i := 0; i < len(text); {
		if c.filter != nil {
			i = c.blocks(text, i)
		}
		i = c.run(text, i)
	}
}

// run cuts one run of letters, and what separates it from the last one. It
// returns where it ends.
func (c *cutter) run(text []byte, i int) int {
	n := len(text)
	for i < n && asciiFold[text[i]] == 0 && text[i] < utf8.RuneSelf {
		i++
	}
	if i == n {
		return n
	}
	start := i
	var capitals, previous byte
	w := c.word[:0]
	for i < n {
		b := text[i]
		f := asciiFold[b]
		if f == 0 {
			break
		}
		// A capital behind a small letter, a digit or a capital.
		capitals |= (f ^ b) & previous
		previous = 0x20
		w = append(w, f)
		i++
	}
	c.word = w
	switch {
	case i < n && text[i] >= utf8.RuneSelf && (i == start || c.goesOn(text[i:])):
		i = c.other(text, start)
	case capitals != 0:
		c.camel(text, start, i)
	default:
		if c.filter == nil || c.known != nil || c.filter.has(w) {
			c.mind(w, place{c.pos, start, i})
		}
		c.pos++
	}
	return i
}

// goesOn reports whether an atom goes on with the character that text begins
// with.
func (c *cutter) goesOn(text []byte) bool {
	r, _ := utf8.DecodeRune(text)
	switch c.fold(r).kind {
	case letter, digit, mark:
		return true
	}
	return false
}

// camel hands on the parts of an ASCII atom with capitals in it, and the whole.
func (c *cutter) camel(text []byte, start, end int) {
	whole := c.word
	first, from := c.pos, start
	for i := start + 1; i <= end; i++ {
		if i < end && !startsPart(text, i, end) {
			continue
		}
		if i+2 == end && text[i+1] == 's' && isUpper(text[i-1]) {
			// The plural of an abbreviation (PDFs). It has as many places as
			// if it were none, since that is how blocks count.
			c.mind(whole[from-start:end-1-start], place{c.pos, from, end - 1})
			c.pos += 2
			break
		}
		c.mind(whole[from-start:i-start], place{c.pos, from, i})
		c.pos++
		from = i
	}
	if c.pos > first+1 {
		c.mind(whole, place{first, start, end})
	}
}

// startsPart reports whether the capital at i begins a part: after a small
// letter or digit, or as the last of several before a small letter
// (parseHTTPRequest).
func startsPart(text []byte, i, end int) bool {
	if !isUpper(text[i]) {
		return false
	}
	return !isUpper(text[i-1]) || i+1 < end && 'a' <= text[i+1] && text[i+1] <= 'z'
}

func isUpper(b byte) bool { return 'A' <= b && b <= 'Z' }

// other cuts the run that begins at start and holds more than ASCII, and
// returns its end.
func (c *cutter) other(text []byte, start int) int {
	a := atomizer{cutter: c, word: c.word[:0], whole: c.whole[:0], prev: c.prev[:0], from: start}
	i := start
	for i < len(text) {
		if b := text[i]; b < utf8.RuneSelf {
			f := asciiFold[b]
			if f == 0 {
				a.flush(i)
				return i + 1
			}
			a.letter(i, f != b)
			a.word = append(a.word, f)
			i++
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		switch f := c.fold(r); f.kind {
		case separator:
			a.flush(i)
			return i + size
		case mark:
		case joined:
			a.flush(i)
			a.join(place{c.pos, i, i + size}, f, r)
		default:
			a.letter(i, unicode.IsUpper(r))
			a.word = appendFolded(a.word, f, r)
		}
		i += size
	}
	a.flush(i)
	return i
}

// An atomizer cuts a stretch of letters and digits into the atoms that it is made of.
type atomizer struct {
	*cutter
	word  []byte // the atom at work
	whole []byte // all atoms since the last flush
	from  int    // where word begins
	first place  // that of the first atom of whole
	small bool   // the last letter was a small one
	// prev is the character before, if it is one of a script that is written
	// without spaces, and prevStart where it stands.
	prev      []byte
	prevStart int
}

// letter comes before a letter or digit at i is added to the atom. A capital
// behind a small letter begins another one.
func (a *atomizer) letter(i int, upper bool) {
	if upper && a.small {
		a.part(i)
	}
	a.small, a.prev = !upper, a.prev[:0]
	if len(a.word) == 0 {
		a.from = i
	}
}

// part ends an atom.
func (a *atomizer) part(end int) {
	at := place{a.pos, a.from, end}
	a.cutter.word = a.word
	a.mindKnown(a.word, at)
	if len(a.whole) == 0 {
		a.first = at
	}
	a.whole = append(a.whole, a.word...)
	a.pos++
	a.word, a.small = a.word[:0], false
}

// flush ends a row of atoms, which together are one more if they are several.
func (a *atomizer) flush(end int) {
	if len(a.word) > 0 {
		a.part(end)
		if a.cutter.whole = a.whole; a.pos > a.first.pos+1 {
			a.mindKnown(a.whole, place{a.first.pos, a.first.start, end})
		}
	}
	a.whole = a.whole[:0]
}

// join adds a character of a script that is written without spaces: alone, and
// together with the one before.
func (a *atomizer) join(at place, f folded, r rune) {
	start := at.start
	a.word = appendFolded(a.word[:0], f, r)
	a.mind(a.word, at)
	if len(a.prev) > 0 {
		at.start = a.prevStart
		a.prev = append(a.prev, a.word...)
		a.mind(a.prev, at)
	}
	a.prev, a.prevStart = append(a.prev[:0], a.word...), start
	a.cutter.prev = a.prev
	a.word = a.word[:0]
	a.pos++
}

// mindKnown minds an atom unless it is known to be none of the query's.
func (c *cutter) mindKnown(atom []byte, at place) {
	if c.filter == nil || c.known != nil || c.filter.has(atom) {
		c.mind(atom, at)
	}
}

func appendFolded(w []byte, f folded, r rune) []byte {
	if f.text == "" {
		return utf8.AppendRune(w, r)
	}
	return append(w, f.text...)
}
