package chunk

import "unicode/utf8"

// What a text costs is an estimate of its tokens under the WordPiece
// vocabulary of BERT, which the small English embedding models share: a word
// has one token or a few, every mark of punctuation is one, and so is every
// character of a script that the vocabulary does not spell words in.

type class uint8

const (
	space class = iota
	letter
	digit
	mark
	lead2 // leads a character of two bytes
	lead3 // of three or four
	hangul
	trail
)

// classes tells bytes apart.
var classes = func() (c [256]class) {
	for i := range c {
		switch b := byte(i); {
		case b <= ' ' || b == 0x7f:
			c[i] = space
		case b|0x20 >= 'a' && b|0x20 <= 'z':
			c[i] = letter
		case b >= '0' && b <= '9':
			c[i] = digit
		case b < utf8.RuneSelf:
			c[i] = mark
		case b < 0xc0:
			c[i] = trail
		case b < 0xe0:
			c[i] = lead2
		case b >= 0xea && b <= 0xed: // U+A000 to U+DFFF
			c[i] = hangul
		default:
			c[i] = lead3
		}
	}
	return c
}()

// Letters and digits of a word that are counted as one token.
const (
	lettersPerToken = 6
	digitsPerToken  = 2
)

// latinEnd is the lead byte from which on characters of two bytes are no
// Latin letters: U+0240.
const latinEnd = 0xc9

// measure returns how much of a text can be had for at most limit tokens, in
// bytes, and what it costs. It ends between characters, and takes at least one.
func measure(text string, limit int) (length, cost int) {
	run := 0
	kind := space
	for i := 0; i < len(text); i++ {
		now := classes[text[i]]
		add := 0
		switch now {
		case trail:
			continue
		case lead2:
			if text[i] < latinEnd {
				now, add = letter, 1 // it is in few words of the vocabulary
			} else {
				add = 1
			}
		case mark, lead3:
			add = 1
		case hangul: // a syllable is taken apart
			add = 2
		}
		if now != kind {
			run, kind = 0, now
		}
		switch {
		case now == letter && run%lettersPerToken == 0, now == digit && run%digitsPerToken == 0:
			add = 1
		}
		run++
		if cost += add; cost > limit && i > 0 {
			return i, cost - add
		}
	}
	return len(text), cost
}
