package rank

import (
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Folding makes words comparable: compatibility decomposition, no marks, one
// case. What is shown and what is counted exactly is never folded.

// A kind is what a byte or a character is to the cutting of words.
type kind uint8

const (
	separator kind = iota
	letter         // of a script that is written with spaces
	digit
	joined // of a script that is written without: each character counts
	mark   // belongs to what stands before it, and is left out by folding
)

// asciiFold holds the folded byte of each ASCII letter and digit, 0 for every
// other byte; bytes of other characters are 0 too.
var asciiFold = func() (t [256]byte) {
	for c := '0'; c <= '9'; c++ {
		t[c] = byte(c)
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-'a'+'A'] = byte(c), byte(c)
	}
	return t
}()

// foldLimit is where the table of folded characters ends; it holds the Latin,
// Greek, Cyrillic, Hebrew and Arabic letters.
const foldLimit = 0x700

// A folded character has a kind and the text it is compared by, which is the
// character itself if empty.
type folded struct {
	text string
	kind kind
}

// A folder folds characters. The table is made when the first one is asked
// for, since most runs of the program need none.
type folder struct{ table *[foldLimit]folded }

func newFolder() folder { return folder{foldTable()} }

var foldTable = sync.OnceValue(func() *[foldLimit]folded {
	t := new([foldLimit]folded)
	for r := range rune(foldLimit) {
		t[r] = foldRune(r)
	}
	return t
})

func (f folder) fold(r rune) folded {
	if r < foldLimit {
		return f.table[r]
	}
	return foldRune(r)
}

func foldRune(r rune) folded {
	f := folded{kind: kindOf(r)}
	switch f.kind {
	case separator, mark:
		return f
	case joined:
		// The marks on kana and in Thai tell words apart.
		f.text = norm.NFKC.String(string(r))
	default:
		var out []byte
		for _, r := range norm.NFKD.String(string(r)) {
			if !unicode.Is(unicode.M, r) {
				out = utf8.AppendRune(out, r)
			}
		}
		f.text = cases.Fold().String(string(out))
	}
	if f.text == string(r) {
		f.text = ""
	}
	return f
}

// spaceless are the scripts whose words are not divided.
var spaceless = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

func kindOf(r rune) kind {
	switch {
	case r < utf8.RuneSelf:
		switch f := asciiFold[r]; {
		case f == 0:
			return separator
		case f <= '9':
			return digit
		}
		return letter
	case r == utf8.RuneError:
		return separator
	case r == 'ー' || r == '々' || unicode.In(r, spaceless...) && unicode.In(r, unicode.L, unicode.M, unicode.N):
		return joined
	case unicode.Is(unicode.L, r):
		return letter
	case unicode.Is(unicode.N, r):
		return digit
	case unicode.Is(unicode.M, r), r == 0x00AD, r == 0x200C, r == 0x200D:
		return mark
	}
	return separator
}
