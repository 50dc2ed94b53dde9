package readings

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// expansions are the readings that replace characters by classes of characters.
var expansions = []struct {
	kind    Kind
	rewrite rewriter
}{
	{UnicodeForm, unicodeForm},
	{Accents, accents},
	{Quotes, likeness(quoteSets)},
	{Dashes, dashes},
	{Ellipses, ellipses},
	{Spaces, likeness(spaceSets)},
	{ZeroWidth, zeroWidth},
}

// Characters that people and their programs write for one another.
var (
	quoteSets = []string{"'`´‘’‚‛′ʼ＇‹›", "\"“”„‟″«»＂"}
	spaceSets = []string{" \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"}
)

const (
	dashSet      = "-‐‑‒–—―−﹘﹣－"
	invisibleSet = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
)

// class returns a character class of the characters in set.
func class(set string) string {
	var b strings.Builder
	b.WriteByte('[')
	for _, r := range set {
		fmt.Fprintf(&b, `\x{%x}`, r)
	}
	b.WriteByte(']')
	return b.String()
}

// likeness replaces a character that is in one of sets by that set.
func likeness(sets []string) rewriter {
	classes := make([]string, len(sets))
	for i, set := range sets {
		classes[i] = class(set)
	}
	return func(list []token, i int) (string, int) {
		for k, set := range sets {
			if list[i].lit != "" && strings.Contains(set, list[i].lit) {
				return classes[k], 1
			}
		}
		return "", 0
	}
}

// dashes replaces a run of dashes by up to three, or as many, of any kind.
func dashes(list []token, i int) (string, int) {
	n := 0
	for i+n < len(list) && list[i+n].lit != "" && strings.Contains(dashSet, list[i+n].lit) {
		n++
	}
	if n == 0 {
		return "", 0
	}
	return fmt.Sprintf("%s{1,%d}", class(dashSet), max(3, n)), n
}

// ellipses takes three dots, spaced or not, and the one character for the same.
func ellipses(list []token, i int) (string, int) {
	n := 0
	switch {
	case list[i].lit == "…":
		n = 1
	case len(list)-i >= 3 && list[i].lit == "." && list[i+1].lit == "." && list[i+2].lit == ".":
		n = 3
	default:
		return "", 0
	}
	return `(?:\. ?\. ?\.|[\x{2026}])`, n
}

// zeroWidth allows invisible characters between any two characters, and drops
// those that were typed.
func zeroWidth(list []token, i int) (string, int) {
	lit := list[i].lit
	if lit == "" {
		return "", 0
	}
	visible := strings.Map(func(r rune) rune {
		if strings.ContainsRune(invisibleSet, r) {
			return -1
		}
		return r
	}, lit)
	if visible == "" {
		return "", 1
	}
	if i+1 == len(list) || list[i+1].lit == "" {
		return quote(visible), 1
	}
	return quote(visible) + class(invisibleSet) + "*", 1
}

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

// whiteSpace replaces each run of white space by expr, and drops it at the ends.
func whiteSpace(expr string) rewriter {
	return func(list []token, i int) (string, int) {
		n := 0
		for i+n < len(list) && list[i+n].space() {
			n++
		}
		switch {
		case n == 0:
			return "", 0
		case i == 0, i+n == len(list):
			return "", n
		}
		return expr, n
	}
}

// spaced returns the patterns that have white space inside, nil if none has.
func spaced(parsed [][]token) [][]token {
	var out [][]token
	for _, list := range parsed {
		if len(breaks(list)) > 0 {
			out = append(out, list)
		}
	}
	return out
}

// breaks returns the places of white space inside a pattern, outside of
// anything that a regular expression groups.
func breaks(list []token) []int {
	var places []int
	depth := 0
	for i, t := range list {
		switch {
		case strings.HasPrefix(t.raw, "(") && !strings.HasSuffix(t.raw, ")"):
			depth++
		case t.raw == ")":
			depth--
		case t.raw == "|" && depth == 0:
			return nil
		case depth == 0 && t.space() && i > 0 && i+1 < len(list) && !list[i-1].space():
			places = append(places, i)
		}
	}
	return places
}

// lineHeads returns, for each place where a pattern can be broken, what then
// ends a line.
func lineHeads(list []token) []string {
	for len(list) > 0 && list[0].space() {
		list = list[1:]
	}
	var heads []string
	for _, i := range breaks(list) {
		heads = append(heads, rewrite([][]token{list[:i]}, whiteSpace(`\s+`))[0]+`\s*$`)
	}
	return heads
}

