package main

import (
	"errors"
	"io"
	"math"
	"unicode"
	"unicode/utf8"

	"tally/match"
	"tally/match/decode"
	"tally/walk"
)

// What was taken for UTF-16 without a mark was taken so for its beginning. It
// may go on otherwise, as logs do to which programs with different ideas have
// written; a zero, or a total, of the UTF-16 would then be none of the file. So
// the pattern is looked for in the bytes as well.

var errMixed = errors.New("begins like UTF-16 without a mark, but holds the pattern in other bytes, too; say how to read it with --encoding (none: as it is)")

// mixed reports whether a haystack that was taken for UTF-16 holds the pattern
// in text that is not. An inverted search cannot tell: it selects what is no
// text in either reading.
func (v *visitor) mixed(h match.Haystack) (bool, error) {
	if v.s.options.Invert {
		return false, nil
	}
	r, err := v.fromStart()
	if r == nil || err != nil {
		return false, err
	}
	if v.asBytes == nil {
		v.asBytes = v.s.searchBytes(v.s.matcher)
	}
	return findsText(v.asBytes, r, h.Format)
}

// searchBytes returns a searcher for what m matches in files as they are,
// whatever they look like.
func (s *searcher) searchBytes(m *match.Matcher) *match.Searcher {
	o := match.Options{MaxCount: -1, Spans: true, SinkBinary: true, Detection: match.Convert, Decode: s.options.Decode, Stop: s.stopped}
	o.Decode.Guess = false
	return m.NewSearcher(o)
}

// findsText reports whether such a searcher finds its pattern in what is text.
func findsText(s *match.Searcher, r io.Reader, f decode.Format) (bool, error) {
	var found textFinder
	_, err := s.Search(match.Haystack{Reader: r, Format: f, Mapped: true}, &found)
	return bool(found), err
}

// fromStart reads again what is being searched; nil if that is not possible.
func (v *visitor) fromStart() (io.Reader, error) {
	switch {
	case v.reread != nil:
		return v.reread()
	case v.regular:
		return io.NewSectionReader(&v.h, 0, math.MaxInt64), nil
	case v.stdin:
		return v.s.kept.reader()
	}
	return nil, nil
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

// checkGuess fails the file that was searched as UTF-16 if it is not all of it
// that, and reports whether its search counts.
func (v *visitor) checkGuess(h match.Haystack, o *match.Outcome) bool {
	if !o.Guessed || o.Lines > 0 && v.s.options.FirstOnly {
		return true
	}
	mixed, err := v.mixed(h)
	switch {
	case err != nil:
		v.failed(err)
	case mixed:
		v.w.Fail(walk.Error{Path: walk.Displayed(v.path), Op: walk.OpRead, Err: errMixed})
	}
	return err == nil && !mixed
}
