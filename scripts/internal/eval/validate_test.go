package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
)

func scoredAs(band string, scores ...float64) (list []answer) {
	for _, s := range scores {
		list = append(list, answer{question: question{Band: band}, scores: []float64{s / 2, s}})
	}
	return list
}

func TestBestFloor(t *testing.T) {
	answers := append(scoredAs("natural", 0.5, 0.6, 0.305), scoredAs("absent", 0.2, 0.4)...)
	// From 0.41 to 0.50 two of three are claimed, and nothing that is absent; from
	// 0.21 to 0.30 all, and one of two.
	if got := bestFloor(answers); math.Abs(got-0.455) > 1e-9 {
		t.Errorf("floor %v", got)
	}
}

func TestCrossValidate(t *testing.T) {
	a := &set{name: "a", answers: append(scoredAs("natural", 0.5), scoredAs("absent", 0.2)...)}
	b := &set{name: "b", answers: append(scoredAs("natural", 0.3), scoredAs("absent", 0.1)...)}
	var out bytes.Buffer
	crossValidate(&out, []*set{a, b})
	for _, want := range []string{
		"a                 0.355 |  1.00  0.00  0.00 |  0.00  0.00  0.00",
		"b                 0.205 |  1.00  0.00  0.00 |  1.00  0.00  0.00",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s\nlacks %s", out.String(), want)
		}
	}
}

// The questions of our own are frozen, and their note says which they are.
func TestOwnQuestions(t *testing.T) {
	text, err := os.ReadFile("testdata/own.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	note, err := os.ReadFile("testdata/README.md")
	if err != nil {
		t.Fatal(err)
	}
	if sum := fmt.Sprintf("%x  own.jsonl", sha256.Sum256(text)); !strings.Contains(string(note), sum) {
		t.Errorf("the note does not name %s", sum)
	}
	s, err := read("testdata/own.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for _, q := range s.questions {
		n[q.Band]++
	}
	for _, band := range bands {
		if n[band] != 30 {
			t.Errorf("%d questions of the band %s", n[band], band)
		}
	}
}
