// Command tally searches files for patterns, like ripgrep, and keeps a ledger
// that says what a result is worth.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"tally/flags"
	"tally/match"
	"tally/report"
)

func main() {
	tuneCollector()
	os.Exit(run(os.Args))
}

// Exit codes beyond 0 and 1, which the ledger decides about.
const exitError = 2

// run is the program: arguments in, exit code out.
func run(argv []string) int {
	args, err := flags.Parse(argv, environment())
	if err != nil {
		return refuse(args.Program, err)
	}
	say := newMessages(args)
	for _, w := range args.Warnings {
		say.print(w)
	}
	if args.Special != flags.NoSpecial {
		return special(args)
	}
	debugConfig(args, say)
	switch args.Mode {
	case flags.ModeGenerate:
		return write(args, flags.Generated(args, build()))
	case flags.ModeTypeList:
		return typeList(args)
	}
	switch args.Inspect {
	case flags.InspectLedgers:
		return mergeLedgers(args)
	case flags.InspectCache:
		return lookAfterCache(args)
	}
	p, err := newPlan(args, say)
	if err != nil {
		return refuse(args.Program, err)
	}
	return p.run()
}

// version is tally's own.
const version = "0.1.0"

// build is what this program knows about itself.
func build() flags.BuildInfo {
	pcre2, jit := match.PCRE2()
	return flags.BuildInfo{Version: version, PCRE2: pcre2, PCRE2JIT: jit}
}

// environment is the process's own world.
func environment() flags.Env {
	return flags.Env{
		Getenv:    os.Getenv,
		ReadFile:  os.ReadFile,
		ReadStdin: func() ([]byte, error) { return io.ReadAll(os.Stdin) },
		CheckColors: func(spec string) error {
			_, err := report.ParseColorSpecs([]string{spec})
			return err
		},
		CheckHyperlinkFormat: func(format string) error {
			_, err := report.ParseHyperlinkFormat(format)
			return err
		},
		CheckEncoding: checkEncoding,
	}
}

// refuse reports an error that keeps the run from starting.
func refuse(name flags.Program, err error) int {
	fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
	return exitError
}

// special prints a text that was asked for instead of a run.
func special(args *flags.Args) int {
	switch args.Special {
	case flags.VersionShort, flags.VersionLong:
		return write(args, flags.Version(args, args.Special == flags.VersionLong, build()))
	case flags.PCRE2Version:
		text, available := flags.PCRE2(args, build())
		if code := write(args, text); code != 0 || available {
			return code
		}
		return 1
	}
	return write(args, flags.Help(args, args.Special == flags.HelpLong, build()))
}

// write prints a text to standard output. A reader that has gone away is no
// error.
func write(args *flags.Args, text string) int {
	if _, err := io.WriteString(os.Stdout, text); err != nil && !errors.Is(err, errBrokenPipe) {
		return refuse(args.Program, err)
	}
	return 0
}
