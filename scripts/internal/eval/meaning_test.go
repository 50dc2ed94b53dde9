package main

import "testing"

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
