package serve

import (
	"context"
	"strings"
)

// A tool is what a client can ask for.
type tool struct {
	name, title string
	doc         string
	// fixed are the words of its command line that no argument decides.
	fixed      []string
	parameters []parameter
	// answer is the definition in docs/schema.json that its answers satisfy.
	answer   string
	carryOut func(context.Context, *request) (answer, error)
	// meaning says that it may start a server for the embeddings.
	meaning bool
}

// description is what a model reads of the tool.
func (t *tool) description() string { return strings.Join(strings.Fields(t.doc), " ") }

// reading is what a model must know of all answers.
const reading = `Every answer but that of why begins with the ledger's line. The numbers in the ledger (files, lines, matches) are
totals over everything in scope, however few results are shown: quote these, and never the length of results. null is a
number that was not established. truncated means that more exists than is shown: say so, or call again with next_cursor.
Nothing found may be reported as "not there" only if complete is true, and then together with what was out of scope
(skipped). PARTIAL proves nothing absent. "absent as typed" comes with near misses (ledger.explain): before reporting a
zero, repeat the search as its flags say (--ignore-case is ignore_case, --regex 'x' is the pattern x with regex,
--hidden is hidden, --no-ignore is no_ignore, --text is binary_as_text).`

// tools is what there is, in the order of a list.
var tools = []tool{
	{
		name: "search", title: "Search files",
		doc: `Finds the lines that hold a text or match a regular expression, in path order, with true totals. If nothing
is found the answer also says what nearly matched. If truncated is true the results are a page: quote lines and
files.matched of the ledger as the totals, and call again with next_cursor for what follows. To see in which files
something is, rather than each line, set per_file to 1. To claim that something is nowhere, use absent.`,
		fixed: []string{"--explain-zero"},
		parameters: with([]parameter{onePattern}, matching, scope, universe, []parameter{
			contextLines, windowBytes, limit(100),
			{name: "per_file", kind: number, least: 1, most: 1_000_000, flag: "--max-count", doc: "Show at most this many lines of each file. The totals still count all."},
			pageCursor, mostBytes, mostSeconds,
		}),
		answer: "answer", carryOut: results,
	},
	{
		name: "absent", title: "Prove absence",
		doc: `Proves that texts are nowhere in the files in scope. Only if ledger.absent is "proven" may you say that
they are not there, and then name what was out of scope (skipped). "refuted" means that one of them occurs, which the
results show; ledger.patterns says which. "unknown" means that something could not be read, is compressed, changed
meanwhile or was too large: say that, and not that there is nothing. Near misses (ledger.explain) say in which other
form it occurs; tell of them. Binary files are searched to their end.`,
		fixed: []string{"--absent", "--explain-zero"},
		parameters: with([]parameter{manyPatterns}, matching, scope, universe, []parameter{
			{name: "as_stored", kind: toggle, flag: "--as-stored", doc: "Claim only the stored bytes of compressed files, such as gzip, docx and PDF, which leave the claim unknown otherwise."},
			windowBytes, limit(20), mostBytes, mostSeconds,
		}),
		answer: "answer", carryOut: results,
	},
	{
		name: "count", title: "Count matches",
		doc: `Counts the matches, the matching lines and the files with one, and shows none of them: the cheapest way to
a true number, as before and after a change. null is a number that was not established, and no zero. If complete is
false the numbers are not totals.`,
		fixed:      []string{"--count-only"},
		parameters: with([]parameter{onePattern}, matching, scope, universe, []parameter{mostSeconds}),
		answer:     "answer", carryOut: results,
	},
	{
		name: "rank", title: "Rank files by a question",
		doc: `Orders files by how much they are about a question, the best first, each with its best line and a score from
0 to 1. Evidence comes with it: how often each word of the question occurs, zero included. ledger.verdict is
"found", "unsure" or "not_found". Results of type unsure are the nearest there is, not good enough to be called an
answer: say so if you use one. "not_found" means that no word of weight occurs; it is no proof that the subject is
absent, since other words may be used.`,
		fixed: []string{"--rank"},
		parameters: with([]parameter{
			question,
			{name: "fuzzy", kind: toggle, flag: "--fuzzy", doc: "Forgive typing errors, and take the beginnings of words."},
		}, scope, universe, []parameter{limit(10), pageCursor, mostSeconds}),
		answer: "answer", carryOut: results,
	},
	{
		name: "meaning", title: "Search by meaning",
		doc: `Finds the text as typed (results of type match), and then files with a passage of similar meaning (type
similar), each with a score. A similar passage is a suggestion and no evidence: quote it as such, and count only what
matches. Results of type unsure resemble the question less than the model makes anything of. ledger.meaning.state tells whether similar passages were looked for: only with "whole" were all files compared.
"unavailable" means that there is no model here, and that the answer is that of search.`,
		fixed:      []string{"--meaning"},
		parameters: with([]parameter{question}, scope, universe, []parameter{windowBytes, limit(20), pageCursor, mostSeconds}),
		answer:     "answer", carryOut: results, meaning: true,
	},
	{
		name: "why", title: "Say why a file is searched or not",
		doc: `Says of each path whether a search looks at it, and which rule decides: the ignore file, its line and the
pattern. Use it when a search did not find what you know to be in a file. The paths need not exist.`,
		fixed: []string{"--why"},
		parameters: with([]parameter{
			{name: "paths", kind: texts, required: true, doc: "The paths to ask about."},
		}, scope[1:], universe),
		answer: "whyAnswer", carryOut: reasons,
	},
	{
		name: "read", title: "Read lines of a file",
		doc: `Shows lines of a file that a search looks at, decoded as a search does it, with their numbers. ledger.lines
is how many lines the file has. If truncated is true there is more: call again with next_cursor, or with from. A file
that is left out of searches is refused, with the reason; hidden or no_ignore take it in.`,
		fixed: []string{"--regex", "--regexp=^"},
		parameters: with([]parameter{
			filePath, firstLine,
			{name: "lines", kind: number, least: 1, most: 5_000, otherwise: 200, flag: "--limit", doc: "How many lines to show at most."},
			windowBytes, pageCursor, mostBytes, mostSeconds,
		}, universe),
		answer: "answer", carryOut: lines,
	},
}
