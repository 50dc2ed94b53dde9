package flags

import (
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// FuzzParse: no command line makes parsing panic, every word that is not a flag
// or its value is positional, and after -- every word is.
func FuzzParse(f *testing.F) {
	for _, test := range flagErrors {
		f.Add(strings.ReplaceAll(test.argv, " ", "\n"))
	}
	f.Add("foo\n-inC3\n-A=2\n--explain-zero=\n--\n-x\n--")
	f.Fuzz(func(t *testing.T, text string) {
		words := strings.Split(text, "\n")
		env := fakeEnv(nil, patternFiles)
		for _, name := range []string{"rg", "tally"} {
			args, err := Parse(append([]string{name}, words...), env)
			if args == nil || err != nil && err.Error() == "" {
				t.Fatalf("%q: %v, %v", words, args, err)
			}
		}
		args, err := Parse(append([]string{"rg", "-e", "x", "--"}, words...), Env{})
		if err != nil || !slices.Equal(args.Paths, words) {
			t.Fatalf("after --: %q became %q, %v", words, args.Paths, err)
		}
	})
}

// flagErrorStarts are how ripgrep's messages begin that are about the command
// line rather than about what was found, or what a pattern means.
var flagErrorStarts = []string{
	"error parsing flag", "unrecognized flag", "missing value", "invalid CLI arguments", "ripgrep requires",
	"pattern given", "error reading -f", "error: attempted", "none: ", "dir:Is", "bad:2:",
}

// logLine matches what --debug and --trace add.
var logLine = regexp.MustCompile(`(?m)^rg: (DEBUG|TRACE)\|.*\n`)

// For random command lines the real ripgrep and Parse agree on whether they are
// accepted, and on the message if they are not. TALLY_TEST_DRAWS sets how many
// are drawn.
func TestRandomLinesAgainstRipgrep(t *testing.T) {
	dir := t.TempDir()
	writePatternFiles(t, dir)
	draws := 300
	if n, err := strconv.Atoi(os.Getenv("TALLY_TEST_DRAWS")); err == nil {
		draws = n
	}
	random := rand.New(rand.NewPCG(15, 2))
	names := ripgrepNames()
	refused := 0
	for range draws {
		argv := drawLine(random, names)
		_, stderr, exit := ripgrep(t, dir, argv...)
		stderr = logLine.ReplaceAllString(stderr, "")
		message := ""
		if rest, found := strings.CutPrefix(stderr, "rg: "); found && exit == 2 &&
			slices.ContainsFunc(flagErrorStarts, func(start string) bool { return strings.HasPrefix(rest, start) }) {
			message = strings.TrimSuffix(rest, "\n")
			refused++
		}
		_, err := Parse(append([]string{"rg"}, argv...), fakeEnv(nil, patternFiles))
		have := ""
		if err != nil {
			have = err.Error()
		}
		if have != message && stderr != "rg: "+have+"\n" { // the latter: -f with any other word
			t.Errorf("%q:\nhave    %s\nripgrep %s\n(%d: %s)", argv, have, message, exit, stderr)
		}
	}
	if refused < draws/10 || refused > draws*9/10 {
		t.Errorf("%d of %d command lines were refused: the draw is one-sided", refused, draws)
	}
}

// ripgrepNames returns ripgrep's spellings but those whose value another room
// checks, and those of help and version with the wrong number of dashes.
func ripgrepNames() []spelling {
	elsewhere := []string{"colors", "hyperlink-format", "encoding"}
	var names []spelling
	for _, s := range spellings {
		if s.category != ours && !slices.Contains(elsewhere, s.long) {
			names = append(names, s)
		}
	}
	slices.SortFunc(names, func(a, b spelling) int { return strings.Compare(a.name, b.name) })
	return names
}

var drawnValues = []string{
	"0", "1", "3", "+5", "-1", "", "x", "18446744073709551616", "2K", "3k", "never", "auto", "path", "modified", "man",
	"default", "pcre2", "--", "-", "-n", "\xff", "\\x4", "\\t", "\\x41", "é", "c", "x:*.x", "true",
}

func drawLine(random *rand.Rand, names []spelling) []string {
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	var argv []string
	for range 1 + random.IntN(5) {
		s := names[random.IntN(len(names))]
		value := pick(drawnValues)
		if s.long == "file" {
			value = pick([]string{"-", "pats", "none", "dir", "bad"})
		}
		if len(s.choices) > 0 && random.IntN(2) == 0 {
			value = pick(s.choices)
		}
		dashed := s.String()
		if random.IntN(20) == 0 && s.short && !strings.Contains("hV", s.name) {
			dashed = "--" + s.name
		}
		switch random.IntN(12) {
		case 0: // a value where there should be none, perhaps
			argv = append(argv, dashed+"="+value)
		case 1: // a typing error
			at := random.IntN(len(s.name))
			typo := s.name[:at] + pick([]string{"", "-", "x", "é", "\xff"}) + s.name[at+1:]
			if known, exists := spellings[typo]; !exists || known.category != ours {
				argv = append(argv, "--"+typo)
			}
		case 2: // a bundle
			if s.short {
				other := names[random.IntN(len(names))]
				argv = append(argv, "-"+s.name+other.name[:1]+pick([]string{"", "=", "3", "=3"}))
			}
		case 3:
			argv = append(argv, pick([]string{"word", "", "-", "--", "a\xff"}))
		case 4: // a value that is missing, perhaps
			argv = append(argv, dashed)
		default:
			switch {
			case !s.takesValue():
				argv = append(argv, dashed)
			case s.short && len(dashed) == 2 && random.IntN(2) == 0:
				argv = append(argv, dashed+value)
			case random.IntN(2) == 0:
				argv = append(argv, dashed, value)
			default:
				argv = append(argv, dashed+"="+value)
			}
		}
	}
	return append(argv, pick([]string{"word", "word", "-h", "--files"}))
}
