package rank

import (
	"math/bits"
	"slices"
)

// A Note is what is remembered of a text that holds a word of the query.
type Note struct {
	Path string
	// Prior is the weight of the text's place, 1 unless one was given.
	Prior float64

	length  [NumFields]uint32 // in atoms
	hits    []hit
	windows []uint64 // sets of terms that stand close together
	pairs   uint64   // neighbours in the query that are neighbours here
	whole   uint64   // sequences that occur
	nears   []Near
}

// Near is a word of a text that was found in the place of another.
type Near struct {
	Word    int    // index in [Query.Words]
	Found   string // as it stands in the text
	term    int
	quality float32
}

// A hit counts how often a term stands in a field.
type hit struct {
	term    uint8
	field   Field
	variant variant
	count   uint32
}

// Size is the memory that n takes, in bytes.
func (n *Note) Size() int {
	return 160 + len(n.Path) + 8*len(n.hits) + 8*len(n.windows) + 56*len(n.nears)
}

// windowAtoms is how near to each other terms must stand to be about the same
// thing: two or three lines of prose.
const windowAtoms = 40

// maxWindows bounds what is remembered of one text. Sets of fewer terms go
// first, among them the later ones.
const maxWindows = 24

// addWindow adds a set of terms unless another holds all of them, and removes
// those that it holds itself.
func addWindow(sets []uint64, set uint64) []uint64 {
	kept := sets[:0]
	for _, s := range sets {
		if set&^s == 0 {
			return sets // nothing was removed: what set holds, s would too
		}
		if s&^set != 0 {
			kept = append(kept, s)
		}
	}
	kept = append(kept, set)
	if len(kept) > maxWindows {
		least := len(kept) - 1
		for i := least - 1; i >= 0; i-- {
			if bits.OnesCount64(kept[i]) < bits.OnesCount64(kept[least]) {
				least = i
			}
		}
		kept = append(kept[:least], kept[least+1:]...)
	}
	return kept
}

// Nears returns the words that were found in the place of others, by word, each
// once.
func (n *Note) Nears() (list []Near) {
	for _, x := range n.nears {
		if !slices.ContainsFunc(list, func(y Near) bool { return x.Word == y.Word && x.Found == y.Found }) {
			list = append(list, x)
		}
	}
	return list
}

// Occurrences counts a word of the query in the texts, paths left out, as a
// word of its own, whatever its case and marks; ok is false if it is no single
// word.
func (c *Collection) Occurrences(word int) (matches, files int64, ok bool) {
	term := c.Query.Words[word].whole
	if term < 0 {
		return 0, 0, false
	}
	for _, n := range c.Notes {
		here := int64(0)
		for _, h := range n.hits {
			if int(h.term) == term && h.variant == same && h.field > Folders {
				here += int64(h.count)
			}
		}
		matches += here
		if here > 0 {
			files++
		}
	}
	return matches, files, true
}
