package readings

import (
	"math/rand/v2"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
)

func TestTokens(t *testing.T) {
	for _, c := range []struct {
		pattern string
		fixed   bool
		want    string // tokens, raw ones in <>
	}{
		{"a.b", true, "a|.|b"},
		{"a.b", false, "a|<.>|b"},
		{`a\.b\d`, false, `a|.|b|<\d>`},
		{`[]a-z]+x{2,3}`, false, `<[]a-z]>|<+>|x|<{2,3}>`},
		{`[^]\]a]x[[:alpha:]&&[^b]]`, false, `<[^]\]a]>|x|<[[:alpha:]&&[^b]]>`},
		{`(?i:é)(?P<n>a)(b)`, false, `<(?i:>|é|<)>|<(?P<n>>|a|<)>|<(>|b|<)>`},
		{`\pLx\p{Greek}\x41\x{e9}\u00e9`, false, `<\pL>|x|<\p{Greek}>|<\x41>|<\x{e9}>|<\u00e9>`},
		{"e\u0301x", true, "e\u0301|x"},
		{`a\`, false, `a|<\>`},
		{"(", true, "("},
		{"(", false, "<(>"},
		{"\xff", true, "\xff"},
	} {
		var got []string
		for _, token := range tokens(c.pattern, c.fixed) {
			if token.raw != "" {
				got = append(got, "<"+token.raw+">")
			} else {
				got = append(got, token.lit)
			}
		}
		if s := strings.Join(got, "|"); s != c.want {
			t.Errorf("%q: %s, want %s", c.pattern, s, c.want)
		}
	}
}

// matches reports whether a reading, read by Go's own regular expressions, whose
// syntax has all that the expansions write, matches a text.
func matches(t *testing.T, p Reading, text string) bool {
	t.Helper()
	prefix := "(?m)"
	if p.AnyCase {
		prefix = "(?mi)"
	}
	for _, pattern := range p.Patterns {
		re, err := regexp.Compile(prefix + pattern)
		if err != nil {
			t.Fatalf("%v: %s: %v", p.Kind, pattern, err)
		}
		for _, m := range re.FindAllString(text, -1) {
			if !p.MultiLine || strings.Contains(m, "\n") {
				return true
			}
		}
	}
	return false
}

func TestKinds(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		fixed         bool
		want          []Kind
	}{
		{"don't", "don’t", true, []Kind{Quotes, Combined}},
		{"don’t", "don't", true, []Kind{Quotes, Combined}},
		{"café", "cafe\u0301", true, []Kind{UnicodeForm, Accents, Combined}},
		{"cafe\u0301", "café", true, []Kind{UnicodeForm, Accents, Combined}},
		{"cafe", "café", true, []Kind{Accents, Combined}},
		{"café", "cafe", true, []Kind{Accents, Combined}},
		{"Łódź", "Lodz", true, []Kind{Accents, Combined}},
		{"가", "\u1100\u1161", true, []Kind{UnicodeForm, Combined}},
		{"a-b", "a–b", true, []Kind{Dashes, Combined}},
		{"a—b", "a--b", true, []Kind{Dashes, Combined}},
		{"so…", "so...", true, []Kind{Ellipses, Combined}},
		{"so...", "so. . .", true, []Kind{Regex, Ellipses, Combined}},
		{"a b", "a\u00a0b", true, []Kind{Spaces, Combined}},
		{"a\u00a0b", "a b", true, []Kind{Spaces, WhiteSpace, Combined}},
		{"ab", "a\u200bb", true, []Kind{ZeroWidth, Combined}},
		{"a\u200bb", "ab", true, []Kind{ZeroWidth, Combined}},
		{"\tkey", "key", true, []Kind{WhiteSpace, Combined}},
		{"a b", "a\n// b", true, []Kind{LineBreak}},
		{"4\\.2", "4.2", true, []Kind{Regex}},
		{"f(x)", "f(x)", false, []Kind{Literal}},
		{"caf[eé]s", "cáfés", false, []Kind{Accents, Combined}},
		{"x+ y", "XX  Y", false, []Kind{Combined}},
		{"nothing", "something", true, nil},
	} {
		got := map[Kind]bool{}
		for _, p := range Of(Query{Patterns: []string{c.pattern}, Fixed: c.fixed}) {
			if p.Kind != UTF16 && matches(t, p, c.text) {
				got[p.Kind] = true
			}
		}
		want := map[Kind]bool{}
		for _, k := range c.want {
			want[k] = true
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%q in %q: %v, want %v", c.pattern, c.text, got, want)
		}
	}
}

func TestUTF16(t *testing.T) {
	for i, order := range byteOrders {
		got := utf16Patterns([][]token{tokens("a€😀", true)}, order.append)
		want := []string{`(?-u:\x61\x00\xac\x20\x3d\xd8\x00\xde)`, `(?-u:\x00\x61\x20\xac\xd8\x3d\xde\x00)`}[i]
		if len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q, want %s", order.name, got, want)
		}
	}
	if got := utf16Patterns([][]token{tokens("\u010a", true)}, byteOrders[0].append); got != nil {
		t.Errorf("a line's end in %q", got)
	}
}

// draw returns a text of pieces that the expansions are about.
func draw(r *rand.Rand, pieces []string) string {
	var b strings.Builder
	for range 1 + r.IntN(6) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

var pieces = []string{
	"a", "B", "e", "é", "e\u0301", "'", "’", "\"", "-", "--", "—", "...", "…", " ", "  ", "\t", "\u00a0", "\u200b", ".", "(", "ss", "word",
}

// What is looked for in text of nothing but ASCII must miss nothing there, and
// the hints nothing that is broken over lines.
func TestPrefiltersMissNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	hits := 0
	for range 5_000 {
		q := Query{Patterns: []string{draw(r, pieces)}, Fixed: true}
		text := strings.Map(func(c rune) rune {
			if c > '~' {
				return -1
			}
			return c
		}, draw(r, pieces)+[]string{"", "\n"}[r.IntN(2)]+q.Patterns[0]+draw(r, pieces))
		for _, p := range Of(q) {
			if p.Kind == UTF16 || p.Kind == Regex || !matches(t, p, text) {
				continue
			}
			hits++
			patterns := ForASCII(p.Patterns)
			if p.MultiLine {
				patterns = Hints(q)
			}
			if !matches(t, Reading{Kind: p.Kind, Patterns: patterns, AnyCase: true}, text) {
				t.Fatalf("%v of %q matches %q, but not %q", p.Kind, q.Patterns, text, patterns)
			}
		}
	}
	if hits < 5_000 {
		t.Errorf("only %d hits", hits)
	}
}

// An expansion never loses what was typed, and Unicode forms are equal both ways.
func TestExpansionsKeepWhatWasTyped(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 5_000 {
		pattern := draw(r, pieces)
		for _, p := range Of(Query{Patterns: []string{pattern}, Fixed: true}) {
			switch p.Kind {
			case UTF16, Regex, WhiteSpace, LineBreak, ZeroWidth, Combined:
				continue // these read it in another way
			}
			if !matches(t, p, pattern) {
				t.Fatalf("%v of %q: %q does not match it", p.Kind, pattern, p.Patterns)
			}
			if p.Kind == UnicodeForm && !(matches(t, p, norm.NFC.String(pattern)) && matches(t, p, norm.NFD.String(pattern))) {
				t.Fatalf("%q: %q", pattern, p.Patterns)
			}
		}
	}
}

func TestSuggest(t *testing.T) {
	for in, want := range map[string]string{
		"don’t":                  `--regex 'don\x{2019}t'`,
		"it's a.b":               `--regex 'it\x{27}s a\.b'`,
		"\xff":                   `--regex '(?-u:\xff)'`,
		strings.Repeat("x", 300): "--regex '" + strings.Repeat("x", maxSuggestion) + "'",
	} {
		if got := Suggest(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	if got, want := flagsOf([]string{"a", "b"}, "--regex"), "--regex -e 'a' -e 'b'"; got != want {
		t.Error(got)
	}
}