// longestWord returns the longest run of literal characters that are no white
// space and stand outside of anything that a regular expression groups.
func longestWord(list []token) string {
	longest, word, depth := "", "", 0
	for i, t := range list {
		repeated := i+1 < len(list) && strings.IndexAny(list[i+1].raw, "*?{") == 0
		switch {
		case strings.HasPrefix(t.raw, "(") && !strings.HasSuffix(t.raw, ")"):
			depth++
		case t.raw == ")":
			depth--
		}
		if t.lit == "" || t.space() || depth > 0 || repeated {
			word = ""
			continue
		}
		if word += t.lit; len(word) > len(longest) {
			longest = word
		}
	}
	return longest
}

// combined is all rewriters at once: the first that has something to say about
// a place decides, and invisible characters may stand between all.
func combined(list []token, i int) (string, int) {
	for _, f := range []rewriter{
		whiteSpace(`[\s` + strings.TrimPrefix(class(spaceSets[0]+invisibleSet), "[") + `+`),
		likeness(quoteSets), dashes, ellipses, accents, unicodeForm,
	} {
		if expr, n := f(list, i); n > 0 {
			if i+n < len(list) && list[i+n].lit != "" && expr != "" {
				expr += class(invisibleSet) + "*"
			}
			return expr, n
		}
	}
	return zeroWidth(list, i)
}

// byteOrders are the two ways to write UTF-16.
var byteOrders = []struct {
	name   string
	append func(b []byte, unit uint16) []byte
}{
	{"utf-16le", func(b []byte, u uint16) []byte { return append(b, byte(u), byte(u>>8)) }},
	{"utf-16be", func(b []byte, u uint16) []byte { return append(b, byte(u>>8), byte(u)) }},
}

// Wide returns patterns of bytes that match wherever one of a query's texts stands
// in UTF-16 of either order, at any offset; ok is false if there are none such.
// A single character of ASCII is left out: as a byte it is found anyway.
func Wide(q Query) (patterns []string, ok bool) {
	for _, p := range q.Patterns {
		list := tokens(p, q.Fixed)
		var text string
		for _, t := range list {
			text += t.lit
		}
		if q.Insensitive && strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf && unicode.SimpleFold(r) != r }) {
			return nil, false
		}
		if len(text) == 1 {
			continue
		}
		for _, order := range byteOrders {
			both := utf16Patterns([][]token{list}, order.append)
			if both == nil {
				return nil, false
			}
			patterns = append(patterns, both...)
		}
	}
	return patterns, true
}

// utf16Patterns returns the bytes of the patterns in UTF-16, nil if one of them
// is more than literal text or holds a line's end.
func utf16Patterns(parsed [][]token, appendUnit func([]byte, uint16) []byte) []string {
	var out []string
	for _, list := range parsed {
		var b strings.Builder
		b.WriteString("(?-u:")
		for _, t := range list {
			if t.raw != "" {
				return nil
			}
			for _, r := range t.lit {
				var bytes []byte
				for _, unit := range utf16.AppendRune(nil, r) {
					bytes = appendUnit(bytes, unit)
				}
				for _, c := range bytes {
					if c == '\n' {
						return nil
					}
					fmt.Fprintf(&b, `\x%02x`, c)
				}
			}
		}
		if b.WriteByte(')'); len(list) == 0 {
			return nil
		}
		out = append(out, b.String())
	}
	return out
}

// beyondASCII finds, in what the rewriters write, members of classes that are
// not ASCII, and what is left of classes that had no others.
var beyondASCII = []*regexp.Regexp{
	regexp.MustCompile(`\\x\{(?:[89a-f][0-9a-f]|[0-9a-f]{3,})\}|\\p\{M\}\*`),
	regexp.MustCompile(`\|\[\]|\[\]\*`),
}

// ForASCII returns patterns that match in text of nothing but ASCII wherever the
// given ones do, and perhaps elsewhere: they have fewer characters to look for,
// which is many times faster.
func ForASCII(patterns []string) []string {
	out := make([]string, len(patterns))
	for i, p := range patterns {
		for _, re := range beyondASCII {
			p = re.ReplaceAllLiteralString(p, "")
		}
		out[i] = p
	}
	slices.Sort(out)
	return slices.Compact(out)
}
