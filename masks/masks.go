// Package masks turns text into sets of bits, one for each byte, so that who
// looks for rare places in a text goes from one to the next instead of from
// byte to byte. It knows two questions: where one of a set of byte pairs may
// stand ([Pairs]), and which bytes are ASCII letters, capitals and digits
// ([Classify]).
//
// It must not know what a word is, nor what is looked for.
package masks

// Size is the number of bytes that one mask speaks of; bit i is that of byte i.
const Size = 64

// Pairs is a set of byte pairs. Each of its eight buckets holds the nibbles
// of its pairs, so that a text is compared with all of them at once, by four
// look-ups in tables of sixteen bytes: those of the low and the high half of
// the first byte and of the second.
type Pairs struct {
	tables [4][16]byte
	// first and second are what the tables say of a whole byte, for the plain
	// twin and for the ends of texts.
	first, second [256]byte
}

// Add adds a pair.
func (p *Pairs) Add(first, second byte) {
	bucket := p.addFirst(first)
	p.tables[2][second&15] |= bucket
	p.tables[3][second>>4] |= bucket
	p.combine()
}

// AddFirst adds all pairs that begin with a byte.
func (p *Pairs) AddFirst(first byte) {
	bucket := p.addFirst(first)
	for i := range 16 {
		p.tables[2][i] |= bucket
		p.tables[3][i] |= bucket
	}
	p.combine()
}

// addFirst returns the bucket of a first byte. A letter and its capital share
// one, since they are often looked for with the same second bytes.
func (p *Pairs) addFirst(first byte) (bucket byte) {
	bucket = 1 << (first % 8)
	p.tables[0][first&15] |= bucket
	p.tables[1][first>>4] |= bucket
	return bucket
}

func (p *Pairs) combine() {
	for b := range 256 {
		p.first[b] = p.tables[0][b&15] & p.tables[1][b>>4]
		p.second[b] = p.tables[2][b&15] & p.tables[3][b>>4]
	}
}

// Find looks at the bytes of text that dst has room for, and returns how many
// masks it has set. A bit is set where a pair of the set begins, and at some
// places where none does, as many as the buckets mix up. The last byte of text
// counts as if the right one followed.
func (p *Pairs) Find(dst []uint64, text []byte) int {
	n := min(len(dst), (len(text)+Size-1)/Size)
	done := min(n, (len(text)-1)/Size)
	if done > 0 {
		p.find(dst[:done], text)
	}
	for ; done < n; done++ {
		dst[done] = p.findIn(text[done*Size:])
	}
	return n
}

// findIn is the mask of the first bytes of text, byte by byte.
func (p *Pairs) findIn(text []byte) (mask uint64) {
	n := min(Size, len(text))
	for i, b := range text[:min(n, len(text)-1)] {
		// 1 for any bucket, without a branch that nobody could predict.
		mask |= (uint64(p.first[b]&p.second[text[i+1]]) + 255) >> 8 << i
	}
	if n == len(text) && p.first[text[n-1]] != 0 {
		mask |= 1 << (n - 1)
	}
	return mask
}

// Classes are what the bytes of a text are.
type Classes struct {
	Word  uint64 // an ASCII letter or digit
	Upper uint64 // a capital
	Digit uint64
	High  uint64 // no ASCII
}

// Classify looks at the bytes of text that dst has room for, and returns how
// many classes it has set.
func Classify(dst []Classes, text []byte) int {
	n := min(len(dst), (len(text)+Size-1)/Size)
	done := min(n, len(text)/Size)
	if done > 0 {
		classify(dst[:done], text)
	}
	for ; done < n; done++ {
		dst[done] = classesOf(text[done*Size:])
	}
	return n
}

// classesOf are the classes of the first bytes of text, byte by byte.
func classesOf(text []byte) (c Classes) {
	for i, b := range text[:min(Size, len(text))] {
		bit := uint64(1) << i
		switch {
		case b >= 0x80:
			c.High |= bit
		case '0' <= b && b <= '9':
			c.Digit |= bit
			c.Word |= bit
		case 'A' <= b && b <= 'Z':
			c.Upper |= bit
			c.Word |= bit
		case 'a' <= b && b <= 'z':
			c.Word |= bit
		}
	}
	return c
}
