package plan

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"tally/flags"
	"tally/run/world"
)

// planned is the plan of a command line typed in dir.
func planned(t *testing.T, dir string, argv ...string) *Plan {
	t.Helper()
	w := &world.World{Stdout: new(nothing), Stderr: new(nothing), Dir: dir, Clock: func() time.Time { return noon }}
	env := flags.Env{ReadFile: w.ReadFile, Getenv: w.Getenv}
	args, err := flags.Parse(append([]string{"tally", "--json"}, argv...), env)
	if err != nil {
		t.Fatalf("%q: %v", argv, err)
	}
	p, err := New(args, w, flags.BuildInfo{})
	if err != nil {
		t.Fatalf("%q: %v", argv, err)
	}
	return p
}

// noon is when these command lines are typed.
var noon = time.Date(2026, 2, 14, 12, 0, 0, 5, time.UTC)

type nothing struct{}

func (*nothing) Write(p []byte) (int, error) { return len(p), nil }

// decisive are flags that change what is a result, or what is in scope.
var decisive = [][]string{
	{"--absent"},
	{"--all-of"},
	{"--and=x"},
	{"--and=x", "--and=y"},
	{"--audit", "--absent"},
	{"--auto-hybrid-regex"},
	{"--binary"},
	{"--changed-before=2026-01-31T00:00:00Z"},
	{"--changed-before=2026-01-31T01:00:00Z"},
	{"--changed-within=2026-01-31T00:00:00Z"},
	{"--changed-within=2w"},
	{"--crlf"},
	{"--encoding=utf-16le"},
	{"--encoding=none"},
	{"--engine=auto"},
	{"--engine=pcre2"},
	{"--follow"},
	{"--fuzzy"},
	{"--glob=*.md"},
	{"--glob=*.MD", "--glob-case-insensitive"},
	{"--glob=!a", "--glob=b"},
	{"--glob=b", "--glob=!a"},
	{"--hidden"},
	{"--iglob=*.md"},
	{"--ignore-case"},
	{"--ignore-file=rules"},
	{"--ignore-file=rules", "--ignore-file-case-insensitive"},
	{"--invert-match"},
	{"--line-regexp"},
	{"--max-depth=2"},
	{"--max-filesize=5"},
	{"--mmap"},
	{"--multiline"},
	{"--multiline", "--multiline-dotall"},
	{"--no-ignore"},
	{"--no-ignore-dot"},
	{"--no-ignore-exclude"},
	{"--no-ignore-global"},
	{"--no-ignore-parent"},
	{"--no-ignore-vcs"},
	{"--no-mmap"},
	{"--no-nested"},
	{"--no-require-git"},
	{"--no-unicode"},
	{"--null-data"},
	{"--one-file-system"},
	{"--pcre2"},
	{"--pre=cat"},
	{"--pre=cat", "--pre-glob=*.x"},
	{"--regex"},
	{"--search-zip"},
	{"--smart-case"},
	{"--text"},
	{"--type=md"},
	{"--type-not=md"},
	{"--type-add=x:*.x", "--type=x"},
	{"--type-add=x:*.y", "--type=x"},
	{"--unrestricted"},
	{"-uu"},
	{"-uuu"},
	{"--word-regexp"},
	{"--no-pcre2-unicode"},
	{"--dfa-size-limit=1M"},
	{"--regex-size-limit=1M"},
}

