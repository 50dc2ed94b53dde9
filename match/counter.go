package match

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"

	"tally/match/masks"
)

// A Count is how often something matches in a text: in how many lines, and how
// many times without overlap.
type Count struct{ Lines, Matches int64 }

// A Counter counts the matches of several matchers in one text after another,
// each as if it alone were searched for; for one goroutine. Literal texts are
// counted together in one pass over the places where any of them begins. They may
// overlap: each has a place of its own from which on it may match again.
// BenchmarkCounter measures what that spares.
type Counter struct {
	counts    []Count
	literals  [256][]countedText // by their first byte
	heads     masks.Heads
	searchers []*Searcher // of what is no literal; nil for one that is
	masks     [128]uint64
}

// A countedText is one of the literals.
type countedText struct {
	text       string
	head, mask uint64 // its first eight bytes, and which of those it has
	count      *Count
	next       int // where it may match again
	lineEnd    int // of the last line that it matched in
	term       byte
}

// NewCounter returns a counter of what each of ms matches.
func NewCounter(ms []*Matcher) *Counter {
	c := &Counter{counts: make([]Count, len(ms)), searchers: make([]*Searcher, len(ms))}
	for i, m := range ms {
		if text, ok := m.literal(); ok {
			c.literals[text[0]] = append(c.literals[text[0]], newCountedText(text, m.term, &c.counts[i]))
			c.heads.Add(text, false)
			continue
		}
		c.searchers[i] = m.NewSearcher(Options{CountAll: true, Spans: true})
	}
	return c
}

func newCountedText(text string, term byte, count *Count) countedText {
	l := countedText{text: text, term: term, count: count, mask: ^uint64(0)}
	if len(text) < 8 {
		l.mask = 1<<(8*len(text)) - 1
	}
	l.head = head([]byte(text))
	return l
}

// literal returns the text that m matches, if that is one text and nothing
// else, in any line where it stands.
func (m *Matcher) literal() (text string, ok bool) {
	s := &m.syntax
	if m.Engine() != DefaultEngine || len(s.Patterns) != 1 || len(s.And) > 0 || !s.Fixed || s.Case != Sensitive || s.Boundary != Anywhere {
		return "", false
	}
	text = s.Patterns[0]
	return text, text != "" && !strings.ContainsAny(text, "\n\x00")
}

// Count counts in a text as [Searcher.SearchText] does. The counts, in the
// order of the matchers, are valid until the next call. The error is an
// engine's.
func (c *Counter) Count(text []byte) ([]Count, error) {
	clear(c.counts)
	c.countLiterals(text)
	for i, s := range c.searchers {
		if s == nil {
			continue
		}
		o, err := s.SearchText(text)
		if err != nil {
			return nil, err
		}
		c.counts[i] = Count{o.Lines, o.Matches}
	}
	return c.counts, nil
}

func (c *Counter) countLiterals(text []byte) {
	for _, same := range c.literals {
		for i := range same {
			same[i].next, same[i].lineEnd = 0, 0
		}
	}
	lineEnd := 0 // of the last line in which anything matched
	for base := 0; base < len(text); base += len(c.masks) * masks.Size {
		n := c.heads.Find(c.masks[:], text[base:])
		for block, mask := range c.masks[:n] {
			for ; mask != 0; mask &= mask - 1 {
				i := base + block*masks.Size + bits.TrailingZeros64(mask)
				here := head(text[i:])
				same := c.literals[byte(here)]
				for j := range same {
					l := &same[j]
					if (here^l.head)&l.mask == 0 && i >= l.next && l.goesOn(text[i:]) {
						lineEnd = l.found(text, i, lineEnd)
					}
				}
			}
		}
	}
}

// head is the first eight bytes of a text; those that it lacks are 0.
func head(text []byte) uint64 {
	if len(text) >= 8 {
		return binary.LittleEndian.Uint64(text)
	}
	var b [8]byte
	copy(b[:], text)
	return binary.LittleEndian.Uint64(b[:])
}

// goesOn reports whether text, whose head is that of l, begins with l.
func (l *countedText) goesOn(text []byte) bool {
	return len(text) >= len(l.text) && (len(l.text) <= 8 || string(text[8:len(l.text)]) == l.text[8:])
}

// found counts a match at i. It takes and returns the end of the last line
// that anybody has looked for.
func (l *countedText) found(text []byte, i, lineEnd int) int {
	l.next = i + len(l.text)
	l.count.Matches++
	if i < l.lineEnd {
		return lineEnd
	}
	l.count.Lines++
	if i >= lineEnd {
		if n := bytes.IndexByte(text[i:], l.term); n >= 0 {
			lineEnd = i + n + 1
		} else {
			lineEnd = len(text)
		}
	}
	l.lineEnd = lineEnd
	return lineEnd
}
