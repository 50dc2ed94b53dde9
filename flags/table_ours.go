package flags

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// ourRows are the flags that ripgrep does not have.
var ourRows = slices.Concat(ownRows, severalRows, rankRows, meaningRows)

// ownRows are those of a search.
var ownRows = []row{
	{
		long:  "regex",
		brief: "Take the patterns as regular expressions.",
		doc: `
Take the patterns as regular expressions. Called as rg this is the default. Called as tally, patterns are literal text
unless this flag, --pcre2, --engine, --auto-hybrid-regex or --no-fixed-strings is given. --fixed-strings takes it back.

Do not confuse it with --regexp, whose value is a pattern.`,
		effect: func(a *Args, _ said, _ Env) error {
			a.literal, a.fixed = false, false
			return nil
		},
	},
	{
		long:  "rg",
		brief: "Behave as ripgrep does.",
		doc: `
Behave as ripgrep does: patterns are regular expressions, no ledger line is printed, and RIPGREP_CONFIG_PATH names the
configuration file. The name rg has the same effect, but a symbolic link of that name is not safe: a program that
resolves links starts tally. A script named rg that runs tally with this flag is safe.`,
		effect: toggle(func(a *Args) *bool { return &a.rg }),
	},
	{
		long: "ledger", value: "WHEN", choices: []string{"auto", "always", "never", "stdout", "first"}, own: true,
		brief: "When to print the account of the run.",
		doc: `
When to print the ledger line. It gives the totals of files and lines, how many of them are shown, and whether
everything in scope was read.

- auto: the default of tally. On standard error, if the display is cut, something could not be read or nothing was
found, with --absent, or if standard error is a terminal
- always: on standard error, after every run
- never: the default of rg
- stdout: on standard output, after every run
- first: on standard output, before the results, which wait in memory. If they are longer than 16 MiB, that is said
first, and the line comes after them. With --json it is a message of the type totals
- fd:N: on the file descriptor N, which the caller has opened, such as --ledger=fd:3 3>ledger.txt. With --json it is
a message of the type ledger`,
		effect: ledger,
	},
	{
		long: "limit", value: "NUM", own: true,
		brief: "Display at most NUM results.",
		doc: `
Display at most NUM results: matching lines, or files where files are listed or counted. The search goes on to its end,
so the totals cover all results, and the ledger says how many were not shown.`,
		effect: number(func(a *Args) *Opt[uint64] { return &a.Limit }),
	},
	{
		long: "offset", value: "NUM", own: true,
		brief: "Skip the first NUM results.",
		doc: `
Do not display the first NUM results. The order is always the same, so consecutive pages of a --limit contain every
result once; --expect-digest makes sure of it.`,
		effect: numeric(func(a *Args, n uint64) { a.Offset = n }),
	},
	{
		long: "limit-bytes", value: "NUM+SUFFIX?", own: true,
		brief: "Display at most NUM bytes of results.",
		doc: `
Display no more than NUM bytes of results, and no result in part: the display ends before the first one that does not
fit. The suffixes K, M and G stand for powers of 1024. As with --limit, the totals cover all results, and the ledger
says how to go on, unless the next result is longer than NUM by itself. With --json the messages that begin and end a
file count, the summary does not. This does not go with --rank or --meaning.`,
		effect: size(func(a *Args) *Opt[uint64] { return &a.LimitBytes }),
	},
	{
		long: "window", value: "NUM", own: true,
		brief: "Show NUM bytes around matches in long lines.",
		doc: `
Of a line that is longer than NUM bytes, show at most NUM bytes around each match, and an ellipsis for what is left out.
Of a long line without a match, such as one of context, the beginning is shown. Characters stay whole. With --json each
part is a message of its own whose window says where in the line it begins, in bytes, and how long the line is; the
places of submatches are those in the part. The ledger counts the line once. 0 takes the flag back.`,
		effect: positive(func(a *Args) *Opt[uint64] { return &a.Window }),
	},
	{
		long: "expect-digest", value: "DIGEST", own: true,
		brief: "Fail unless the results have this digest.",
		doc: `
Fail with exit code 2 if the results have another digest than this, which the ledger of an earlier run contains (with
--json). The results have then changed since the earlier page, and nothing is printed. Results wait in memory until the
digest is known.`,
		effect: func(a *Args, in said, _ Env) error {
			a.ExpectDigest = strings.ToLower(in.value)
			if in.value != "" && !isDigest(a.ExpectDigest) {
				return fmt.Errorf("'%s' is no digest; take the 32 digits behind result_digest, or the flags behind next, in the summary of --json", in.value)
			}
			return nil
		},
	},
	{
		long: "absent", own: true,
		brief: "Assert that nothing matches.",
		doc: `
Assert that nothing matches. The exit code is 0 if that is proven, 1 if something matches, and 2 if it is unknown:
something could not be read or changed meanwhile, another program has a file open for writing, the run was ended early,
--max-filesize kept a file out, a file matches only in another encoding than the one that it is read in (see
--encoding), a file holds compressed text that was not searched (see --as-stored), or no file was in scope. Binary files are searched to their
end, as bytes. The ledger line says what was in scope and what was not. Of several patterns, those that match are listed
with their counts.`,
		effect: toggle(func(a *Args) *bool { return &a.Absent }),
	},
	{
		long: "as-stored", own: true,
		brief: "With --absent, claim only the stored bytes.",
		doc: `
With --absent, make the claim of files as they are stored. Without this flag, a file with compressed text, such as a
gzip, zip, docx or PDF file, leaves the claim unknown, since its bytes do not show that text. --search-zip opens gzip,
bzip2, xz, lz4, lzma, brotli, zstd and compress; a --glob can leave out the others.`,
		effect: toggle(func(a *Args) *bool { return &a.AsStored }),
	},
	{
		long: "explain-zero", value: "WHEN", optional: "auto", choices: []string{"auto", "always", "never"}, own: true,
		brief: "Report near misses after a zero.",
		doc: `
If a search finds nothing, search once more in wider ways. Report for each way that would have matched how often, where,
and with which flags. The ways are: another case; a part of a word; a regular expression for literal text, or the
reverse; another program's patterns; another Unicode form; other accents, letters, quotation marks, dashes or spaces;
invisible characters; markup and escapes; a hyphen or a break over lines; a name in another style; words in another
order; a misspelt word; another encoding; files that were left out. An invalid regular expression is searched for as
literal text. The three likeliest ways are printed; --json has all of them.

- auto: the default of tally, but not with --ledger=never, and the meaning of this flag without a value. Only after a
complete zero, and for no longer than a second or twice the time of the search
- always: also if something could not be read, and to the end
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
Do not search. Say for each PATH whether it would be searched, and which rule decides: its file, line and text. Also
report what stands out in its beginning, such as a NUL byte or an encoding that is not UTF-8. Every positional argument
is a path, which need not exist. With --json the answer is JSON. The exit code is 0 if all would be searched, 1 if one
would not, and 2 if that is unknown.`,
		effect: assign(func(a *Args) *Inspect { return &a.Inspect }, InspectWhy, InspectWhy),
	},
	{
		long: "skipped", own: true,
		brief: "List what is left out, and why.",
		doc: `
Do not search. List everything below the given paths that a search would leave out, with the reason. A directory that is
left out is one entry. Every positional argument is a path. With --json the list is JSON. The exit code is 0 if anything
is left out, 1 if nothing is, and 2 if something could not be read.`,
		effect: assign(func(a *Args) *Inspect { return &a.Inspect }, InspectSkipped, InspectSkipped),
	},
	{
		long: "merge-ledgers", own: true,
		brief: "Add up the ledgers of several runs.",
		doc: `
Do not search. Add up the --json output of runs with one pattern and the same filters over different paths, on one
machine or many. Every positional argument is a file with the output of a run, of several runs one after the other, or a
ledger alone; - is standard input. Totals are added, the result is complete only if every run was, and overlapping roots
are refused. The ledger goes to standard output, as text or with --json as JSON. The exit code is that of one run over
everything.`,
		effect: assign(func(a *Args) *Inspect { return &a.Inspect }, InspectLedgers, InspectLedgers),
	},
	{
		long: "mcp", own: true,
		brief: "Serve searches of directories to an agent.",
		doc: `
Do not search. Answer the requests of an agent, by the Model Context Protocol over standard input and output, until
standard input ends. Every positional argument is a directory, and no file outside of these is searched or shown, though
ignore rules count as in every search, wherever they stand. The tools are search, absent, count, rank, meaning, why and
read. Every answer but that of why has the ledger. No other flag goes with this one, and no configuration file adds to a
request: what it asks for is in its arguments.`,
		effect: assign(func(a *Args) *Inspect { return &a.Inspect }, InspectServe, InspectServe),
	},
	{
		long: "cache", value: "ACTION", choices: []string{"show", "prune", "clear"}, own: true,
		brief: "Show, prune or clear the cache of vectors.",
		doc: `
Do not search. Manage the cache of --meaning: the directory tally in XDG_CACHE_HOME, or in ~/.cache. Other runs may go
on meanwhile.

- show: print what it contains, how large it is, when it was used, and what prune would remove
- prune: remove what was not used for 90 days, what another version of tally cut differently, and what is damaged; above
a gigabyte, also what was used longest ago
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
List all files a second time by other means, and check that each was searched, left out for a reason, or in error. A
file that was not is named, and the run counts as partial.`,
		effect: toggle(func(a *Args) *bool { return &a.Audit }),
	},
	{
		long: "count-only", own: true,
		brief: "Print only the ledger's totals.",
		doc: `
Print only the number of results: the ledger, on standard output, as text or with --json as JSON.`,
		effect: toggle(func(a *Args) *bool { return &a.CountOnly }),
	},
	{
		long: "changed-within", value: "TIME", own: true,
		brief: "Search files changed since TIME.",
		doc: `
Search only files whose contents were last changed at TIME or later, and leave out all others, unless the command line
names them. TIME is a length of time before now, such as 90s, 10min, 2h, 3d, 2w or 1y (365.25 days), or a date, such as
2026-01-31, '2026-01-31 14:30' or 2026-01-31T14:30:00Z; without a time zone it is in the local one. Now is the beginning
of the current second.

A length of time means another instant in every run. The flags that the ledger gives for the next page name the
instant, so that all pages are cut from the same files; so do dates in runs whose ledgers are to be added up.`,
		effect: moment(func(a *Args) *Opt[Moment] { return &a.ChangedWithin }),
	},
	{
		long: "changed-before", value: "TIME", own: true,
		brief: "Search files not changed since TIME.",
		doc: `
Search only files whose contents were last changed before TIME, which is given as for --changed-within: of the two, each
searches exactly what the other leaves out. Both together select a span of time.`,
		effect: moment(func(a *Args) *Opt[Moment] { return &a.ChangedBefore }),
	},
	{
		long: "no-nested", negation: "nested", own: true,
		brief: "Leave out repositories within another.",
		doc: `
Leave out every directory below the given paths that has a .git of its own, a file or a directory: other repositories,
submodules and worktrees. Without this flag they are searched, as ripgrep does, and the ledger says how many there are;
with --json it names the first 100.`,
		effect: toggle(func(a *Args) *bool { return &a.NoNested }),
	},
	{
		long: "line-size-limit", value: "NUM+SUFFIX?", own: true,
		brief: "How long a line may be.",
		doc: `
Do not search on in a file where a line of more than NUM bytes would have to be in memory; the file counts as unread.
A line of more than 8 MiB need not be if it stands in a file, not in a stream, and holds no match, and if the pattern
bounds how long a match can be. The suffixes K, M and G stand for powers of 1024. The default is 2G; 0 stands for no limit, which is also what
holds when called as rg. A search over several lines (--multiline) holds whole files, and is not limited.`,
		effect: size(func(a *Args) *Opt[uint64] { return &a.LineSizeLimit }),
	},
	{
		long: "time-limit", value: "DURATION", own: true,
		brief: "Stop searching after this time.",
		doc: `
Stop after this time, such as 500ms, 10s or 1m30s; a number alone is in seconds. What was found is printed, and the
result counts as partial, so absence is never claimed from it. The exit code is 0 if something was found, else 2.`,
		effect: duration(func(a *Args) *Opt[time.Duration] { return &a.TimeLimit }),
	},
	{
		long: "json-text", own: true,
		brief: "In JSON, print everything as text.",
		doc: `
With --json, print what is not UTF-8 as text with replacement characters instead of in base64. The places of matches in
a line are then places in that text; absolute_offset is still that of the line in the file.`,
		effect: toggle(func(a *Args) *bool { return &a.JSONText }),
	},
	{
		long: "text-safe", own: true,
		brief: "Print nothing but valid UTF-8.",
		doc: `
Print U+FFFD in the place of what is not UTF-8 in lines and paths, for readers that accept nothing else. A path that was
changed cannot be opened. With --json this is --json-text.`,
		effect: toggle(func(a *Args) *bool { return &a.TextSafe }),
	},
}

var ledgerWord = oneOf(func(a *Args) *When { return &a.Ledger }, map[string]When{
	"auto": WhenAuto, "always": WhenAlways, "never": WhenNever, "stdout": WhenStdout, "first": WhenFirst,
})

// ledger sets when and where the ledger is printed.
func ledger(args *Args, in said, env Env) error {
	number, apart := strings.CutPrefix(in.value, "fd:")
	if !apart {
		return ledgerWord(args, in, env)
	}
	n, err := parseNumber(number)
	if err != nil || n > math.MaxInt32 {
		return fmt.Errorf("'%s' is no file descriptor, such as fd:3", in.value)
	}
	args.Ledger, args.LedgerFD = WhenApart, int(n)
	return nil
}

var cacheAction = oneOf(func(a *Args) *CacheAction { return &a.Cache }, map[string]CacheAction{
	"show": CacheShow, "prune": CachePrune, "clear": CacheClear,
})
