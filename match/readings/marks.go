package readings

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// unicodeForm takes the composed and the decomposed form for the same.
func unicodeForm(list []token, i int) (string, int) {
	lit := list[i].lit
	forms := []string{lit}
	for _, f := range []norm.Form{norm.NFC, norm.NFD} {
		if s := f.String(lit); !slices.Contains(forms, s) {
			forms = append(forms, s)
		}
	}
	if len(forms) == 1 {
		return "", 0
	}
	return anyOf(forms), 1
}

func anyOf(forms []string) string {
	quoted := make([]string, len(forms))
	for i, s := range forms {
		quoted[i] = quote(s)
	}
	return "(?:" + strings.Join(quoted, "|") + ")"
}

// accents takes a letter with any marks, or none, for the same.
func accents(list []token, i int) (string, int) {
	lit := list[i].lit
	if lit == "" {
		return "", 0
	}
	plain := unaccented(lit)
	r, n := utf8.DecodeRuneInString(plain)
	if n < len(plain) || !unicode.IsLetter(r) || unicode.Is(unicode.Hangul, r) {
		return "", 0
	}
	variants := variantsOf()[r]
	if len(variants) == 0 && plain == lit {
		return "", 0
	}
	expr := quote(plain) + `\p{M}*`
	if len(variants) > 0 {
		expr += "|" + class(string(variants))
	}
	return "(?:" + expr + ")", 1
}

// strokes are letters whose mark Unicode takes for a part of the letter.
var strokes = map[rune]rune{
	'ø': 'o', 'Ø': 'O', 'ł': 'l', 'Ł': 'L', 'đ': 'd', 'Đ': 'D', 'ħ': 'h', 'Ħ': 'H', 'ŧ': 't', 'Ŧ': 'T', 'ı': 'i',
}

// unaccented returns s without marks.
func unaccented(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		if base, ok := strokes[r]; ok {
			return base
		}
		return r
	}, norm.NFD.String(s))
}

// variantsOf maps a letter to the single characters that are it with marks.
var variantsOf = sync.OnceValue(func() map[rune][]rune {
	m := map[rune][]rune{}
	for _, block := range [][2]rune{{0xc0, 0x24f}, {0x370, 0x52f}, {0x1e00, 0x1fff}} {
		for r := block[0]; r <= block[1]; r++ {
			plain := unaccented(string(r))
			base, n := utf8.DecodeRuneInString(plain)
			if n == len(plain) && base != r && unicode.IsLetter(r) {
				m[base] = append(m[base], r)
			}
		}
	}
	return m
})
