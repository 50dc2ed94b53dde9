package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestMoveToTop(t *testing.T) {
	for _, c := range []struct {
		text     string
		from, to int
		want     string
	}{
		{"a\nb\nc\nd\n", 3, 3, "\nc\n\na\nb\nd\n"},
		{"---\ntitle: x\n---\na\nb\nc\n", 5, 6, "---\ntitle: x\n---\n\nb\nc\n\na\n"},
		{"---\nnot closed\nb\n", 3, 3, "\nb\n\n---\nnot closed\n"},
	} {
		if got := string(moveToTop([]byte(c.text), c.from, c.to)); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

func TestReach(t *testing.T) {
	of := func(band string, deep bool, rank, moved int) answer {
		a := answer{question: question{Band: band, Relevant: []string{"r"}}, deep: deep, moved: moved}
		for range rank - 1 {
			a.ranked = append(a.ranked, "other")
		}
		a.ranked = append(a.ranked, "r")
		return a
	}
	deep, top, moved := reach([]answer{
		of("meaning", true, 3, 4), of("meaning", true, 4, 1), of("meaning", true, 5, 0), of("meaning", false, 1, 0), of("vague", true, 1, 1),
	})
	if deep != (share{1, 3}) || top != (share{1, 1}) || moved != (share{1, 3}) {
		t.Errorf("%v, %v, %v", deep, top, moved)
	}
}

// A set that misses its goals keeps no other from being evaluated.
func TestAllSets(t *testing.T) {
	dir := t.TempDir()
	var files []string
	for _, name := range []string{"one", "two"} {
		file := filepath.Join(dir, name+".jsonl")
		if err := os.WriteFile(file, []byte(`{"id":"q","band":"natural","query":"x","relevant":["r"]}`+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	evaluate := func(s *set) error {
		a := answer{question: s.questions[0], ranked: []string{"other", "r"}}
		if s.name == "two" {
			a.ranked = a.ranked[1:]
		}
		s.answers = []answer{a}
		return checkGoals([]goal{{"natural", first, 1, 1}}, s.answers)
	}
	var out strings.Builder
	err := all(&out, files, evaluate)
	if err == nil || !strings.Contains(err.Error(), "one: natural, @1: 0.00 of 1") || strings.Contains(err.Error(), "two:") {
		t.Errorf("%v", err)
	}
	want := "natural      |   1  0.00  1.00  1.00  0.500       0.00    0.00 |   1  1.00  1.00  1.00  1.000       0.00    0.00\n"
	if !strings.Contains(out.String(), want) {
		t.Errorf("got\n%s\nwant a line\n%s", out.String(), want)
	}
	if err := all(&out, nil, evaluate); err == nil {
		t.Error("no file of questions is no error")
	}
}
