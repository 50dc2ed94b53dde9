package flags

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// patternFiles are the files that the command lines below refer to.
var patternFiles = map[string]string{
	"pats": "p\nq\n", "bad": "ok a\\b\x7f\n\x1b\"\u00e9\xff '\n", "dir": "EISDIR",
}

// flagErrors are command lines that are refused, with ripgrep's reason.
var flagErrors = []struct{ argv, want string }{
	{"--ignore-c", "unrecognized flag --ignore-c\n\nsimilar flags that are available: --ignore-case, --ignore-file, --no-ignore, --ignore, --no-ignore-dot, --ignore-dot, --ignore-files, --ignore-global, --ignore-parent, --no-ignore-vcs, --ignore-vcs"},
	{"--type- x", "unrecognized flag --type-\n\nsimilar flags that are available: --type, --type-not, --type-add, --type-list"},
	{"--nope=1 x", "unrecognized flag --nope"},
	{"--=x", "unrecognized flag --"},
	{"--A1 x", "unrecognized flag --A1"},
	{"-iq= x", "invalid CLI arguments: unexpected argument for option '-q': \"\""},
	{"-= x", "unrecognized flag -="},
	{"-X x", "unrecognized flag -X"},
	{"-n\xff x", "unrecognized flag -\ufffd"},
	{"-\u00e9 x", "unrecognized flag -\u00e9"},
	{"--\xff=x", "unrecognized flag --\ufffd"},
	{"--hidden=true", `invalid CLI arguments: unexpected argument for option '--hidden': "true"`},
	{"--no-heading=a'\"\xff\u00e9\x01\u0301\u200b\\", `invalid CLI arguments: unexpected argument for option '--no-heading': "a'\"\xFFé\u{1}\u{301}\u{200b}\\"`},
	{"--no-encoding=x", `invalid CLI arguments: unexpected argument for option '--no-encoding': "x"`},
	{"--passthrough=x", `invalid CLI arguments: unexpected argument for option '--passthrough': "x"`},
	{"-i=foo", `invalid CLI arguments: unexpected argument for option '-i': "foo"`},
	{"-in==foo", `invalid CLI arguments: unexpected argument for option '-n': "=foo"`},
	{"--i=foo", `invalid CLI arguments: unexpected argument for option '--i': "foo"`},
	{"x -e", "missing value for flag -e: missing argument for option '-e'"},
	{"x -inA", "missing value for flag -A: missing argument for option '-A'"},
	{"x --maxdepth", "missing value for flag --maxdepth: missing argument for option '--maxdepth'"},
	{"x --A", "missing value for flag -A: missing argument for option '--A'"},
	{"x --color blah", "error parsing flag --color: choice 'blah' is unrecognized"},
	{"x --sort=Path", "error parsing flag --sort: choice 'Path' is unrecognized"},
	{"x --sortr=", "error parsing flag --sortr: choice '' is unrecognized"},
	{"x --generate bash", "error parsing flag --generate: choice 'bash' is unrecognized"},
	{"x --engine=foo", "error parsing flag --engine: unrecognized regex engine 'foo'"},
	{"x --color \xff", "error parsing flag --color: value is not valid UTF-8"},
	{"x -A-1", "error parsing flag -A: value is not a valid number: invalid digit found in string"},
	{"x --A x", "error parsing flag -A: value is not a valid number: invalid digit found in string"},
	{"x -m=", "error parsing flag -m: value is not a valid number: cannot parse integer from empty string"},
	{"x -j +", "error parsing flag -j: value is not a valid number: invalid digit found in string"},
	{"x -j ++1", "error parsing flag -j: value is not a valid number: invalid digit found in string"},
	{"x --maxdepth 18446744073709551616", "error parsing flag --maxdepth: value is not a valid number: number too large to fit in target type"},
	{"x -M99999999999999999999x", "error parsing flag -M: value is not a valid number: number too large to fit in target type"},
	{"x -M9999999999999999999x9", "error parsing flag -M: value is not a valid number: invalid digit found in string"},
	{"x -A \xff", "error parsing flag -A: value is not valid UTF-8"},
	{"x --max-filesize 5k", "error parsing flag --max-filesize: invalid size: invalid format for size '5k', which should be a non-empty sequence of digits followed by an optional 'K', 'M' or 'G' suffix"},
	{"x --max-filesize 5KK", "error parsing flag --max-filesize: invalid size: invalid format for size '5KK', which should be a non-empty sequence of digits followed by an optional 'K', 'M' or 'G' suffix"},
	{"x --dfa-size-limit=", "error parsing flag --dfa-size-limit: invalid size: invalid format for size '', which should be a non-empty sequence of digits followed by an optional 'K', 'M' or 'G' suffix"},
	{"x --regex-size-limit +1", "error parsing flag --regex-size-limit: invalid size: invalid format for size '+1', which should be a non-empty sequence of digits followed by an optional 'K', 'M' or 'G' suffix"},
	{"x --max-filesize 99999999999999999999k", "error parsing flag --max-filesize: invalid size: invalid integer found in size '99999999999999999999k': number too large to fit in target type"},
	{"x --max-filesize 17179869184G", "error parsing flag --max-filesize: invalid size: size too big in '17179869184G'"},
	{"x --context-separator \xff", "error parsing flag --context-separator: separator must be valid UTF-8 (use escape sequences to provide a separator that is not valid UTF-8)"},
	{"x --field-match-separator=\xff", "error parsing flag --field-match-separator: separator must be valid UTF-8 (use escape sequences to provide a separator that is not valid UTF-8)"},
	{"x --path-separator ab", "error parsing flag --path-separator: A path separator must be exactly one byte, but the given separator is 2 bytes: ab\nIn some shells on Windows '/' is automatically expanded. Use '//' instead."},
	{"x --path-separator \u00e9", "error parsing flag --path-separator: A path separator must be exactly one byte, but the given separator is 2 bytes: \u00e9\nIn some shells on Windows '/' is automatically expanded. Use '//' instead."},
	{"x -uuuu", "error parsing flag -u: flag can only be repeated up to 3 times"},
	{"x -uu --unrestricted -u", "error parsing flag -u: flag can only be repeated up to 3 times"},
	{"x -uuu --unrestricted=x", "error parsing flag --unrestricted: flag can only be repeated up to 3 times"},
	{"-e \xff", "error parsing flag -e: value is not valid UTF-8"},
	{"x -r \xff", "error parsing flag -r: value is not valid UTF-8"},
	{"x -t \xff", "error parsing flag -t: value is not valid UTF-8"},
	{"a\xff", "pattern given is not valid UTF-8"},
	{"", "ripgrep requires at least one pattern to execute a search"},
	{"--files -c", "ripgrep requires at least one pattern to execute a search"},
	{"-f none", "none: No such file or directory (os error 2)"},
	{"-f dir", "dir:Is a directory (os error 21)"},
	{"-f bad", `bad:2: found invalid UTF-8 in pattern at byte offset 4: \x1B"é\xFF\x20' (disable Unicode mode and use hex escape sequences to match arbitrary bytes in a pattern, e.g., '(?-u)\xFF')`},
	{"-f- -f-", "error reading -f/--file from stdin: stdin has already been consumed"},
	{"-f- -", "error: attempted to read patterns from stdin while also searching stdin"},
	// The leftmost error is the one that is reported.
	{"--color=blah --nope", "error parsing flag --color: choice 'blah' is unrecognized"},
	{"--nope --color=blah", "unrecognized flag --nope"},
	{"--hidden=x --color=blah", `invalid CLI arguments: unexpected argument for option '--hidden': "x"`},
	{"--color=blah -f none", "error parsing flag --color: choice 'blah' is unrecognized"},
	{"-h --color=blah", "error parsing flag --color: choice 'blah' is unrecognized"},
}

