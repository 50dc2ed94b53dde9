package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"tally/match/readings"
	"tally/report/escape"
)

// InScope is the scope of a finding in a file that was searched.
const InScope = "in_scope"

// An Explanation is what nearly matched where nothing did: the query was read
// in other ways, over the files in scope and out of it. The ledger's JSON holds
// it as it is.
type Explanation struct {
	// Complete says that all files were looked at, in scope and out of it.
	Complete bool `json:"complete"`
	// Files is how many files were looked at.
	Files int64 `json:"files"`
	// Kinds are the ways to read the query that were tried.
	Kinds list[readings.Kind] `json:"kinds"`
	// Findings has one entry for each kind and scope that found something.
	Findings list[Finding] `json:"findings"`
	// Reduced says that few kinds were tried, for the number of patterns.
	Reduced bool `json:"-"`
}

// A Finding is what one reading of the query found in files of one scope.
type Finding struct {
	Kind readings.Kind `json:"kind"`
	// Scope is [InScope]; "binary" or "compressed" for files that were searched
	// in another way; or the reason why the files are out of scope.
	Scope string `json:"scope"`
	// Lines and Files count what matches.
	Lines int64 `json:"lines"`
	Files int64 `json:"files"`
	// Example is the first line that matches.
	Example Example `json:"example"`
	// Flags would have found it, written for a shell.
	Flags string `json:"flags"`
}

// An Example says where a line is.
type Example struct {
	Path string `json:"path"`
	// Line is unknown where lines cannot be numbered; the first is 1.
	Line Number `json:"line"`
}

// MarshalJSON writes the finding as encoding/json does on its own: strings
// also escape what HTML gives a meaning to. In a path, bytes that are not UTF-8
// become one U+FFFD for each run of them.
func (f Finding) MarshalJSON() ([]byte, error) {
	type plain Finding
	f.Example.Path = strings.ToValidUTF8(f.Example.Path, "\uFFFD")
	return json.Marshal(plain(f))
}

// kindTexts are the words for each kind, behind a number of lines.
var kindTexts = [readings.NumKinds]string{
	readings.AsTyped:     "as typed",
	readings.Case:        "in another case",
	readings.Regex:       "read as a regular expression",
	readings.Literal:     "read as literal text",
	readings.UnicodeForm: "in another Unicode form",
	readings.Accents:     "with other accents",
	readings.Quotes:      "with other quotation marks",
	readings.Dashes:      "with other dashes",
	readings.Ellipses:    "with another ellipsis",
	readings.Spaces:      "with no-break or other spaces",
	readings.ZeroWidth:   "with invisible characters",
	readings.WhiteSpace:  "with other white space",
	readings.LineBreak:   "broken over two lines",
	readings.UTF16:       "in UTF-16 without a mark",
	readings.Part:        "as a part of a word or line",
	readings.Combined:    "in several of these ways at once",
}

// Tried notes that a kind was looked for.
func (e *Explanation) Tried(k readings.Kind) {
	if !slices.Contains(e.Kinds, k) {
		e.Kinds = append(e.Kinds, k)
	}
}

// Add adds a finding to that of the same kind and scope, if there is one.
func (e *Explanation) Add(f Finding) {
	for i := range e.Findings {
		if g := &e.Findings[i]; g.Kind == f.Kind && g.Scope == f.Scope {
			g.Lines += f.Lines
			g.Files += f.Files
			return
		}
	}
	e.Findings = append(e.Findings, f)
}

// Sort puts what is in scope first, and each scope in the order of the kinds.
func (e *Explanation) Sort() {
	slices.SortFunc(e.Findings, func(a, b Finding) int {
		if a.Scope != b.Scope {
			if a.Scope == InScope || b.Scope != InScope && a.Scope < b.Scope {
				return -1
			}
			return 1
		}
		return int(a.Kind) - int(b.Kind)
	})
}

// mergeExplanations adds up the explanations of runs over disjoint roots, in
// their order. It returns nil if one of them is missing.
func mergeExplanations(all []*Explanation) *Explanation {
	sum := &Explanation{Complete: true}
	for _, e := range all {
		if e == nil {
			return nil
		}
		sum.Complete = sum.Complete && e.Complete
		sum.Files += e.Files
		sum.Reduced = sum.Reduced || e.Reduced
		for _, k := range e.Kinds {
			sum.Tried(k)
		}
		for _, f := range e.Findings {
			sum.Add(f)
		}
	}
	sum.Sort()
	return sum
}

// nearMisses sums up the findings in files that were searched, "" if there are
// none.
func (e *Explanation) nearMisses() string {
	var parts []string
	for _, f := range e.Findings {
		if f.Scope == InScope {
			parts = append(parts, ungrouped(f.Lines, "line")+" "+kindTexts[f.Kind])
		}
	}
	return strings.Join(parts, ", ")
}

// Lines words the findings, one line each.
func (e *Explanation) Lines() []string {
	var lines []string
	for i := range e.Findings {
		lines = append(lines, "  "+e.Findings[i].text())
	}
	if e.Reduced {
		lines = append(lines, "  of so many patterns only case and Unicode forms were tried")
	}
	if !e.Complete {
		lines = append(lines, fmt.Sprintf("  the closer look was cut short, at %s; --explain-zero=always finishes it", ungrouped(e.Files, "file")))
	}
	return lines
}

// text is such as: with other quotation marks: 3 lines in 2 files, as at
// a.txt:3; found with: --regex 'don\x{2019}t'.
func (f *Finding) text() string {
	what := kindTexts[f.Kind]
	if f.Scope != InScope {
		what = strings.ReplaceAll(f.Scope, "_", " ") + ", " + what
	}
	at := escape.Name(f.Example.Path)
	if line, known := f.Example.Line.Value(); known {
		at += ":" + strconv.FormatInt(line, 10)
	}
	return fmt.Sprintf("%s: %s in %s, as at %s; found with: %s", what, ungrouped(f.Lines, "line"), ungrouped(f.Files, "file"), at, f.Flags)
}

// ungrouped returns n with the noun it counts, without commas in n.
func ungrouped(n int64, noun string) string {
	return strconv.FormatInt(n, 10) + " " + plural(n, noun, noun+"s")
}
