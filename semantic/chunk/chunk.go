// Package chunk cuts a text into what is embedded one by one: passages of a few
// hundred words, and the sentences in them. A question about one sentence does
// not resemble the passage around it much, and a sentence alone may not say what
// it is about; docs/decisions.md has the measurements.
//
// It knows what paragraphs and sentences are; package outline tells headings,
// front matter and fences. It must not know files, servers or models: it estimates
// how many tokens a passage has, and whoever knows the true number calls
// [Chunk.Halve] for a passage that has too many.
package chunk

import (
	"bytes"
	"strings"

	"tally/match/outline"
)

// Version names the way in which texts are cut. It changes with every change of
// what is embedded ([Chunk.Text], [Chunk.Under]), since vectors are kept under it.
const Version = 3

// A Chunk is a passage of a text, or a sentence.
type Chunk struct {
	// Text is what is embedded. Of a passage: the title and the headings above
	// it, then the passage, without headings that are named already. Of a
	// sentence: its words alone.
	Text string
	// Under is what a sentence stands under, title and headings, which are
	// embedded beside it; "" if there are none, and for passages.
	Under string
	// Heading is the path of headings, the highest first, or "".
	Heading string
	// From and To are the first and the last line of the passage, from 1.
	From, To int
	// Passage is what stands in the text, from somewhere in the line From to
	// somewhere in the line To, without white space around it. Lines end with
	// \n, and what was not UTF-8 is U+FFFD.
	Passage string

	head string // what Text begins with
	skip int    // how much of Passage is not in Text
	kind kind
}

// A kind says how Text comes out of Passage.
type kind uint8

const (
	passage kind = iota
	sentenceOfText
	sentenceOfMarkdown
)

// Sizes of passages, in estimated tokens. A window of 512 tokens has to hold the head and
// the passage. An estimate may be too low by a tenth for prose and by a third for
// what is full of numbers (TestEstimate): then a chunk of the greatest size does
// not fit, and is halved.
const (
	target  = 300 // what one should have
	least   = 150 // a cut at a better place may make it as small
	most    = 400 // or as large
	overlap = 40  // of one with the one before it, unless a heading parts them
	grain   = 40  // a longer line is cut into sentences, a longer sentence into words
	alone   = 16  // a section of fewer goes with the next one
)

// Split cuts a text into passages, and then into sentences, both in the order of
// the text. The name's extension tells what a heading is. Every line that is not
// blank is in a passage.
func Split(name string, text []byte) []Chunk {
	s := newSplitter(name, text)
	return s.sentences(s.passages())
}

// A splitter holds a text as it is cut up.
type splitter struct {
	heads
	syntax *outline.Syntax
	text   string
	atoms  []atom
	total  int // the cost of all atoms
}

func newSplitter(name string, text []byte) *splitter {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	text = bytes.ToValidUTF8(text, []byte("\ufffd"))
	s := &splitter{syntax: outline.Of(name), text: string(text)}
	s.read(text)
	return s
}

// passages are those of the text.
func (s *splitter) passages() []Chunk {
	var list []Chunk
	for _, span := range s.spans() {
		list = append(list, s.chunk(span))
	}
	return list
}

// An atom is a piece of text that is not cut.
type atom struct {
	start, end int   // in the text
	line       int   // that it stands in, from 1
	before     int   // the cost of all atoms before it
	section    int32 // index into heads.sections
	strength   strength
	heading    bool
	code       bool // in a block of code, or at its border
}

// A strength says how good a place it is to cut before an atom.
type strength uint8

const (
	inSentence  strength = iota
	inFence              // a line of code
	inParagraph          // a line that goes on with a sentence
	fenceBlank           // a line of code after a blank one
	sentence
	line // that begins with a sentence
	item // of a list
	paragraph
	section
)

// cost is that of the atoms from i to j.
func (s *splitter) cost(i, j int) int {
	if j == len(s.atoms) {
		return s.total - s.atoms[i].before
	}
	return s.atoms[j].before - s.atoms[i].before
}

