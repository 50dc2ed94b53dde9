package flags

import (
	"slices"
	"time"
)

// ourRows are the flags that ripgrep does not have.
var ourRows = slices.Concat(ownRows, rankRows, meaningRows)

// ownRows are those of a search.
var ownRows = []row{
	{
		long:  "regex",
		brief: "Take the patterns as regular expressions.",
		doc: `
Take the patterns as regular expressions. Called as rg that is the default; called as tally, patterns are literal text
unless this flag, --pcre2, --engine, --auto-hybrid-regex or --no-fixed-strings is given. --fixed-strings takes it back.

This is not --regexp, whose value is a pattern.`,
		effect: func(a *Args, _ said, _ Env) error {
			a.literal, a.fixed = false, false
			return nil
		},
	},
	{
		long:  "rg",
		brief: "Behave as ripgrep does.",
		doc: `
Be ripgrep: patterns are regular expressions, no ledger line is printed, and the configuration file is that of
RIPGREP_CONFIG_PATH. The same happens when the program is called by the name rg.`,
		effect: toggle(func(a *Args) *bool { return &a.rg }),
	},
	{
		long: "ledger", value: "WHEN", choices: []string{"auto", "always", "never", "stdout"}, own: true,
		brief: "When to print the account of the run.",
		doc: `
When to print the ledger line: how many files and lines there are in all, how many of them are shown, and whether
everything was read that should have been.

- auto: the default of tally. On standard error, if the display is cut, if something could not be read, if nothing was
found, with --absent, or if standard error is a terminal
- always: on standard error, after every run
- never: the default of rg
- stdout: on standard output, after every run`,
		effect: oneOf(func(a *Args) *When { return &a.Ledger }, map[string]When{
			"auto": WhenAuto, "always": WhenAlways, "never": WhenNever, "stdout": WhenStdout,
		}),
	},
	{
		long: "limit", value: "NUM", own: true,
		brief: "Display at most NUM results.",
		doc: `
Display at most NUM results: matching lines, or files where files are listed or counted. The search goes on to its end,
so that the totals are those of all results, and the ledger says how many were not shown.`,
		effect: number(func(a *Args) *Opt[uint64] { return &a.Limit }),
	},
	{
		long: "offset", value: "NUM", own: true,
		brief: "Pass over the first NUM results.",
		doc: `
Do not display the first NUM results. Since the order is always the same, pages of a --limit cut one after the other hold
every result once; --expect-digest makes sure of it.`,
		effect: numeric(func(a *Args, n uint64) { a.Offset = n }),
	},
	{
		long: "expect-digest", value: "DIGEST", own: true,
		brief: "Fail unless the results have this digest.",
		doc: `
Fail with exit code 2 if the digest of all results is not this one, which an earlier run has put into its ledger (with
--json): if the results are no longer those from which an earlier page was cut. Nothing is printed then. Results are held
back in memory until the digest is known.`,
		effect: text(func(a *Args, v string) { a.ExpectDigest = v }),
	},
	{
		long: "absent", own: true,
		brief: "Assert that nothing matches.",
		doc: `
Claim that nothing matches. The exit code is 0 if that is proven, 1 if something matches, and 2 if it cannot be claimed:
something could not be read, the run was ended early, --max-filesize kept a file out, or no file was in scope. Binary files
are searched to their end, as bytes, a file that changes while it is read counts as not read, and the ledger line says what
was and what was not in scope. Of several patterns, those that match are listed with their counts.`,
		effect: toggle(func(a *Args) *bool { return &a.Absent }),
	},
	{
		long: "explain-zero", value: "WHEN", optional: "auto", choices: []string{"auto", "always", "never"}, own: true,
		brief: "If nothing was found, say what nearly was.",
		doc: `
When a search has found nothing, search once more, more widely, and report what would have matched, how often, where, and
with which flags: in another case, as a regular expression or as literal text, in another Unicode form, with other accents,
quotation marks, dashes or spaces, broken over lines, in UTF-16 without a mark, or in files that were left out. If a pattern
is no regular expression, it is looked for as literal text.

- auto: the default of tally, but not with --ledger=never, and what this flag means without a value. When the zero is
complete, and for no longer than a second or twice as long as the search took
- always: also when something could not be read, and to the end
- never: the default of rg

The value needs an equals sign: --explain-zero=always.`,
		effect: oneOf(func(a *Args) *When { return &a.ExplainZero }, map[string]When{
			"auto": WhenAuto, "always": WhenAlways, "never": WhenNever,
		}),
	},
	{
		long: "why", own: true,
		brief: "Say for each PATH why it is searched or not.",
		doc: `
Do not search, but say for each PATH whether it would be searched, and which rule decides: its file, line and text; and
what stands out in its beginning, such as a NUL byte or an encoding that is not UTF-8. Every positional argument is a path,
which need not exist. With --json the answer is JSON. The exit code is 0 if all would be searched, 1 if one would not, and 2
if that cannot be said.`,
		effect: assign(func(a *Args) *Inspect { return &a.Inspect }, InspectWhy, InspectWhy),
	},
	{
		long: "skipped", own: true,
		brief: "List what is left out, and why.",
		doc: `
Do not search, but list everything below the given paths that a search would leave out, with the reason. A directory that
is left out is one entry. Every positional argument is a path. With --json the list is JSON. The exit code is 0 if anything
is left out, 1 if nothing is, and 2 if something could not be read.`,
		effect: assign(func(a *Args) *Inspect { return &a.Inspect }, InspectSkipped, InspectSkipped),
	},
	{
		long: "merge-ledgers", own: true,
		brief: "Add up the ledgers of several runs.",
		doc: `
Do not search, but add up what runs with one pattern and the same filters over different paths have written with --json, on
one machine or on many. Every positional argument is a file with the output of a run, or of several one after the other, or
a ledger alone; - is standard input. Totals are added, the result is complete only if every run was, and roots that overlap
are refused. The ledger is printed on standard output, as text or with --json as JSON, and the exit code is that of one run
over everything.`,
		effect: assign(func(a *Args) *Inspect { return &a.Inspect }, InspectLedgers, InspectLedgers),
	},
	{
		long: "cache", value: "ACTION", choices: []string{"show", "prune", "clear"}, own: true,
		brief: "Show, prune or clear the cache of vectors.",
		doc: `
Do not search, but look after the cache, in which a search by meaning keeps what it has learnt of texts: the directory tally
in XDG_CACHE_HOME, or in ~/.cache. Other runs may go on meanwhile.

- show: print what it holds, how large it is, when it was used, and what prune would remove
- prune: remove what was not used for 90 days, what another version of tally cut differently, what is damaged, and what was
used longest ago if there is more than a gigabyte
- clear: remove all of it

With --json the answer is JSON. The exit code is 0, or 2 if something could not be read or removed.`,
		effect: func(a *Args, in said, env Env) error {
			a.Inspect = InspectCache
			return cacheAction(a, in, env)
		},
	},
	{
		long: "audit", own: true,
		brief: "Check the list of files by a second one.",
		doc: `
List all files a second time, by other means, and make sure that each was searched, left out for a reason, or in error. If
not, the file is named and the run counts as partial.`,
		effect: toggle(func(a *Args) *bool { return &a.Audit }),
	},
	{
		long: "count-only", own: true,
		brief: "Print only the ledger's totals.",
		doc: `
Print no results, only how many there are: the ledger, on standard output, as text or with --json as JSON.`,
		effect: toggle(func(a *Args) *bool { return &a.CountOnly }),
	},
	{
		long: "time-limit", value: "DURATION", own: true,
		brief: "Stop searching after this time.",
		doc: `
Stop after this time, such as 500ms, 10s or 1m30s; a number alone is in seconds. What was found is printed, and the
result counts as partial: absence is never claimed from it. The exit code is 0 if something was found, else 2.`,
		effect: duration(func(a *Args) *Opt[time.Duration] { return &a.TimeLimit }),
	},
	{
		long: "json-text", own: true,
		brief: "In JSON, print everything as text.",
		doc: `
With --json, print also what is not UTF-8 as text, with replacement characters, instead of in base64. The places of matches
in a line are then those in that text; absolute_offset is still that of the line in the file.`,
		effect: toggle(func(a *Args) *bool { return &a.JSONText }),
	},
}

var cacheAction = oneOf(func(a *Args) *CacheAction { return &a.Cache }, map[string]CacheAction{
	"show": CacheShow, "prune": CachePrune, "clear": CacheClear,
})
