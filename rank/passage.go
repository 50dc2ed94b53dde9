package rank

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"tally/match/outline"
)

// A Passage is the line of a note that says most of the query.
type Passage struct {
	// Line is the line's 1-based number, 0 if no line holds a word of the
	// query (its path does). Text is without terminator, and of a long line
	// the piece that says most.
	Line int64
	Text []byte
	// Marks are the places of the query's words in Text.
	Marks []Mark
	// Heading is the heading above, as it stands there but on one line and without
	// its underline, nil for none.
	Heading []byte
}

// A Mark is the place of a word, in bytes, and the query's word it stands for.
type Mark struct {
	Start, End int
	Word       int
	Near       bool
}

// A Reader finds passages of notes of one collection.
type Reader struct {
	w      *weights
	lookup *lookup
	cutter cutter

	text  []byte
	found []foundTerm
	set   uint64 // terms of the line
	same  uint64 // those that stand there themselves
	typed uint64 // of these, the whole words that stand there as they were typed
	marks []Mark
}

// NewReader returns a reader; forgive as in [Query.NewScanner].
func (c *Collection) NewReader(forgive bool) *Reader {
	r := &Reader{w: c.weights(), lookup: newLookup(c.Query, forgive)}
	r.cutter = cutter{folder: newFolder(), mind: r.mind}
	if !forgive {
		r.cutter.filter = r.lookup.filter
	}
	return r
}

// neighbourhood is what a line's neighbours count, so that of lines that say
// the same the one is shown that stands among others about it.
const neighbourhood = 0.25

// Passage finds the best line of text, which is that of the note at path. The
// earliest of equals is best.
func (r *Reader) Passage(path string, text []byte) Passage {
	var lines []passageLine
	var heading outline.Heading
	for in := outline.NewReader(outline.Of(path), text); ; {
		l, ok := in.Next()
		if !ok {
			break
		}
		r.terms(text[l.Start:l.End])
		lines = append(lines, passageLine{span{l.Start, l.End}, heading, r.weigh()})
		if l.Kind == outline.Head || l.Kind == outline.Underline {
			heading = l.Heading
		}
	}
	best, bestWeight := -1, 0.0
	for i, l := range lines {
		weight := l.weight
		if weight == 0 {
			continue
		}
		if i > 0 {
			weight += neighbourhood * lines[i-1].weight
		}
		if i+1 < len(lines) {
			weight += neighbourhood * lines[i+1].weight
		}
		if weight > bestWeight {
			best, bestWeight = i, weight
		}
	}
	if best < 0 {
		return Passage{}
	}
	l := lines[best]
	p := Passage{Line: int64(best) + 1, Text: bytes.TrimRight(text[l.start:l.end], "\r\n")}
	r.terms(p.Text)
	p.Marks = append([]Mark(nil), r.marks...)
	p.shorten()
	if l.heading.Level > 0 {
		p.Heading = l.heading.Line(text)
	}
	return p
}

// longest is how much of a line is shown, in bytes.
const longest = 400

// shorten leaves of a long line the piece with the most marks.
func (p *Passage) shorten() {
	if len(p.Text) <= longest {
		return
	}
	from, to, most := 0, 0, 0
	for i, first := range p.Marks {
		j := i
		for j < len(p.Marks) && p.Marks[j].End <= first.Start+longest*3/4 {
			j++
		}
		if j-i > most {
			from, to, most = i, j, j-i
		}
	}
	start := 0
	if most > 0 {
		start = max(0, p.Marks[from].Start-longest/8)
	}
	end := min(len(p.Text), start+longest)
	for start > 0 && !utf8.RuneStart(p.Text[start]) {
		start--
	}
	for end < len(p.Text) && !utf8.RuneStart(p.Text[end]) {
		end++
	}
	p.Text, p.Marks = p.Text[start:end], p.Marks[from:to]
	for i := range p.Marks {
		p.Marks[i].Start -= start
		p.Marks[i].End -= start
	}
}

type span struct{ start, end int }

type passageLine struct {
	span
	heading outline.Heading // above it
	weight  float64
}

// unlike is what a word counts that stands there with other marks or capitals than
// it was typed with: so much less that of lines with the same words none goes
// before one that has them as typed, whatever its neighbours say.
const unlike = 0.6

// weigh is what the terms of a line weigh, less where others stand in their
// place; a common word is better than none.
func (r *Reader) weigh() (sum float64) {
	for t, w := range r.w.mixes[1].terms {
		switch {
		case r.set>>t&1 == 0:
		case r.same>>t&1 == 0:
			sum += variantWeights[form] * (w + 1e-6)
		case r.typed>>t&1 == 0 && r.whole(t):
			sum += unlike * (w + 1e-6)
		default:
			sum += w + 1e-6
		}
	}
	return sum
}

// terms finds the terms of a line, and their marks.
func (r *Reader) terms(line []byte) {
	r.set, r.same, r.typed, r.marks, r.text = 0, 0, 0, r.marks[:0], line
	r.cutter.cut(line)
}

func (r *Reader) mind(atom []byte, at place) {
	r.found = r.lookup.find(r.found[:0], atom)
	if len(r.found) == 0 {
		return
	}
	// The closest of the terms is what is marked.
	best := r.found[0]
	for _, f := range r.found {
		r.count(f.term, f.variant)
		if f.variant == same && r.asTyped(f.term, r.text[at.start:at.end]) {
			r.typed |= 1 << f.term
		}
		for _, part := range r.w.q.terms[f.term].parts {
			r.count(part, f.variant)
		}
		if f.variant < best.variant {
			best = f
		}
	}
	m := Mark{at.start, at.end, r.w.q.terms[best.term].word, best.variant == near}
	for n := len(r.marks); n > 0 && m.Start < r.marks[n-1].End; n-- {
		// Two characters and the next two, or the whole of parts.
		last := r.marks[n-1]
		m = Mark{min(last.Start, m.Start), max(last.End, m.End), last.Word, last.Near}
		r.marks = r.marks[:n-1]
	}
	r.marks = append(r.marks, m)
}

// whole reports whether a term is a word of the query, and no part of one.
func (r *Reader) whole(term int) bool {
	return slices.ContainsFunc(r.w.q.Words, func(w Word) bool { return w.whole == term })
}

// asTyped reports whether a text is a term's word in the form that was typed. What
// was typed without capitals speaks of none.
func (r *Reader) asTyped(term int, text []byte) bool {
	return slices.ContainsFunc(r.w.q.Words, func(w Word) bool {
		if w.whole != term {
			return false
		}
		found, typed := norm.NFC.String(string(text)), norm.NFC.String(w.Text)
		return found == typed || strings.ToLower(typed) == typed && strings.ToLower(found) == typed
	})
}

// count adds a term to those of the line.
func (r *Reader) count(term int, v variant) {
	if v != near || !r.w.exact[term] {
		r.set |= 1 << term
	}
	if v == same {
		r.same |= 1 << term
	}
}
