package main

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
)

var programs = []string{tally, rg, rgSorted, ugrep, grep}

// same is a command line that tally and ripgrep share. tally runs called as
// rg, so that both print the same.
func same(args ...string) map[string][]string {
	return map[string][]string{
		tally:    args,
		rg:       args,
		rgSorted: append([]string{"--sort", "path"}, args...),
	}
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
}
