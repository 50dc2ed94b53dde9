package rank

import (
	"math"
	"math/bits"
	"unicode/utf8"
)

// Slips are forgiven within a distance that grows with the word: the number of
// letters that must be put in, left out, replaced, or changed with their
// neighbour (optimal string alignment).

// forgiven returns the distance within which a word of n letters is still the
// same. Shorter words are found by their beginning only.
func forgiven(n int) int {
	switch {
	case n < 4:
		return 0
	case n < 8:
		return 1
	}
	return 2
}

// minPrefix is the number of letters from which a beginning stands for a word.
const minPrefix = 3

// A fuzzy finds the terms that an atom may be meant by. It remembers what it
// has found for atoms that it has seen.
type fuzzy struct {
	terms []fuzzyTerm
	memo  []memo
	found [][]foundTerm
	runes []rune
	rows  [3][]int
}

type fuzzyTerm struct {
	text    string
	runes   []rune
	letters uint32
	within  int
	joined  bool
}

type memo struct {
	hash  uint64
	found int32 // index + 1 in fuzzy.found, 0: nothing
}

const memoSize = 1 << 15

func newFuzzy(terms []term) *fuzzy {
	f := &fuzzy{memo: make([]memo, memoSize)}
	for _, t := range terms {
		r := []rune(t.text)
		f.terms = append(f.terms, fuzzyTerm{t.text, r, letterSet([]byte(t.text)), forgiven(len(r)), t.joined})
	}
	return f
}

// known returns what spares looking twice at atoms that are not meant.
func (f *fuzzy) known() *known {
	k := &known{matters: func(atom []byte) bool { return f.find(atom) != nil }, shortest: math.MaxInt}
	for _, t := range f.terms {
		n := len(t.runes)
		if !t.joined {
			k.shortest = min(k.shortest, shortestForm(n))
		}
		if t.within > 0 {
			k.shortest = min(k.shortest, n-t.within)
		}
		if n >= minPrefix {
			k.shortest = min(k.shortest, n+1)
		}
	}
	return k
}

// letterSet holds a bit for each letter. An edit changes at most two.
func letterSet(atom []byte) (set uint32) {
	for _, b := range atom {
		set |= 1 << (b % 32)
	}
	return set
}

func hash(atom []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, b := range atom {
		h = (h ^ uint64(b)) * 1099511628211
	}
	return h ^ h>>29
}

// find returns the terms that atom may be meant by.
func (f *fuzzy) find(atom []byte) []foundTerm {
	h := hash(atom)
	m := &f.memo[h%memoSize]
	if m.hash != h {
		m.hash, m.found = h, 0
		if found := f.compare(atom); found != nil {
			f.found = append(f.found, found)
			m.found = int32(len(f.found))
		}
	}
	if m.found == 0 {
		return nil
	}
	return f.found[m.found-1]
}

// compare compares atom with every term.
func (f *fuzzy) compare(atom []byte) (found []foundTerm) {
	letters := letterSet(atom)
	f.runes = f.runes[:0]
	for i := range f.terms {
		t := &f.terms[i]
		switch {
		case string(atom) == t.text:
			found = append(found, foundTerm{i, same, 1})
			continue
		case t.joined:
			continue
		}
		if len(f.runes) == 0 {
			for b := atom; len(b) > 0; {
				r, n := utf8.DecodeRune(b)
				f.runes, b = append(f.runes, r), b[n:]
			}
		}
		q := f.quality(t, letters)
		switch {
		case isForm(t.text, atom):
			found = append(found, foundTerm{i, form, q})
		case q > 0:
			found = append(found, foundTerm{i, near, q})
		}
	}
	return found
}

// quality says how well the atom at work can stand for t, 0 if it cannot: each
// edit costs, one in the first letter more, and so does each letter by which a
// beginning is too short.
func (f *fuzzy) quality(t *fuzzyTerm, letters uint32) float32 {
	best := float32(0)
	if n := len(t.runes); n >= minPrefix && n < len(f.runes) && equal(t.runes, f.runes[:n]) {
		best = 0.5 + 0.4*float32(n)/float32(len(f.runes))
	}
	if t.within == 0 || abs(len(t.runes)-len(f.runes)) > t.within ||
		bits.OnesCount32(t.letters^letters) > 2*t.within || isDigit(t.text[0]) {
		return best
	}
	d := f.distance(t.runes, f.runes)
	if d > t.within {
		return best
	}
	q := 1 - 0.15*float32(d)
	if t.runes[0] != f.runes[0] {
		q -= 0.25
	}
	return max(best, q)
}

func equal(a, b []rune) bool { return string(a) == string(b) }

func abs(n int) int { return max(n, -n) }

// distance is the optimal string alignment distance.
func (f *fuzzy) distance(a, b []rune) int {
	for i := range f.rows {
		f.rows[i] = append(f.rows[i][:0], make([]int, len(b)+1)...)
	}
	before, last, row := f.rows[0], f.rows[1], f.rows[2]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
