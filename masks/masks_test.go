package masks

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// check holds the masks of a text against its bytes, the assembly against its
// plain twin.
func check(t *testing.T, p *Pairs, pairs map[[2]byte]bool, text []byte) {
	t.Helper()
	n := (len(text) + Size - 1) / Size
	found, classes := make([]uint64, n), make([]Classes, n)
	if p.Find(found, text) != n || Classify(classes, text) != n {
		t.Fatalf("%d bytes are not %d masks", len(text), n)
	}
	for i, b := range text {
		bit := uint64(1) << (i % Size)
		may := found[i/Size]&bit != 0
		if i+1 < len(text) {
			if pairs[[2]byte{b, text[i+1]}] && !may {
				t.Fatalf("%q: the pair at %d is not found", text, i)
			}
			if may != (p.first[b]&p.second[text[i+1]] != 0) {
				t.Fatalf("%q: bit %d is %v", text, i, may)
			}
		} else if may != (p.first[b] != 0) {
			t.Fatalf("%q: the last bit is %v", text, may)
		}
		c := classes[i/Size]
		lower, upper, digit := 'a' <= b && b <= 'z', 'A' <= b && b <= 'Z', '0' <= b && b <= '9'
		if c.Word&bit != 0 != (lower || upper || digit) || c.Upper&bit != 0 != upper || c.Digit&bit != 0 != digit || c.High&bit != 0 != (b > 127) {
			t.Fatalf("%q: byte %d is %+v", text, i, c)
		}
	}
	if whole := len(text) / Size; whole > 0 {
		plain := make([]Classes, whole)
		classifyPlain(plain, text)
		if !slices.Equal(plain, classes[:whole]) {
			t.Fatalf("%q: plain %+v, else %+v", text, plain, classes[:whole])
		}
	}
}

// drawn returns a set of pairs of a few bytes.
func drawn(r *rand.Rand, n int) (*Pairs, map[[2]byte]bool) {
	p, pairs := new(Pairs), map[[2]byte]bool{}
	for range n {
		pair := [2]byte{byte(r.IntN(256)), byte(r.IntN(256))}
		p.Add(pair[0], pair[1])
		pairs[pair] = true
	}
	if n%3 == 2 {
		first := byte(r.IntN(256))
		p.AddFirst(first)
		for second := range 256 {
			pairs[[2]byte{first, byte(second)}] = true
		}
	}
	return p, pairs
}

func TestMasks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 400 {
		p, pairs := drawn(r, n%9)
		text := make([]byte, n)
		for i := range text {
			text[i] = byte(r.IntN(256))
		}
		check(t, p, pairs, text)
	}
	all := make([]byte, 1<<16*2)
	for i := range 1 << 16 {
		all[2*i], all[2*i+1] = byte(i>>8), byte(i)
	}
	p, pairs := drawn(r, 8)
	check(t, p, pairs, all)
}

func TestAFewPairsAreTold(t *testing.T) {
	var p Pairs
	p.Add('t', 'h')
	p.Add('w', 'e')
	n := 0
	for i := range 1 << 16 {
		if p.first[i>>8]&p.second[i&0xff] != 0 {
			n++
		}
	}
	if n != 2 {
		t.Errorf("%d pairs for 2", n)
	}
}

// What there is no room for is left alone.
func TestNoMoreThanThereIsRoomFor(t *testing.T) {
	var p Pairs
	p.AddFirst('x')
	text := slices.Repeat([]byte{'x'}, 300)
	dst := []uint64{7, 7, 7}
	if n := p.Find(dst[:2], text); n != 2 || dst[0] != ^uint64(0) || dst[2] != 7 {
		t.Errorf("%d %x", n, dst)
	}
	if n := p.Find(dst, text[:0]); n != 0 {
		t.Errorf("%d masks of nothing", n)
	}
}

func FuzzMasks(f *testing.F) {
	f.Add(uint64(1), []byte("Only ASCII here, é not there, 0-9 A-Z a-z @[`{/: and on and on and on until two blocks are full"))
	f.Fuzz(func(t *testing.T, seed uint64, text []byte) {
		p, pairs := drawn(rand.New(rand.NewPCG(seed, 0)), int(seed%12))
		check(t, p, pairs, text)
	})
}

var text = slices.Repeat([]byte("Of notes about the renewal, 4711 words of 64 bytes each: caffè! "), 1<<14)

func BenchmarkFind(b *testing.B) {
	var p Pairs
	p.Add('t', 'h')
	p.Add('r', 'e')
	dst := make([]uint64, len(text)/Size)
	for name, find := range map[string]func([]uint64, []byte){"fast": p.find, "plain": p.findPlain} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				find(dst[:len(dst)-1], text)
			}
		})
	}
}

func BenchmarkClassify(b *testing.B) {
	dst := make([]Classes, len(text)/Size)
	for name, classify := range map[string]func([]Classes, []byte){"fast": classify, "plain": classifyPlain} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				classify(dst, text)
			}
		})
	}
}
