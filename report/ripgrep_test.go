package report

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// An option is a flag of ripgrep's and what it means here.
type option struct {
	args []string
	set  func(*Config, *search)
}

func value[T any](v T) *T { return &v }

var options = []option{
	{[]string{"-n"}, func(c *Config, s *search) { c.LineNumber = true }},
	{[]string{"-I"}, func(c *Config, s *search) { c.WithPath = false }},
	{[]string{"--heading"}, func(c *Config, s *search) { c.Heading = true }},
	{[]string{"-A1"}, func(c *Config, s *search) { s.after, s.passthru = 1, false }},
	{[]string{"-B1"}, func(c *Config, s *search) { s.before, s.passthru = 1, false }},
	{[]string{"-A2", "-B2"}, func(c *Config, s *search) { s.after, s.before, s.passthru = 2, 2, false }},
	{[]string{"--passthru"}, func(c *Config, s *search) { s.after, s.before, s.passthru = 0, 0, true }},
	{[]string{"-o"}, func(c *Config, s *search) { c.OnlyMatching = true }},
	{[]string{"-v"}, func(c *Config, s *search) { c.Invert, s.invert = true, true }},
	{[]string{"-r", "<$1|${2}$0>"}, func(c *Config, s *search) { c.Replacement = value([]byte("<$1|${2}$0>")) }},
	{[]string{"-r", ""}, func(c *Config, s *search) { c.Replacement = value([]byte("")) }},
	{[]string{"--vimgrep"}, func(c *Config, s *search) { c.PerMatch, c.Column, c.LineNumber = true, true, true }},
	{[]string{"--trim"}, func(c *Config, s *search) { c.Trim = true }},
	{[]string{"-M17"}, func(c *Config, s *search) { c.MaxColumns = 17 }},
	{[]string{"-M13", "--max-columns-preview"}, func(c *Config, s *search) { c.MaxColumns, c.Preview = 13, true }},
	{[]string{"-b"}, func(c *Config, s *search) { c.ByteOffset = true }},
	{[]string{"--column", "-n"}, func(c *Config, s *search) { c.Column, c.LineNumber = true, true }},
	{[]string{"-0"}, func(c *Config, s *search) { c.Null = true }},
	{[]string{"--null-data"}, func(c *Config, s *search) { c.LineTerm, c.CRLF, s.term, s.crlf = 0, false, 0, false }},
	{[]string{"--crlf"}, func(c *Config, s *search) { c.LineTerm, c.CRLF, s.term, s.crlf = '\n', true, '\n', true }},
	{[]string{"--context-separator", `<\t>`}, func(c *Config, s *search) { c.ContextSeparator = value([]byte("<\t>")) }},
	{[]string{"--no-context-separator"}, func(c *Config, s *search) { c.ContextSeparator = nil }},
	{[]string{"--field-match-separator", "::"}, func(c *Config, s *search) { c.FieldMatch = []byte("::") }},
	{[]string{"--field-context-separator", ""}, func(c *Config, s *search) { c.FieldContext = nil }},
	{[]string{"--path-separator", "#"}, func(c *Config, s *search) { c.PathSep = '#' }},
	{[]string{"--color=always"}, func(c *Config, s *search) { c.Color = true }},
	{[]string{"--color=always", "--colors=match:none"}, colors("match:none")},
	{
		[]string{"--color=always", "--colors=highlight:bg:blue", "--colors=column:fg:1,0x20,3"},
		colors("highlight:bg:blue", "column:fg:1,0x20,3"),
	},
	{
		[]string{"--color=always", "--colors=path:none", "--colors=match:style:intense", "--colors=match:style:underline"},
		colors("path:none", "match:style:intense", "match:style:underline"),
	},
	{[]string{"--color=always", "--hyperlink-format=x://{path}#{line}:{column}"}, links("x://{path}#{line}:{column}")},
	{[]string{"--color=always", "--hyperlink-format=file://h{path}"}, links("file://h{path}")},
	{[]string{"-c"}, func(c *Config, s *search) { c.Mode = Count }},
	{[]string{"--count-matches"}, func(c *Config, s *search) { c.Mode = CountMatches }},
	{[]string{"--include-zero"}, func(c *Config, s *search) { c.IncludeZero = true }},
	{[]string{"-l"}, func(c *Config, s *search) { c.Mode = FilesWithMatches }},
	{[]string{"--files-without-match"}, func(c *Config, s *search) { c.Mode = FilesWithoutMatch }},
	{[]string{"-q"}, func(c *Config, s *search) { c.Quiet = true }},
	{[]string{"--stats"}, func(c *Config, s *search) { c.Stats = true }},
	{[]string{"--json"}, func(c *Config, s *search) { c.Mode = JSON }},
	{[]string{"-m1"}, func(c *Config, s *search) { s.maxCount = 1 }},
	{[]string{"-m2"}, func(c *Config, s *search) { s.maxCount = 2 }},
	{[]string{"-a"}, func(c *Config, s *search) { s.text, s.convert = true, false }},
	{[]string{"--binary"}, func(c *Config, s *search) { s.text, s.convert = false, true }},
	{[]string{"-U"}, func(c *Config, s *search) { c.MultiLine, s.multiLine = true, true }},
}