// displayed are flags that change how results look or how fast they come.
var displayed = [][]string{
	{"--after-context=1"},
	{"--before-context=1"},
	{"--block-buffered"},
	{"--byte-offset"},
	{"--color=always"},
	{"--colors=path:none"},
	{"--column"},
	{"--context=2"},
	{"--context-separator=x"},
	{"--debug"},
	{"--each"},
	{"--explain-zero=never"},
	{"--heading"},
	{"--json-text"},
	{"--ledger=always"},
	{"--limit=1"},
	{"--limit-bytes=1K"},
	{"--text-safe"},
	{"--window=80"},
	{"--line-buffered"},
	{"--line-size-limit=5M"},
	{"--max-columns=9"},
	{"--max-count=1"},
	{"--no-messages"},
	{"--no-ignore-messages"},
	{"--offset=1"},
	{"--only-matching"},
	{"--passthru"},
	{"--path-separator=:"},
	{"--pretty"},
	{"--quiet"},
	{"--replace=x"},
	{"--stats"},
	{"--stop-on-nonmatch"},
	{"--threads=3"},
	{"--time-limit=1s"},
	{"--trace"},
	{"--trim"},
	{"--vimgrep"},
	{"--with-filename"},
	{"--expect-digest=0123456789abcdef0123456789abcdef"},
	{"--as-stored"},
	{"--audit"},
	{"--null"},
	{"--line-number"},
	{"--no-config"},
	{"--sort=path"},
	{"--field-match-separator=x"},
	{"--field-context-separator=x"},
	{"--hyperlink-format=file"},
	{"--hostname-bin=hostname"},
	{"--include-zero"},
	{"--max-columns-preview", "--max-columns=9"},
	{"--case-sensitive"},
	{"--no-line-number"},
	{"--no-filename"},
	{"--no-ignore-files"}, // without a file of rules it decides nothing
}

// outside are flags with which a run has no identity, or is no search.
var outside = []string{
	"cache", "count", "count-matches", "count-only", "explain-score", "file", "files", "files-with-matches", "files-without-match", "fixed-strings",
	"floor", "generate", "help", "json", "mcp", "meaning", "meaning-budget", "meaning-model", "merge-ledgers", "no-heading", "pcre2-version", "rank",
	"regexp", "rg", "skipped", "sort-files", "sortr", "type-clear", "type-list", "version", "weight", "why", "sort",
}

// Two searches have one identity exactly if they have the same results of the
// same files.
func TestIdentity(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "rules"), []byte("*.log\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	identity := func(argv ...string) string {
		p := planned(t, dir, append(argv, "word", ".")...)
		return p.Report.Ledger.Query
	}
	plain := identity()
	if plain == "" {
		t.Fatal("a search has no identity")
	}
	seen := map[string][]string{plain: nil}
	for _, argv := range decisive {
		got := identity(argv...)
		if other, twice := seen[got]; twice && !slices.Equal(argv, []string{"--audit", "--absent"}) && !same(other, argv) {
			t.Errorf("%q and %q have one identity, %s", argv, other, got)
		}
		seen[got] = argv
	}
	for _, argv := range displayed {
		if got := identity(argv...); got != plain {
			t.Errorf("%q changes the identity", argv)
		}
	}
	if identity("--sort=modified") != "" || identity("--meaning") != "" {
		t.Error("an order, or what only resembles, has an identity")
	}
	missing := flags.Names()
	for _, list := range append(slices.Clone(decisive), displayed...) {
		for _, word := range list {
			missing = slices.DeleteFunc(missing, func(name string) bool { return "--"+name == cutValue(word) || shorts[word] == name })
		}
	}
	for _, name := range missing {
		if !slices.Contains(outside, name) {
			t.Errorf("--%s is in no list of this test", name)
		}
	}
}

// shorts are the flags that the lists name by a letter.
var shorts = map[string]string{"-uu": "unrestricted", "-uuu": "unrestricted"}

// same reports whether two command lines mean the same.
func same(a, b []string) bool {
	for _, pair := range [][2]string{
		{"--pcre2", "--engine=pcre2"}, {"--auto-hybrid-regex", "--engine=auto"}, {"--no-ignore", "--unrestricted"}, {"--no-pcre2-unicode", "--no-unicode"},
	} {
		if slices.Equal(a, []string{pair[1]}) && slices.Equal(b, []string{pair[0]}) || slices.Equal(b, []string{pair[1]}) && slices.Equal(a, []string{pair[0]}) {
			return true
		}
	}
	return false
}

func cutValue(word string) string {
	for i, c := range word {
		if c == '=' {
			return word[:i]
		}
	}
	return word
}
