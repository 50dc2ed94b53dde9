package rank

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// A Query is a question, cut into words. Everything in it is text to be looked
// for: no character is an operator, but that what stands between double quotes
// must occur as such.
type Query struct {
	// Words are the different words, as typed, in their order.
	Words []Word
	// Phrases are what stood between quotes, as typed.
	Phrases []string

	terms     []term
	sequences []sequence
	pairs     []pair
	required  []int // sequences that must occur
}

// A Word is one of the query's.
type Word struct {
	Text string
	// terms are indices of what is looked for, in order.
	terms []int
	// whole is the term that the word is if nothing divides it: its only one,
	// or with capitals in it (GitHub) the one that is written without. -1: none.
	whole int
}

// A term is an atom that is looked for.
type term struct {
	text string
	// word is the first word that it belongs to, share what it weighs beside
	// a whole word.
	word  int
	share float64
	// joined says that it is of a script without spaces.
	joined bool
	// parts are the terms that this one is made of, where capitals divide it in
	// the query; a text may write it without. It has no share of its own, and
	// counts as they do.
	parts []int
}

// A sequence is a word of several atoms, or a phrase: what a scan comes to
// where it stands.
type sequence struct {
	steps []step
	jumps []jump
}

// A step is a term, and where it stands, in atoms from the first step.
type step struct{ term, at int }

// A jump is a term that may stand in the place of some steps from one on, which
// are the parts of it and take some places more than it does.
type jump struct{ term, from, steps, more int }

// A pair is two terms that follow one another in the query.
type pair struct{ left, right int }

// maxTerms is the number of bits in a mask, of terms and of sequences.
const maxTerms = 64

// ParseQuery reads a question. The error says that it has no word, or too
// many.
func ParseQuery(text string) (*Query, error) {
	q := &Query{}
	c := cutter{folder: newFolder()}
	last := -1
	parts := strings.Split(text, `"`)
	if n := len(parts); n%2 == 0 {
		// The last quote closes nothing, as in: a 19" screen.
		parts = append(parts[:n-2], parts[n-2]+" "+parts[n-1])
	}
	for i, part := range parts {
		quoted := i%2 == 1
		var atoms []int
		for _, w := range segment(part) {
			terms := q.addWord(&c, w)
			for _, t := range terms {
				if last >= 0 && last != t {
					q.addPair(pair{last, t})
				}
				last = t
			}
			atoms = append(atoms, terms...)
		}
		if phrase := strings.TrimSpace(part); quoted && len(atoms) > 0 && !slices.Contains(q.Phrases, phrase) {
			q.Phrases = append(q.Phrases, phrase)
			q.required = append(q.required, len(q.sequences))
			q.addSequence(&c, phrase)
		}
	}
	switch {
	case len(q.terms) == 0:
		return nil, fmt.Errorf("there is no word in %q, so that nothing can be ranked by it", text)
	case len(q.terms) > maxTerms:
		return nil, fmt.Errorf("the question has %d words and word parts; ranking takes at most %d: leave out some", len(q.terms), maxTerms)
	case len(q.sequences) > maxTerms:
		return nil, fmt.Errorf("the question has %d phrases and words of several parts; ranking takes at most %d: leave out some", len(q.sequences), maxTerms)
	}
	return q, nil
}

// addWord adds a word, if it is new, and returns its terms.
func (q *Query) addWord(c *cutter, text string) []int {
	for _, w := range q.Words {
		if w.Text == text {
			return w.terms
		}
	}
	var atoms []string
	var places []int
	var wholes []whole
	c.pos = 0
	c.mind = func(atom []byte, at place) {
		if !c.isWhole(at) {
			atoms, places = append(atoms, string(atom)), append(places, at.pos)
			return
		}
		first := slices.Index(places, at.pos)
		wholes = append(wholes, whole{string(atom), atoms[first:len(atoms):len(atoms)], at.end-at.start == len(text)})
	}
	c.cut([]byte(text))
	if len(atoms) == 0 {
		return nil
	}
	divided := !isJoined(atoms[0])
	if !divided {
		atoms = inTwos(atoms)
	}
	word := len(q.Words)
	share := 1.0
	if len(atoms) > 1 {
		share = shareOfPart
		if !divided {
			share = shareOfTwo
		}
	}
	var terms []int
	for _, a := range atoms {
		terms = append(terms, q.addTerm(a, word, share))
	}
	q.Words = append(q.Words, Word{text, terms, -1})
	if len(terms) == 1 {
		q.Words[word].whole = terms[0]
	}
	for _, w := range wholes {
		if t := q.addWhole(w, word); w.all {
			q.Words[word].whole = t
		}
	}
	if divided && len(terms) > 1 {
		q.addSequence(c, text)
	}
	return terms
}

