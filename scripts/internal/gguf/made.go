package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strings"
)

// madeShape is small in everything but the width, which is that of the real
// models, so that a reader of vectors can be tested with it.
var madeShape = bert{layers: 1, width: 384, inner: 32, pooling: poolMean}

// fabricate makes a model whose weights mean nothing or what a test wants.
//
//   - random: every printable ASCII character is a token; the weights are drawn,
//     so that different texts get different vectors, whose nearness means nothing.
//   - concept: the words of the table below are tokens, everything else is
//     unknown. A vector is the mean of those of its words, whose cosine is about
//     0.9 if they share a concept and 0 if not; without a known word it is zero.
func fabricate(kind string) ([]byte, error) {
	m := madeShape
	m.name = "made-" + kind
	for _, s := range specials {
		m.vocabulary = append(m.vocabulary, s.token)
	}
	switch kind {
	case "random":
		for c := '!'; c <= '~'; c++ {
			m.vocabulary = append(m.vocabulary, string(c), "##"+string(c))
		}
		return m.file(false, randomWeights)
	case "concept":
		for _, line := range concepts {
			m.vocabulary = append(m.vocabulary, strings.Fields(line.words)...)
		}
		return m.file(false, m.conceptWeights)
	}
	return nil, fmt.Errorf("no kind %q of made model: there are random and concept", kind)
}

// concepts are words that count as near. No word has two.
var concepts = []struct{ name, words string }{
	{"gastropod", "slug slugs snail snails"},
	{"plant", "plant plants seedling seedlings young"},
	{"harm", "got eaten damage protecting protect"},
	{"bread", "bread flour dough oven recipe"},
	{"tyre", "tyre car changing wheel"},
}

// identity is the weight of what shall change nothing: a norm scales by one,
// and what is added is zero.
func identity(p part) []float32 {
	numbers := make([]float32, size(p))
	if strings.HasSuffix(p.name, "norm.weight") {
		for i := range numbers {
			numbers[i] = 1
		}
	}
	return numbers
}

func size(p part) int {
	n := 1
	for _, length := range p.shape {
		n *= length
	}
	return n
}

func randomWeights(p part) ([]float32, error) {
	scale := float32(0.1)
	switch {
	case p.name == "token_embd.weight":
		scale = 1
	case !p.matrix && p.name != "position_embd.weight":
		return identity(p), nil
	}
	numbers := make([]float32, size(p))
	drawInto(numbers, p.name, scale)
	return numbers, nil
}

// conceptWeights give each word the direction of its concept and a little of
// its own; all else changes nothing.
func (m bert) conceptWeights(p part) ([]float32, error) {
	const own = 0.3
	numbers := identity(p)
	if p.name != "token_embd.weight" {
		return numbers, nil
	}
	rest := numbers[len(specials)*m.width:]
	for _, line := range concepts {
		for _, word := range strings.Fields(line.words) {
			drawInto(rest[:m.width], "concept "+line.name, 1)
			drawInto(rest[:m.width], "word "+word, own)
			rest = rest[m.width:]
		}
	}
	return numbers, nil
}

// drawInto adds numbers between -scale and scale that depend on the name alone.
func drawInto(numbers []float32, name string, scale float32) {
	hash := fnv.New64a()
	hash.Write([]byte(name))
	source := rand.New(rand.NewPCG(hash.Sum64(), 0))
	for i := range numbers {
		numbers[i] += scale * (2*source.Float32() - 1)
	}
}
