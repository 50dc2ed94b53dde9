package decode

import (
	"encoding/binary"
	"unicode"
	"unicode/utf16"
)

// guessWindow is how many bytes of a haystack the guess is made from.
const guessWindow = 4 << 10

// guess recognises UTF-16 by its zero bytes and returns its decoder, nil if
// head is none. One byte of each unit of two, always the first or always the
// second, tells the script; of a text in an alphabet it is zero for ASCII and
// otherwise of one or two values. So head is UTF-16 only if
//
//   - it has at least four units,
//   - all of them are text: no control characters but white space, no surrogate
//     without its other half, no code that Unicode assigns to nothing,
//   - of the other bytes at most one in eight is zero, as in Ā,
//   - one unit in eight, at least, has the zero (spaces, digits, line ends), and
//     nine in ten have the zero or the one other value that is most frequent.
//     Pairs of surrogates, such as emoji, are left out of this account.
//
// A Chinese or Japanese text is not recognised. Numbers of 16 bits that are all
// the codes of characters are taken for text; so are single characters with a
// NUL between them.
func guess(head []byte) decoder {
	head = head[:len(head)&^1]
	if len(head) < 8 {
		return nil
	}
	for _, d := range []*utf16Decoder{{}, {big: true}} {
		if scripted(head, d.big) && isText(head, d) {
			return d
		}
	}
	return nil
}

// scripted looks at the distribution of the bytes of each unit.
func scripted(head []byte, big bool) bool {
	var high [256]int
	units, zeros := 0, 0
	for i := 0; i < len(head); i += 2 {
		h, l := head[i+1], head[i]
		if big {
			h, l = l, h
		}
		if h&^7 == 0xD8 { // a surrogate
			continue
		}
		units++
		high[h]++
		if l == 0 {
			zeros++
		}
	}
	most := 0
	for _, n := range high[1:] {
		most = max(most, n)
	}
	return 8*zeros <= units && 8*high[0] >= units && 10*(high[0]+most) >= 9*units
}

// isText reports whether all of head, but for half a pair at its end, is text.
func isText(head []byte, d *utf16Decoder) bool {
	order := binary.ByteOrder(binary.LittleEndian)
	if d.big {
		order = binary.BigEndian
	}
	for i := 0; i < len(head); i += 2 {
		r := rune(order.Uint16(head[i:]))
		if utf16.IsSurrogate(r) {
			if i+4 > len(head) {
				return r < 0xDC00
			}
			r = utf16.DecodeRune(r, rune(order.Uint16(head[i+2:])))
			i += 2
		}
		if r == unicode.ReplacementChar || !unicode.IsGraphic(r) && !unicode.In(r, unicode.White_Space, unicode.Cf) {
			return false
		}
	}
	return true
}
