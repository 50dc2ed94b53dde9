package flags

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// rankRows are the flags of --rank and --fuzzy.
var rankRows = []row{
	{
		long: "rank", own: true,
		brief: "List the files that a question is about.",
		doc: `
Take the pattern as a question in natural language, and list the files about it, best first. Each file has its score
between 0 and 1, its best line and the heading above. Words between double quotes must occur in a row, in any case;
nothing else in the question is an operator. Words that differ only in their endings count too, for less; a ~ names
them.

Above the list stands the evidence: how often each word of the question occurs in all files, as --count-matches counts
it with the same flags, and in how many files. Words that most files hold are only named, in the line that begins with
"also".

The answer has one of three verdicts. Found: the files listed reach the floor. Unsure: no file reaches it; those that
come nearest are listed in order, each behind a ?, nothing is claimed, and the exit code is 1. Not found: no file holds
a word of the question that carries weight, which is one that at most half of the files hold; the exit code is 1.

At most 10 files are displayed, unless --limit says otherwise. With --files-with-matches only paths of files that were
found are printed. With --json messages of the types evidence and ranked come before the summary; unsure instead of
ranked if the verdict is that.`,
		effect: toggle(func(a *Args) *bool { return &a.Rank }),
	},
	{
		long: "fuzzy", own: true,
		brief: "Tolerate typing errors.",
		doc: `
Also find words that differ by one typing error (words of 4 to 7 letters) or two (from 8 letters on), and words that
begin with the given ones. An error is a letter left out, put in or replaced, or two neighbours exchanged. Words of 3
letters are found by their beginning only, shorter ones only as they are. Each hit names after a ~ the word that was
found. Exact hits come before all others.

Without --rank this is a search in lines. First come the lines that each pattern matches as it stands, also within
words. After all of them come the lines with other whole words in place of the pattern's.`,
		effect: toggle(func(a *Args) *bool { return &a.Fuzzy }),
	},
	{
		long: "weight", value: "GLOB=FACTOR", own: true,
		brief: "Change the scores of some files.",
		doc: `
With --rank, multiply the scores of the files that match the glob by a factor; a factor above 1 shrinks the distance to
1 instead. For example: --weight 'logs/**=0.4'. Globs are those of --glob, relative to the working directory. The flag
can be given several times; the last glob that matches a file counts. Which files reach the floor does not change.`,
		effect: parsed(func(a *Args, v string) error {
			glob, factor, found := cutLast(v, "=")
			f, err := strconv.ParseFloat(factor, 64)
			if !found || glob == "" || err != nil || !(f >= 0) || math.IsInf(f, 0) {
				return fmt.Errorf("'%s' is not a glob, an equals sign and a factor, such as logs/**=0.4", v)
			}
			a.Weights = append(a.Weights, Weight{glob, f})
			return nil
		}),
	},
	{
		long: "floor", value: "SCORE", own: true,
		brief: "The score that an answer must reach.",
		doc: `
With --rank, claim the files with at least this score, between 0 and 1; those below are listed as unsure, if none
reaches it. The default was measured on questions with known answers; 0 claims every file with any word of the question.
With --meaning alone this replaces the model's own floor; with both it is the floor of the words.`,
		effect: parsed(func(a *Args, v string) error {
			f, err := strconv.ParseFloat(v, 64)
			if err != nil || !(f >= 0 && f <= 1) {
				return errors.New("value is not a number between 0 and 1")
			}
			a.Floor = some(f)
			return nil
		}),
	},
	{
		long: "explain-score", own: true,
		brief: "Show the parts of each score.",
		doc: `
With --rank, show for each file the parts of its score: what each part of the file adds to the words found, how close
together the words stand, how many are neighbours as in the question, and how much of the title is in the question.`,
		effect: toggle(func(a *Args) *bool { return &a.ExplainScore }),
	},
}

// parsed hands on a value that must be UTF-8 and may be refused.
func parsed(set func(*Args, string) error) effect {
	return func(args *Args, in said, _ Env) error {
		value, err := utf8Value(in)
		if err != nil {
			return err
		}
		return set(args, value)
	}
}

// cutLast cuts s around the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
