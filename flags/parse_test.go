package flags

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"
)

// validValue returns a value that a row accepts.
func validValue(r *row) string {
	if len(r.choices) > 0 {
		return r.choices[len(r.choices)-1]
	}
	switch r.value {
	case "NUM", "NUM+SUFFIX?":
		return "7"
	case "DURATION":
		return "3s"
	case "TIME":
		return "2h"
	case "SCORE":
		return "0.5"
	case "GLOB=FACTOR":
		return "logs/**=0.4"
	case "SEPARATOR":
		return "+"
	case "DIGEST":
		return "0123456789abcdef0123456789abcdef"
	}
	return "v"
}

// Every spelling of a flag, in every form, says the same.
func TestEverySpelling(t *testing.T) {
	for name, s := range spellings {
		if s.optional != "" {
			continue // see TestOptionalValue
		}
		value := validValue(s.row)
		forms := [][]string{{"--" + s.name}}
		switch {
		case s.short && s.takesValue():
			forms = [][]string{{"-" + name + value}, {"-" + name + "=" + value}, {"-" + name, value}, {"-b" + name, value}}
		case s.short:
			forms = [][]string{{"-" + name}, {"-b" + name}}
		case s.takesValue():
			forms = [][]string{{"--" + name + "=" + value}, {"--" + name, value}}
		}
		for _, form := range forms {
			want := newArgs()
			if strings.HasPrefix(form[0], "-b") {
				want.ByteOffset = true
			}
			if err := s.happen(want, map[bool]string{true: value}[s.takesValue()], Env{}); err != nil {
				t.Fatalf("%s: %v", s, err)
			}
			got, err := parse(Tally, append(form, "pattern", "path"), Env{})
			if err != nil {
				t.Errorf("%q: %v", form, err)
				continue
			}
			want.positional = []string{"pattern", "path"}
			want.Program, want.FixedStrings = got.Program, want.literal
			if want.rg {
				want.FixedStrings = want.fixed
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%q:\nhave %+v\nwant %+v", form, got, want)
			}
		}
	}
}

