package decode

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// A decoder turns bytes of one encoding into UTF-8, with U+FFFD for what is
// not well-formed, as often as the WHATWG Encoding Standard says.
type decoder interface {
	// decode appends the text of src to dst and returns the number of bytes
	// that it took. What it leaves, at most maxPending bytes, begins a
	// character; with last nothing follows, and nothing is left.
	decode(dst, src []byte, last bool) ([]byte, int)
}

// maxPending bounds an unfinished character: three bytes of four.
const maxPending = 3

// appendError appends U+FFFD.
func appendError(dst []byte) []byte { return append(dst, "\uFFFD"...) }

// appendASCII appends the ASCII bytes that src begins with, and returns their
// number.
func appendASCII(dst, src []byte) ([]byte, int) {
	n := 0
	for n+8 <= len(src) && binary.LittleEndian.Uint64(src[n:])&0x8080808080808080 == 0 {
		n += 8
	}
	for n < len(src) && src[n] < utf8.RuneSelf {
		n++
	}
	return append(dst, src[:n]...), n
}

// A charmapDecoder has one byte for each character.
type charmapDecoder struct{ m *charmap.Charmap }

// char returns the character of a byte. Where Unicode has its control
// characters, so has the standard whatever a character set leaves undefined.
func (d charmapDecoder) char(c byte) rune {
	r := d.m.DecodeByte(c)
	if r == utf8.RuneError && c < 0xA0 {
		return rune(c)
	}
	return r
}

func (d charmapDecoder) decode(dst, src []byte, last bool) ([]byte, int) {
	for i := 0; i < len(src); {
		var n int
		dst, n = appendASCII(dst, src[i:])
		for i += n; i < len(src) && src[i] >= utf8.RuneSelf; i++ {
			dst = utf8.AppendRune(dst, d.char(src[i]))
		}
	}
	return dst, len(src)
}

// A utf8Decoder replaces each maximal part of a character that is not
// well-formed. A mark at the start is dropped even behind the one that
// [Reader.sniff] has dropped, which is what ripgrep does.
type utf8Decoder struct{ begun bool }

func (d *utf8Decoder) decode(dst, src []byte, last bool) ([]byte, int) {
	i := 0
	if !d.begun {
		const mark = "\uFEFF"
		if len(src) < len(mark) && bytes.HasPrefix([]byte(mark), src) && !last {
			return dst, 0
		}
		d.begun = true
		if bytes.HasPrefix(src, []byte(mark)) {
			i = len(mark)
		}
	}
	for i < len(src) {
		var n int
		dst, n = appendASCII(dst, src[i:])
		i += n
		for i < len(src) && src[i] >= utf8.RuneSelf {
			if _, n := utf8.DecodeRune(src[i:]); n > 1 {
				dst = append(dst, src[i:i+n]...)
				i += n
				continue
			}
			n, more := Subpart(src[i:])
			if more && !last {
				return dst, i
			}
			dst = appendError(dst)
			i += n
		}
	}
	return dst, i
}

// Subpart returns how many bytes at the start of p, which do not make a whole
// character, are to be replaced as one: those that begin a character (the maximal
// subpart of Unicode's section 3.9), or one that does not. more says that p ends
// within what may become a character. The second byte's range depends on the first
// (table 3-7).
func Subpart[T []byte | string](p T) (n int, more bool) {
	size, lo, hi := 0, byte(0x80), byte(0xBF)
	switch c := p[0]; {
	case c < 0xC2 || c > 0xF4:
		return 1, false
	case c < 0xE0:
		size = 2
	case c < 0xF0:
		size = 3
		if c == 0xE0 {
			lo = 0xA0
		} else if c == 0xED {
			hi = 0x9F
		}
	default:
		size = 4
		if c == 0xF0 {
			lo = 0x90
		} else if c == 0xF4 {
			hi = 0x8F
		}
	}
	for n = 1; n < min(size, len(p)); n++ {
		if p[n] < lo || p[n] > hi {
			return n, false
		}
		lo, hi = 0x80, 0xBF
	}
	return n, n < size
}

// A utf16Decoder drops a mark at the start as utf8Decoder does.
type utf16Decoder struct {
	big, begun bool
	// strays: it has come to something that is no letter of an alphabet, and so
	// may be text of another kind (see [Other]).
	strays bool
}

// firstStray is the first code unit whose high byte may be a byte of a text of
// another kind: those before are control characters.
const firstStray = 0x600

func (d *utf16Decoder) decode(dst, src []byte, last bool) ([]byte, int) {
	i := 0
	if !d.begun && len(src) >= 2 {
		d.begun = true
		if d.unit(src) == 0xFEFF {
			i = 2
		}
	}
	for ; i+2 <= len(src); i += 2 {
		r := rune(d.unit(src[i:]))
		switch {
		case r < utf8.RuneSelf:
			dst = append(dst, byte(r))
			continue
		case !utf16.IsSurrogate(r):
			d.strays = d.strays || r >= firstStray
		case i+4 > len(src) && r < 0xDC00:
			if !last {
				return dst, i
			}
			d.strays = true
			// With what is left of its other half it makes one error.
			return appendError(dst), len(src)
		default:
			d.strays = true
			if i+4 > len(src) {
				r = utf8.RuneError
				break
			}
			r = utf16.DecodeRune(r, rune(d.unit(src[i+2:])))
			if r != utf8.RuneError {
				i += 2
			}
		}
		dst = utf8.AppendRune(dst, r)
	}
	if last && i < len(src) {
		d.strays = true
		return appendError(dst), len(src)
	}
	return dst, i
}

// unit returns the first code unit of p.
func (d *utf16Decoder) unit(p []byte) uint16 {
	if d.big {
		return binary.BigEndian.Uint16(p)
	}
	return binary.LittleEndian.Uint16(p)
}
