package readings

import (
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
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
	if p.All != nil {
		lines := strings.Split(text, "\n")
		for i := range lines {
			if near := strings.Join(lines[i:min(i+p.Within, len(lines))], "\n"); !slices.ContainsFunc(p.All, func(word string) bool {
				return !matchesOne(t, p, word, near)
			}) {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc(p.Patterns, func(pattern string) bool { return matchesOne(t, p, pattern, text) })
}

func matchesOne(t *testing.T, p Reading, pattern, text string) bool {
	t.Helper()
	prefix := "(?m)"
	if p.AnyCase {
		prefix = "(?mi)"
	}
	re, err := regexp.Compile(prefix + "(?:" + pattern + ")")
	if err != nil {
		t.Fatalf("%v: %s: %v", p.Kind, pattern, err)
	}
	for _, m := range re.FindAllString(text, -1) {
		if p.MultiLine == strings.Contains(m, "\n") {
			return true
		}
	}
	return false
}

// first returns the first kind of those that are read by themselves which says
// that a text has what a pattern asks for.
func first(t *testing.T, q Query, text string) (Kind, bool) {
	t.Helper()
	for _, p := range Of(q) {
		if p.Unit == 0 && p.Encoding == "" && compiles(p) && matches(t, p, text) {
			return p.Kind, true
		}
	}
	return 0, false
}

// Each kind finds the example that stands with it in the table.
func TestTable(t *testing.T) {
	names := map[string]bool{}
	for i, e := range kinds {
		k := Kind(i)
		if e.name == "" || e.text == "" || e.doc == "" || e.read == nil || e.pattern == "" || e.found == "" || names[e.name] {
			t.Fatalf("%d: %+v", i, e)
		}
		names[e.name] = true
		if k == Encoding || k == UTF16 || k == UTF32 || k == LineEnd || k == Part {
			continue // Go's own expressions are about UTF-8, LF, and no whole words
		}
		q := Query{Patterns: []string{e.pattern}, Fixed: k != Literal}
		if got, ok := first(t, q, e.found); !ok || got != k {
			t.Errorf("%q in %q: %v (%t), want %v", e.pattern, e.found, got, ok, k)
		}
	}
}

func TestKinds(t *testing.T) {
	const none = NumKinds
	for _, c := range []struct {
		pattern, text string
		fixed         bool
		want          Kind
	}{
		{"don’t", "don't", true, Quotes},
		{"cafe\u0301", "café", true, UnicodeForm},
		{"가", "\u1100\u1161", true, UnicodeForm},
		{"café", "cafe", true, Accents},
		{"Łódź", "Lodz", true, Accents},
		{"a-b", "a–b", true, Dashes},
		{"so...", "so. . .", true, Regex},
		{"a\u00a0b", "a b", true, WhiteSpace},
		{"ab", "a\u200bb", true, ZeroWidth},
		{"a\u200bb", "ab", true, ZeroWidth},
		{"abc", "a\u202eb\ufe0fc", true, ZeroWidth},
		{"a b", "a\n// b", true, LineBreak},
		{"caf[eé]s", "cáfés", false, Accents},
		{"x+ y", "XX  Y", false, Combined},
		{"nothing", "something", true, none},

		{"ABC123", "ＡＢＣ１２３", true, Compatibility},
		{"ＡＢＣ１２３", "ABC123", true, Compatibility},
		{"1", "①", true, Compatibility},
		{"①", "1", true, Compatibility},
		{"office", "oﬀice", true, Compatibility},
		{"officer", "oﬃcer", true, Compatibility},
		{"oﬃcer", "officer", true, Compatibility},
		{"straße", "STRASSE", true, Letters},
		{"istanbul", "İstanbul", true, Letters},
		{"İstanbul", "istanbul", true, Letters},
		{"encyclopaedia", "encyclopædia", true, Letters},
		{"œuvre", "Oeuvre", true, Letters},
		{"Mueller", "Müller", true, Letters},
		{"Müller", "Mueller", true, Letters},

		{"**agent**", "agent", true, Markup},
		{"an agent here", "an **agent** here", true, Markup},
		{"snake_case", `snake\_case`, true, Markup},
		{`snake\_case`, "snake_case", true, Regex},
		{"see alias now", "see [[target|alias]] now", true, Markup},
		{"look here now", "look [here](http://x.y/z) now", true, Markup},
		{"<div>", "&lt;div&gt;", true, Markup},
		{"&lt;div&gt;", "<div>", true, Markup},
		{"R&D", "R&amp;D", true, Markup},
		{"café", `caf\u00e9`, true, Markup},
		{`caf\u00e9`, "café", true, Markup},
		{"café", "caf&eacute;", true, Markup},
		{"café", "caf%C3%A9", true, Markup},
		{"caf%C3%A9", "café", true, Markup},
		{"my file", "my%20file", true, Markup},
		{"my%20file", "my file", true, Markup},

		{"well-known", "well-\nknown", true, Hyphenation},
		{"example", "exam-\r\n  # ple", true, Hyphenation},
		{"example", "exam\u00adple", true, ZeroWidth},

		{"foo_bar", "foo-bar", true, NameStyle},
		{"foo-bar", "foo_bar", true, NameStyle},
		{"fooBar", "foo_bar", true, NameStyle},
		{"FooBar", "foo bar", true, NameStyle},
		{"foo bar", "fooBar", true, NameStyle},
		{"HTTPServer", "http_server", true, NameStyle},

		{"handle(|parse(", "parse(x)", true, Dialect},
		{"handle(|parse(", "parse(x)", false, Dialect},
		{`\(foo\|bar\)\+`, "bar", true, Dialect},
		{"*.md", "read.md", true, Dialect},
		{`"foo bar"`, "a foo bar", true, Dialect},
		{"docs/", "in docs here", true, Dialect},
		{"foo(a, b)()", "foo(a, b)", true, Dialect},
		{"/foo/", "a foo", true, Dialect},

		{"bar foo", "foo then bar", true, Order},
		{"foo bar", "foo and then bar", true, Order},
		{"foo bar baz", "baz foo", true, none},
		{"foo bar", "foos and then bar", true, none},
		{"bar foo", "foo\n\nbar", true, Near},
		{"bar foo", "foo\n\n\n\n\n\nbar", true, none},

		{"vacatoin", "vacation", true, Spelling},
		{"vacaton", "a Vacation", true, Spelling},
		{"recieve the letter", "receive the letter", true, Spelling},
		{"seperate", "separate", true, Spelling},
		{"get_lenght", "get_length", true, Spelling},
		{"bug", "bag", true, none},
		{"word", "ward", true, Spelling},
		{"agent", "urgent", true, none},

		{"naive café", "nai\u0308ve\ncafe", true, Combined},
		{"naïve agent", "NAIVE **ag-\nent**", true, Combined},
		{"my café", "my\ncaf&eacute;", true, Combined},
	} {
		got, ok := first(t, Query{Patterns: []string{c.pattern}, Fixed: c.fixed}, c.text)
		if !ok {
			got = none
		}
		if got != c.want {
			t.Errorf("%q in %q: %d, want %d", c.pattern, c.text, got, c.want)
		}
	}
}

func TestUnits(t *testing.T) {
	for i := range byteOrders {
		got := units(tokens("a€😀", true), i, 2)
		want := []string{`(?-u:\x61\x00\xac\x20\x3d\xd8\x00\xde)`, `(?-u:\x00\x61\x20\xac\xd8\x3d\xde\x00)`}[i]
		if got != want {
			t.Errorf("%d: %q, want %s", i, got, want)
		}
	}
	if got := units(tokens("\u010a", true), 0, 2); got != "" {
		t.Errorf("a line's end in %q", got)
	}
	if got, want := units(tokens("a", true), 1, 4), `(?-u:\x00\x00\x00\x61)`; got != want {
		t.Errorf("%s, want %s", got, want)
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
	"vaca", "tion", "Len", "fi", "a", "B", "e", "é", "e\u0301", "'", "’", "\"", "-", "--", "—", "...", "…", " ", "  ", "\t", "\u00a0", "\u200b", ".", "(", "ss", "word",
}

// What a text must hold is there wherever a reading finds something.
func TestFilterMissesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	hits := 0
	for range 400 {
		q := Query{Patterns: []string{draw(r, pieces)}, Fixed: r.IntN(4) > 0}
		f, ok := FilterOf(q)
		if !ok {
			continue
		}
		text := draw(r, pieces) + changedText(r, q.Patterns[0]) + draw(r, pieces)
		for _, p := range Of(q) {
			if p.Unit > 0 || p.Encoding != "" || !compiles(p) || !matches(t, p, text) {
				continue
			}
			hits++
			for _, needle := range append(f.Also, f.Needle) {
				if !matches(t, Reading{Kind: p.Kind, Patterns: inUTF8(needle)}, text) && !matches(t, Reading{Kind: p.Kind, Patterns: inUTF8(needle), MultiLine: true}, text) {
					t.Fatalf("%v of %q matches %q, but not %q", p.Kind, q.Patterns, text, needle)
				}
			}
		}
	}
	if hits < 300 {
		t.Errorf("only %d hits", hits)
	}
}

// inUTF8 is an expression without its parts that are about bytes, which Go
// cannot read.
func inUTF8(needle string) []string {
	return []string{byBytesOnly.ReplaceAllString(needle, `\x00none`)}
}

var byBytesOnly = regexp.MustCompile(`\(\?-u:(?:\\x..)*\)`)

func compiles(p Reading) bool {
	return !slices.ContainsFunc(append(p.Patterns, p.All...), func(s string) bool {
		_, err := regexp.Compile(s)
		return err != nil
	})
}

// changedText changes a text in one of the ways that kinds are about, or not.
func changedText(r *rand.Rand, s string) string {
	switch r.IntN(8) {
	case 0:
		return strings.ToUpper(s)
	case 1:
		return norm.NFD.String(s)
	case 2:
		return strings.NewReplacer("a", "á", "e", "e\u0308", "'", "’", "-", "—").Replace(s)
	case 3:
		return strings.ReplaceAll(s, " ", "\n")
	case 4:
		i := r.IntN(len(s) + 1)
		return s[:i] + []string{"**", "\u200b", "<b>", "-\n", "`", "_", "]]", "\\"}[r.IntN(8)] + s[i:]
	case 5:
		words := strings.Fields(s)
		slices.Reverse(words)
		return strings.Join(words, " then ")
	case 6:
		if i := r.IntN(len(s) + 1); i < len(s) {
			return s[:i] + s[i+1:]
		}
	}
	return s
}

// A class of characters never loses what was typed, and Unicode forms are equal
// both ways.
func TestClassesKeepWhatWasTyped(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 200 {
		pattern := draw(r, pieces)
		q := Query{Patterns: []string{pattern}, Fixed: true}
		for _, k := range []Kind{Case, Spaces, Quotes, Dashes, Ellipses, UnicodeForm, Compatibility, Letters, Accents, Markup} {
			for _, p := range OfKind(q, k) {
				if !matches(t, p, pattern) {
					t.Fatalf("%v of %q: %q does not match it", p.Kind, pattern, p.Patterns)
				}
				if p.Kind == UnicodeForm && !(matches(t, p, norm.NFC.String(pattern)) && matches(t, p, norm.NFD.String(pattern))) {
					t.Fatalf("%q: %q", pattern, p.Patterns)
				}
			}
		}
	}
}

func TestSuggest(t *testing.T) {
	for in, want := range map[string]string{
		"don’t":                  `--regex 'don\x{2019}t'`,
		"it's a.b":               `--regex 'it\x{27}s a\.b'`,
		"\xff":                   `--regex '(?-u:\xff)'`,
		"-x":                     `--regex '\-x'`,
		strings.Repeat("x", 300): "--regex '" + strings.Repeat("x", maxSuggestion) + "'",
	} {
		if got := Suggest(in).Shell(); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
	for want, h := range map[string]Hint{
		"--regex -e 'a' -e 'b'": regexHint([]string{"a", "b"}),
		"-i":                    {Flags: []string{"-i"}},
		`-F -e '-it'\''s'`:      {Flags: []string{"-F"}, Patterns: []string{"-it's"}},
	} {
		if got := h.Shell(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// The table of kinds in the documentation is that of the program.
func TestDocumentation(t *testing.T) {
	text, err := os.ReadFile("../../docs/absence.md")
	if err != nil {
		t.Fatal(err)
	}
	want := "| kind | what is tried |\n|---|---|\n"
	for _, e := range kinds {
		want += "| `" + e.name + "` | " + strings.ReplaceAll(e.doc, "|", `\|`) + " |\n"
	}
	if !strings.Contains(string(text), want) {
		t.Errorf("docs/absence.md lacks this table:\n%s", want)
	}
}
