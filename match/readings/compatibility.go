package readings

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// compatibilityBlocks are where Unicode has characters for the sake of other
// sets of them: raised and lowered ones, letters for signs, circled ones,
// ligatures, wide and narrow forms, the alphabets of mathematics.
var compatibilityBlocks = [][2]rune{
	{0xaa, 0xbe},
	{0x132, 0x149},
	{0x17f, 0x17f},
	{0x1c4, 0x1cc},
	{0x1f1, 0x1f3},
	{0x1d2c, 0x1d6a},
	{0x2070, 0x209c},
	{0x2100, 0x218b},
	{0x2460, 0x24ff},
	{0xfb00, 0xfb06},
	{0xff01, 0xffee},
	{0x1d400, 0x1d7ff},
}

// compatible maps a text to the single characters that stand for it.
var compatible = sync.OnceValue(func() map[string][]rune {
	m := map[string][]rune{}
	for _, block := range compatibilityBlocks {
		for r := block[0]; r <= block[1]; r++ {
			s := string(r)
			if text := norm.NFKC.String(s); text != norm.NFC.String(s) && !strings.ContainsFunc(text, unicode.IsSpace) {
				m[text] = append(m[text], r)
			}
		}
	}
	return m
})

// mostCompatible is the number of characters that one of compatible stands for,
// at most, as far as it matters: ffi.
const mostCompatible = 3

// compatibility takes a text and the characters that stand for it for the same.
func compatibility(list []token, i int) (string, int) {
	if text := norm.NFKC.String(list[i].lit); text != norm.NFC.String(list[i].lit) {
		return "(?:" + quote(text) + "|" + class(string(compatible()[text])+list[i].lit) + ")", 1
	}
	text, n := "", 0
	for k := i; k < len(list) && k < i+mostCompatible && list[k].lit != ""; k++ {
		text += list[k].lit
		if compatible()[text] != nil {
			n = k + 1 - i
		}
	}
	if n == 0 {
		return "", 0
	}
	text = textOf(list[i : i+n])
	forms := []string{class(string(compatible()[text]))}
	for cut := 1; cut < n; cut++ { // of which each side may be written so as well
		forms = append(forms, strings.Join(rewrite([][]token{list[i : i+cut], list[i+cut : i+n]}, compatibility), ""))
	}
	if n == 1 {
		forms = append(forms, quote(text))
	}
	return "(?:" + strings.Join(forms, "|") + ")", n
}

// letterSets are letters that are written for one another where one is missing
// or means the same.
var letterSets = [][]string{
	{"ss", "ß", "ẞ"},
	{"ae", "æ", "ä", "ǽ"},
	{"oe", "œ", "ö", "ø"},
	{"ue", "ü"},
	{"aa", "å"},
	{"th", "þ"},
	{"dh", "ð"},
	{"i", "İ", "ı", "i\u0307"},
}

// letters takes a letter and the letters that stand for it for the same.
func letters(list []token, i int) (string, int) {
	for _, set := range letterSets {
		for _, member := range set {
			n := 0
			for rest := member; rest != "" && i+n < len(list); n++ {
				lit := list[i+n].lit
				if lit == "" || len(lit) > len(rest) || !strings.EqualFold(rest[:len(lit)], lit) {
					break
				}
				if rest = rest[len(lit):]; rest == "" {
					return anyOf(set), n + 1
				}
			}
		}
		// What folds with a mark of its own is longer or shorter in bytes.
		for _, member := range set {
			if utf8.RuneCountInString(member) == 1 && strings.EqualFold(member, list[i].lit) {
				return anyOf(set), 1
			}
		}
	}
	return "", 0
}

// foldedLetters ignores case as well, since one of several letters may be a
// capital.
func foldedLetters(q *query) []Reading {
	return []Reading{{Patterns: changed(q.parsed, letters), AnyCase: true}}
}
