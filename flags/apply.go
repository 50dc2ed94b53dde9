package flags

import (
	"flag"
	"io"
	"time"

	"github.com/urfave/cli/v2"
)

// apply has the command-line library read the words, in order. The library
// knows one flag for each spelling that occurs (all of them would cost it a
// millisecond) and nothing else: no commands, so that a first word like "help"
// or "cache" is a pattern, and none of its own flags.
func apply(w words, args *Args, env Env) error {
	var failed error
	app := &cli.App{
		Name:            args.Program.String(),
		HideHelp:        true,
		HideHelpCommand: true,
		HideVersion:     true,
		Compiled:        time.Unix(0, 0), // else it looks for the program's file
		Writer:          io.Discard,
		ErrWriter:       io.Discard,
		ExitErrHandler:  func(*cli.Context, error) {},
		OnUsageError:    func(_ *cli.Context, err error, _ bool) error { return err },
		Action: func(c *cli.Context) error {
			args.positional = c.Args().Slice()
			return nil
		},
	}
	for _, s := range w.used {
		app.Flags = append(app.Flags, &spelled{spelling: s, set: func(value string) error {
			if failed == nil {
				failed = s.happen(args, value, env)
			}
			return failed
		}})
	}
	list := append(append([]string{app.Name}, w.flags...), "--")
	err := app.Run(append(list, w.positional...))
	if failed != nil {
		return failed // the library's error has lost its type and wording
	}
	return err
}

// happen applies the effect of one occurrence of a spelling.
func (s spelling) happen(args *Args, value string, env Env) error {
	if s.own {
		args.OwnFlag = true
	}
	occurrence := said{value: value, negated: s.negated, short: s.short}
	if err := s.effect(args, occurrence, env); err != nil {
		return &refusedValue{s, value, err}
	}
	return nil
}

// spelled is one spelling as the library's flag ([cli.Flag]) and as its value
// ([flag.Value]). A flag of the library with several names would forget which
// was used, and would refuse two of them on one command line.
type spelled struct {
	spelling
	set func(string) error
}

func (f *spelled) Names() []string { return []string{f.name} }
func (f *spelled) IsSet() bool     { return false }
func (f *spelled) Set(value string) error {
	return f.set(value)
}

// String is empty because the library asks whether the value of a flag named
// "help" reads "true".
func (f *spelled) String() string { return "" }

func (f *spelled) Apply(set *flag.FlagSet) error {
	set.Var(f, f.name, "")
	return nil
}
