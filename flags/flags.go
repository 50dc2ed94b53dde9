// Package flags reads the command line: ripgrep's flags and tally's own. One
// table ([rows]) declares each flag once, with its names, its documentation and
// its effect; parsing, suggestions, help, the manual page and the shells'
// completions all come from it, so that none of them can lag behind another.
//
// The table has effects on [Args], which says what was typed and nothing more.
// What follows from it, given a terminal, a directory and an operating system,
// is decided by whoever turns Args into the other rooms' options. This room
// must not know how files are found, searched or printed; it touches the world
// only through [Env].
package flags

import (
	"fmt"
	"path/filepath"
	"strings"
)

// Env is the world as far as a command line can refer to it. A nil function is
// never called: Getenv then finds nothing, files cannot be read, values are not
// checked.
type Env struct {
	// Getenv returns an environment variable, "" if it is not set.
	Getenv func(name string) string
	// ReadFile reads a configuration file or a file of patterns whole, with
	// errors like those of os.ReadFile.
	ReadFile func(path string) ([]byte, error)
	// ReadStdin reads standard input to its end, for -f -.
	ReadStdin func() ([]byte, error)
	// CheckColors, CheckHyperlinkFormat and CheckEncoding refuse a value
	// that --colors, --hyperlink-format or --encoding do not understand.
	CheckColors          func(spec string) error
	CheckHyperlinkFormat func(format string) error
	CheckEncoding        func(label string) error
}

// Parse reads a command line, argv[0] included, and the configuration file that
// the environment names. An error is a sentence for the user without the
// program's name; the Args that come with it are incomplete, but their Program
// is the name that belongs before that sentence.
func Parse(argv []string, env Env) (*Args, error) {
	args, err := parseAll(argv, env)
	if err != nil && args.Program == Tally {
		err = withWayOut(err)
	}
	return args, err
}

func parseAll(argv []string, env Env) (*Args, error) {
	base := ""
	var typed []string
	if len(argv) > 0 {
		base, typed = filepath.Base(argv[0]), argv[1:]
	}
	called := Tally
	if strings.TrimSuffix(base, ".exe") == "rg" {
		called = Ripgrep
	}

	args, err := parse(called, typed, env)
	if err != nil || args.Special != NoSpecial {
		return args, err
	}
	if !args.NoConfig {
		config, failure := configArgs(args.Program, env)
		quiet, program := args.NoMessages, args.Program
		if len(config) > 0 {
			// As if the file's lines had been typed before the rest.
			args, err = parse(called, append(config, typed...), env)
			if err != nil || args.Special != NoSpecial {
				return args, err
			}
		}
		if args.ConfigFailure = failure; failure != nil && !quiet {
			args.Warnings = append(args.Warnings,
				fmt.Sprintf("failed to read the file specified in %s: %s", program.ConfigVariable(), failure.inConfig()))
		}
	}
	return args, args.resolvePatterns(env)
}

// parse reads one list of arguments, without the program's name.
func parse(called Program, typed []string, env Env) (*Args, error) {
	args := newArgs()
	named := func() *Args {
		args.Program = called
		if args.rg {
			args.Program = Ripgrep
		}
		args.FixedStrings = args.literal
		if args.Program == Ripgrep {
			args.FixedStrings = args.fixed
		}
		return args
	}
	words, err := normalise(typed, called == Ripgrep || asksForRg(typed))
	if applyErr := apply(words, args, env); applyErr != nil {
		err = applyErr // it stands further left
	}
	if err != nil {
		args.rg = args.rg || asksForRg(typed)
	}
	return named(), err
}

// asksForRg reports whether --rg stands before the end of the flags. It looks
// at the words alone, so that the name before an error message is right even
// where the error keeps the rest from being understood.
func asksForRg(typed []string) bool {
	for _, word := range typed {
		switch word {
		case "--":
			return false
		case "--rg":
			return true
		}
	}
	return false
}