func TestErrors(t *testing.T) {
	for _, test := range flagErrors {
		args, err := Parse(append([]string{"rg"}, line(test.argv)...), fakeEnv(nil, patternFiles))
		if err == nil || err.Error() != test.want {
			t.Errorf("%q:\nhave %v\nwant %s", test.argv, err, test.want)
		}
		if args.Program != Ripgrep {
			t.Errorf("%q: the program is %s", test.argv, args.Program)
		}
	}
}

func TestErrorsAgainstRipgrep(t *testing.T) {
	dir := t.TempDir()
	writePatternFiles(t, dir)
	for _, test := range flagErrors {
		_, stderr, exit := ripgrep(t, dir, line(test.argv)...)
		if want := "rg: " + test.want + "\n"; exit != 2 || stderr != want {
			t.Errorf("%q: ripgrep exits with %d and\nprints %swe say %s", test.argv, exit, stderr, want)
		}
	}
}

func writePatternFiles(t testing.TB, dir string) {
	t.Helper()
	for name, text := range patternFiles {
		path := filepath.Join(dir, name)
		err := os.WriteFile(path, []byte(text), 0o600)
		if text == "EISDIR" {
			err = errors.Join(os.Remove(path), os.Mkdir(path, 0o700))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// moments is how an error about a point in time ends.
const moments = "give a length of time, such as 90s, 10min, 2h, 3d, 2w or 1y, or a date, such as 2026-01-31, " +
	"'2026-01-31 14:30' or 2026-01-31T14:30:00Z"

func TestErrorsOfOurs(t *testing.T) {
	for _, test := range []struct{ argv, want string }{
		{"tally", "tally requires at least one pattern to execute a search: tally PATTERN [PATH...], or see tally -h"},
		{"tally x --ledger=maybe", "error parsing flag --ledger: choice 'maybe' is unrecognized; it takes one of: auto, always, never, stdout, first"},
		{"tally x --explain-zero=", "error parsing flag --explain-zero: choice '' is unrecognized; it takes one of: auto, always, never"},
		{"tally x --limit", "missing value for flag --limit: missing argument for option '--limit'; it takes a value: --limit=20"},
		{"tally x --limit=many", "error parsing flag --limit: value is not a valid number: invalid digit found in string; it takes a whole number: --limit=20"},
		{"tally x -A", "missing value for flag -A: missing argument for option '-A'; it takes a value: -A 20"},
		{"tally x --limt 3", "unrecognized flag --limt; perhaps --limit is meant"},
		{"tally x --absnet", "unrecognized flag --absnet; perhaps --absent is meant"},
		{"tally x --bananas", "unrecognized flag --bananas; tally --help lists all flags; a pattern that begins with a dash goes behind -e"},
		{"tally x --include=*.md", "unrecognized flag --include; write -g 'GLOB'"},
		{"tally x -R", "unrecognized flag -R; " + everywhere},
		{"tally x --sort size", "error parsing flag --sort: choice 'size' is unrecognized; it takes one of: none, path, modified, accessed, created"},
		{"tally x --expect-digest abc", "error parsing flag --expect-digest: 'abc' is no digest; take the 32 digits behind result_digest, or the flags behind next, in the summary of --json"},
		{"tally x --floor 1.1", "error parsing flag --floor: value is not a number between 0 and 1"},
		{"tally x --floor NaN", "error parsing flag --floor: value is not a number between 0 and 1"},
		{"tally x --weight logs", "error parsing flag --weight: 'logs' is not a glob, an equals sign and a factor, such as logs/**=0.4"},
		{"tally x --weight logs=-1", "error parsing flag --weight: 'logs=-1' is not a glob, an equals sign and a factor, such as logs/**=0.4"},
		{"tally x --time-limit 0", "error parsing flag --time-limit: '0' is not a duration greater than zero, such as 500ms, 10s or 1m30s"},
		{"tally x --time-limit -5s", "error parsing flag --time-limit: '-5s' is not a duration greater than zero, such as 500ms, 10s or 1m30s"},
		{"tally x --changed-within 90", "error parsing flag --changed-within: '90' has no unit; " + moments},
		{"tally x --changed-within 3months", "error parsing flag --changed-within: '3months' has an unknown unit, months; " + moments},
		{"tally x --changed-before 2026-02-30", "error parsing flag --changed-before: '2026-02-30' is no date; " + moments},
		{"tally x --changed-before -2h", "error parsing flag --changed-before: '-2h' is no date; " + moments},
		{"tally x --changed-before 0s", "error parsing flag --changed-before: '0s' is no length of time; " + moments},
		{"tally x --changed-before 0h0s", "error parsing flag --changed-before: '0h0s' is no length of time; " + moments},
		{"tally x --changed-before 300y", "error parsing flag --changed-before: '300y' is longer ago than can be told; " + moments},
		{"tally x --changed-before 200y200y", "error parsing flag --changed-before: '200y200y' is longer ago than can be told; " + moments},
		{"tally x --changed-before yesterday", "error parsing flag --changed-before: 'yesterday' is no point in time; " + moments},
		{"tally x --changed-before=", "error parsing flag --changed-before: '' is no point in time; " + moments},
		{"tally x --limits 5", "unrecognized flag --limits\n\nsimilar flags that are available: --limit"},
	} {
		args, err := Parse(line(test.argv), Env{})
		if err == nil || err.Error() != test.want || args.Program != Tally {
			t.Errorf("%q: %s: have %v\nwant %s", test.argv, args.Program, err, test.want)
		}
	}
}

// What is said of flags of other searches is about flags that there are not, and names
// flags that there are.
func TestElsewhere(t *testing.T) {
	for name, way := range elsewhere {
		if s, known := spellings[strings.TrimLeft(name, "-")]; known {
			t.Errorf("%s is %s", name, s)
		}
		for _, word := range strings.FieldsFunc(way, func(r rune) bool { return strings.ContainsRune(" ;,=", r) }) {
			if _, known := spellings[strings.TrimLeft(word, "-")]; strings.HasPrefix(word, "-") && !known {
				t.Errorf("%s: there is no %s", name, word)
			}
		}
	}
}

// The name before a message is right even if the message is about the flag
// that keeps --rg from being reached.
func TestProgramOfAnError(t *testing.T) {
	for argv, want := range map[string]Program{
		"tally --rg --nope":     Ripgrep,
		"tally --nope --rg":     Ripgrep,
		"tally --nope -- --rg":  Tally,
		"tally --color=no --rg": Ripgrep,
		"rg --nope":             Ripgrep,
		"tally --nope":          Tally,
	} {
		if args, err := Parse(line(argv), Env{}); err == nil || args.Program != want {
			t.Errorf("%s: %s, %v", argv, args.Program, err)
		}
	}
}

func TestChecksOfTheEnvironment(t *testing.T) {
	refuse := func(value string) error { return errors.New("no " + value) }
	env := Env{CheckColors: refuse, CheckHyperlinkFormat: refuse, CheckEncoding: refuse}
	for argv, want := range map[string]string{
		"rg x --colors a":           "error parsing flag --colors: no a",
		"rg x --hyperlink-format a": "error parsing flag --hyperlink-format: invalid hyperlink format: no a",
		"rg x -E a":                 "error parsing flag -E: no a",
		"rg x -E auto -E none":      "",
		"rg x --no-encoding":        "",
	} {
		_, err := Parse(line(argv), env)
		if (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%s: %v", argv, err)
		}
	}
}

func TestConfig(t *testing.T) {
	file := "# comment\n\n  --ignore-case \n\t-C\n5\n  # another\n-ea b"
	for _, test := range []struct {
		argv     string
		files    string
		patterns string
		both     uint64
		warning  string
	}{
		{"rg x", "config", "a b", 5, ""},
		{"rg x -C1", "config", "a b", 1, ""},
		{"rg x --no-config", "config", "x", 0, ""},
		{"rg x", "", "x", 0, ""},
		{"rg x", "none", "x", 0, "failed to read the file specified in RIPGREP_CONFIG_PATH: none: No such file or directory (os error 2)"},
		{"rg x", "dir", "x", 0, "failed to read the file specified in RIPGREP_CONFIG_PATH: Is a directory (os error 21)"},
		{"rg x --no-messages", "none", "x", 0, ""},
		{"tally x", "config", "a b", 5, ""},
		{"tally x", "none", "x", 0, "failed to read the file specified in TALLY_CONFIG_PATH: none: No such file or directory (os error 2)"},
	} {
		args := line(test.argv)
		variable := map[string]string{"rg": "RIPGREP_CONFIG_PATH", "tally": "TALLY_CONFIG_PATH"}[args[0]]
		got, err := Parse(args, fakeEnv(map[string]string{variable: test.files}, map[string]string{"config": file, "dir": "EISDIR"}))
		if err != nil {
			t.Errorf("%s with %q: %v", test.argv, test.files, err)
			continue
		}
		before, _ := got.Context.Lines()
		if strings.Join(got.Patterns, ",") != test.patterns || before != test.both || strings.Join(got.Warnings, "") != test.warning {
			t.Errorf("%s with %q: patterns %q, context %d, warnings %q", test.argv, test.files, got.Patterns, before, got.Warnings)
		}
	}
}

func TestSpecialComesBeforeConfigAndPatterns(t *testing.T) {
	env := fakeEnv(map[string]string{"RIPGREP_CONFIG_PATH": "config"}, map[string]string{"config": "--nope"})
	args, err := Parse([]string{"rg", "-V", "-f", "none"}, env)
	if err != nil || args.Special != VersionShort {
		t.Errorf("%v, %v", args.Special, err)
	}
	if _, err := Parse([]string{"rg", "x"}, env); err == nil || err.Error() != "unrecognized flag --nope" {
		t.Errorf("an error in the configuration file: %v", err)
	}
}
