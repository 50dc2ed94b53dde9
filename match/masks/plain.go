package masks

import (
	"encoding/binary"
	"math/bits"
)

// findPlain is find where there is no assembly for it.
func (h *Heads) findPlain(dst []uint64, text []byte) {
	for i := range dst {
		mask, block := uint64(0), text[i*Size:][:Size+headSize-1]
		for i := range Size {
			// 1 for any bucket, without a branch that nobody could predict.
			is := h.whole[0][block[i]] & h.whole[1][block[i+1]] & h.whole[2][block[i+2]]
			mask |= (uint64(is) + 255) >> 8 << i
		}
		dst[i] = mask
	}
}

// classifyPlain is classify where there is no assembly for it: it looks at
// eight bytes at a time.
func classifyPlain(dst []Classes, text []byte) {
	for i := range dst {
		c, block := Classes{}, text[i*Size:][:Size]
		for at := 0; at < Size; at += 8 {
			x := binary.LittleEndian.Uint64(block[at:])
			foreign := x & high
			x &^= high
			letters := between(x|0x20*ones, 'a', 'z') &^ foreign
			digits := between(x, '0', '9') &^ foreign
			c.Word |= gather(letters|digits) << at
			// What small letters have and capitals have not is the bit 0x20.
			c.Upper |= gather(letters&^(x<<2)) << at
			c.Digit |= gather(digits) << at
			c.High |= gather(foreign) << at
		}
		dst[i] = c
	}
}

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
func gather(x uint64) uint64 { return bits.RotateLeft64(x>>7*0x0102040810204080, 8) & 0xff }
