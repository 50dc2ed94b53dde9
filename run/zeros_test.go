package run_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/unicode/norm"
)

// A near miss is what --json says of one.
type nearMiss struct {
	Kind        string
	Scope       string
	Lines       int64
	Example     struct{ Path string }
	Number      *int64 `json:"-"`
	Flags       string
	WithPattern bool `json:"with_pattern"`
	Words       []struct {
		Text  string
		Lines int64
	}
}

type explained struct {
	Complete bool
	Findings []nearMiss
	NotUTF8  int64 `json:"not_utf8"`
}

// explanation runs tally for a zero in dir and returns what it explains.
func explanation(t *testing.T, dir string, args ...string) explained {
	t.Helper()
	args = append([]string{"--json", "--explain-zero=always"}, args...)
	stdout, stderr, _ := tallyIn(t, dir, args)
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	var last struct {
		Data struct {
			Tally struct{ Explain *explained }
		}
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last.Data.Tally.Explain == nil {
		t.Fatalf("%q: %v\n%s%s", args, err, stdout, stderr)
	}
	return *last.Data.Tally.Explain
}

// follow takes a hint as a user would, by a shell, and returns what it finds.
func follow(t *testing.T, dir string, f nearMiss, flags []string, pattern, path string) string {
	t.Helper()
	line := `exec tally --no-config --ledger=never --no-heading --with-filename --line-number "$@" ` + f.Flags
	args := append(slices.Clone(flags), pattern, path)
	if f.WithPattern {
		// The pattern comes before the paths.
		line = `exec tally --no-config --ledger=never --no-heading --with-filename --line-number "$@" ` + f.Flags + " " + path
		args = flags
	}
	cmd := exec.Command("sh", append([]string{"-c", line, "sh"}, args...)...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Sprintf("%s: %v: %s", line, err, out)
	}
	return string(out)
}

// A pair is a text and a pattern that a reader would say is in it.
type pair struct{ kind, pattern, text string }

func sjis(s string) string { b, _ := japanese.ShiftJIS.NewEncoder().String(s); return b }
func gb(s string) string   { b, _ := simplifiedchinese.GB18030.NewEncoder().String(s); return b }

func wide(s string, size int, big bool) string {
	var b strings.Builder
	for _, r := range s {
		unit := make([]byte, size)
		for i := range size {
			k := i
			if big {
				k = size - 1 - i
			}
			unit[k] = byte(r >> (8 * i))
		}
		b.Write(unit)
	}
	return b.String()
}

// pairsOf draws a pair for each kind from words.
func pairsOf(r *rand.Rand, a, b string) []pair {
	cut := 2 + r.IntN(len(a)-3)
	title := strings.ToUpper(b[:1]) + b[1:]
	typo := a[:cut] + a[cut+1:cut+2] + a[cut:cut+1] + a[cut+2:]
	if typo == a {
		typo = a[:cut] + a[cut+1:]
	}
	accented := strings.NewReplacer("a", "á", "e", "é", "o", "ö", "u", "ū").Replace
	fullwidth := func(s string) string {
		return strings.Map(func(r rune) rune { return r - 'a' + 'ａ' }, s)
	}
	entity := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace
	return []pair{
		{"case", a + " " + b, strings.ToUpper(a + " " + b)},
		{"case", a, strings.ToUpper(a)},
		{"regex", a + `\.` + b, a + "." + b},
		{"dialect", a + `\|` + b, b},
		{"dialect", a + "(|" + b + "(", "x " + b + "(y)"},
		{"dialect", `"` + a + " " + b + `"`, a + " " + b},
		{"dialect", a + "/", a},
		{"white_space", " " + a, "\t" + a},
		{"white_space", a + " " + b, a + "\t " + b},
		{"spaces", a + " " + b, a + "\u00a0" + b},
		{"quotes", a + "'s", a + "’s"},
		{"dashes", a + "-" + b, a + "–" + b},
		{"ellipses", a + "…" + b, a + "..." + b},
		{"unicode_form", accented(a) + "é", norm.NFD.String(accented(a) + "é")},
		{"accents", a + "e", accented(a) + "é"},
		{"accents", accented(a) + "é", a + "e"},
		{"compatibility", a, fullwidth(a)},
		{"compatibility", fullwidth(a), a},
		{"compatibility", a + "fi" + b, a + "ﬁ" + b},
		{"compatibility", a + "2", a + "²"},
		{"letters", a + "ss", a + "ß"},
		{"letters", a + "ß", a + "ss"},
		{"letters", "i" + a, "İ" + a},
		{"zero_width", a, a[:cut] + "\u200b" + a[cut:]},
		{"zero_width", a, a[:cut] + "\u202e" + a[cut:]},
		{"zero_width", a[:cut] + "\u200d" + a[cut:], a},
		{"zero_width", a, a[:cut] + "\u00ad" + a[cut:]},
		{"markup", a, a[:cut] + "**" + a[cut:]},
		{"markup", "**" + a + "**", a},
		{"markup", a + "_" + b, a + `\_` + b},
		{"markup", a + " " + b, "[[x|" + a + "]] " + b},
		{"markup", a + " " + b, "[" + a + "](url) " + b},
		{"markup", a + "<" + b + ">&", entity(a + "<" + b + ">&")},
		{"markup", entity(a + "<" + b + ">&"), a + "<" + b + ">&"},
		{"markup", a + "é", a + `\u00e9`},
		{"regex", a + `\u00e9`, a + "é"},
		{"markup", a + " " + b, a + "%20" + b},
		{"hyphenation", a, a[:cut] + "-\n" + a[cut:]},
		{"hyphenation", a, a[:cut] + "-\r\n  " + a[cut:]},
		{"line_break", a + " " + b, a + "\n" + b},
		{"line_break", a + " " + b, "/* " + a + "\n * " + b},
		{"line_break", a + " " + b, "> " + a + "\n> " + b},
		{"name_style", a + "_" + b, a + title},
		{"name_style", a + title, a + "_" + b},
		{"name_style", a + title, a + " " + b},
		{"name_style", a + "-" + b, a + "_" + b},
		{"combined", a + " " + b, strings.ToUpper(a) + "\n**" + b + "**"},
		{"combined", a + "'s " + b, accented(a) + "’s\u00a0" + b},
		{"order", b + " " + a, a + " then " + b},
		{"order", a + " " + b, a + " and " + b},
		{"near", b + " " + a, a + "\nthen\n" + b},
		{"spelling", typo, a},
		{"spelling", "x" + a[1:] + b, a + b},
		{"spelling", "x" + a + b, a + b},
		{"spelling", typo + " " + b, a + " " + b},
		{"encoding", a + "é", a + "\xe9"},
		{"encoding", a + "漢字", a + sjis("漢字")},
		{"encoding", a + "汉语", a + gb("汉语")},
		{"utf32", a, wide(a, 4, false)},
		{"utf32", a, wide(a, 4, true)},
		{"utf32", a, "\xff\xfe\x00\x00" + wide(a, 4, false)},
	}
}

var zeroWords = []string{"vacation", "retrieval", "garden", "schedule", "project", "window", "mountain", "compiler"}

// What a reader would say is there is named, by its kind or one that is as
// likely, and the way to find it that is printed finds it.
func TestZerosAreExplained(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const filler = "some other text in between\n"
	for range 3 {
		i := r.IntN(len(zeroWords))
		a, b := zeroWords[i], zeroWords[(i+1+r.IntN(len(zeroWords)-1))%len(zeroWords)]
		for _, p := range pairsOf(r, a, b) {
			dir := t.TempDir()
			before, after := strings.Repeat(filler, r.IntN(3)), strings.Repeat(filler, r.IntN(3))
			if strings.HasPrefix(p.kind, "utf") {
				before, after = "", ""
			}
			write(t, filepath.Join(dir, "f"), before+"see "[:4*min(len(before), 1)]+p.text+"\n"+after)
			args := []string{p.pattern, "."}
			e := explanation(t, dir, args...)
			got := slices.IndexFunc(e.Findings, func(f nearMiss) bool { return f.Kind == p.kind })
			if got < 0 {
				// The text may happen to be explained by something simpler.
				t.Errorf("%s: %q in %q: %+v", p.kind, p.pattern, p.text, e.Findings)
				continue
			}
			checkHints(t, dir, e, nil, p.pattern)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// checkHints takes every hint.
func checkHints(t *testing.T, dir string, e explained, flags []string, pattern string) {
	t.Helper()
	for _, f := range e.Findings {
		if f.Flags == "" {
			t.Errorf("%q: no hint for %+v", pattern, f)
			continue
		}
		if out := follow(t, dir, f, flags, pattern, "."); !strings.Contains(out, f.Example.Path) {
			t.Errorf("%q: %s does not find %s: %s", pattern, f.Flags, f.Example.Path, out)
		}
	}
}

// With -w and -x, and with more than one reason to be out of scope.
func TestHintsWork(t *testing.T) {
	dir := t.TempDir()
	for path, text := range map[string]string{
		"a/part": "foobar\n今天是世界杯\n", "a/crlf": "one\r\nfooo two\r\n", "a/cr": "first\rsecond\rthird\r",
		"a/.h/x.log": "hidden ignored word\n", "a/.h/plain": "hidden plain word\n", "a/y.log": "ignored log word\n",
		"a/deep/er/f": "deeper word\n", "a/big.rs": "big rust word\n", "a/.ignore": "*.log\n", "a/bin": "x\x00binary word\n",
		"a/it's $HOME": "quoted name word\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, path), text)
	}
	for _, c := range []struct {
		kind, scope string
		args        []string
	}{
		{"part", "in_scope", []string{"-w", "foo"}},
		{"part", "in_scope", []string{"-x", "foo"}},
		{"part", "in_scope", []string{"-w", "世界"}},
		{"line_end", "in_scope", []string{"-x", "fooo two"}},
		{"line_end", "in_scope", []string{"-x", "second"}},
		{"line_end", "in_scope", []string{"--regex", "two$"}},
		{"line_end", "in_scope", []string{"--regex", "^second$"}},
		{"as_typed", "hidden", []string{"hidden ignored"}},
		{"as_typed", "hidden", []string{"hidden plain"}},
		{"as_typed", "ignored", []string{"ignored log"}},
		{"combined", "ignored", []string{"IGNORED log"}},
		{"as_typed", "max_depth", []string{"-d1", "deeper"}},
		{"as_typed", "type", []string{"-tc", "big rust"}},
		{"as_typed", "glob", []string{"-g!*.rs", "big rust"}},
		{"combined", "glob", []string{"-g!*.rs", "big RUST"}},
		{"as_typed", "glob", []string{"-g!*HOME", "quoted name"}},
		{"as_typed", "too_large", []string{"--max-filesize=5", "big rust"}},
		{"as_typed", "too_old", []string{"--changed-within=1s", "--changed-within=9000-01-01", "big rust"}},
		{"as_typed", "too_new", []string{"--changed-before=1970-01-01", "big rust"}},
		{"as_typed", "binary", []string{"binary word"}},
	} {
		last := len(c.args) - 1
		e := explanation(t, filepath.Join(dir, "a"), append(c.args, ".")...)
		if !slices.ContainsFunc(e.Findings, func(f nearMiss) bool { return f.Kind == c.kind && f.Scope == c.scope }) {
			t.Errorf("%q: %+v, want %s", c.args, e.Findings, c.kind)
		}
		checkHints(t, filepath.Join(dir, "a"), e, c.args[:last], c.args[last])
	}
}

// Nothing is claimed of a text that has no such word.
func TestNothingIsClaimed(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	letters := []string{"qzx", "xjq", "zzk", "jqv", "kxz"}
	for range 20 {
		dir := t.TempDir()
		var text strings.Builder
		for range 300 {
			text.WriteString(zeroWords[r.IntN(len(zeroWords))])
			text.WriteString([]string{" ", "\n", "**", "-", "_", "é", "\u00a0", "(", "\"", ", "}[r.IntN(10)])
		}
		write(t, filepath.Join(dir, "f"), text.String())
		var pattern []string
		for range 1 + r.IntN(3) {
			pattern = append(pattern, letters[r.IntN(len(letters))]+letters[r.IntN(len(letters))])
		}
		for _, joint := range []string{" ", "_", "'", "-", "é"} {
			p := strings.Join(pattern, joint) + joint
			if e := explanation(t, dir, p, "."); len(e.Findings) > 0 || !e.Complete {
				t.Errorf("%q: %+v", p, e)
			}
		}
	}
}
