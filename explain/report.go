package explain

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// InScope is the scope of a finding in a file that was searched.
const InScope = "in_scope"

// A Finding is what one probe found in files of one scope.
type Finding struct {
	Kind Kind
	// Scope is InScope; "binary" or "compressed" for files that were searched,
	// but not in that way; or why the files are out of scope.
	Scope        string
	Lines, Files int64
	// Path and Line say where the first of them is; Line is 0 where lines
	// cannot be numbered.
	Path string
	Line int64
	// Flags are what would have found it.
	Flags string
}

// findingJSON is a finding in JSON.
type findingJSON struct {
	Kind    string `json:"kind"`
	Scope   string `json:"scope"`
	Lines   int64  `json:"lines"`
	Files   int64  `json:"files"`
	Example struct {
		Path string `json:"path"`
		Line *int64 `json:"line"`
	} `json:"example"`
	Flags string `json:"flags"`
}

// MarshalJSON writes a finding; a path that is not UTF-8 has U+FFFD for each
// byte that is not.
func (f Finding) MarshalJSON() ([]byte, error) {
	j := findingJSON{Kind: f.Kind.String(), Scope: f.Scope, Lines: f.Lines, Files: f.Files, Flags: f.Flags}
	j.Example.Path = strings.ToValidUTF8(f.Path, "\uFFFD")
	if f.Line > 0 {
		j.Example.Line = &f.Line
	}
	return json.Marshal(j)
}

// A Report is what all probes found.
type Report struct {
	// Complete says that all files were looked at, in and out of scope; Files
	// is how many were.
	Complete bool
	Files    int64
	// Kinds are those that were looked for. Reduced says that for the number
	// of patterns they were few.
	Kinds    []Kind
	Reduced  bool
	Findings []Finding
}

// Tried notes that a kind was looked for.
func (r *Report) Tried(k Kind) {
	if !slices.Contains(r.Kinds, k) {
		r.Kinds = append(r.Kinds, k)
	}
}

// MarshalJSON writes {"complete", "files", "kinds", "findings"}.
func (r *Report) MarshalJSON() ([]byte, error) {
	findings := r.Findings
	if findings == nil {
		findings = []Finding{}
	}
	return json.Marshal(struct {
		Complete bool      `json:"complete"`
		Files    int64     `json:"files"`
		Kinds    []Kind    `json:"kinds"`
		Findings []Finding `json:"findings"`
	}{r.Complete, r.Files, append([]Kind{}, r.Kinds...), findings})
}

// Sort puts what is in scope first, and each scope in the order of the kinds.
func (r *Report) Sort() {
	slices.SortFunc(r.Findings, func(a, b Finding) int {
		if a.Scope != b.Scope {
			if a.Scope == InScope || b.Scope != InScope && a.Scope < b.Scope {
				return -1
			}
			return 1
		}
		return int(a.Kind) - int(b.Kind)
	})
}

// NearMisses sums up what is in files that were searched, "" if nothing is.
func (r *Report) NearMisses() string {
	var parts []string
	for _, f := range r.Findings {
		if f.Scope == InScope {
			parts = append(parts, f.count()+" "+kinds[f.Kind].text)
		}
	}
	return strings.Join(parts, ", ")
}

// Lines words the findings, one line each.
func (r *Report) Lines() []string {
	var lines []string
	for _, f := range r.Findings {
		lines = append(lines, "  "+f.text())
	}
	if r.Reduced {
		lines = append(lines, "  of so many patterns only case and Unicode forms were tried")
	}
	if !r.Complete {
		lines = append(lines, fmt.Sprintf("  the closer look was cut short, at %s; --explain-zero=always finishes it", counted(r.Files, "file")))
	}
	return lines
}

// text is such as: with other quotation marks: 3 lines in 2 files, as at
// a.txt:3; found with: --regex 'don\x{2019}t'.
func (f *Finding) text() string {
	what := kinds[f.Kind].text
	if f.Scope != InScope {
		what = strings.ReplaceAll(f.Scope, "_", " ") + ", " + what
	}
	at := f.Path
	if f.Line > 0 {
		at += ":" + strconv.FormatInt(f.Line, 10)
	}
	return fmt.Sprintf("%s: %s in %s, as at %s; found with: %s", what, f.count(), counted(f.Files, "file"), at, f.Flags)
}

func (f *Finding) count() string { return counted(f.Lines, "line") }

func counted(n int64, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.FormatInt(n, 10) + " " + noun
}

// maxSuggestion is the length, in bytes, up to which a pattern is suggested.
const maxSuggestion = 200

// Suggest returns the flags that find a text, which a probe has matched.
func Suggest(matched string) string {
	if len(matched) > maxSuggestion {
		_, n := utf8.DecodeRuneInString(matched)
		for n < maxSuggestion {
			_, width := utf8.DecodeRuneInString(matched[n:])
			n += width
		}
		matched = matched[:n]
	}
	return flagsOf([]string{quote(matched)}, "--regex")
}

// flagsOf returns flags with patterns as a shell takes them. What cannot be
// seen, and quotation marks, are written as escapes, so that the patterns
// survive being copied.
func flagsOf(patterns []string, flags string) string {
	for i, p := range patterns {
		var b strings.Builder
		for len(p) > 0 {
			r, n := utf8.DecodeRuneInString(p)
			switch {
			case r == utf8.RuneError && n == 1:
				fmt.Fprintf(&b, `(?-u:\x%02x)`, p[0])
			case r == '\'' || r < ' ' || r > '~':
				fmt.Fprintf(&b, `\x{%x}`, r)
			default:
				b.WriteRune(r)
			}
			p = p[n:]
		}
		switch {
		case i == 0 && len(patterns) == 1:
			flags += " '" + b.String() + "'"
		default:
			flags += " -e '" + b.String() + "'"
		}
	}
	return flags
}

// utf16Units returns a character in UTF-16.
func utf16Units(r rune) []uint16 { return utf16.AppendRune(nil, r) }
