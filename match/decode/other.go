package decode

import (
	"bytes"
	"unicode"
	"unicode/utf8"
)

// An Other is a reading that a haystack was not read in. Programs with different
// ideas may write to one file: UTF-16 then goes on as bytes, in the other byte order
// or a byte later, and bytes go on as UTF-16. Whoever claims that something is
// nowhere in such a file must have looked in each of these readings.
//
// A letter of an alphabet in UTF-16 holds a control character in any other reading,
// and so is no text there. Such letters are left out of other readings.
type Other struct {
	kind otherKind
	// usual is the byte order of the haystack, if it was read as UTF-16, big the
	// one that is tried, odd says that its units begin at odd offsets.
	usual, big, odd bool
}

type otherKind uint8

const (
	// rest is the bytes of what was read as UTF-16 and is no letter.
	rest otherKind = iota + 1
	// wide is UTF-16 within UTF-16.
	wide
	// letters is the letters of UTF-16 within bytes.
	letters
)

// Bytes reports whether the reading is one of bytes.
func (o Other) Bytes() bool { return o.kind == rest }

// Others returns the further readings in which a haystack that was read to its end
// may hold text. Any two bytes are a character of UTF-16, so that within bytes only
// letters of alphabets are told from chance.
func Others(f Facts) []Other {
	big := f.BigEndian
	switch {
	case f.Doubtful:
		return []Other{
			{rest, big, big, false},
			{wide, big, !big, false},
			{wide, big, big, true},
			{wide, big, !big, true},
		}
	case f.NUL:
		return []Other{
			{letters, false, false, false},
			{letters, false, true, false},
			{letters, false, false, true},
			{letters, false, true, true},
		}
	}
	return nil
}

func (o Other) decoder() decoder {
	return &otherDecoder{Other: o, utf16: &utf16Decoder{big: o.big}, plain: utf16Decoder{big: o.usual}}
}

// An otherDecoder decodes what an [Other] is.
type otherDecoder struct {
	Other
	utf16 *utf16Decoder
	plain utf16Decoder // in the usual order
	begun bool
	// last is the byte before those to come, where units begin at odd offsets.
	last    byte
	touches bool // the unit before was text
	room    []byte
}

func (d *otherDecoder) decode(dst, src []byte, last bool) ([]byte, int) {
	start := 0
	if d.odd && !d.begun && len(src) > 0 {
		start, d.last = 1, src[0]
	}
	d.begun = d.begun || len(src) > 0
	src = src[start:]
	n := 0
	switch {
	case d.kind == rest:
		dst, n = d.leave(dst, src, last)
	case d.kind == letters:
		dst, n = d.pick(dst, src, last)
	case d.odd && d.big != d.usual:
		// The letters of the usual reading are the same letters here, but for the
		// last one before a byte that is none.
		dst, n = d.utf16.decode(dst, src, last)
	default:
		dst, n = d.utf16.decode(dst, d.masked(src, last), last)
		if d.odd && n > 0 {
			d.last = src[n-1]
		}
	}
	return dst, start + n
}

// mark16 is the byte-order mark, turned16 in the other byte order.
const (
	mark16   = 0xFEFF
	turned16 = 0xFFFE
)

// pick appends the letters of src, with a line end in place of anything else.
func (d *otherDecoder) pick(dst, src []byte, last bool) ([]byte, int) {
	i := 0
	for ; i+2 <= len(src); i += 2 {
		if u := d.utf16.unit(src[i:]); u >= firstStray {
			dst = append(dst, '\n')
		} else {
			dst = utf8.AppendRune(dst, rune(u))
		}
	}
	if last {
		i = len(src)
	}
	return dst, i
}

// leave appends what is left of src without the letters, each of which leaves a
// line end. A NUL byte may belong to bytes, too: the other byte of its unit is left
// if it touches text.
func (d *otherDecoder) leave(dst, src []byte, last bool) ([]byte, int) {
	i := 0
	for ; i+2 <= len(src); i += 2 {
		unit := src[i : i+2]
		u := d.utf16.unit(unit)
		letter := u < firstStray
		switch {
		case letter && d.big && i+4 > len(src) && !last:
			return dst, i
		case letter && d.big && i+4 <= len(src) && d.textual(src[i+2:i+4]):
			dst = append(dst, '\n', unit[1])
		case letter && !d.big && d.touches:
			dst = append(dst, unit[0], '\n')
		case letter, u == mark16, u == turned16:
			dst = append(dst, '\n')
		default:
			dst = append(dst, unit...)
		}
		d.touches = d.textual(unit)
	}
	if last && i < len(src) {
		dst = append(dst, src[i])
		i++
	}
	return dst, i
}

// textual reports whether a unit is no letter, and may be two bytes of a text.
func (d *otherDecoder) textual(unit []byte) bool {
	return d.utf16.unit(unit) >= firstStray && !bytes.ContainsFunc(unit, func(r rune) bool { return r < ' ' && !unicode.IsSpace(r) })
}

// masked returns src with a line end for each unit that consists of letters of the
// usual reading. At odd offsets that takes a byte more, which must have come.
func (d *otherDecoder) masked(src []byte, last bool) []byte {
	d.room = append(d.room[:0], src...)
	letter := func(a, b byte) bool { return d.plain.unit([]byte{a, b}) < firstStray }
	before := d.last
	for i := 0; i+2 <= len(src); i += 2 {
		usual := false
		switch {
		case !d.odd:
			usual = letter(src[i], src[i+1])
		case i+2 < len(src):
			usual = letter(before, src[i]) && letter(src[i+1], src[i+2])
		case !last:
			return d.room[:i]
		}
		before = src[i+1]
		if usual {
			d.room[i], d.room[i+1] = '\n', 0
			if d.big {
				d.room[i], d.room[i+1] = 0, '\n'
			}
		}
	}
	return d.room
}
