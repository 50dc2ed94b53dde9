package masks

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// check holds the masks of a text against its bytes, the assembly against its
// plain twin.
func check(t *testing.T, h *Heads, text []byte) {
	t.Helper()
	n := (len(text) + Size - 1) / Size
	found, classes := make([]uint64, n), make([]Classes, n)
	if h.Find(found, text) != n || Classify(classes, text) != n {
		t.Fatalf("%d bytes are not %d masks", len(text), n)
	}
	plain := make([]uint64, n)
	h.findPlain(plain, append(slices.Clone(text), make([]byte, Size+headSize)...))
	for i, b := range text {
		if i < len(text)-headSize+1 && (plain[i/Size]^found[i/Size])>>(i%Size)&1 != 0 {
			t.Fatalf("%q: plain %x, else %x", text, plain, found)
		}
		if m := []uint64{0}; i+Size <= len(text) && (h.Find(m, text[i:]) != 1 || m[0] != found[i/Size]>>(i%Size)|found[min(n-1, i/Size+1)]<<1<<(63-i%Size)) {
			t.Fatalf("%q: %x at %d, else %x", text, m, i, found)
		}
		bit := uint64(1) << (i % Size)
		if may := found[i/Size]&bit != 0; !may && slices.ContainsFunc(h.added, func(head string) bool { return strings.HasPrefix(string(text[i:]), head) }) {
			t.Fatalf("%q: the head at %d is not found", text, i)
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

// drawn returns a set of heads, most of them in the text.
func drawn(r *rand.Rand, n int, text []byte) *Heads {
	h := new(Heads)
	for range n {
		head := []byte{byte(r.IntN(256)), byte(r.IntN(256)), byte(r.IntN(256))}
		if len(text) > 0 && r.IntN(4) > 0 {
			head = text[r.IntN(len(text)):]
		}
		h.Add(string(head[:min(len(head), 1+r.IntN(4))]), false)
	}
	return h
}

func TestMasks(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 400 {
		text := make([]byte, n)
		for i := range text {
			text[i] = byte(r.IntN(256) & r.IntN(256))
		}
		check(t, drawn(r, n%13, text), text)
	}
}

func TestAFewHeadsAreTold(t *testing.T) {
	var h Heads
	for _, head := range []string{"then", "we", "war"} {
		h.Add(head, head == "we")
	}
	for text, want := range map[string]uint64{
		"the wer, THE WE weeWe": 1<<0 | 1<<4 | 1<<13 | 1<<16 | 1<<19,
		"ten tha w wa war":      1 << 13,
		"t":                     1, "x t": 1 << 2, "x th": 1 << 2, "x tx": 0,
	} {
		var mask [1]uint64
		if h.Find(mask[:], []byte(text)); mask[0] != want {
			t.Errorf("%q: %b, want %b", text, mask[0], want)
		}
	}
}

// What there is no room for is left alone.
func TestNoMoreThanThereIsRoomFor(t *testing.T) {
	var h Heads
	h.Add("x", false)
	text := slices.Repeat([]byte{'x'}, 300)
	dst := []uint64{7, 7, 7}
	if n := h.Find(dst[:2], text); n != 2 || dst[0] != ^uint64(0) || dst[2] != 7 {
		t.Errorf("%d %x", n, dst)
	}
	if n := h.Find(dst, text[:0]); n != 0 {
		t.Errorf("%d masks of nothing", n)
	}
}

func FuzzMasks(f *testing.F) {
	f.Add(uint64(1), []byte("Only ASCII here, é not there, 0-9 A-Z a-z @[`{/: and on and on and on until two blocks are full"))
	f.Fuzz(func(t *testing.T, seed uint64, text []byte) {
		check(t, drawn(rand.New(rand.NewPCG(seed, 0)), int(seed%12), text), text)
	})
}

var text = slices.Repeat([]byte("Of notes about the renewal, 4711 words of 64 bytes each: caffè! "), 1<<14)

func BenchmarkFind(b *testing.B) {
	var h Heads
	h.Add("the", false)
	h.Add("renewal", true)
	dst := make([]uint64, len(text)/Size)
	for name, find := range map[string]func([]uint64, []byte){"fast": h.find, "plain": h.findPlain} {
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
