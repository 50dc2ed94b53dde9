package rank

import (
	"math/bits"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"tally/match/outline"
)

// A Scanner reads one text after another for one goroutine.
type Scanner struct {
	q        *Query
	lookup   *lookup
	cutter   cutter
	headings outline.Finder

	// Of the text at work:
	field    Field
	text     []byte
	syntax   *outline.Syntax
	begun    bool     // some of it was read
	counts   []counts // of each term
	touched  uint64   // terms with counts
	last     []int    // where each term was found last, or nowhere
	inWindow uint64
	note     Note
	going    [][]progress // of each of the query's sequences
	found    []foundTerm
}

type counts [NumFields][numVariants]uint32

// progress is how far a sequence has come that begins somewhere.
type progress struct {
	next int // index in its steps
	pos  int // of the first, as the next one sees it
}

// nowhere is before every place, and neighbour of none.
const nowhere = -1 << 30

// NewScanner returns a scanner. With forgive it also finds words that differ
// from the query's by a slip of the fingers, or begin with them.
func (q *Query) NewScanner(forgive bool) *Scanner {
	s := &Scanner{
		q: q, lookup: newLookup(q, forgive),
		counts: make([]counts, len(q.terms)),
		last:   make([]int, len(q.terms)),
		going:  make([][]progress, len(q.sequences)),
	}
	s.cutter = cutter{folder: newFolder(), mind: s.mind, filter: s.lookup.filter}
	if forgive {
		s.cutter.known = s.lookup.fuzzy.known()
	}
	return s
}

// Begin starts a text at a path, relative to where the search began.
func (s *Scanner) Begin(file string) {
	for t := range s.counts {
		if s.touched>>t&1 != 0 {
			s.counts[t] = counts{} // of a text that was given up
		}
	}
	s.note = Note{Prior: 1}
	s.touched, s.inWindow = 0, 0
	s.syntax, s.begun = outline.Of(file), false
	s.cutter.pos = 0
	for i := range s.last {
		s.last[i] = nowhere
	}
	for i := range s.going {
		s.going[i] = s.going[i][:0]
	}
	dir, base := path.Split(norm.NFC.String(file))
	if ext := path.Ext(base); len(ext) < len(base) {
		base = strings.TrimSuffix(base, ext)
	}
	s.cut(Name, []byte(base))
	s.cut(Folders, []byte(dir))
}

// cut takes text for a field of its own.
func (s *Scanner) cut(f Field, text []byte) {
	if len(text) == 0 {
		return
	}
	from := s.cutter.pos
	s.field, s.text = f, text
	s.cutter.cut(text)
	s.note.length[f] += uint32(s.cutter.pos - from)
	if f != Body && f != Headings {
		s.cutter.gap()
	}
}

// End returns what is to be remembered of the text, nil if it holds no word of
// the query. Only Path is not set.
func (s *Scanner) End() *Note {
	if s.touched == 0 {
		return nil
	}
	if s.inWindow != 0 {
		s.note.windows = addWindow(s.note.windows, s.inWindow)
	}
	n := s.note
	n.windows = append([]uint64(nil), n.windows...)
	n.nears = s.instead()
	for t := range s.counts {
		if s.touched>>t&1 == 0 {
			continue
		}
		for f := range NumFields {
			for v := range numVariants {
				if c := s.counts[t][f][v]; c > 0 {
					n.hits = append(n.hits, hit{uint8(t), f, v, c})
				}
			}
		}
		s.counts[t] = counts{}
	}
	return &n
}

// instead returns the words that were found in the place of terms that are
// not there themselves.
func (s *Scanner) instead() []Near {
	return slices.DeleteFunc(slices.Clone(s.note.nears), func(n Near) bool {
		for f := range NumFields {
			if s.counts[n.term][f][same] > 0 {
				return true
			}
		}
		return false
	})
}

// mind receives an atom that may be a term.
func (s *Scanner) mind(atom []byte, at place) {
	s.found = s.lookup.find(s.found[:0], atom)
	for _, f := range s.found {
		s.hit(f, at, s.cutter.width(at))
		parts := s.q.terms[f.term].parts
		if parts == nil || s.last[parts[0]] >= at.pos {
			continue // the text has divided it, too
		}
		for i, p := range parts {
			// The last one is the neighbour of what follows.
			part := at
			part.pos -= len(parts) - 1 - i
			s.hit(foundTerm{p, f.variant, f.quality}, part, 0)
		}
	}
}

// hit receives a term that stands at a place, and takes some places; none if it
// is a part of what does not show it, of which sequences know.
func (s *Scanner) hit(f foundTerm, at place, width int) {
	t := f.term
	s.counts[t][s.field][f.variant]++
	s.touched |= 1 << t
	if f.variant != same {
		s.noteNear(f, at)
	}
	s.window(t, at.pos)
	if f.variant != same {
		return
	}
	for i, p := range s.q.pairs {
		if p.right == t && s.last[p.left] == at.pos-1 {
			s.note.pairs |= 1 << i
		}
	}
	if width == 0 {
		return
	}
	for i := range s.q.sequences {
		s.advance(i, t, at.pos, width-1)
	}
}

// window adds a term to the set of those that stand close together.
func (s *Scanner) window(t, pos int) {
	old := s.inWindow
	for rest := old; rest != 0; rest &= rest - 1 {
		if i := bits.TrailingZeros64(rest); s.last[i] < pos-windowAtoms {
			s.inWindow &^= 1 << i
		}
	}
	if s.inWindow != old {
		s.note.windows = addWindow(s.note.windows, old)
	}
	s.inWindow |= 1 << t
	s.last[t] = pos
}

// maxParts is how many parts a word may have before its whole comes, which
// stands at the place of the first.
const maxParts = 16

// advance follows a sequence from each place where it may have begun. A term
// takes more places in the text than one if capitals divide it there.
func (s *Scanner) advance(i, t, pos, more int) {
	seq := &s.q.sequences[i]
	going := s.going[i][:0]
	begin := progress{0, pos}
	for _, p := range append(s.going[i], begin) {
		due := p.pos + seq.steps[p.next].at
		switch j := seq.jump(p.next, t); {
		case due == pos && seq.steps[p.next].term == t:
			p.next, p.pos = p.next+1, p.pos+more
		case due == pos && j != nil:
			p.next, p.pos = p.next+j.steps, p.pos+more-j.more
		case due < pos-maxParts || p.next == 0:
			continue
		}
		if p.next == len(seq.steps) {
			s.note.whole |= 1 << i
			continue
		}
		going = append(going, p)
	}
	s.going[i] = going
}

// jump returns the jump with a term from a step on, nil if there is none.
func (s *sequence) jump(from, term int) *jump {
	for i := range s.jumps {
		if j := &s.jumps[i]; j.from == from && j.term == term {
			return j
		}
	}
	return nil
}

// maxNears is how many words in the place of another are remembered for each
// term of a text.
const maxNears = 3

func (s *Scanner) noteNear(f foundTerm, at place) {
	word := s.text[at.start:at.end]
	same := 0
	for _, n := range s.note.nears {
		if n.term == f.term {
			if n.Found == string(word) {
				return
			}
			same++
		}
	}
	if same < maxNears {
		s.note.nears = append(s.note.nears, Near{s.q.terms[f.term].word, string(word), f.term, f.quality})
	}
}