func TestOverrides(t *testing.T) {
	lines := func(c Context) [2]uint64 { b, a := c.Lines(); return [2]uint64{b, a} }
	for _, test := range []struct {
		argv string
		get  func(*Args) any
		want any
	}{
		{"rg x -A1 -B2 -C3", func(a *Args) any { return lines(a.Context) }, [2]uint64{2, 1}},
		{"rg x -C3 -A1", func(a *Args) any { return lines(a.Context) }, [2]uint64{3, 1}},
		{"rg x -A1 -C3 -A0", func(a *Args) any { return lines(a.Context) }, [2]uint64{3, 0}},
		{"rg x -A1 --passthru", func(a *Args) any { return a.Context.Passthru }, true},
		{"rg x -C9 --passthru -A1", func(a *Args) any { return lines(a.Context) }, [2]uint64{0, 1}},
		{"rg x --passthru -B0", func(a *Args) any { return a.Context.Passthru }, false},
		{"rg x -i -s -S", func(a *Args) any { return a.Case }, CaseSmart},
		{"rg x -S -i", func(a *Args) any { return a.Case }, CaseInsensitive},
		{"rg x -x -w", func(a *Args) any { return a.Boundary }, BoundaryWord},
		{"rg x -w -x", func(a *Args) any { return a.Boundary }, BoundaryLine},
		{"rg x -n -N", func(a *Args) any { return a.LineNumber }, some(false)},
		{"rg x -N -p", func(a *Args) any { return a.LineNumber }, some(true)},
		{
			"rg x -p -N --no-heading --color=never", func(a *Args) any { return []any{a.LineNumber, a.Heading, a.Color} },
			[]any{some(false), some(false), ColorNever},
		},
		{"rg x -H -I", func(a *Args) any { return a.WithFilename }, some(false)},
		{"rg x", func(a *Args) any { return a.WithFilename }, Tri{}},
		{"rg x -a --binary", func(a *Args) any { return a.Binary }, BinarySearch},
		{"rg x --binary -a", func(a *Args) any { return a.Binary }, BinaryText},
		{"rg x --binary --no-text", func(a *Args) any { return a.Binary }, BinaryAuto},
		{"rg x -uuu", func(a *Args) any { return []any{a.NoIgnoreVCS, a.Hidden, a.Binary} }, []any{true, true, BinarySearch}},
		{"rg x -u -u", func(a *Args) any { return []any{a.NoIgnoreDot, a.Hidden, a.Binary} }, []any{true, true, BinaryAuto}},
		{
			"rg x -uuu --ignore-vcs --no-hidden", func(a *Args) any { return []any{a.NoIgnoreVCS, a.NoIgnoreDot, a.Hidden} },
			[]any{false, true, false},
		},
		{"rg x --no-ignore --ignore", func(a *Args) any {
			return a.NoIgnoreDot || a.NoIgnoreExclude || a.NoIgnoreGlobal || a.NoIgnoreParent || a.NoIgnoreVCS
		}, false},
		{"rg x --no-ignore", func(a *Args) any { return a.NoIgnoreFiles }, false},
		{"rg x --crlf --null-data", func(a *Args) any { return []bool{a.CRLF, a.NullData} }, []bool{false, true}},
		{"rg x --null-data --crlf", func(a *Args) any { return []bool{a.CRLF, a.NullData} }, []bool{true, false}},
		{"rg x --null-data --no-crlf", func(a *Args) any { return []bool{a.CRLF, a.NullData} }, []bool{false, true}},
		{"rg x -U --stop-on-nonmatch", func(a *Args) any { return []bool{a.Multiline, a.StopOnNonmatch} }, []bool{false, true}},
		{"rg x --stop-on-nonmatch -U", func(a *Args) any { return []bool{a.Multiline, a.StopOnNonmatch} }, []bool{true, false}},
		{"rg x --stop-on-nonmatch --no-multiline", func(a *Args) any { return a.StopOnNonmatch }, true},
		{"rg x --pre c -z", func(a *Args) any { return []any{a.Pre, a.SearchZip} }, []any{"", true}},
		{"rg x -z --pre c", func(a *Args) any { return []any{a.Pre, a.SearchZip} }, []any{"c", false}},
		{"rg x -z --pre=", func(a *Args) any { return []any{a.Pre, a.SearchZip} }, []any{"", true}},
		{"rg x --pre c --no-pre", func(a *Args) any { return a.Pre }, ""},
		{"rg x -c -l --json --files", func(a *Args) any { return a.Mode }, ModeFiles},
		{"rg x --files -c", func(a *Args) any { return a.Mode }, ModeCount},
		{"rg x --json --no-json", func(a *Args) any { return a.Mode }, ModeSearch},
		{"rg x -l --no-json", func(a *Args) any { return a.Mode }, ModeFilesWithMatches},
		{"rg x --type-list --generate man", func(a *Args) any { return []any{a.Mode, a.Generate} }, []any{ModeGenerate, GenerateMan}},
		{"rg x -c -o", func(a *Args) any { return a.Mode }, ModeCount},
		{"rg x --sort path --sortr modified", func(a *Args) any { return a.Sort }, Sort{SortModified, true}},
		{"rg x --sortr none", func(a *Args) any { return a.Sort }, Sort{}},
		{"rg x --sortr path --no-sort-files", func(a *Args) any { return a.Sort }, Sort{}},
		{"rg x --sortr path --sort-files", func(a *Args) any { return a.Sort }, Sort{Key: SortPath}},
		{"rg x -P --engine auto", func(a *Args) any { return a.Engine }, EngineAuto},
		{"rg x --auto-hybrid-regex --no-pcre2", func(a *Args) any { return a.Engine }, EngineDefault},
		{"rg x --line-buffered --block-buffered", func(a *Args) any { return a.Buffer }, BufferBlock},
		{"rg x --line-buffered --no-block-buffered", func(a *Args) any { return a.Buffer }, BufferAuto},
		{"rg x --no-unicode --pcre2-unicode", func(a *Args) any { return a.NoUnicode }, false},
		{"rg x --debug --trace", func(a *Args) any { return a.Log }, LogTrace},
		{"rg x -E utf-16 --no-encoding", func(a *Args) any { return a.Encoding }, "auto"},
		{"rg x", func(a *Args) any { return a.ContextSeparator }, some("--")},
		{"rg x --context-separator ''", func(a *Args) any { return a.ContextSeparator }, some("")},
		{"rg x --no-context-separator", func(a *Args) any { return a.ContextSeparator }, Opt[string]{}},
		{"rg x --no-context-separator --context-separator=\\x41\\q", func(a *Args) any { return a.ContextSeparator }, some(`A\q`)},
		{"rg x --path-separator \\x5c", func(a *Args) any { return a.PathSeparator }, some(byte('\\'))},
		{"rg x --path-separator / --path-separator=", func(a *Args) any { return a.PathSeparator }, Opt[byte]{}},
		{"rg x -j4 -j0", func(a *Args) any { return a.Threads }, Opt[uint64]{}},
		{"rg x -M5 -M0", func(a *Args) any { return a.MaxColumns }, Opt[uint64]{}},
		{"rg x -m0", func(a *Args) any { return a.MaxCount }, some(uint64(0))},
		{"rg x --max-filesize 3K", func(a *Args) any { return a.MaxFilesize }, some(uint64(3072))},
		{"rg x -g a --iglob b -g !c", func(a *Args) any { return [][]string{a.Globs, a.IGlobs} }, [][]string{{"a", "!c"}, {"b"}}},
		{
			"rg x -tc --type-add d:*.d -Te --type-clear f", func(a *Args) any { return a.TypeChanges },
			[]TypeChange{{TypeSelect, "c"}, {TypeAdd, "d:*.d"}, {TypeNegate, "e"}, {TypeClear, "f"}},
		},
		{"rg -h -V", func(a *Args) any { return a.Special }, VersionShort},
		{"rg --version --help", func(a *Args) any { return a.Special }, HelpLong},
		{"rg -V --pcre2-version --files", func(a *Args) any { return a.Special }, PCRE2Version},

		{"tally x", func(a *Args) any { return a.FixedStrings }, true},
		{"tally x --regex", func(a *Args) any { return a.FixedStrings }, false},
		{"tally x -P", func(a *Args) any { return a.FixedStrings }, false},
		{"tally x --engine=default", func(a *Args) any { return a.FixedStrings }, false},
		{"tally x --no-fixed-strings", func(a *Args) any { return a.FixedStrings }, false},
		{"tally x --auto-hybrid-regex", func(a *Args) any { return a.FixedStrings }, false},
		{"tally x --no-pcre2", func(a *Args) any { return a.FixedStrings }, true},
		{"tally x --regex -F", func(a *Args) any { return a.FixedStrings }, true},
		{"tally x -F --regex", func(a *Args) any { return a.FixedStrings }, false},
		{"tally x --rg", func(a *Args) any { return []any{a.FixedStrings, a.Program, a.OwnFlag} }, []any{false, Ripgrep, false}},
		{"/usr/bin/rg x", func(a *Args) any { return a.FixedStrings }, false},
		{"rg x -F -P", func(a *Args) any { return a.FixedStrings }, true},
		{"rg x -F --regex", func(a *Args) any { return a.FixedStrings }, false},
		{"tally -- --rg", func(a *Args) any { return a.Program }, Tally},
		{"tally -e --rg", func(a *Args) any { return a.Program }, Tally},
		{
			"tally x --limit 5 --offset 3", func(a *Args) any { return []any{a.Limit, a.Offset, a.OwnFlag} },
			[]any{some(uint64(5)), uint64(3), true},
		},
		{"tally x --ledger=stdout", func(a *Args) any { return a.Ledger }, WhenStdout},
		{"tally x --time-limit 1m30s", func(a *Args) any { return a.TimeLimit }, some(90 * time.Second)},
		{"tally x --time-limit 10", func(a *Args) any { return a.TimeLimit }, some(10 * time.Second)},
		{
			"tally --why a b --json", func(a *Args) any { return []any{a.Inspect, a.Mode, a.Paths, a.Patterns} },
			[]any{InspectWhy, ModeJSON, []string{"a", "b"}, []string(nil)},
		},
		{"tally --skipped", func(a *Args) any { return a.Inspect }, InspectSkipped},
	} {
		if got := test.get(mustParse(t, test.argv)); !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: have %+v, want %+v", test.argv, got, test.want)
		}
	}
}

