package main

import (
	"maps"
	"slices"
)

// A row is one piece of work that every program does in its own words.
type row struct {
	name  string
	tree  string // of trees: "linux", "tldr", …
	args  map[string][]string
	limit map[string]float64 // the ratio to each program that we mean to stay under
}

// The names of the programs, in the order in which they take their turns. All
// but tally are peers; rg and rg-sorted are one program.
const (
	tally    = "tally"
	rg       = "rg"
	rgSorted = "rg --sort path"
	ugrep    = "ugrep"
	grep     = "grep"
	// plain is tally again, at a search for one literal in the same files, for
	// rows of work that no other program does.
	plain = "a literal"
	// floor opens, reads and closes the same files; it takes part in every
	// row in which tally reads all files of a tree.
	floor = "the floor"
)

var programs = []string{tally, plain, rg, rgSorted, ugrep, grep, floor}

// withFloor adds the floor to a row that it says something about; list names
// the files of the row's tree.
func (r row) withFloor(list string) row {
	if list == "" || r.args[rg] == nil || slices.Contains(r.args[rg], "--files") {
		return r
	}
	r.args = maps.Clone(r.args)
	r.args[floor] = []string{"-list", list}
	return r
}

// besides is work of tally's own beside a plain search.
func besides(literal string, args ...string) map[string][]string {
	return map[string][]string{tally: args, plain: {"-c", literal}}
}

// zero is a search in vain, with the look for near misses that follows, beside
// the search alone.
func zero(pattern string, paths ...string) map[string][]string {
	return map[string][]string{
		tally: append([]string{pattern}, paths...),
		plain: append([]string{"--explain-zero=never", pattern}, paths...),
	}
}

// same is a command line that tally and ripgrep share. tally runs under its own
// name, with true totals and a digest; its pattern is made a regular expression,
// so that all print the same.
func same(args ...string) map[string][]string {
	return map[string][]string{
		tally:    append([]string{"--regex"}, args...),
		rg:       args,
		rgSorted: append([]string{"--sort", "path"}, args...),
	}
}

// unsorted is same for work whose order ripgrep has no other form of.
func unsorted(args ...string) map[string][]string {
	m := same(args...)
	delete(m, rgSorted)
	return m
}

// greps adds the command lines of ugrep and of GNU grep, which know no ignore
// files unless asked; they answer a little more than the others.
func greps(m map[string][]string, ugrepArgs, grepArgs []string) map[string][]string {
	m[ugrep] = ugrepArgs
	m[grep] = grepArgs
	return m
}

