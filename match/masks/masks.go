// Package masks turns text into sets of bits, one for each byte, so that who
// looks for rare places in a text goes from one to the next instead of from
// byte to byte. It knows two questions: where one of a set of beginnings may
// stand ([Heads]), and which bytes are ASCII letters, capitals and digits
// ([Classify]).
//
// It must not know what a word is, nor what is looked for.
package masks

import "slices"

// Size is the number of bytes that one mask speaks of; bit i is that of byte i.
const Size = 64

// headSize is how many bytes of a head are looked at.
const headSize = 3

// Heads is a set of beginnings, of which the first three bytes count. Each is
// in one of eight buckets, which hold the nibbles of their heads, so that a
// text is compared with all of them at once, by look-ups in tables of sixteen
// bytes: two for each of the three, for its low and for its high half.
type Heads struct {
	tables [2 * headSize][16]byte
	// whole is what the tables say of a whole byte, for the plain twin and for
	// the ends of texts.
	whole [headSize][256]byte
	added []string
}

// Add adds the head of a text, which is not empty. With fold its letters are
// in any case; those of the text are small, and all of this is about ASCII.
func (h *Heads) Add(text string, fold bool) {
	text = text[:min(len(text), headSize)]
	at := slices.Index(h.added, text)
	if at < 0 {
		at = len(h.added)
		h.added = append(h.added, text)
	}
	bucket := byte(1) << (at % 8)
	for i := range headSize {
		low, high := &h.tables[2*i], &h.tables[2*i+1]
		if i >= len(text) {
			for n := range 16 {
				low[n] |= bucket
				high[n] |= bucket
			}
			continue
		}
		b := text[i]
		low[b&15] |= bucket
		high[b>>4] |= bucket
		if fold && 'a' <= b && b <= 'z' {
			high[b>>4-2] |= bucket // a capital is 0x20 less
		}
	}
	for i := range headSize {
		for b := range 256 {
			h.whole[i][b] = h.tables[2*i][b&15] & h.tables[2*i+1][b>>4]
		}
	}
}

// Find looks at the bytes of text that dst has room for, and returns how many
// masks it has set. A bit is set where a head of the set stands, and at some
// places where none does, as many as the buckets mix up. Behind the end of
// text the right bytes are taken to follow.
func (h *Heads) Find(dst []uint64, text []byte) int {
	n := min(len(dst), (len(text)+Size-1)/Size)
	done := min(n, max(0, len(text)-headSize+1)/Size)
	if done > 0 {
		h.find(dst[:done], text)
	}
	if done < n {
		h.findLast(dst[done:n], text[done*Size:])
	}
	return n
}

// findLast is find where text may end before the last head does; it is at most
// one byte longer than a mask speaks of.
func (h *Heads) findLast(dst []uint64, text []byte) {
	var padded [2*Size + headSize - 1]byte
	n := copy(padded[:], text)
	h.find(dst, padded[:])
	for i := max(0, n-headSize+1); i < min(n, len(dst)*Size); i++ {
		if h.whole[0][text[i]] != 0 && (i+1 == n || h.whole[0][text[i]]&h.whole[1][text[i+1]] != 0) {
			dst[i/Size] |= 1 << (i % Size)
		}
	}
	if n < len(dst)*Size {
		dst[n/Size] &= 1<<(n%Size) - 1
	}
}

// Classes are what the bytes of a text are.
type Classes struct {
	Word  uint64 // an ASCII letter or digit
	Upper uint64 // a capital
	Digit uint64
	High  uint64 // no ASCII
}

// Classify looks at the bytes of text that dst has room for, and returns how
// many classes it has set.
func Classify(dst []Classes, text []byte) int {
	n := min(len(dst), (len(text)+Size-1)/Size)
	done := min(n, len(text)/Size)
	if done > 0 {
		classify(dst[:done], text)
	}
	if done < n {
		var padded [Size]byte
		copy(padded[:], text[done*Size:])
		classify(dst[done:n], padded[:])
	}
	return n
}
