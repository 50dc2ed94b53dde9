package run

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"tally/report/escape"
	"tally/walk"
)

// A finding is what one line of --why or --skipped says, in text or JSON.
type finding struct {
	Path      jsonPath  `json:"path"`
	InScope   *bool     `json:"in_scope,omitempty"` // --why only
	Exists    *bool     `json:"exists,omitempty"`   // --why only
	Directory bool      `json:"directory"`
	Reason    string    `json:"reason,omitempty"`
	At        *jsonPath `json:"at,omitempty"` // what was left out, if not path itself
	Rule      *rule     `json:"rule,omitempty"`
	Reading   *reading  `json:"reading,omitempty"`
	Error     string    `json:"error,omitempty"`
}

// A jsonPath is text if it is UTF-8, else base64, as in ripgrep's messages.
type jsonPath string

func (p jsonPath) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(p)) {
		return encode(map[string]string{"text": string(p)})
	}
	return encode(map[string][]byte{"bytes": []byte(p)})
}

// A rule names the line, glob or type that decided.
type rule struct {
	Source  string `json:"source"`
	Line    int    `json:"line,omitempty"`
	Pattern string `json:"pattern"`
	// Modified is when the file was last changed, where that decided.
	Modified string `json:"modified,omitempty"`
}

// boundFlags are the flags that leave a file out by when it was last changed.
var boundFlags = map[walk.Reason]string{walk.TooOld: "--changed-within", walk.TooNew: "--changed-before"}

func newRule(r walk.Rule) *rule {
	switch {
	case r.Ignore.Source != "":
		return &rule{Source: r.Ignore.Source, Line: r.Ignore.Line, Pattern: r.Ignore.Pattern}
	case r.Glob != "":
		return &rule{Source: "--glob", Pattern: r.Glob}
	case r.Type != "":
		return &rule{Source: "--type", Pattern: r.Type}
	case r.Bound != (walk.Bound{}):
		return &rule{Source: boundFlags[r.Bound.Reason], Pattern: r.Bound.At.String(), Modified: r.Bound.Modified.String()}
	}
	return nil
}

func (r *rule) String() string {
	if r.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", escape.Name(r.Source), r.Line, escape.Name(r.Pattern))
	}
	text := r.Source + " " + escape.Name(r.Pattern)
	if r.Modified != "" {
		text += "; last changed " + r.Modified
	}
	return text
}

// A reading says what a search would make of a file's bytes.
type reading struct {
	Binary *int64 `json:"binary_offset,omitempty"`
	Text   string `json:"encoding,omitempty"`
}

// text is the finding as a line.
func (f *finding) text() string {
	var notes []string
	if f.At != nil {
		notes = append(notes, "below "+escape.Name(string(*f.At)))
	}
	if f.Rule != nil {
		notes = append(notes, f.Rule.String())
	}
	if f.Exists != nil && !*f.Exists && f.Error == "" {
		notes = append(notes, "does not exist")
	}
	if r := f.Reading; r != nil {
		if r.Text != "" {
			notes = append(notes, r.Text)
		}
		if r.Binary != nil {
			notes = append(notes, fmt.Sprintf("binary: NUL at byte %d", *r.Binary))
		}
	}
	if f.Error != "" {
		notes = append(notes, escape.Line(f.Error))
	}
	line := strings.ReplaceAll(f.Reason, "_", " ") + ": " + escape.Name(string(f.Path))
	if f.Directory && !strings.HasSuffix(string(f.Path), "/") {
		line += "/"
	}
	if len(notes) > 0 {
		line += " (" + strings.Join(notes, "; ") + ")"
	}
	return line + "\n"
}

// render returns the finding in the form that was asked for.
func (s *Session) render(kind string, f *finding) []byte {
	if !s.JSON {
		return []byte(f.text())
	}
	return message(kind, f)
}

// message is a JSON message of ours, as a line.
func message(kind string, data any) []byte {
	line, err := encode(struct {
		Type string `json:"type"`
		Data any    `json:"data"`
	}{kind, data})
	if err != nil {
		panic(err) // all fields can be encoded
	}
	return append(line, '\n')
}

// encode is JSON without HTML's escapes.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// skipFinding is what is known about a path that was left out.
func skipFinding(k *walk.Skip) *finding {
	return &finding{
		Path:      jsonPath(k.AppendPath(nil)),
		Directory: k.IsDir,
		Reason:    k.Reason.String(),
		Rule:      newRule(k.Rule()),
	}
}