func colors(specs ...string) func(*Config, *search) {
	return func(c *Config, s *search) {
		c.Color = true
		c.Colors, _ = ParseColorSpecs(append(slices.Clone(colorSpecs(c)), specs...))
		c.Ledger.Name += "\x00" + strings.Join(specs, "\x00")
	}
}

// colorSpecs keeps, in a field that these tests have no other use for, the
// specifications so far, which add up.
func colorSpecs(c *Config) []string {
	return strings.FieldsFunc(c.Ledger.Name, func(r rune) bool { return r == 0 })
}

func links(format string) func(*Config, *search) {
	return func(c *Config, s *search) {
		c.Color = true
		c.Hyperlink.Format, _ = ParseHyperlinkFormat(format)
	}
}

// resolve settles what depends on several options, as ripgrep does.
func resolve(c *Config, s *search) {
	switch {
	case c.Mode == Count && c.OnlyMatching && !c.Invert:
		c.Mode = CountMatches
	case c.Mode == CountMatches && c.Invert:
		c.Mode = Count
	}
	c.LineNumber = c.LineNumber || c.Mode == JSON
	c.Heading = c.Heading && !c.PerMatch
	c.Context = s.before > 0 || s.after > 0
	c.Stats = c.Stats || c.Mode == JSON
	c.Ledger = LedgerConfig{Mode: LedgerNever}
	c.Ripgrep = true
}

func testConfig() Config {
	colors, _ := ParseColorSpecs(nil)
	return Config{
		WithPath: true, ContextSeparator: value([]byte("--")),
		FieldMatch: []byte(":"), FieldContext: []byte("-"),
		LineTerm: '\n', Colors: colors,
	}
}

// lateNUL is a file whose NUL byte comes when some of it has been searched.
func lateNUL() testFile {
	long := bytes.Repeat([]byte(strings.Repeat("some text without it ", 48)+"\n"), 70)
	return testFile{"late.bin", slices.Concat([]byte("a foo\n"), long, []byte("b foo\nc\x00d foo\nbar\n"))}
}