// rows is the table. The limits are what the project means to reach.
var rows = []row{
	{
		"--rank, one word", "vault",
		besides("retrieval", "--rank", "retrieval"),
		map[string]float64{plain: 4},
	},
	{
		"--rank, three words", "vault",
		besides("retrieval", "--rank", "agent memory retrieval"),
		map[string]float64{plain: 4},
	},
	{
		"--rank, a question", "vault",
		besides("retrieval", "--rank", "when do we start the renewal conversation"),
		map[string]float64{plain: 4},
	},
	{
		"--rank --fuzzy, a question", "vault",
		besides("retrieval", "--rank", "--fuzzy", "when do we start the renewal conversation"),
		map[string]float64{plain: 8},
	},
	{
		"--fuzzy", "vault",
		besides("retrieval", "--fuzzy", "retreival"),
		map[string]float64{plain: 8},
	},
	{
		"--rank, three words", "linux",
		besides("PM_RESUME", "--rank", "spinlock released resume"),
		map[string]float64{plain: 8},
	},
	{
		"--rank, a question", "linux",
		besides("PM_RESUME", "--rank", "how is a spinlock released on resume"),
		map[string]float64{plain: 8},
	},
	{
		"--rank --fuzzy, a question", "linux",
		besides("PM_RESUME", "--rank", "--fuzzy", "how is a spinlock released on resume"),
		map[string]float64{plain: 16},
	},
	{
		"rare literal, -n", "linux",
		greps(same("-n", "PM_RESUME"),
			[]string{"-r", "-n", "-I", "--ignore-files", "-F", "PM_RESUME"},
			[]string{"-r", "-n", "-I", "-F", "PM_RESUME", "."}),
		map[string]float64{rg: 0.72, rgSorted: 0.38},
	},
	{
		"rare literal, -c", "linux",
		same("-c", "PM_RESUME"),
		map[string]float64{rg: 0.72, rgSorted: 0.38},
	},
	{
		"rare literal, -l", "linux",
		greps(same("-l", "PM_RESUME"),
			[]string{"-r", "-l", "-I", "--ignore-files", "-F", "PM_RESUME"},
			[]string{"-r", "-l", "-I", "-F", "PM_RESUME", "."}),
		map[string]float64{rg: 0.72, rgSorted: 0.38},
	},
	{
		"literal, -i -n", "linux",
		greps(same("-i", "-n", "pm_resume"),
			[]string{"-r", "-i", "-n", "-I", "--ignore-files", "-F", "pm_resume"},
			[]string{"-r", "-i", "-n", "-I", "-F", "pm_resume", "."}),
		map[string]float64{rg: 0.80, rgSorted: 0.45},
	},
	{
		"5 literals, -n", "linux",
		same("-n", "-e", "ERR_SYS", "-e", "PME_TURN_OFF", "-e", "LINK_REQ_RST", "-e", "CFG_BME_EVT", "-e", "PM_RESUME"),
		map[string]float64{rg: 0.80, rgSorted: 0.45},
	},
	{
		"[A-Z]+_SUSPEND, -w -n", "linux",
		same("-w", "-n", "[A-Z]+_SUSPEND"),
		map[string]float64{rg: 0.80, rgSorted: 0.45},
	},
	{
		`\w+ing\b.*\d, -c`, "linux",
		same("-c", `\w+ing\b.*\d`),
		map[string]float64{rg: 0.80, rgSorted: 0.45},
	},
	{
		"e, -c", "linux",
		same("-c", "e"),
		map[string]float64{rg: 0.65, rgSorted: 0.40},
	},
	{
		"e, full output", "linux",
		same("e"),
		map[string]float64{rg: 0.65, rgSorted: 0.40},
	},
	{
		"--sortr=modified -l", "linux",
		unsorted("--sortr=modified", "-l", "PM_RESUME"),
		map[string]float64{rg: 0.50},
	},
	{
		"--files", "linux",
		same("--files"),
		map[string]float64{rg: 0.70, rgSorted: 0.40},
	},
	{
		"literal, -l", "tldr",
		greps(same("-l", "agent"),
			[]string{"-r", "-l", "-I", "--ignore-files", "-F", "agent"},
			[]string{"-r", "-l", "-I", "-F", "agent", "."}),
		map[string]float64{rg: 0.72, rgSorted: 0.45},
	},
	{
		"literal, -n", "tldr",
		same("-n", "agent"),
		map[string]float64{rg: 0.72, rgSorted: 0.45},
	},
	{
		"--files", "tldr",
		same("--files"),
		nil,
	},
	{
		"rare literal, -n", "big",
		greps(same("-n", "PM_RESUME", "big.txt"),
			[]string{"-n", "-F", "PM_RESUME", "big.txt"},
			[]string{"-n", "-F", "PM_RESUME", "big.txt"}),
		map[string]float64{rg: 0.60, rgSorted: 0.60},
	},
	{
		"literal, -i", "big",
		same("-i", "pm_resume", "big.txt"),
		map[string]float64{rg: 0.60, rgSorted: 0.60},
	},
	{
		"common word, -c", "big",
		same("-c", "struct", "big.txt"),
		map[string]float64{rg: 0.60, rgSorted: 0.60},
	},
	{
		"regex without a literal, -n", "big",
		same("-n", `[A-Z][a-z]+\d\d[x-z]\s`, "big.txt"),
		map[string]float64{rg: 0.60, rgSorted: 0.60},
	},
	{
		"a zero, explained: a name", "linux",
		zero("PM_RESUMED_NOWHERE"),
		map[string]float64{plain: 2},
	},
	{
		"a zero, explained: a name", "big",
		zero("PM_RESUMED_NOWHERE", "big.txt"),
		map[string]float64{plain: 2},
	},
	{
		"a zero, explained: three words", "big",
		zero("unheard scheduler policies", "big.txt"),
		map[string]float64{plain: 2},
	},
	{
		"100,000 patterns, -c", "words",
		same("-c", "-F", "-f", "patterns", "text"),
		map[string]float64{rg: 1.0},
	},
	{
		"start-up, -n", "small",
		same("-n", "agent"),
		map[string]float64{rg: 1.1},
	},
	{
		"-z, -c", "logs",
		same("-z", "-c", "PM_RESUME"),
		map[string]float64{rg: 0.35},
	},
}
