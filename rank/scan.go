package rank

import (
	"math/bits"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"tally/masks"
)

// A Scanner reads one text after another for one goroutine.
type Scanner struct {
	q      *Query
	lookup *lookup
	cutter cutter
	// lineHeads are what [Scanner.lines] has made, by the mark of headings.
	lineHeads map[byte]*masks.Heads
	lineMasks [64]uint64

	// Of the text at work:
	field    Field
	text     []byte
	mark     byte     // of its headings, 0: none
	begun    bool     // some of it was read
	fenced   bool     // within a block of code
	body     int      // where in the piece at work the text that is not cut yet begins
	counts   []counts // of each term
	touched  uint64   // terms with counts
	last     []int    // where each term was found last, -1: nowhere
	inWindow uint64
	note     Note
	done     []progress // of each sequence
	found    []foundTerm
}

type counts [NumFields][numVariants]uint32

// progress is how far a sequence has come.
type progress struct {
	next int // index in its terms
	pos  int // where that one must stand
}

// NewScanner returns a scanner. With forgive it also finds words that differ
// from the query's by a slip of the fingers, or begin with them.
func (q *Query) NewScanner(forgive bool) *Scanner {
	s := &Scanner{
		q: q, lookup: newLookup(q, forgive),
		counts: make([]counts, len(q.terms)),
		last:   make([]int, len(q.terms)),
		done:   make([]progress, len(q.sequences)),

		lineHeads: map[byte]*masks.Heads{},
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
	s.mark, s.begun, s.fenced = headingMark(file), false, false
	s.cutter.pos = 0
	for i := range s.last {
		s.last[i] = -1
	}
	clear(s.done)
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
		s.hit(f, at)
	}
}

func (s *Scanner) hit(f foundTerm, at place) {
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
	for i := range s.done {
		s.advance(i, t, at.pos)
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

// advance follows sequence i.
func (s *Scanner) advance(i, t, pos int) {
	seq, p := &s.q.sequences[i], &s.done[i]
	if p.next > 0 && pos == p.pos && seq.terms[p.next] == t {
		p.next, p.pos = p.next+1, pos+1
	} else if p.next == 0 || pos >= p.pos {
		p.next = 0
		if seq.terms[0] == t {
			*p = progress{1, pos + 1}
		}
	}
	if p.next == len(seq.terms) {
		s.note.whole |= 1 << i
		p.next = 0
	}
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
