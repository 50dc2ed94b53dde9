package match

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A sieve finds what the expression matches, and the first of a line is enough.
func TestSieve(t *testing.T) {
	s, err := NewSieve(`(?i:va(?:ca|ac)(?:ti|to)[oi]n|caf(?:é|e\x{301}))`)
	if err != nil {
		t.Fatal(err)
	}
	pad := strings.Repeat("other words\n", 20)
	text := pad + "a VACATOIN and a vacation\n" + pad + "a café, a Cafe\u0301\n" + pad + "cafe"
	f := s.Sifter()
	var got []string
	for at := 0; at < len(text); {
		var places []int
		places, at = f.Sift([]byte(text), at, 1)
		for _, p := range places {
			got = append(got, text[p:p+5])
		}
	}
	if want := []string{"VACAT", "café"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, pattern := range []string{"", "(", ".", "[a-z]+", "a|"} {
		if _, err := NewSieve(pattern); err == nil {
			t.Errorf("%q: no error", pattern)
		}
	}
}

// In a long text, too, a sieve finds the lines that the expression by itself does.
func TestSieveFindsAllLines(t *testing.T) {
	const pattern = `(?i:va(?:ca|ac)(?:ti|to)[oi]n|caf(?:é|e\x{301})|q\*{0,3}x)`
	s, err := NewSieve(pattern)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 1))
	pieces := []string{"va", "CA", "ca", "ac", "tion", "TOIN", "toin", "café", "Cafe\u0301", "cafe", "q", "x", "*", " ", "\n", "\n", "a plain line\n", "é", "\xff"}
	var text []byte
	for len(text) < 200_000 {
		text = append(text, pieces[r.IntN(len(pieces))]...)
	}
	got, want := map[int]bool{}, map[int]bool{}
	line := func(at int) int { return bytes.LastIndexByte(text[:at], '\n') }
	f := s.Sifter()
	for at := 0; at < len(text); {
		var places []int
		places, at = f.Sift(text, at, 1+r.IntN(9))
		for _, p := range places {
			got[line(p)] = true
		}
	}
	for _, m := range regexp.MustCompile(pattern).FindAllIndex(text, -1) {
		want[line(m[0])] = true
	}
	if !maps.Equal(got, want) || len(want) < 1000 {
		t.Errorf("%d lines, want %d", len(got), len(want))
	}
}

func BenchmarkSieve(b *testing.B) {
	s, err := NewSieve(`(?i:va(?:ca|ac)(?:ti|to)[oi]n|v.cation|.acation|va.ation)`)
	if err != nil {
		b.Fatal(err)
	}
	var text []byte
	for i := range 5000 {
		text = fmt.Appendf(text, "static int vary_%d(struct device *a, const char *where)\n", i)
	}
	f := s.Sifter()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		f.Sift(text, 0, 1)
	}
}
