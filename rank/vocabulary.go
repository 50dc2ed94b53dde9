package rank

import (
	"maps"
	"slices"
)

// A Vocabulary collects, from one text after another, the words that may be
// meant by those of a query, as they are spelled there. It is for one
// goroutine; several are joined by [Vocabulary.Add].
type Vocabulary struct {
	fuzzy  *fuzzy
	cutter cutter
	text   []byte
	words  []map[string]bool // of each term
}

// NewVocabulary returns an empty vocabulary.
func (q *Query) NewVocabulary() *Vocabulary {
	v := &Vocabulary{fuzzy: newFuzzy(q.terms), words: make([]map[string]bool, len(q.terms))}
	for i := range v.words {
		v.words[i] = map[string]bool{}
	}
	v.cutter = cutter{folder: newFolder(), mind: v.mind, filter: newFilter(q.terms), known: v.fuzzy.known()}
	return v
}

// Read takes in a text.
func (v *Vocabulary) Read(text []byte) {
	v.text = text
	v.cutter.cut(text)
}

func (v *Vocabulary) mind(atom []byte, at place) {
	for _, f := range v.fuzzy.find(atom) {
		if word := v.text[at.start:at.end]; f.quality > 0 && !v.words[f.term][string(word)] {
			v.words[f.term][string(word)] = true
		}
	}
}

// In returns the words of a short text that may be meant by those of the query,
// in their order, nil unless there is one for each. It takes the place of
// what was collected before.
func (v *Vocabulary) In(text []byte) (words []string) {
	v.cutter.pos = 0
	v.Read(text)
	all := true
	for _, found := range v.words {
		words = append(words, slices.Sorted(maps.Keys(found))...)
		all = all && len(found) > 0
		clear(found)
	}
	if !all {
		return nil
	}
	return words
}

// Take returns what was collected since it was called last.
func (v *Vocabulary) Take() *Vocabulary {
	taken := &Vocabulary{words: v.words}
	v.words = make([]map[string]bool, len(taken.words))
	for i := range v.words {
		v.words[i] = map[string]bool{}
	}
	return taken
}

// Add takes over what another vocabulary of the same query holds.
func (v *Vocabulary) Add(o *Vocabulary) {
	for i, words := range o.words {
		maps.Copy(v.words[i], words)
	}
}

// Spellings returns, for each part of each word of the query in their order,
// the words that were found for it, sorted.
func (v *Vocabulary) Spellings(q *Query) (list [][]string) {
	for _, w := range q.Words {
		for _, t := range w.terms {
			list = append(list, slices.Sorted(maps.Keys(v.words[t])))
		}
	}
	return list
}
