package run

import (
	"errors"
	"unicode"
	"unicode/utf8"

	"tally/match"
	"tally/match/decode"
	"tally/match/readings"
	"tally/run/input"
	"tally/walk"
)

// The beginning of a file decides whether it is read as UTF-16 or as bytes. The file
// may go on otherwise, as a log does to which programs with different ideas have
// written. A zero or a total of one reading would then be wrong of the file, so the
// pattern is looked for in the other readings as well (decode.Others).

var (
	errMixed = errors.New("begins like UTF-16 without a mark, but holds the pattern in other bytes, too; say how to read it with --encoding (none: as it is)")
	errBytes = errors.New("is UTF-16 by its mark, but holds the pattern in other bytes, too; say how to read it with --encoding (none: as it is)")
	errWide  = errors.New("is searched as bytes, but holds the pattern in UTF-16, too; say how to read it with --encoding, such as utf-16le")
	errBlind = errors.New("is UTF-16 that may hold text in other bytes, of which --invert-match cannot tell; say how to read it with --encoding")
)

// mixture returns the error of a file that holds text in another reading than
// that of f.
func mixture(f decode.Facts) error {
	switch {
	case f.Guessed:
		return errMixed
	case f.UTF16:
		return errBytes
	}
	return errWide
}

// otherSearchers are searchers for one thing in other readings, made when they
// are first needed. The one for the zero reading looks for it in bytes of UTF-16.
type otherSearchers map[decode.Other]*match.Searcher

func (made *otherSearchers) searcher(m *match.Matcher, o match.Options) *match.Searcher {
	if *made == nil {
		*made = otherSearchers{}
	}
	reading := o.Decode.Other
	if (*made)[reading] == nil {
		(*made)[reading] = m.NewSearcher(o)
	}
	return (*made)[reading]
}

func (s *Session) otherSearcher(m *match.Matcher, made *otherSearchers, reading decode.Other) *match.Searcher {
	o := match.Options{Spans: true, SinkBinary: true, Detection: match.Convert, Decode: s.Input.Decode, Stop: s.stopped}
	o.Decode.Other, o.Decode.Inspect = reading, false
	return made.searcher(m, o)
}

// mixed returns an error if a file, which was read as f says, holds what m matches
// in another reading. Where it was found in the usual one, only the total is in
// doubt; then the bytes alone are looked at.
func (s *Session) mixed(m *match.Matcher, made *otherSearchers, src *input.Source, f decode.Facts, found bool) error {
	if f.NUL {
		if yes, known, err := s.wide(src, made); known || err != nil {
			if yes {
				err = errWide
			}
			return err
		}
	}
	for _, reading := range decode.Others(f) {
		if found && !reading.Bytes() {
			continue
		}
		h, err := src.Haystack()
		if err != nil {
			return err
		}
		finder := textFinder{strict: s.Absent, bytes: reading.Bytes(), within: !f.UTF16}
		h = match.Haystack{Reader: h.Reader, Format: src.Format(), Mapped: true}
		if _, err = s.otherSearcher(m, made, reading).Search(h, &finder); err != nil {
			return err
		}
		if finder.found {
			return mixture(f)
		}
	}
	return nil
}

// wide reports whether a file that is searched as bytes holds a pattern in UTF-16.
// known is false if the patterns cannot be looked for as bytes.
func (s *Session) wide(src *input.Source, made *otherSearchers) (found, known bool, err error) {
	s.wideOnce.Do(s.compileWide)
	if !s.wideKnown || s.wideMatcher == nil {
		return false, s.wideKnown, nil
	}
	h, err := src.Haystack()
	if err != nil {
		return false, true, err
	}
	o := match.Options{FirstOnly: true, Detection: match.Text, Decode: s.Input.Decode, Stop: s.stopped}
	o.Decode.Encoding, o.Decode.Guess, o.Decode.Inspect = decode.None, false, false
	out, err := made.searcher(s.wideMatcher, o).Search(match.Haystack{Reader: h.Reader, Format: src.Format()}, nil)
	return out.Lines > 0, true, err
}

// compileWide compiles the patterns as bytes of UTF-16.
func (s *Session) compileWide() {
	q := s.zeroQuery()
	q.Insensitive = s.Syntax.Case != match.Sensitive
	patterns, ok := readings.Wide(q)
	if !ok || s.Syntax.Engine != match.DefaultEngine {
		return
	}
	s.wideKnown = true
	if len(patterns) == 0 {
		return
	}
	syntax := match.Syntax{Patterns: patterns, Case: s.Syntax.Case}
	if q.Insensitive {
		syntax.Case = match.Insensitive
	}
	var err error
	s.wideMatcher, err = match.Compile(syntax)
	s.wideKnown = err == nil
}

// checkGuess reports whether the search of a file counts. It fails the file if
// another reading of it holds what is looked for, too. An inverted search cannot
// tell, since it would select what is no text in the other reading.
func (v *visitor) checkGuess(src *input.Source, o *match.Outcome) bool {
	if o.Lines > 0 && (v.s.Search.FirstOnly || !o.UTF16) {
		return true
	}
	var err error
	switch {
	case v.s.Ripgrep && !v.s.Absent || v.s.Search.Invert && !(v.s.Absent && o.Doubtful && o.Lines == 0):
		return true
	case v.s.Search.Invert:
		err = errBlind
	default:
		err = v.s.mixed(v.s.matcher, &v.others, src, o.Facts, o.Lines > 0)
	}
	if err != nil {
		v.w.Abort(*src.Failure(walk.OpRead, err), *o)
	}
	return err == nil
}

// A textFinder finds out whether there is a match in text of another reading.
type textFinder struct {
	strict bool // for a claim of absence any match will do
	bytes  bool // the reading is one of bytes,
	within bool // or of what may be pieces of UTF-16 within them
	found  bool
}

// Few bytes of UTF-16 that look like other text are chance: two characters
// whose codes have no byte that is not one of ASCII are not rare in Chinese, a
// row of them is. A character of UTF-16 in another byte order or a byte later is
// one of another script.
const (
	textMatch = 3  // characters of a match, or two of more bytes
	textLine  = 12 // in a row in the line around a shorter one
	wideMatch = 2  // characters of a match in UTF-16
)

func (t *textFinder) Matched(l *match.Line) bool {
	for _, s := range l.Spans {
		t.found = t.found || t.counts(l.Bytes[s.Start:s.End])
	}
	t.found = t.found || t.bytes && !t.strict && longestText(l.Bytes) >= textLine
	return !t.found
}

// counts reports whether a match is no chance. Pieces of UTF-16 that are found
// in bytes may be the ends of words in ASCII, with the NUL behind them.
func (t *textFinder) counts(match []byte) bool {
	n := utf8.RuneCount(match)
	switch {
	case t.within:
		return n >= wideMatch || n == 1 && match[0] >= utf8.RuneSelf
	case t.strict:
		return n > 0
	case !t.bytes:
		return n >= wideMatch
	}
	return (n >= textMatch || n > 1 && len(match) > textMatch) && longestText(match) == n
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
