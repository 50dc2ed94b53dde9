package rank

import (
	"encoding/binary"
	"math/bits"

	"tally/match/masks"
)

// Most atoms of a text are none that anybody minds, and to go through them
// byte by byte is most of what ranking would cost. So ASCII is looked at in
// blocks of 64 bytes, as sets of bits: which atoms may matter and how many come
// before them is a matter of a few operations, and those that do not pass are
// never visited. [cutter.run] is the plain twin, which does the same alone;
// TestBlocksAreRuns and FuzzCut hold the two equal, and BenchmarkScan says
// what it is good for.

const (
	blockSize = masks.Size
	// stripBlocks is how many blocks are looked at ahead.
	stripBlocks = 64
)

// A strip is the masks of a piece of text, from one byte to another. Its last
// blocks are there to be shifted out.
type strip struct {
	from, to int
	classes  [stripBlocks + 1]masks.Classes
	may      [stripBlocks + 1]uint64 // where an atom that matters may begin
}

// fill looks at text from i on.
func (c *cutter) fill(text []byte, i int) {
	s := &c.strip
	rest := text[i:]
	n := masks.Classify(s.classes[:stripBlocks], rest)
	c.filter.begin.Find(s.may[:stripBlocks], rest)
	s.classes[n], s.may[n] = masks.Classes{}, 0
	s.from, s.to = i, i+min(n*blockSize, len(rest))
}

// A block holds a bit for each byte: whether it belongs to an atom, whether it
// is a capital or (where there are any) a digit, whether an atom that matters may begin there. Bytes
// from size on are not looked at, since the one at size is not ASCII, or there
// is none.
type block struct {
	word, upper, digit, may uint64
	size                    int
}

// examine sets b to the block of the bytes of text from i on. It is not returned,
// since the copy would wait for its parts to be written.
func (c *cutter) examine(text []byte, i int, b *block) {
	s := &c.strip
	if i < s.from || min(i+blockSize, len(text)) > s.to {
		c.fill(text, i)
	}
	at, shift := uint(i-s.from)/blockSize, uint(i-s.from)%blockSize
	x, y := &s.classes[at], &s.classes[at+1]
	join := func(x, y uint64) uint64 { return x>>(shift&63) | y<<1<<(63-shift&63) }
	b.word, b.may = join(x.Word, y.Word), join(s.may[at], s.may[at+1])
	b.upper, b.digit = 0, 0
	if x.Upper|y.Upper != 0 {
		b.upper, b.digit = join(x.Upper, y.Upper), join(x.Digit, y.Digit)
	}
	b.size = min(blockSize, len(text)-i)
	if high := join(x.High, y.High); high != 0 {
		b.size = bits.TrailingZeros64(high)
		keep := uint64(1)<<b.size - 1
		b.word, b.upper, b.digit = b.word&keep, b.upper&keep, b.digit&keep
	}
}

// blocks cuts text from i on, which no atom reaches from before, as far as it
// can in blocks: to a run of letters that is not ASCII, or longer than a block.
// It returns where that begins.
func (c *cutter) blocks(text []byte, i int) int {
	var b block
	for i < len(text) {
		c.examine(text, i, &b)
		end := b.size
		if i+end < len(text) {
			// A run that touches the end may go on behind it.
			end -= bits.LeadingZeros64(^(b.word << (blockSize - end)))
		}
		if end <= 0 {
			break
		}
		b.word &= ^uint64(0) >> (blockSize - end)
		c.runs(text, i, &b)
		i += end
		if b.size < blockSize {
			break
		}
	}
	return i
}

// runs cuts the runs of a block of text that begins at base.
func (c *cutter) runs(text []byte, base int, b *block) {
	parts := uint64(0)
	if upper := b.upper & b.word; upper != 0 {
		// As startsPart has it.
		small := b.word &^ upper
		parts = upper & (small<<1 | upper<<1&((small&^b.digit)>>1))
	}
	starts := b.word &^ (b.word << 1)
	atoms := starts | parts
	candidates := atoms & b.may
	if c.known != nil {
		candidates |= parts | c.known.long(starts, b.word)
	}
	pos := c.pos
	for candidates != 0 {
		start := bits.Len64(starts&(2<<bits.TrailingZeros64(candidates)-1)) - 1
		length := bits.TrailingZeros64(^(b.word >> start))
		candidates &= ^uint64(0) << (start + length)
		within := parts >> start & (1<<length - 1)
		switch {
		case within != 0:
			// Parts may matter where the whole does not.
		case c.known != nil:
			if !c.known.passes(text, base+start, length) {
				continue
			}
		case !c.filter.passes(text, base+start, length):
			continue
		}
		w := c.word[:0]
		for _, b := range text[base+start : base+start+length] {
			w = append(w, asciiFold[b])
		}
		c.word = w
		c.pos = pos + bits.OnesCount64(atoms&(1<<start-1))
		if within != 0 {
			c.camel(text, base+start, base+start+length)
		} else {
			c.mind(w, place{c.pos, base + start, base + start + length})
		}
	}
	c.pos = pos + bits.OnesCount64(atoms)
}

