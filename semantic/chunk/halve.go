package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Halve cuts a chunk that has too many tokens in two, at the best place near
// its middle. Of one that is mostly head it only drops that: cutting the rest
// would leave the head too long. It returns nil if nothing can be cut off.
func (c Chunk) Halve() []Chunk {
	from := c.skip
	body := strings.TrimSpace(c.Passage[from:])
	if c.head != "" && len(c.head) >= len(body) {
		c.head, c.skip = "", 0
		c.Text = c.embedded()
		return []Chunk{c}
	}
	if utf8.RuneCountInString(body) < 2 {
		return nil
	}
	from += len(c.Passage[from:]) - len(strings.TrimLeftFunc(c.Passage[from:], unicode.IsSpace))
	cut := from + middle(c.Passage[from:])
	first, second := c, c
	first.Passage = strings.TrimSpace(c.Passage[:cut])
	second.Passage = strings.TrimSpace(c.Passage[cut:])
	second.skip = 0
	first.To = c.From + strings.Count(first.Passage, "\n")
	second.From = c.To - strings.Count(second.Passage, "\n")
	first.Text, second.Text = first.embedded(), second.embedded()
	return []Chunk{first, second}
}

// middle is a place in a text of two characters or more that leaves something
// but white space on both sides: the nearest to the middle of the best kind
// that lies in its middle half.
func middle(text string) int {
	half := len(text) / 2
	low, high := len(text)/4, len(text)-len(text)/4
	for _, between := range []string{"\n\n", "\n", ". ", " "} {
		best := -1
		for at := low; at < high; {
			i := strings.Index(text[at:high], between)
			if i < 0 {
				break
			}
			at += i + len(between)
			if best < 0 || max(at-half, half-at) < max(best-half, half-best) {
				best = at
			}
		}
		if best > 0 && strings.TrimSpace(text[:best]) != "" && strings.TrimSpace(text[best:]) != "" {
			return best
		}
	}
	for half > 0 && !utf8.RuneStart(text[half]) {
		half--
	}
	if half == 0 {
		_, half = utf8.DecodeRuneInString(text)
	}
	return half
}
