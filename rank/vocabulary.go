package rank

import (
	"maps"
	"slices"
)

// A Vocabulary collects, from one text after another, the words that may be
// meant by those of a query, as they are spelled there. It is for one
// goroutine; several are joined by [Vocabulary.Add].
type Vocabulary struct {
	query  *Query
	fuzzy  *fuzzy
	cutter cutter
	text   []byte
	words  []map[string]bool // of each term
}

// NewVocabulary returns an empty vocabulary.
func (q *Query) NewVocabulary() *Vocabulary {
	v := &Vocabulary{query: q, fuzzy: newFuzzy(q.terms), words: make([]map[string]bool, len(q.terms))}
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
	ways := v.Spellings()
	for _, found := range v.words {
		clear(found)
	}
	for _, list := range ways {
		if list == nil {
			return nil
		}
		for _, spelling := range slices.Concat(slices.Concat(list...)...) {
			if !slices.Contains(words, spelling) {
				words = append(words, spelling)
			}
		}
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

// Spellings returns, for each word of the query, the ways to write it with words
// that were found: for each part of it these words, sorted. A word that capitals
// divide may also be written as a whole. There is none if a part has no words.
func (v *Vocabulary) Spellings() (list [][][][]string) {
	for _, w := range v.query.Words {
		var ways [][][]string
		if way := v.way(w.terms); way != nil {
			ways = append(ways, way)
		}
		if w.whole >= 0 && v.query.terms[w.whole].parts != nil {
			if way := v.way([]int{w.whole}); way != nil {
				ways = append(ways, way)
			}
		}
		list = append(list, ways)
	}
	return list
}

// way returns the words found for each of some terms, nil if there is none for
// one of them.
func (v *Vocabulary) way(terms []int) (parts [][]string) {
	for _, t := range terms {
		if len(v.words[t]) == 0 {
			return nil
		}
		parts = append(parts, slices.Sorted(maps.Keys(v.words[t])))
	}
	return parts
}
