package serve

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"tally/report/escape"
)

// An answer is what a tool has come to: as JSON by docs/schema.json, and as text.
type answer interface{ text() string }

// A found is the answer of a run that ends in a ledger: answer in docs/schema.json.
type found struct {
	LedgerLine string            `json:"ledger_line"`
	Ledger     json.RawMessage   `json:"ledger"`
	NextCursor *string           `json:"next_cursor"`
	Results    []json.RawMessage `json:"results"`

	notes  string // the ledger's line and what stands below it
	bare   bool   // the path goes without saying
	errors []readError
}

// A readError is a path that could not be read, as in the ledger.
type readError struct{ Path, Operation, Reason string }

// newFound is the answer that a run's messages make.
func newFound(c *collector, notes string) (*found, error) {
	var summary struct {
		Data struct{ Tally json.RawMessage }
	}
	if err := json.Unmarshal(c.summary, &summary); err != nil {
		return nil, err
	}
	var ledger struct {
		Next   *string
		Errors []readError
	}
	if err := json.Unmarshal(summary.Data.Tally, &ledger); err != nil {
		return nil, err
	}
	a := &found{
		Ledger: summary.Data.Tally, Results: c.results,
		notes: strings.TrimRight(notes, "\n"), errors: ledger.Errors,
	}
	a.LedgerLine, _, _ = strings.Cut(a.notes, "\n")
	if a.Results == nil {
		a.Results = []json.RawMessage{}
	}
	if ledger.Next != nil {
		next := cursorOf(*ledger.Next)
		a.NextCursor = &next
	}
	return a, nil
}

// plain makes lines that were found only because every line is into lines that stand
// for themselves.
func (a *found) plain() error {
	a.bare = true
	for i, raw := range a.Results {
		var m message
		if err := json.Unmarshal(raw, &m); err != nil {
			return err
		}
		if m.Type != "match" {
			continue
		}
		before, _, found := bytes.Cut(raw, []byte(`"submatches":`))
		if !found {
			continue
		}
		plain := bytes.Replace(before, []byte(`{"type":"match"`), []byte(`{"type":"context"`), 1)
		a.Results[i] = append(plain, `"submatches":[]}}`...)
	}
	return nil
}

// mostErrors is how many paths that could not be read a text names.
const mostErrors = 10

// text is the answer in words: the ledger's line, what else there is to say of the
// whole, and the results.
func (a *found) text() string {
	var b strings.Builder
	b.WriteString(a.notes + "\n")
	for i, e := range a.errors {
		if i == mostErrors {
			fmt.Fprintf(&b, "tally: and %d more could not be read; ledger.errors has all\n", len(a.errors)-i)
			break
		}
		fmt.Fprintf(&b, "tally: could not be read: %s: %s\n", escape.Name(e.Path), escape.Line(e.Reason))
	}
	if a.NextCursor != nil {
		fmt.Fprintf(&b, "tally: for what follows call again with the same arguments and the cursor %s\n", *a.NextCursor)
	}
	if len(a.Results) > 0 {
		b.WriteString("\n")
	}
	for _, raw := range a.Results {
		var m message
		if json.Unmarshal(raw, &m) == nil {
			if a.bare {
				m.Type, m.Data.Path.Text = "match", ""
			}
			m.write(&b)
		}
	}
	return b.String()
}

// A message is what of docs/schema.json's messages stands in a text.
type message struct {
	Type string
	Data struct {
		Path   shown
		Lines  shown
		Number int64 `json:"line_number"`
		Window *struct {
			Offset    int
			LineBytes int `json:"line_bytes"`
		}
		Rank    int
		Score   float64
		Binary  *int64 `json:"binary_offset"`
		Text    string
		Matches *int64
		Files   *int64
	}
}

// A shown is a text of a message, which can be null. Of evidence the same key is a
// count, which is none.
type shown struct{ Text string }

// UnmarshalJSON reads a text, and passes over what is none.
func (s *shown) UnmarshalJSON(b []byte) error {
	var text struct{ Text string }
	if json.Unmarshal(b, &text) == nil {
		s.Text = text.Text
	}
	return nil
}

// write writes a message as text.
func (m *message) write(b *strings.Builder) {
	d := &m.Data
	path := d.Path.Text
	if path != "" {
		path = escape.Name(path)
	}
	switch m.Type {
	case "evidence":
		fmt.Fprintf(b, "evidence: %s: matches: %s, files: %s\n", escape.Name(d.Text), known(d.Matches), known(d.Files))
	case "end":
		fmt.Fprintf(b, "%s is binary: a NUL byte at %d\n", path, *d.Binary)
	case "ranked", "unsure", "similar":
		mark := map[string]string{"unsure": "? ", "similar": "≈ "}[m.Type]
		fmt.Fprintf(b, "%d. %s%.3f ", d.Rank, mark, d.Score)
		m.lines(b, path, ":")
	case "context":
		m.lines(b, path, "-")
	default:
		m.lines(b, path, ":")
	}
}

// lines writes the lines of a message, each behind its path and number, and marks
// where one is shown in part.
func (m *message) lines(b *strings.Builder, path, sign string) {
	d := &m.Data
	text := strings.TrimRight(d.Lines.Text, "\r\n")
	if w := d.Window; w != nil {
		if w.Offset+len(d.Lines.Text) < w.LineBytes {
			text += "…"
		}
		if w.Offset > 0 {
			text = "…" + text
		}
	}
	if path != "" {
		path += sign
	}
	number := d.Number
	for line := range strings.SplitSeq(text, "\n") {
		b.WriteString(path)
		if number > 0 {
			fmt.Fprintf(b, "%d%s", number, sign)
			number++
		}
		b.WriteString(strings.TrimRight(line, "\r") + "\n")
	}
}

// known words a number that may not be known.
func known(n *int64) string {
	if n == nil {
		return "unknown"
	}
	return fmt.Sprint(*n)
}

// A whyAnswer is the answer of the tool why: whyAnswer in docs/schema.json.
type whyAnswer struct {
	Answers []json.RawMessage `json:"answers"`

	words string
}

func (a *whyAnswer) text() string { return a.words }
