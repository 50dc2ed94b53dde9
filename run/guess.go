package run

import (
	"errors"
	"unicode"
	"unicode/utf8"

	"tally/match"
	"tally/run/input"
	"tally/walk"
)

// What was taken for UTF-16 without a mark was taken so for its beginning. It
// may go on otherwise, as logs do to which programs with different ideas have
// written; a zero, or a total, of the UTF-16 would then be none of the file. So
// the pattern is looked for in the bytes as well.

var errMixed = errors.New("begins like UTF-16 without a mark, but holds the pattern in other bytes, too; say how to read it with --encoding (none: as it is)")

// mixed reports whether a file that was taken for UTF-16 holds what m matches
// in text that is not. which is a searcher for that, made when it is first
// needed.
func (s *Session) mixed(m *match.Matcher, which **match.Searcher, src *input.Source) (bool, error) {
	r, err := src.Reader()
	if err != nil {
		return false, err
	}
	if *which == nil {
		o := match.Options{MaxCount: -1, Spans: true, SinkBinary: true, Detection: match.Convert, Decode: s.Input.Decode, Stop: s.stopped}
		o.Decode.Guess = false
		*which = m.NewSearcher(o)
	}
	var found textFinder
	_, err = (*which).Search(match.Haystack{Reader: r, Format: src.Format(), Mapped: true}, &found)
	return bool(found), err
}

// checkGuess fails the file that was searched as UTF-16 if it is not all of it
// that, and reports whether its search counts. An inverted search cannot tell:
// it selects what is no text in either reading.
func (v *visitor) checkGuess(src *input.Source, o *match.Outcome) bool {
	if !o.Guessed || o.Lines > 0 && v.s.Search.FirstOnly || v.s.Search.Invert {
		return true
	}
	mixed, err := v.s.mixed(v.s.matcher, &v.asBytes, src)
	if mixed && err == nil {
		err = errMixed
	}
	if err != nil {
		v.w.Abort(*src.Failure(walk.OpRead, err), *o)
	}
	return err == nil
}

// A textFinder becomes true at the first match in text that is not UTF-16.
type textFinder bool

// Few bytes of UTF-16 that look like other text are chance: two characters
// whose codes have no byte that is not one of ASCII are not rare in Chinese, a
// row of them is.
const (
	textMatch = 3  // characters of a match
	textLine  = 12 // in a row in the line around a shorter one
)

func (t *textFinder) Matched(l *match.Line) bool {
	for _, s := range l.Spans {
		match := l.Bytes[s.Start:s.End]
		if n := longestText(match); n >= textMatch && n == utf8.RuneCount(match) {
			*t = true
		}
	}
	*t = *t || longestText(l.Bytes) >= textLine
	return !bool(*t)
}

func (*textFinder) Context(*match.Line, match.ContextKind) bool { return true }
func (*textFinder) Break() bool                                 { return true }

// longestText returns the length of the longest row of characters, controls and
// what is not UTF-8 excluded.
func longestText(b []byte) int {
	longest, n := 0, 0
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		b = b[size:]
		if r == utf8.RuneError && size == 1 || unicode.IsControl(r) && r != '\t' {
			n = 0
			continue
		}
		n++
		longest = max(longest, n)
	}
	return longest
}