func testFiles() []testFile {
	return []testFile{
		{"a.txt", []byte("one\n  foo and bar\ntwo\nthree\n\tbar\nfour\nfive\nsix\nseven foo foo foo\n")},
		{"b c.txt", []byte("  foo")},
		{"crlf.txt", []byte("foo\r\n  x bar\r\n\r\nnone\r\nbar\r\nend foo\r\n")},
		{"d/deep/f.txt", []byte("nothing here\n")},
		{"d/e.txt", []byte("\u00e9\u00e9\u00e9 foo \U0001F1E9\U0001F1EA\U0001F1EB e\u0301e\u0301e\u0301e\u0301e\u0301 bar\n" +
			"\U0001F468\u200D\U0001F469\u200D\U0001F467 family foo \u0915\u094D\u0937\u093F\u0915\u094D\u0937\u093F\u0915\u094D\u0937\u093F bar\n")},
		{"d/g.txt", []byte("a long line that has foo in it, and again foo, and bar at its end\n    \t leading foo\nshort foo\n")},
		{"empty.txt", nil},
		{"h.txt", []byte("foo\n\n\n\n\nfoo\nbar\n\n\nfoo\n\n")},
		{"invalid.txt", []byte("\xfe\xfe foo \xe2\x82 bar \xf0\x9f\x92\n\xc3\x28 a foo\xed\xa0\x80 bar b\n\"quoted\" \\ foo \x01\x1f\x7f <&> \u2028\n")},
		{"multi.txt", []byte("x foo\n  bar foo\nbar y\nz\nfoo\n\nbar\n\nfoo\n")},
		{"nul.bin", []byte("foo\x00bar\nfoo bar\n")},
		{"weird\xff\n\x1b.txt", []byte("foo\nx\ny\nbar")},
		{"z.txt", []byte("x\ny\nz\nfoo")},
	}
}

var (
	volatile = regexp.MustCompile(`"secs":\d+|"nanos":\d+|"human":"[^"]*"|\d+\.\d+ seconds`)
	searched = regexp.MustCompile(`"bytes_searched":\d+|\d+ bytes searched`)
)

func ripgrep(t testing.TB) string {
	rg := os.Getenv("TALLY_TEST_RG")
	if rg == "" {
		if os.Getenv("CI") == "true" || os.Getenv("TALLY_TEST_REQUIRE") == "1" {
			t.Fatal("TALLY_TEST_RG does not name the ripgrep to compare with")
		}
		t.Skip("TALLY_TEST_RG does not name the ripgrep to compare with")
	}
	return rg
}

