package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// The shell is the oracle: printf gives back the words it was called with.
func TestSplitAsShell(t *testing.T) {
	for _, line := range []string{
		`a b  c`, `'a b' c`, `"a b" c`, `"a\"b" '\'`, `a\ b`, `''`, `"" x`, `a'b'"c"d`, `'$0' \$x`, `"'" '"'`, "a\tb", `\\ '\n'`,
	} {
		out, err := exec.Command("sh", "-c", `printf '%s\0' `+line).Output()
		if err != nil {
			t.Fatal(err)
		}
		want := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
		got, err := split(line)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("split(%s) = %q, %v; sh says %q", line, got, err, want)
		}
	}
	for _, line := range []string{`'a`, `a "b`} {
		if words, err := split(line); err == nil {
			t.Errorf("split(%s) = %q, want an error", line, words)
		}
	}
}

func TestParseRow(t *testing.T) {
	r, err := parseRow(`tldr,odd -n 'a b' - <a.txt`)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.trees, []string{"tldr", "odd"}) || !slices.Equal(r.args, []string{"-n", "a b", "-"}) || r.stdin != "a.txt" {
		t.Errorf("parseRow: %+v", r)
	}
}

func TestTimeless(t *testing.T) {
	const line = `{"elapsed_total":{"human":"0.01s","nanos":1,"secs":0},"stats":{"bytes_searched":3,"elapsed":{"human":"1s","nanos":2,"secs":3}}}`
	const want = `{"elapsed_total":{sorted},"stats":{"bytes_searched":3,"elapsed":{sorted}}}`
	if got := string(timeless([]byte(line))); got != want {
		t.Errorf("timeless: %s", got)
	}
	if got := string(timeless([]byte("0.000026 seconds spent searching\n1.5 seconds total\n"))); got != "seconds spent searching\nseconds total\n" {
		t.Errorf("timeless: %q", got)
	}
}

func TestFirstDifference(t *testing.T) {
	for _, c := range []struct {
		a, b string
		line int
	}{
		{"x\ny\n", "x\nz\n", 2},
		{"x\n", "x", 1},
		{"x\ny\n", "x\n", 2},
		{"", "a", 1},
	} {
		if line, _, _ := firstDifference([]byte(c.a), []byte(c.b)); line != c.line {
			t.Errorf("firstDifference(%q, %q) in line %d, want %d", c.a, c.b, line, c.line)
		}
	}
}

func TestQuoteIsUndoneBySplit(t *testing.T) {
	for _, word := range []string{"", "a", "a b", "it's", `\w+`, "*", "<x", "'", "~", "a\tb"} {
		got, err := split("x " + quote(word))
		if err != nil || !slices.Equal(got, []string{"x", word}) {
			t.Errorf("split of quote(%q): %q, %v", word, got, err)
		}
	}
}

func TestDrawIsRepeatable(t *testing.T) {
	seen := map[string]bool{}
	for i := range uint64(100) {
		r := drawLine(7, i).row()
		if again := drawLine(7, i).row(); again.text != r.text {
			t.Errorf("line %d is %q and then %q", i, r.text, again.text)
		}
		back, err := parseRow(r.trees[0] + " " + r.text)
		if err != nil || !slices.Equal(back.args, r.args) || back.stdin != r.stdin {
			t.Errorf("%q is read back as %q, %v", r.text, back.args, err)
		}
		seen[r.text] = true
	}
	if len(seen) < 95 {
		t.Errorf("100 draws gave %d different lines", len(seen))
	}
}