// A filter tells atoms that may matter from most that do not.
type filter struct {
	// keys are the first two bytes of those that may, as sets of bits.
	keys [1 << 16 / 64]uint64
	// begin finds them in text that is not folded.
	begin masks.Heads
	// heads, by their first byte, are what an ASCII atom must begin with.
	heads [256][]atomHead
}

// An atomHead is the first bytes of atoms that may matter, up to four.
type atomHead struct {
	bytes, mask uint32
	length      int // of the whole atom, 0: any
}

// newFilter returns a filter that lets through terms and their forms.
func newFilter(terms []term) *filter {
	f := new(filter)
	for _, t := range terms {
		f.add(t.text)
	}
	return f
}

// add lets through a term and its forms, which have the first formStem bytes
// in common with it.
func (f *filter) add(term string) {
	k := filterKey([]byte(term))
	f.keys[k/64] |= 1 << (k % 64)
	f.begin.Add(term, true)
	h := atomHead{mask: ^uint32(0)}
	if len(term) < formStem {
		h.mask, h.length = 1<<(8*len(term))-1, len(term)
	}
	var first [4]byte
	copy(first[:], term)
	h.bytes = binary.LittleEndian.Uint32(first[:])
	f.heads[term[0]] = append(f.heads[term[0]], h)
}

// has reports whether a folded atom may matter.
func (f *filter) has(atom []byte) bool {
	k := filterKey(atom)
	return f.keys[k/64]>>(k%64)&1 != 0
}

func filterKey(atom []byte) uint16 {
	if len(atom) == 1 {
		return uint16(atom[0])
	}
	return uint16(atom[0]) | uint16(atom[1])<<8
}

// passes reports whether the ASCII atom of some length at i may matter.
func (f *filter) passes(text []byte, i, length int) bool {
	if i+4 > len(text) {
		return true
	}
	// The bit 0x20 makes a capital small, and digits have it.
	x := binary.LittleEndian.Uint32(text[i:]) | 0x20202020
	for _, h := range f.heads[byte(x)] {
		if (x^h.bytes)&h.mask == 0 && (h.length == 0 || h.length == length) {
			return true
		}
	}
	return false
}

// Where slips are forgiven the first bytes do not tell whether an atom matters,
// but most atoms of a text are shorter than any slip of a term, or have been
// seen before. A known remembers those of up to 16 bytes that do not matter, as
// far as it has room.
type known struct {
	matters func(atom []byte) bool
	// shortest is the number of letters that an atom has at least, if it is no
	// term and matters; [known.long] looks at most at eight.
	shortest int
	none     [1 << 14]knownAtom
	word     []byte
}

// A knownAtom is the bytes of an atom, 0 behind its end.
type knownAtom [2]uint64

// smallBits is the bit that makes capitals small, in eight bytes; digits have
// it.
const smallBits = 0x2020202020202020

// knownBytes are the bytes of an atom of some length. A table spares a branch
// that nobody can predict.
var knownBytes = func() (t [17]knownAtom) {
	for n := range t {
		t[n] = knownAtom{1<<(8*min(n, 8)) - 1, 1<<(8*max(0, n-8)) - 1}
	}
	return t
}()

// long returns those atoms of a block that are not too short to matter.
func (k *known) long(starts, word uint64) uint64 {
	for n := 1; n < min(k.shortest, 8); n++ {
		starts &= word >> n
	}
	return starts
}

// passes reports whether the atom of some length at start may matter.
func (k *known) passes(text []byte, start, length int) bool {
	if length > 16 || start+16 > len(text) {
		return true
	}
	mask := &knownBytes[length]
	key := knownAtom{
		(binary.LittleEndian.Uint64(text[start:]) | smallBits) & mask[0],
		(binary.LittleEndian.Uint64(text[start+8:]) | smallBits) & mask[1],
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
