package escape

import (
	"strings"
	"unicode/utf8"
)

// Lossy returns a text with U+FFFD for what is not UTF-8, as Rust's standard library
// displays a path.
func Lossy(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			n = InvalidLen(s)
		}
		b.WriteRune(r)
		s = s[n:]
	}
	return b.String()
}

// InvalidLen is the number of bytes at the start of b that begin a character
// without ending it, at least 1: the maximal subpart that Unicode recommends to
// replace as one.
func InvalidLen[T []byte | string](b T) int {
	// The second byte's range depends on the first (Unicode, table 3-7).
	low, high, size := byte(0x80), byte(0xBF), 0
	switch c := b[0]; {
	case c >= 0xC2 && c <= 0xDF:
		size = 2
	case c >= 0xE0 && c <= 0xEF:
		size = 3
		if c == 0xE0 {
			low = 0xA0
		} else if c == 0xED {
			high = 0x9F
		}
	case c >= 0xF0 && c <= 0xF4:
		size = 4
		if c == 0xF0 {
			low = 0x90
		} else if c == 0xF4 {
			high = 0x8F
		}
	}
	n := 1
	for n < size && n < len(b) && b[n] >= low && b[n] <= high {
		n++
		low, high = 0x80, 0xBF
	}
	return n
}
