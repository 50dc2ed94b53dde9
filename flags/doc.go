package flags

import (
	"strings"
	"unicode/utf8"
)

// A block is a paragraph of documentation.
type block struct {
	kind blockKind
	text string // prose and items on one line, examples line by line
}

type blockKind uint8

const (
	prose blockKind = iota
	item            // of a list
	example
)

// blocks splits documentation into paragraphs. They are separated by empty
// lines; one whose lines begin with four spaces is an example, and a line that
// begins with "- " begins an item. PROGRAM stands for the program's name.
func blocks(doc string, program Program) []block {
	doc = strings.ReplaceAll(strings.TrimSpace(doc), "PROGRAM", program.String())
	var list []block
	for paragraph := range strings.SplitSeq(doc, "\n\n") {
		if strings.HasPrefix(paragraph, "    ") {
			text := strings.ReplaceAll(strings.TrimPrefix(paragraph, "    "), "\n    ", "\n")
			list = append(list, block{example, text})
			continue
		}
		kind := prose
		if strings.HasPrefix(paragraph, "- ") {
			kind, paragraph = item, strings.TrimPrefix(paragraph, "- ")
		}
		for text := range strings.SplitSeq(paragraph, "\n- ") {
			list = append(list, block{kind, strings.ReplaceAll(text, "\n", " ")})
		}
	}
	return list
}

// blocks returns the row's documentation, with what follows from its names.
func (r *row) blocks(program Program) []block {
	list := blocks(r.doc, program)
	for _, alias := range r.aliases {
		list = append(list, block{prose, "Another spelling is --" + alias + "."})
	}
	if r.negation != "" && r.value == "" {
		list = append(list, block{prose, "--" + r.negation + " takes it back."})
	}
	return list
}

// valueSuffix returns what shows a flag's value after its long name.
func (r *row) valueSuffix() string {
	switch {
	case r.value == "":
		return ""
	case r.optional != "":
		return "[=" + r.value + "]"
	}
	return "=" + r.value
}

// negationBrief is the one line about a row's negation.
func (r *row) negationBrief() string { return "Take back --" + r.long + "." }

// wrap breaks a line at spaces so that no part is longer than width characters,
// unless it is a single word.
func wrap(text string, width int) []string {
	var lines []string
	var line string
	length := 0
	for _, word := range strings.Fields(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case length == 0:
			line, length = word, n
		case length+1+n <= width:
			line, length = line+" "+word, length+1+n
		default:
			lines = append(lines, line)
			line, length = word, n
		}
	}
	return append(lines, line)
}

// A topic is a section of the manual that is not about one flag.
type topic struct{ title, doc string }

var synopsis = []string{
	"[OPTIONS] PATTERN [PATH ...]",
	"[OPTIONS] -e PATTERN ... [PATH ...]",
	"[OPTIONS] -f PATTERNFILE ... [PATH ...]",
	"[OPTIONS] --files [PATH ...]",
	"[OPTIONS] --type-list",
	"[OPTIONS] --why PATH ...",
	"[OPTIONS] --skipped [PATH ...]",
}

var descriptions = [...]string{
	Tally: `
tally searches files, and directories with everything below them, for lines that match a pattern. It takes ripgrep's
flags and prints what ripgrep prints, always in the same order. It also keeps a ledger: totals are true even if the
display is cut, and nothing is called absent unless everything in scope was read. A pattern is literal text unless
--regex says otherwise. Files that are ignored by git, hidden or binary are left out.`,
	Ripgrep: `
This is tally, in place of ripgrep. It searches files, and directories with everything below them, for lines that match a
regular expression. Files that are ignored by git, hidden or binary are left out. The output is ripgrep's, always in the
order of --sort=path.`,
}

// topics are the sections of the manual after the flags.
var topics = []topic{
	{"PATTERNS", `
Called as tally, a pattern is literal text; --regex makes it a regular expression. Called as rg, or with --rg, it is a
regular expression; --fixed-strings makes it literal text.

Regular expressions are those of Rust's regex crate (https://docs.rs/regex/1/regex/#syntax), or with --pcre2 those of
PCRE2. Without --multiline no match contains a line end.

The first word that is not a flag is always a pattern: there are no subcommands. After -- every word is a pattern or a
path, even if it begins with a dash.

Without a path, tally searches standard input if something was redirected into it, and otherwise the current directory.`},
	{"EXIT STATUS", `
- 0: something matched. With --absent: nothing matches, and that is proven
- 1: nothing matched, and everything in scope was searched. With --absent: something matches
- 2: an error, or an unproven result because something was not searched. What was found is still printed`},
	{"CONFIGURATION FILES", `
The environment variable TALLY_CONFIG_PATH (called as rg, or with --rg: RIPGREP_CONFIG_PATH) names a file of arguments.
They are read before those on the command line, which override them. Each line holds one argument, without quotes. White
space around it, empty lines, and lines that begin with # are ignored. A flag and its value are joined by an equals sign
or stand on two lines:

    # ignore case unless a pattern has capitals
    --smart-case
    --max-columns=150
    --type-add
    web:*.{html,css,js}*

--no-config on the command line leaves the file out.`},
	{"ENVIRONMENT", `
- TALLY_CONFIG_PATH, RIPGREP_CONFIG_PATH: see above
- NO_COLOR: if set, no colors unless --color is always or ansi
- TERM: if unset or dumb, no colors unless --color is always or ansi`},
}