// A whole is what capitals divide; all says that it is all of its word.
type whole struct {
	text  string
	parts []string
	all   bool
}

// addWhole adds a whole whose parts have been added, and returns its term.
func (q *Query) addWhole(w whole, word int) int {
	t := q.addTerm(w.text, word, 0)
	if q.terms[t].parts == nil {
		for _, p := range w.parts {
			q.terms[t].parts = append(q.terms[t].parts, q.term(p))
		}
	}
	return t
}

// addSequence adds a text, whose words have been added.
func (q *Query) addSequence(c *cutter, text string) {
	var s sequence
	c.pos = 0
	c.mind = func(atom []byte, at place) {
		t := q.term(string(atom))
		switch {
		case t < 0:
		case c.isWhole(at):
			from := slices.IndexFunc(s.steps, func(s step) bool { return s.at >= at.pos })
			s.jumps = append(s.jumps, jump{t, from, len(s.steps) - from, c.width(at) - 1})
		default:
			s.steps = append(s.steps, step{t, at.pos})
		}
	}
	c.cut([]byte(text))
	for i := len(s.steps) - 1; i >= 0; i-- {
		s.steps[i].at -= s.steps[0].at
	}
	q.sequences = append(q.sequences, s)
}

// inTwos leaves only the pairs of characters, if there are any.
func inTwos(atoms []string) []string {
	twos := slices.DeleteFunc(slices.Clone(atoms), func(a string) bool { return utf8.RuneCountInString(a) < 2 })
	if len(twos) == 0 {
		return atoms
	}
	return twos
}

func (q *Query) addTerm(text string, word int, share float64) int {
	if i := q.term(text); i >= 0 {
		q.terms[i].share = max(q.terms[i].share, share)
		return i
	}
	q.terms = append(q.terms, term{text: text, word: word, share: share, joined: isJoined(text)})
	return len(q.terms) - 1
}

// term is the index of a term, -1 if it is none.
func (q *Query) term(text string) int {
	return slices.IndexFunc(q.terms, func(t term) bool { return t.text == text })
}

func (q *Query) addPair(p pair) {
	if !slices.Contains(q.pairs, p) && len(q.pairs) < maxTerms {
		q.pairs = append(q.pairs, p)
	}
}

func isJoined(atom string) bool {
	for _, r := range atom {
		return kindOf(r) == joined
	}
	return false
}

// segment cuts a text into words by UAX #29, and joins again what a hyphen
// joins. In scripts without spaces a word is a run of characters of one kind.
func segment(text string) []string {
	var words []string
	state, glued := -1, false
	var word string
	for len(text) > 0 {
		word, text, state = uniseg.FirstWordInString(text, state)
		first := []rune(word)[0]
		switch {
		case word == "-" || word == "\u2010" || word == "\u2011":
			glued = len(words) > 0 && words[len(words)-1] != ""
			if glued {
				words[len(words)-1] += word
			}
			continue
		case !strings.ContainsFunc(word, func(r rune) bool { k := kindOf(r); return k == letter || k == digit || k == joined }):
			if glued {
				words[len(words)-1] = strings.TrimRight(words[len(words)-1], "-\u2010\u2011")
			}
			words = append(words, "")
		case glued, len(words) > 0 && words[len(words)-1] != "" && (sameRun(words[len(words)-1], first) || sameAtom(words[len(words)-1], first)):
			words[len(words)-1] += word
		default:
			words = append(words, word)
		}
		glued = false
	}
	if glued {
		words[len(words)-1] = strings.TrimRight(words[len(words)-1], "-\u2010\u2011")
	}
	return slices.DeleteFunc(words, func(w string) bool { return w == "" })
}

// sameAtom reports whether a character continues the last atom of a word, as
// the ² of x² does, which is a word of its own by UAX #29.
func sameAtom(word string, next rune) bool {
	last, _ := utf8.DecodeLastRuneInString(word)
	inAtom := func(r rune) bool { k := kindOf(r); return k == letter || k == digit || k == mark }
	return inAtom(last) && inAtom(next)
}

// sameRun reports whether a character continues a word in a script without
// spaces.
func sameRun(word string, next rune) bool {
	runes := []rune(strings.TrimRight(word, "ー"))
	if len(runes) == 0 {
		return kindOf(next) == joined
	}
	last := runes[len(runes)-1]
	if kindOf(last) != joined || kindOf(next) != joined {
		return false
	}
	for _, table := range spaceless {
		if unicode.Is(table, last) {
			return unicode.Is(table, next) || next == 'ー'
		}
	}
	return true
}
