package plan

import (
	"errors"
	"slices"
	"strings"

	"tally/flags"
)

// A conflict is a command line that asks for what cannot be given.
type conflict struct {
	when    func(*flags.Args, Mode) bool
	message string
}

// conflicts are looked through in their order; the first that applies refuses the
// run. Each message says what to do next.
var conflicts = []conflict{
	{
		func(a *flags.Args, m Mode) bool { return m == MergeLedgers && len(a.Paths) == 0 },
		"--merge-ledgers needs the files that runs with --json have written, such as: tally --merge-ledgers a.json b.json",
	},
	{
		func(a *flags.Args, m Mode) bool { return m == ManageCache && len(a.Paths) > 0 },
		"--cache takes no paths: there is one cache for all that is searched",
	},
	{
		func(a *flags.Args, m Mode) bool { return m == Serve && len(a.Paths) == 0 },
		"--mcp needs the directories that a client may search, such as: tally --mcp ~/notes",
	},
	{
		func(a *flags.Args, m Mode) bool { return a.Absent && a.Mode.Searches() && len(a.Patterns) == 0 },
		"--absent has no pattern to claim absence of; give one, or a file with one on each line to -f",
	},
	{
		// ripgrep says "no match" then, of files that it has not looked at.
		func(a *flags.Args, m Mode) bool {
			return a.Program == flags.Tally && searches(a, m) && len(a.Patterns) == 0 && !a.InvertMatch
		},
		"there is no pattern: what was given to -f has no line; give a pattern with -e",
	},
	{
		// A user of grep types -rn, and would see an n in place of each match.
		func(a *flags.Args, m Mode) bool {
			text, given := a.Replace.Get()
			return a.Program == flags.Tally && given && a.ReplaceByLetter && text != "" && strings.Trim(text, "EFHIRcehilnoqsvwx") == ""
		},
		"-r is --replace, and directories are searched anyway: leave out the r of grep's -rn or -rl; to replace with these letters, write --replace=TEXT",
	},
	{
		func(a *flags.Args, m Mode) bool { return m == Why && len(a.Paths) == 0 },
		"--why needs at least one path to ask about, such as: tally --why build/out.txt",
	},
	{
		func(a *flags.Args, m Mode) bool { return m == Why && slices.Contains(a.Paths, "") },
		"--why cannot tell of an empty path; it may come from a variable that is not set",
	},
	{
		func(a *flags.Args, m Mode) bool { return similar(a, m) && a.Absent },
		"--absent claims that a text is nowhere, and --meaning lists texts that resemble it; run them one after the other",
	},
	{
		func(a *flags.Args, m Mode) bool {
			return similar(a, m) && (a.InvertMatch || a.Mode == flags.ModeFilesWithoutMatch)
		},
		"--meaning lists what resembles the pattern; it does not go with --invert-match or --files-without-match",
	},
	{
		func(a *flags.Args, m Mode) bool {
			return similar(a, m) && (!a.FixedStrings && a.Program == flags.Tally && m != Rank || a.Multiline)
		},
		"--meaning takes a text, not a regular expression; leave out --regex, --pcre2, --engine and --multiline",
	},
	{
		func(a *flags.Args, m Mode) bool { return similar(a, m) && m == Fuzzy },
		"--fuzzy and --meaning each look for more than was typed, in ways that do not combine in a search; give one of them, or --rank with both",
	},
	{
		func(a *flags.Args, m Mode) bool {
			listed := a.Mode == flags.ModeSearch || a.Mode == flags.ModeJSON || a.Mode == flags.ModeFilesWithMatches
			return m == Rank && (a.InvertMatch || a.Absent || !listed)
		},
		"--rank lists files by how much they are about a question; it goes with --json, --files-with-matches and --count-only, but with no other mode, nor with --invert-match or --absent",
	},
	{
		func(a *flags.Args, m Mode) bool {
			_, windowed := a.Window.Get()
			_, columns := a.MaxColumns.Get()
			return windowed && columns
		},
		"--window and --max-columns each say what is shown of a long line; give one of them (0 takes back what a configuration file says)",
	},
	{
		func(a *flags.Args, m Mode) bool {
			_, bytes := a.LimitBytes.Get()
			return bytes && (m == Rank || similar(a, m))
		},
		"--limit-bytes ends a list of lines or paths; of what --rank and --meaning list, --limit shows so many files",
	},
	{
		func(a *flags.Args, m Mode) bool {
			return combined(a) && (m == Rank || m == Fuzzy || similar(a, m))
		},
		"--and and --all-of say which patterns stand together; --fuzzy, --rank and --meaning look for words and texts wherever they are; run them one after the other",
	},
	{
		func(a *flags.Args, m Mode) bool {
			return a.AllOf && m >= Files && (len(a.And) > 0 || a.InvertMatch || a.Absent || !a.Mode.Searches())
		},
		"--all-of selects files in which every pattern given by -e or -f matches; it does not go with --and, --invert-match, --absent or --files (--files-without-match lists files that lack one)",
	},
	{
		func(a *flags.Args, m Mode) bool { return a.Multiline && len(a.And) > 0 },
		"--and is about one line, and --multiline about several; leave out --multiline",
	},
	{
		func(a *flags.Args, m Mode) bool { return a.Each && m == Search && a.InvertMatch },
		"--each counts what each pattern matches, and --invert-match selects what none does; run them one after the other",
	},
	{
		func(a *flags.Args, m Mode) bool { return a.Each && (m == Rank || m == Fuzzy) },
		"--each counts patterns in a search; --rank counts every word of its question anyway, and --fuzzy names the words that it finds; leave out --each",
	},
	{
		func(a *flags.Args, m Mode) bool { return m == Rank && resorted(a) },
		"--rank has an order of its own, the best first; it does not go with --sort or --sortr (--sort=path takes back what a configuration file says)",
	},
	{
		func(a *flags.Args, m Mode) bool { return m == Rank && a.Program == flags.Tally && !a.FixedStrings },
		"--rank looks for the words of a question, not for a pattern; it does not go with --regex, -P or --engine (-F takes back what a configuration file says)",
	},
	{
		func(a *flags.Args, m Mode) bool {
			regex := a.Program == flags.Tally && !a.FixedStrings // as rg patterns are so unasked
			return m == Fuzzy && (a.InvertMatch || a.Mode == flags.ModeFilesWithoutMatch || a.Absent || regex || a.Multiline)
		},
		"--fuzzy looks for words; it does not go with --regex, -P, --engine, --multiline, --invert-match, --files-without-match or --absent",
	},
}

// refused returns the error of the first conflict that is there.
func refused(a *flags.Args, m Mode) error {
	for _, c := range conflicts {
		if c.when(a, m) {
			return errors.New(c.message)
		}
	}
	return nil
}

// searches reports whether files are searched for patterns.
func searches(a *flags.Args, m Mode) bool { return m >= Files && a.Mode.Searches() }

// combined reports whether patterns must stand together.
func combined(a *flags.Args) bool { return len(a.And) > 0 || a.AllOf }

// similar reports whether what only resembles the pattern is asked for.
func similar(a *flags.Args, m Mode) bool { return a.Meaning && searches(a, m) }

// resorted reports whether files come in another order than that of their paths.
func resorted(a *flags.Args) bool { return a.Sort.Key > flags.SortPath || a.Sort.Reverse }
