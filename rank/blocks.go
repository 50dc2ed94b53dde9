package rank

import (
	"encoding/binary"
	"math/bits"
)

// Most atoms of a text are none that anybody minds, and to go through them
// byte by byte is most of what ranking would cost. So ASCII is looked at in
// blocks of 64 bytes, as sets of bits: where atoms start is a matter of a few
// operations, and an atom whose first two bytes do not pass the filter is
// counted and left alone. [cutter.run] is the plain twin, which does the same
// alone; TestBlocksAreRuns and FuzzCut hold the two equal, and BenchmarkScan
// says what it is good for.

const blockSize = 64

const (
	ones = 0x0101010101010101
	high = 0x80 * ones
)

// between returns the high bit of each byte of x, all of them below 0x80, that
// lies in [lo, hi].
func between(x, lo, hi uint64) uint64 {
	return (x + (0x80-lo)*ones) &^ (x + (0x7f-hi)*ones) & high
}

// gather packs the high bits of eight bytes into one.
func gather(x uint64) uint64 { return x >> 7 * 0x0102040810204080 >> 56 }

// A block holds a bit for each byte: whether it belongs to an atom, whether it
// is a capital or a digit. Bytes from size on are not looked at, since the one
// at size is not ASCII.
type block struct {
	word, upper, digit uint64
	size               int
}

func look(text []byte) (b block) {
	text = text[:blockSize]
	for i := 0; i < blockSize; i += 8 {
		x := binary.LittleEndian.Uint64(text[i:])
		if foreign := x & high; foreign != 0 {
			b.size = i + bits.TrailingZeros64(foreign)/8
			b.add(x&^high, i)
			keep := uint64(1)<<b.size - 1
			b.word, b.upper, b.digit = b.word&keep, b.upper&keep, b.digit&keep
			return b
		}
		b.add(x, i)
	}
	b.size = blockSize
	return b
}

// add looks at eight bytes, the first of which is byte i.
func (b *block) add(x uint64, i int) {
	letters, digits := between(x|0x20*ones, 'a', 'z'), between(x, '0', '9')
	b.word |= gather(letters|digits) << i
	// What small letters have and capitals have not is the bit 0x20.
	if upper := letters &^ (x << 2); upper != 0 {
		b.upper |= gather(upper) << i
	}
	if digits != 0 {
		b.digit |= gather(digits) << i
	}
}

// blocks cuts text from i on, which no atom reaches from before, as far as it
// can in blocks: to a run of letters that is not ASCII, or longer than a block,
// or near the end. It returns where that begins.
func (c *cutter) blocks(text []byte, i int) int {
	for len(text)-i >= blockSize {
		b := look(text[i:])
		// A run that touches the end may go on behind it.
		end := b.size - bits.LeadingZeros64(^(b.word << (blockSize - b.size)))
		if end <= 0 {
			break
		}
		b.word &= ^uint64(0) >> (blockSize - end)
		c.runs(text[i:i+end], i, &b)
		i += end
		if b.size < blockSize {
			break
		}
	}
	return i
}

// runs cuts the runs of a block of text that is at base in the whole.
func (c *cutter) runs(text []byte, base int, b *block) {
	upper := b.upper & b.word
	// As startsPart has it.
	small := b.word &^ upper
	parts := upper & (small<<1 | upper<<1&((small&^b.digit)>>1))
	for first := b.word &^ (b.word << 1); first != 0; first &= first - 1 {
		start := bits.TrailingZeros64(first)
		if parts == 0 && c.known == nil && !c.filter.passes(text, start) {
			c.pos++
			continue
		}
		length := bits.TrailingZeros64(^(b.word >> start))
		within := parts >> start & (1<<length - 1)
		passes := false
		switch {
		case c.known != nil:
			passes = within != 0 || c.known.passes(text, start, length)
		case within == 0:
			passes = c.filter.passes(text, start)
		default:
			passes = c.filter.passesPart(text, start)
			for p := within; p != 0 && !passes; p &= p - 1 {
				passes = c.filter.passesPart(text, start+bits.TrailingZeros64(p))
			}
		}
		if !passes {
			c.pos += 1 + bits.OnesCount64(within)
			continue
		}
		w := c.word[:0]
		for _, b := range text[start : start+length] {
			w = append(w, asciiFold[b])
		}
		c.word = w
		if within != 0 {
			c.camel(text, start, start+length, base)
			continue
		}
		c.mind(w, place{c.pos, base + start, base + start + length})
		c.pos++
	}
}

// passes reports whether an atom that starts at i, and is a whole run, may
// matter.
func (f *filter) passes(text []byte, i int) bool {
	key := uint16(asciiFold[text[i]])
	if i+1 < len(text) {
		key |= uint16(asciiFold[text[i+1]]) << 8
	}
	return f.hasKey(key)
}

// passesPart does so of an atom that may end before the run does.
func (f *filter) passesPart(text []byte, i int) bool {
	return f.hasKey(uint16(asciiFold[text[i]])) || f.passes(text, i)
}

// Where slips are forgiven no two bytes tell whether an atom matters, but most
// atoms of a text have been seen before. A known remembers those of up to 16
// bytes that do not matter, as far as it has room.
type known struct {
	matters func(atom []byte) bool
	none    [1 << 14][2]uint64
	word    []byte
}

// passes reports whether the atom of some length at start may matter.
func (k *known) passes(text []byte, start, length int) bool {
	text = text[:cap(text)]
	if length > 16 || start+16 > len(text) {
		return true
	}
	// The bit 0x20 makes a capital small, and digits have it.
	key := [2]uint64{
		binary.LittleEndian.Uint64(text[start:]) | 0x20*ones,
		binary.LittleEndian.Uint64(text[start+8:]) | 0x20*ones,
	}
	if length < 8 {
		key = [2]uint64{key[0] & (1<<(8*length) - 1), 0}
	} else {
		key[1] &= 1<<(8*(length-8)) - 1
	}
	slot := &k.none[(key[0]*0x9e3779b97f4a7c15^key[1]*0xc2b2ae3d27d4eb4f)>>(64-14)]
	if *slot == key {
		return false
	}
	k.word = k.word[:0]
	for _, b := range text[start : start+length] {
		k.word = append(k.word, asciiFold[b])
	}
	if k.matters(k.word) {
		return true
	}
	*slot = key
	return false
}
