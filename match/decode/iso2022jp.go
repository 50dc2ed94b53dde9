package decode

import (
	"unicode/utf8"

	"golang.org/x/text/encoding/japanese"
)

// iso2022jp decodes ISO-2022-JP, whose escape sequences choose the set that
// the bytes behind them belong to
// (https://encoding.spec.whatwg.org/#iso-2022-jp-decoder).
type iso2022jp struct {
	set jpSet
	// blank says that no character has come since the last escape sequence;
	// another one is then an error.
	blank bool
}

type jpSet uint8

const (
	jpASCII jpSet = iota
	jpRoman
	jpKatakana
	jpKanji
)

const escape = 0x1B

// jpEscapes are what may follow the escape byte.
var jpEscapes = map[[2]byte]jpSet{
	{'(', 'B'}: jpASCII,
	{'(', 'J'}: jpRoman,
	{'(', 'I'}: jpKatakana,
	{'$', '@'}: jpKanji,
	{'$', 'B'}: jpKanji,
}

func (d *iso2022jp) decode(dst, src []byte, last bool) ([]byte, int) {
	i := 0
	for i < len(src) {
		var n int
		if src[i] == escape {
			dst, n = d.escaped(dst, src[i:], last)
		} else {
			dst, n = d.step(dst, src[i:], last)
		}
		if n == 0 {
			break
		}
		i += n
	}
	return dst, i
}

// escaped takes an escape sequence. If it is none, the escape byte is an
// error, and what follows is text.
func (d *iso2022jp) escaped(dst, src []byte, last bool) ([]byte, int) {
	if len(src) < 3 && !last && (len(src) < 2 || src[1] == '(' || src[1] == '$') {
		return dst, 0
	}
	if len(src) >= 3 {
		if set, ok := jpEscapes[[2]byte(src[1:])]; ok {
			if d.blank {
				dst = appendError(dst)
			}
			d.set, d.blank = set, true
			return dst, 3
		}
	}
	d.blank = false
	return appendError(dst), 1
}

// step takes one character of the current set.
func (d *iso2022jp) step(dst, src []byte, last bool) ([]byte, int) {
	c := src[0]
	if d.set == jpKanji {
		return d.kanji(dst, src, last)
	}
	d.blank = false
	switch {
	case d.set == jpKatakana && between(c, 0x21, 0x5F):
		return utf8.AppendRune(dst, 0xFF61-0x21+rune(c)), 1
	case d.set == jpKatakana || c >= utf8.RuneSelf || c == 0x0E || c == 0x0F:
		return appendError(dst), 1
	case d.set == jpRoman && c == '\\':
		return append(dst, "¥"...), 1
	case d.set == jpRoman && c == '~':
		return append(dst, "‾"...), 1
	}
	return append(dst, c), 1
}

// kanji takes a character of two bytes.
func (d *iso2022jp) kanji(dst, src []byte, last bool) ([]byte, int) {
	d.blank = false
	switch {
	case !between(src[0], 0x21, 0x7E):
		return appendError(dst), 1
	case len(src) < 2:
		return unfinished(dst, src, last)
	case src[1] == escape:
		return appendError(dst), 1
	case between(src[1], 0x21, 0x7E):
		if text, ok := character(japanese.EUCJP, dst, []byte{src[0] | 0x80, src[1] | 0x80}); ok {
			return text, 2
		}
	}
	return appendError(dst), 2
}
