package decode

import (
	"sort"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// The structure of these encodings, and what of a malformed sequence is taken
// for the next character's beginning, is written out here after the standard:
// the decoders of golang.org/x/text swallow ASCII bytes, a line terminator for
// instance, that follow the first byte of a character. They serve as the tables
// of the characters that there are.

// A stepDecoder is given bytes of which the first is not ASCII. It appends one
// character, or one U+FFFD, and returns how many bytes that took: none if more
// are needed, which with last is never the case.
type stepDecoder func(dst, src []byte, last bool) ([]byte, int)

func (step stepDecoder) decode(dst, src []byte, last bool) ([]byte, int) {
	i := 0
	for i < len(src) {
		var n int
		dst, n = appendASCII(dst, src[i:])
		for i += n; i < len(src) && src[i] >= utf8.RuneSelf; i += n {
			if dst, n = step(dst, src[i:], last); n == 0 {
				return dst, i
			}
		}
	}
	return dst, i
}

// appendFrom appends the one character that all of src is in e. If it is
// none, it is one U+FFFD, and an ASCII byte at its end is not part of that.
func appendFrom(e encoding.Encoding, dst, src []byte) ([]byte, int) {
	if text, ok := character(e, dst, src); ok {
		return text, len(src)
	}
	n := len(src)
	if src[n-1] < utf8.RuneSelf {
		n--
	}
	return appendError(dst), n
}

// character appends the one character that all of src is in e, if it is one.
func character(e encoding.Encoding, dst, src []byte) ([]byte, bool) {
	var buf [8]byte
	n, taken, err := e.NewDecoder().Transform(buf[:], src, true)
	if err != nil || taken != len(src) {
		return dst, false
	}
	r, size := utf8.DecodeRune(buf[:n])
	if r == utf8.RuneError || size != n {
		return dst, false
	}
	return append(dst, buf[:n]...), true
}

// unfinished is what a step returns of a character whose end is missing.
func unfinished(dst, src []byte, last bool) ([]byte, int) {
	if !last {
		return dst, 0
	}
	return appendError(dst), len(src)
}

func between(c, lo, hi byte) bool { return lo <= c && c <= hi }

func stepGB18030(dst, src []byte, last bool) ([]byte, int) {
	switch c := src[0]; {
	case c == 0x80:
		return append(dst, "€"...), 1
	case c == 0xFF:
		return appendError(dst), 1
	case len(src) < 2:
		return unfinished(dst, src, last)
	case !between(src[1], '0', '9'):
		if r := gbMore(src[0], src[1]); r != 0 {
			return utf8.AppendRune(dst, r), 2
		}
		return appendFrom(simplifiedchinese.GB18030, dst, src[:2])
	case len(src) < 3:
		return unfinished(dst, src, last)
	case !between(src[2], 0x81, 0xFE):
		return appendError(dst), 1
	case len(src) < 4:
		return unfinished(dst, src, last)
	case !between(src[3], '0', '9'):
		return appendError(dst), 1
	}
	if [4]byte(src) == [4]byte{0x81, 0x35, 0xF4, 0x37} {
		return utf8.AppendRune(dst, 0xE7C7), 4 // gbRuns has its character
	}
	if text, ok := character(simplifiedchinese.GB18030, dst, src[:4]); ok {
		return text, 4
	}
	return appendError(dst), 4
}

// gbMore returns a character of two bytes that the standard has and the table
// has not, 0 if it is none.
func gbMore(lead, trail byte) rune {
	column := rune(trail) - 0x40
	if trail > 0x7F {
		column--
	}
	switch {
	// Characters that users define are in three parts of the table.
	case between(lead, 0xAA, 0xAF) && between(trail, 0xA1, 0xFE):
		return 0xE000 + 94*rune(lead-0xAA) + rune(trail-0xA1)
	case between(lead, 0xF8, 0xFE) && between(trail, 0xA1, 0xFE):
		return 0xE234 + 94*rune(lead-0xF8) + rune(trail-0xA1)
	case lead == 0xA3 && trail == 0xA0:
		return 0
	case between(lead, 0xA1, 0xA7) && trail != 0x7F && between(trail, 0x40, 0xA0):
		return 0xE4C6 + 96*rune(lead-0xA1) + column
	}
	pair := uint16(lead)<<8 | uint16(trail)
	i := sort.Search(len(gbRuns), func(i int) bool { return gbRuns[i].pair > pair }) - 1
	if i >= 0 && pair-gbRuns[i].pair < gbRuns[i].n {
		return gbRuns[i].char + rune(pair-gbRuns[i].pair)
	}
	return 0
}

// gbRuns are the rest: n characters in a row, of the edition of 2022 and of
// what an earlier one kept free.
var gbRuns = []struct {
	pair uint16
	char rune
	n    uint16
}{
	{0xA2AB, 0xE766, 6},
	{0xA2E4, 0xE76D, 1},
	{0xA2EF, 0xE76E, 2},
	{0xA2FD, 0xE770, 2},
	{0xA4F4, 0xE772, 11},
	{0xA5F7, 0xE77D, 8},
	{0xA6B9, 0xE785, 8},
	{0xA6D9, 0xFE10, 1},
	{0xA6DA, 0xFE12, 1},
	{0xA6DB, 0xFE11, 1},
	{0xA6DC, 0xFE13, 4},
	{0xA6EC, 0xFE17, 2},
	{0xA6F3, 0xFE19, 1},
	{0xA6F6, 0xE797, 9},
	{0xA7C2, 0xE7A0, 15},
	{0xA7F2, 0xE7AF, 13},
	{0xA896, 0xE7BC, 11},
	{0xA8BC, 0x1E3F, 1},
	{0xA8C1, 0xE7C9, 4},
	{0xA8EA, 0xE7CD, 21},
	{0xA958, 0xE7E2, 1},
	{0xA95B, 0xE7E3, 1},
	{0xA95D, 0xE7E4, 3},
	{0xA997, 0xE7F4, 13},
	{0xA9F0, 0xE801, 15},
	{0xD7FA, 0xE810, 5},
	{0xFE51, 0xE816, 3},
	{0xFE59, 0x9FB4, 1},
	{0xFE61, 0x9FB5, 1},
	{0xFE66, 0x9FB6, 2},
	{0xFE6C, 0xE831, 1},
	{0xFE6D, 0x9FB8, 1},
	{0xFE76, 0xE83B, 1},
	{0xFE7E, 0x9FB9, 1},
	{0xFE90, 0x9FBA, 1},
	{0xFE91, 0xE855, 1},
	{0xFEA0, 0x9FBB, 1},
}

// big5Pairs are the codes that stand for a letter and a combining accent.
var big5Pairs = map[[2]byte]string{
	{0x88, 0x62}: "\u00CA\u0304", {0x88, 0x64}: "\u00CA\u030C",
	{0x88, 0xA3}: "\u00EA\u0304", {0x88, 0xA5}: "\u00EA\u030C",
}

func stepBig5(dst, src []byte, last bool) ([]byte, int) {
	switch c := src[0]; {
	case !between(c, 0x81, 0xFE):
		return appendError(dst), 1
	case len(src) < 2:
		return unfinished(dst, src, last)
	}
	if text, ok := big5Pairs[[2]byte(src)]; ok {
		return append(dst, text...), 2
	}
	return appendFrom(traditionalchinese.Big5, dst, src[:2])
}

func stepEUCKR(dst, src []byte, last bool) ([]byte, int) {
	switch c := src[0]; {
	case !between(c, 0x81, 0xFE):
		return appendError(dst), 1
	case len(src) < 2:
		return unfinished(dst, src, last)
	}
	return appendFrom(korean.EUCKR, dst, src[:2])
}

func stepEUCJP(dst, src []byte, last bool) ([]byte, int) {
	switch c := src[0]; {
	case c != 0x8E && c != 0x8F && !between(c, 0xA1, 0xFE):
		return appendError(dst), 1
	case len(src) < 2:
		return unfinished(dst, src, last)
	case c != 0x8F || !between(src[1], 0xA1, 0xFE):
		return appendFrom(japanese.EUCJP, dst, src[:2])
	case len(src) < 3:
		return unfinished(dst, src, last)
	}
	return appendFrom(japanese.EUCJP, dst, src[:3])
}

func stepShiftJIS(dst, src []byte, last bool) ([]byte, int) {
	switch c := src[0]; {
	case c == 0x80:
		return utf8.AppendRune(dst, 0x80), 1
	case between(c, 0xA1, 0xDF):
		return utf8.AppendRune(dst, 0xFF61-0xA1+rune(c)), 1
	case c == 0xA0 || c > 0xFC:
		return appendError(dst), 1
	case len(src) < 2:
		return unfinished(dst, src, last)
	case between(c, 0xF0, 0xF9) && src[1] != 0x7F && between(src[1], 0x40, 0xFC):
		// Characters that users define, 188 of them for each first byte.
		offset := rune(src[1]) - 0x40
		if src[1] > 0x7F {
			offset--
		}
		return utf8.AppendRune(dst, 0xE000+188*rune(c-0xF0)+offset), 2
	}
	return appendFrom(japanese.ShiftJIS, dst, src[:2])
}