// named reports whether an atom is a heading or front matter, which heads name.
func (s *splitter) named(i int) bool { return s.atoms[i].heading || s.atoms[i].start < s.frontEnd }

// A span is the atoms of a chunk: from the first to before the end.
type span struct{ first, end int }

// spans packs the atoms. Each step looks at no more atoms than a chunk can hold,
// so that the whole is linear.
func (s *splitter) spans() []span {
	var list []span
	for i := 0; i < len(s.atoms); {
		end := s.end(i)
		list = append(list, span{i, end})
		if i = end; end < len(s.atoms) && s.atoms[end].strength != section {
			i = s.goBack(end)
		}
	}
	return list
}

// end is where the chunk that begins with atom i ends: at the next section, or
// at the strongest place that leaves a chunk of a fair size, and of these at the
// one nearest to what it should have.
func (s *splitter) end(i int) int {
	best, body := 0, 0
	for j := i + 1; ; j++ {
		cost := s.cost(i, j)
		if !s.named(j - 1) {
			body += s.cost(j-1, j)
		}
		if j == len(s.atoms) || s.atoms[j].strength == section && body >= alone {
			if cost <= most || best == 0 {
				return j
			}
			return best
		}
		if cost > most {
			if best == 0 {
				return j // not reached: an atom is smaller than what lies between least and most
			}
			return best
		}
		if cost >= least && (best == 0 || s.better(i, j, best)) {
			best = j
		}
	}
}

func (s *splitter) better(i, j, best int) bool {
	if a, b := s.atoms[j].strength, s.atoms[best].strength; a != b {
		return a > b
	}
	return distance(s.cost(i, j)) <= distance(s.cost(i, best))
}

func distance(cost int) int { return max(cost-target, target-cost) }

// goBack is where the chunk after the one that ends before atom end begins: up
// to an overlap before it, at the strongest place there.
func (s *splitter) goBack(end int) int {
	best := end
	for i := end - 1; i > 0 && s.cost(i, end) <= overlap; i-- {
		if s.atoms[i].heading || s.atoms[i].section != s.atoms[end].section {
			break
		}
		if best == end || s.atoms[i].strength >= s.atoms[best].strength {
			best = i
		}
	}
	return best
}

// chunk makes one of a span.
func (s *splitter) chunk(span span) Chunk {
	i, j := span.first, span.end
	body := i
	for body < j-1 && s.named(body) {
		body++
	}
	at := int(s.atoms[body].section)
	c := Chunk{Heading: s.path(at), From: s.atoms[i].line}
	start, end := s.atoms[i].start, s.atoms[j-1].end
	c.Passage = strings.TrimSpace(s.text[start:end])
	c.To = c.From + strings.Count(c.Passage, "\n")
	start += strings.Index(s.text[start:end], c.Passage)
	// What the head says need not be said again.
	for k := i; k < j; k++ {
		if !s.said(k, at) {
			break
		}
		c.skip = min(max(s.atoms[k].end-start, 0), len(c.Passage))
	}
	c.head = s.head(c.Heading, start < s.frontEnd)
	c.Text = c.embedded()
	return c
}

// said reports whether the head of a passage in section at says what atom i does.
func (s *splitter) said(i, at int) bool {
	switch a := &s.atoms[i]; {
	case a.heading:
		return s.above(int(a.section), at) && s.whole(int(a.section), at)
	case a.start < s.frontEnd:
		return !s.frontCut
	}
	return false
}

// embedded is the text of a chunk.
func (c *Chunk) embedded() string {
	if c.kind != passage {
		return bare(c.Passage, c.kind == sentenceOfMarkdown)
	}
	body := strings.TrimSpace(c.Passage[c.skip:])
	switch {
	case c.head == "":
		return body
	case body == "":
		return c.head
	}
	return c.head + "\n" + body
}
