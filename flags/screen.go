package flags

import (
	"fmt"
	"strings"
)

// onScreen are the flags that the short help lists, by what somebody wants to do: what
// other searches lack comes first.
var onScreen = []struct {
	title string
	flags []string
}{
	{"IS THAT ALL, AND IS IT NOWHERE?", []string{"limit", "count-only", "absent", "explain-zero", "why", "skipped"}},
	{"WITHOUT THE EXACT WORDS", []string{"rank", "fuzzy", "meaning"}},
	{"WHAT MATCHES", []string{"regex", "regexp", "and", "all-of", "ignore-case", "word-regexp", "multiline", "invert-match"}},
	{"WHICH FILES", []string{"glob", "type", "hidden", "unrestricted", "search-zip", "changed-within"}},
	{"WHAT IS SHOWN", []string{
		"line-number", "context", "files-with-matches", "count", "only-matching", "window", "json", "time-limit",
	}},
}

// screen is the short help: it fits on one screen.
func screen(args *Args, info BuildInfo) string {
	var out strings.Builder
	out.WriteString(strings.TrimSuffix(Version(args, false, info), "\n") + `: a search whose totals and zeros can be believed

  tally [OPTIONS] PATTERN [PATH ...]

PATTERN is literal text. Results are in path order, always the same. What is
left out, and whether all was read, stands in the line that begins "tally:".
`)
	width := 0
	for _, group := range onScreen {
		for _, name := range group.flags {
			width = max(width, len(shortHead(spellings[name].row)))
		}
	}
	for _, group := range onScreen {
		fmt.Fprintf(&out, "\n%s\n", group.title)
		for _, name := range group.flags {
			r := spellings[name].row
			fmt.Fprintf(&out, "  %-*s  %s\n", width, shortHead(r), r.brief)
		}
	}
	out.WriteString(`
All of ripgrep's flags work, too; called as rg, it is ripgrep.
All flags: tally --help. Exit code: 0 found, 1 not found, 2 neither is sure.
`)
	return out.String()
}
