package report

import (
	"unicode/utf8"

	"tally/match/decode"
)

// appendValid appends a text with U+FFFD for each run of bytes that a decoder of
// UTF-8 takes for one broken character ([decode.Subpart]).
func appendValid(b, text []byte) []byte {
	for at := 0; at < len(text); {
		n := 0
		for at+n < len(text) {
			r, size := utf8.DecodeRune(text[at+n:])
			if r == utf8.RuneError && size == 1 {
				break
			}
			n += size
		}
		b = append(b, text[at:at+n]...)
		at += n
		if at < len(text) {
			bad, _ := decode.Subpart(text[at:])
			b = append(b, "\uFFFD"...)
			at += bad
		}
	}
	return b
}
