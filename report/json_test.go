package report

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"tally/match"
)

// FuzzJSONString compares with encoding/json, which escapes more than is sent
// here, but must read the same.
func FuzzJSONString(f *testing.F) {
	for _, seed := range []string{"", "abc", "\"\\/\b\f\n\r\t", "\x00\x1f\x7f", "<&>\u2028\u2029", "é\U0001F600", "\xff\xc3(\xe2\x82", "\xed\xa0\x80"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var decoded string
		encoded := appendString(nil, data)
		if err := json.Unmarshal(encoded, &decoded); err != nil {
			t.Fatalf("%q becomes %s: %v", data, encoded, err)
		}
		replaced := string([]rune(string(data)))
		if decoded != replaced {
			t.Fatalf("%q becomes %s, which is %q", data, encoded, decoded)
		}
		if textLen(data) != len(replaced) {
			t.Fatalf("%q has %d bytes as text, not %d", data, len(replaced), textLen(data))
		}
		for _, c := range "<>&\u2028\u2029\x7f" {
			if strings.ContainsRune(replaced, c) && !bytes.ContainsRune(encoded, c) {
				t.Fatalf("%q is escaped in %s", c, encoded)
			}
		}
		var d struct{ Text, Bytes *string }
		if err := json.Unmarshal(appendData(nil, data, false), &d); err != nil {
			t.Fatal(err)
		}
		switch {
		case utf8.Valid(data):
			if d.Bytes != nil || d.Text == nil || *d.Text != string(data) {
				t.Fatalf("%q is sent as %s", data, appendData(nil, data, false))
			}
		default:
			if d.Text != nil || d.Bytes == nil || *d.Bytes != base64.StdEncoding.EncodeToString(data) {
				t.Fatalf("%q is sent as %s", data, appendData(nil, data, false))
			}
		}
	})
}

func TestJSONTextOffsetsAreOfTheText(t *testing.T) {
	cfg := testConfig()
	cfg.Mode, cfg.JSONText = JSON, true
	out, _, _ := runReport(t, cfg, newSearch("foo"), []testFile{{"f\xff", []byte("\xff\xfe foo\xff foo\n")}}, 0)
	var m struct {
		Data struct {
			Path, Lines struct{ Text string }
			Submatches  []struct {
				Match      struct{ Text string }
				Start, End int
			}
		}
	}
	if err := json.Unmarshal([]byte(strings.Split(out, "\n")[1]), &m); err != nil {
		t.Fatal(err)
	}
	if m.Data.Lines.Text != "\uFFFD\uFFFD foo\uFFFD foo\n" || m.Data.Path.Text != "f\uFFFD" {
		t.Errorf("lines %q, path %q", m.Data.Lines.Text, m.Data.Path.Text)
	}
	for _, s := range m.Data.Submatches {
		if got := m.Data.Lines.Text[s.Start:s.End]; got != "foo" || s.Match.Text != got {
			t.Errorf("submatch %q at %d..%d, where %q is", s.Match.Text, s.Start, s.End, got)
		}
	}
	if len(m.Data.Submatches) != 2 {
		t.Errorf("%d submatches", len(m.Data.Submatches))
	}
}

// Without a number, ripgrep sends null.
func TestJSONWithoutLineNumber(t *testing.T) {
	cfg := testConfig()
	cfg.Mode = JSON
	p := New(cfg, new(bytes.Buffer), nil)
	w := p.Worker(nil)
	w.Begin([]byte("f"))
	w.Matched(&match.Line{Bytes: []byte("x\n"), Number: 7})
	if !bytes.Contains(w.part.buf, []byte(`"line_number":null,`)) {
		t.Errorf("%s", w.part.buf)
	}
}