func TestPositionals(t *testing.T) {
	for _, test := range []struct{ argv, patterns, paths string }{
		{"rg foo", "[foo]", "[]"},
		{"rg foo file -n dir", "[foo]", "[file dir]"},
		{"rg -e a file -fpats -eb", "[a p q b]", "[file]"},
		{"rg -ea -ea -fpats -fpats", "[a p q]", "[]"},
		{"rg -- -x -- -y", "[-x]", "[-- -y]"},
		{"rg - -", "[-]", "[-]"},
		{"rg -inC3 x", "[x]", "[]"},
		{"rg -rni x", "[x]", "[]"},
		{"rg -r -n x", "[x]", "[]"},
		{"rg -e-foo", "[-foo]", "[]"},
		{"rg -e -- x", "[--]", "[x]"},
		{"rg '' ''", "[]", "[]"},
		{"rg --files -e a b", "[]", "[b]"},
		{"rg -fempty x", "[]", "[x]"},
		{"rg -f- x", "[from stdin]", "[x]"},
		{"tally cache", "[cache]", "[]"},
		{"tally help", "[help]", "[]"},
		{"tally h x", "[h]", "[x]"},
		{"tally version", "[version]", "[]"},
		{"tally files limit", "[files]", "[limit]"},
		{"tally --follow follow", "[follow]", "[]"},
		{"tally completion -n", "[completion]", "[]"},
		{"tally -n -- --generate-bash-completion", "[--generate-bash-completion]", "[]"},
	} {
		env := fakeEnv(nil, map[string]string{"pats": "p\r\nq\n", "empty": "", "-": "from stdin"})
		args, err := Parse(line(test.argv), env)
		if err != nil {
			t.Errorf("%s: %v", test.argv, err)
			continue
		}
		if got := fmt.Sprint(args.Patterns); got != test.patterns {
			t.Errorf("%s: patterns %s, want %s", test.argv, got, test.patterns)
		}
		if got := fmt.Sprint(args.Paths); strings.TrimSpace(got) != test.paths {
			t.Errorf("%s: paths %s, want %s", test.argv, got, test.paths)
		}
	}
}

func TestOptionalValue(t *testing.T) {
	for argv, want := range map[string]When{
		"tally --explain-zero x":        WhenAuto,
		"tally --explain-zero=always x": WhenAlways,
		"tally x --explain-zero":        WhenAuto,
		"tally --explain-zero=never x":  WhenNever,
		"tally x":                       WhenUnset,
	} {
		args := mustParse(t, argv)
		if args.ExplainZero != want || fmt.Sprint(args.Patterns) != "[x]" {
			t.Errorf("%s: %v, patterns %q", argv, args.ExplainZero, args.Patterns)
		}
	}
}

func TestUnescape(t *testing.T) {
	for in, want := range map[string]string{
		``: ``, `a`: `a`, `\`: `\`, `\\`: `\`, `\n\r\t\0`: "\n\r\t\x00", `\q`: `\q`, `\x41b`: `Ab`, `\xfF`: "\xff",
		`\x4`: `\x4`, `\x`: `\x`, `\xg1`: `\xg1`, `\x4g`: `\x4g`, `\x\n`: `\x\n`, `\x4\n`: `\x4\n`, `é\é`: `é\é`,
	} {
		if got := unescape(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
