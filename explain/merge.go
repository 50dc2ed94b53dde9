package explain

import (
	"encoding/json"
	"fmt"
)

// Merge adds up the reports of runs over disjoint parts, in their order; nil if
// one of them is missing.
func Merge(reports []*Report) *Report {
	sum := &Report{Complete: true}
	for _, r := range reports {
		if r == nil {
			return nil
		}
		sum.Complete = sum.Complete && r.Complete
		sum.Files += r.Files
		sum.Reduced = sum.Reduced || r.Reduced
		for _, k := range r.Kinds {
			sum.Tried(k)
		}
		for _, f := range r.Findings {
			sum.Add(f)
		}
	}
	sum.Sort()
	return sum
}

// Add adds a finding to that of the same kind and scope, if there is one.
func (r *Report) Add(f Finding) {
	for i := range r.Findings {
		if g := &r.Findings[i]; g.Kind == f.Kind && g.Scope == f.Scope {
			g.Lines += f.Lines
			g.Files += f.Files
			return
		}
	}
	r.Findings = append(r.Findings, f)
}

// UnmarshalJSON reads what MarshalJSON writes.
func (r *Report) UnmarshalJSON(b []byte) error {
	return json.Unmarshal(b, &struct {
		Complete *bool      `json:"complete"`
		Files    *int64     `json:"files"`
		Kinds    *[]Kind    `json:"kinds"`
		Findings *[]Finding `json:"findings"`
	}{&r.Complete, &r.Files, &r.Kinds, &r.Findings})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (f *Finding) UnmarshalJSON(b []byte) error {
	var j findingJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	*f = Finding{Scope: j.Scope, Lines: j.Lines, Files: j.Files, Path: j.Example.Path, Flags: j.Flags}
	if j.Example.Line != nil {
		f.Line = *j.Example.Line
	}
	return f.Kind.UnmarshalText([]byte(j.Kind))
}

// MarshalText and UnmarshalText are for JSON, which names kinds.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the name of a kind.
func (k *Kind) UnmarshalText(text []byte) error {
	for i := range numKinds {
		if i.String() == string(text) {
			*k = i
			return nil
		}
	}
	return fmt.Errorf("unknown kind of finding %q", text)
}
