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
Take the pattern for a question in anybody's words, and list the files that are about it, the best first, each with its
score between 0 and 1, its best line and the heading above. Nothing in the question is an operator, but what stands between
double quotes must occur: these words in a row, in any case. Words that differ from those asked for in their endings alone count too, for less; a ~
names them.

Above the list stands the evidence: how often each word of the question occurs in all files, as --count-matches counts it
with the same flags, and in how many files. If no file reaches the floor, the answer is that nothing was found, and the exit
code is 1.

At most 10 files are displayed unless --limit says otherwise. With --files-with-matches only paths are printed, with --json
messages of the types evidence and ranked (or below_floor, if nothing was found) come before the summary.`,
		effect: toggle(func(a *Args) *bool { return &a.Rank }),
	},
	{
		long: "fuzzy", own: true,
		brief: "Forgive slips of the fingers.",
		doc: `
Find also words that differ from those asked for by one letter (for words of 4 to 7 letters) or two (from 8 letters on):
one left out, put in, replaced, or two neighbours exchanged; and words that begin with them. Each hit says after a ~ which
word was found. Exact hits come before all others.

Without --rank this is a search in lines. What each pattern matches as it stands, within words too, comes first; then, after
all of that, come lines in which other whole words stand in the place of its words. Words of 3 letters are found by
their beginning alone, shorter ones only as they are.`,
		effect: toggle(func(a *Args) *bool { return &a.Fuzzy }),
	},
	{
		long: "weight", value: "GLOB=FACTOR", own: true,
		brief: "Change the scores of some files.",
		doc: `
With --rank, multiply the scores of the files that the glob fits by a factor (if it is above 1, the distance to 1 shrinks
instead): --weight 'logs/**=0.4'. Globs are those of --glob, relative to the working directory. The flag can be given more than once; the last
glob that fits a file counts. Which files reach the floor does not change.`,
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
With --rank, list the files that score at least this, between 0 and 1. The default was measured on questions with known
answers; 0 lists every file that holds any word of the question. With --meaning alone it takes the place of the model's own
floor; with both it is that of the words.`,
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
		brief: "Say what each score is made of.",
		doc: `
With --rank, say for each file what its score is made of: what each part of the file adds to the words found, how close
together these stand, how many of them are neighbours as in the question, and how much of the title is in it.`,
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
