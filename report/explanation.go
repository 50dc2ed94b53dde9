package report

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

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
	// NotUTF8 is how many of the files in scope are text that is not UTF-8, as
	// far as that keeps the query from being found.
	NotUTF8 int64 `json:"not_utf8"`
	// Containers is how many of them are archives or documents that hold text in
	// a form which no search sees.
	Containers int64 `json:"containers"`
	// Reduced says that few kinds were tried, for the size of the query.
	Reduced readings.Reduction `json:"-"`
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
	// Words are the words that are spelled otherwise, the most frequent first.
	Words list[Word] `json:"words"`
	// Example is a line that matches: the first of those that are most likely
	// written by a person.
	Example Example `json:"example"`
	// Flags find it, as arguments for a shell; "" if no way is known. They take
	// the pattern's place if WithPattern is set, and else come on top.
	Flags       string `json:"flags"`
	WithPattern bool   `json:"with_pattern"`
}

// A Word is a text that matches, with the number of its lines.
type Word struct {
	Text  string `json:"text"`
	Lines int64  `json:"lines"`
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
		sum.NotUTF8 += e.NotUTF8
		sum.Containers += e.Containers
		sum.Reduced = max(sum.Reduced, e.Reduced)
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

// wordedFindings is how many findings are put into words.
const wordedFindings = 3

// nearMisses sums up the findings in files that were searched, "" if there are
// none.
func (e *Explanation) nearMisses() string {
	var parts []string
	more := 0
	for _, f := range e.Findings {
		switch {
		case f.Scope != InScope:
		case len(parts) == wordedFindings:
			more++
		default:
			parts = append(parts, ungrouped(f.Lines, "line")+" "+f.Kind.Text())
		}
	}
	s := strings.Join(parts, ", ")
	if more > 0 {
		s += fmt.Sprintf(", and in %s", ungrouped(int64(more), "other way"))
	}
	if e.NotUTF8 > 0 {
		if s != "" {
			s += "; "
		}
		s += ungrouped(e.NotUTF8, "file") + " in another encoding than UTF-8"
	}
	return s
}

// Lines words the likeliest findings, one line each.
func (e *Explanation) Lines() []string {
	var lines []string
	for i := range e.Findings[:min(len(e.Findings), wordedFindings)] {
		lines = append(lines, "  "+e.Findings[i].text())
	}
	if more := len(e.Findings) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("  %s: see --json", ungrouped(int64(more), "more kind")))
	}
	if e.Containers > 0 {
		lines = append(lines, fmt.Sprintf("  not looked into: the text of %s (zip, office, PDF)", some(e.Containers, "archive or document", "archives or documents")))
	}
	switch e.Reduced {
	case readings.FewKinds:
		lines = append(lines, "  of so many or so long patterns only case, parts of words and Unicode forms were tried")
	case readings.NoKinds:
		lines = append(lines, "  of so many or so long patterns no near misses were looked for")
	}
	if !e.Complete {
		lines = append(lines, fmt.Sprintf("  the closer look was cut short, at %s; --explain-zero=always finishes it", ungrouped(e.Files, "file")))
	}
	return lines
}

// text is such as: with other quotation marks: 3 lines in 2 files, as at
// a.txt:3; found with: --regex 'don\x{2019}t'.
func (f *Finding) text() string {
	what := f.Kind.Text()
	if f.Scope != InScope {
		what = strings.ReplaceAll(f.Scope, "_", " ") + ", " + what
	}
	at := escape.Name(f.Example.Path)
	if line, known := f.Example.Line.Value(); known {
		at += ":" + strconv.FormatInt(line, 10)
	}
	s := fmt.Sprintf("%s: %s in %s, as at %s", what, ungrouped(f.Lines, "line"), ungrouped(f.Files, "file"), at)
	if len(f.Words) > 0 {
		words := make([]string, len(f.Words))
		for i, w := range f.Words {
			words[i] = fmt.Sprintf("%s (%d)", w.Text, w.Lines)
		}
		s += "; " + strings.Join(words, ", ")
	}
	switch {
	case f.Flags != "":
		flags := f.Flags
		if strings.ContainsFunc(flags, unicode.IsControl) {
			flags = escape.Name(flags)
		}
		s += "; found with: " + flags
	case f.Kind == readings.AsTyped && f.Scope == InScope:
		s += "; it was not there before"
	}
	return s
}

// ungrouped returns n with the noun it counts, without commas in n.
func ungrouped(n int64, noun string) string {
	return strconv.FormatInt(n, 10) + " " + plural(n, noun, noun+"s")
}