// draws returns combinations of options, in the order in which they are given:
// each alone, each pair, and some larger ones, always the same.
func draws() [][]int {
	var all [][]int
	for i := range options {
		all = append(all, []int{i})
		for j := i + 1; j < len(options); j++ {
			all = append(all, []int{i, j})
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 800 {
		all = append(all, r.Perm(len(options))[:3+r.IntN(4)])
	}
	return all
}

func TestLikeRipgrep(t *testing.T) {
	combinations := draws()
	if testing.Short() {
		combinations = combinations[len(combinations)-200:]
	}
	patterns := []string{`(fo+)|(b)ar`, `foo`, `fo*|^`, `(?:$|x)`}
	multi := []string{`foo\n\s*(ba)r|bar`, `(foo)\n*`, `oo(\s)?`}
	compareAll(t, testFiles(), combinations, patterns, multi)
}

// Where a search that does nothing but read on would see the NUL byte, how far
// it reads depends on the size of its buffers: so only in lines without context.
func TestLikeRipgrepOnBinaryFiles(t *testing.T) {
	var combinations [][]int
	simple := []string{
		"-n", "-I", "--heading", "-o", "--color=always", "-c", "--count-matches", "--include-zero",
		"-l", "--files-without-match", "-q", "--stats", "--json", "-m1", "-a", "--binary", "--vimgrep", "-b", "-r",
	}
	for i := range options {
		for j := i + 1; j < len(options); j++ {
			if slices.Contains(simple, options[i].args[0]) && slices.Contains(simple, options[j].args[0]) {
				combinations = append(combinations, []int{i, j})
			}
		}
	}
	if testing.Short() {
		combinations = combinations[:40]
	}
	files := []testFile{testFiles()[0], lateNUL(), {"nul.bin", []byte("foo\x00bar\nfoo bar\n")}, {"z", []byte("foo\n")}}
	compareAll(t, files, combinations, []string{`foo`, `(fo+)|(b)ar`}, nil)
}

// compareAll runs ripgrep and the printers over files with each combination of
// options, and compares what they print and their exit codes.
func compareAll(t *testing.T, files []testFile, combinations [][]int, patterns, multi []string) {
	rg := ripgrep(t)
	t.Chdir(writeFiles(t, files))
	failed := 0
	for n, draw := range combinations {
		cfg, pattern := testConfig(), patterns[n%5%len(patterns)]
		s := newSearch("(?m)" + pattern)
		args := []string{"--no-config", "--sort=path", "-j1"}
		for _, i := range draw {
			options[i].set(&cfg, s)
			args = append(args, options[i].args...)
		}
		if s.multiLine {
			pattern = multi[n%len(multi)]
			s.re = regexp.MustCompile("(?m)" + pattern)
		}
		if !comparable(&cfg, s) {
			continue
		}
		resolve(&cfg, s)
		args = append(args, "-e", pattern)
		want, err := exec.Command(rg, args...).Output()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		got, _, l := runReport(t, cfg, s, files, uint64(n)*0x9E3779B97F4A7C15)
		mask := func(b []byte) string {
			b = volatile.ReplaceAll(b, []byte("T"))
			if s.maxCount >= 0 || s.convert {
				// How much an ended search has read is not the printers' affair.
				b = searched.ReplaceAll(b, []byte("N"))
			}
			return string(b)
		}
		if got, want := mask([]byte(got)), mask(want); got != want {
			t.Errorf("rg %q:\n%s", args, firstDifference(got, want))
			failed++
		}
		code := 0
		if exit != nil {
			code = exit.ExitCode()
		}
		if got := l.ExitCode(Rules{RG: true, Quiet: cfg.Quiet}); got != code {
			t.Errorf("rg %q: exit code %d, want %d", args, got, code)
			failed++
		}
		if failed > 10 {
			t.Fatal("too many differences")
		}
	}
}

// comparable reports whether the plain search of these tests does what ripgrep
// does; where they part is not about what is printed.
func comparable(c *Config, s *search) bool {
	switch {
	case s.maxCount >= 0 && (s.passthru || s.multiLine || s.invert || s.after > 0):
		return false // after the last match, ripgrep's engine decides
	case s.multiLine && (s.term == 0 || s.crlf):
		return false
	case s.multiLine && (s.text || s.convert):
		return false
	case s.convert && (s.before > 0 || s.after > 0 || s.passthru || s.invert || s.crlf):
		return false // buffers end elsewhere
	}
	return true
}

func firstDifference(got, want string) string {
	g, w := strings.SplitAfter(got, "\n"), strings.SplitAfter(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d\n got %q\nwant %q", i+1, g[i], w[i])
		}
	}
	i := min(len(g), len(w))
	return fmt.Sprintf("line %d: %d lines instead of %d\n got %.300q\nwant %.300q", i+1, len(g), len(w), g[i:], w[i:])
}

func TestPathsLikeRipgrep(t *testing.T) {
	rg := ripgrep(t)
	files := testFiles()
	t.Chdir(writeFiles(t, files))
	for _, names := range [][]string{
		{},
		{"-0"},
		{"--path-separator"},
		{"--color=always"},
		{"--null-data"},
		{"--crlf"},
		{"--heading"},
		{"--stats"},
		{"--color=always", "-0"},
		{"--path-separator", "--color=always"},
	} {
		cfg, s := testConfig(), newSearch("")
		args := []string{"--no-config", "--sort=path", "--files"}
		for _, o := range options {
			if slices.Contains(names, o.args[0]) && (len(o.args) == 1 || o.args[0] == "--path-separator") {
				o.set(&cfg, s)
				args = append(args, o.args...)
			}
		}
		resolve(&cfg, s)
		cfg.Mode = Paths
		want, err := exec.Command(rg, args...).Output()
		if err != nil {
			t.Fatal(err)
		}
		if got, _, _ := runReport(t, cfg, s, files, 5); got != string(want) {
			t.Errorf("rg %q:\n%s", args, firstDifference(got, string(want)))
		}
	}
}
