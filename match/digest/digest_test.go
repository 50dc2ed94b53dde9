package digest

import (
	"bytes"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"
)

// ofLines makes the digest of lines that follow one another.
func ofLines(first int64, lines ...string) (d Lines) {
	for i, line := range lines {
		d.Add([]byte(line), first+int64(i))
	}
	return d
}

// schoolbook is the definition of [Lines], in numbers of any size.
func schoolbook(line string, number uint64) (d Lines) {
	p := big.NewInt(prime)
	h := xxh3.Hash128([]byte(line))
	for i, half := range []uint64{h.Lo, h.Hi} {
		m := new(big.Int).SetUint64(half >> 3)
		r := new(big.Int).SetUint64(roots[i])
		r.Exp(r, new(big.Int).SetUint64(number), p)
		d[i] = m.Mul(m, r).Mod(m, p).Uint64()
	}
	return d
}

func TestDefinition(t *testing.T) {
	for _, number := range []uint64{1, 2, 63, 64, 65, 1 << 20, 1<<40 + 12345, 1<<63 - 1} {
		for _, line := range []string{"", "a", "foo", strings.Repeat("é", 1000)} {
			if got, want := ofLines(int64(number), line), schoolbook(line, number); got != want {
				t.Errorf("%.10q at %d: %v, want %v", line, number, got, want)
			}
		}
	}
}

// A root is a primitive one if no power with an exponent (p-1)/q is 1, for all
// primes q that divide p-1.
func TestRootsArePrimitive(t *testing.T) {
	left := uint64(prime - 1)
	for q := uint64(2); left > 1; q++ {
		if left%q != 0 {
			continue
		}
		for left%q == 0 {
			left /= q
		}
		for _, r := range roots {
			if power(r, (prime-1)/q) == 1 {
				t.Errorf("%#x is no primitive root: its order divides (p-1)/%d", r, q)
			}
		}
	}
}

func TestReduced(t *testing.T) {
	p := big.NewInt(prime)
	for _, a := range []uint64{0, 1, 2, 7, prime - 2, prime - 1, 0x123456789abcdef} {
		for _, b := range []uint64{0, 1, 3, prime - 1, prime - 2, 0xfedcba987654321} {
			x := new(big.Int).SetUint64(a)
			x.Mul(x, new(big.Int).SetUint64(b)).Mod(x, p)
			if got := times(a, b); got != x.Uint64() {
				t.Errorf("%d·%d = %d, want %d", a, b, got, x)
			}
		}
	}
	for _, x := range []uint64{0, prime - 1, prime, prime + 1, 2*prime - 1, 2 * prime, 1<<64 - 1} {
		if got := reduced(0, x); got != x%prime {
			t.Errorf("%d is %d, want %d", x, got, x%prime)
		}
	}
}

func TestMoved(t *testing.T) {
	lines := []string{"foo", "", "foo", "bar", "x"}
	for _, n := range []int64{0, 1, 63, 64, 1 << 33} {
		want, moved := ofLines(1+n, lines...), ofLines(1, lines...)
		if got := moved.Moved(n); got != want {
			t.Errorf("moved by %d: %v, want %v", n, got, want)
		}
	}
	var parts Lines
	parts.Merge(ofLines(4, "bar", "x"))
	parts.Merge(ofLines(1, "foo", "", "foo"))
	if want := ofLines(1, lines...); parts != want {
		t.Errorf("in parts: %v, want %v", parts, want)
	}
}

// All arrangements of few lines in few places, with lines in common, have
// digests of their own, and so have files of other names.
func TestDistinct(t *testing.T) {
	seen := map[string]string{}
	claim := func(d File, what string) {
		if other, found := seen[d.String()]; found {
			t.Errorf("%s has the digest of %s", what, other)
		}
		seen[d.String()] = what
	}
	words := []string{"", "foo", "x", "bar"} // in the place of "": no line
	for i := range 1 << (2 * 6) {
		var d Lines
		n, what := int64(0), ""
		for place := range int64(6) {
			word := words[i>>(2*place)&3]
			what += fmt.Sprintf("%q ", word)
			if word != "" {
				d.Add([]byte(word), place+1)
				n++
			}
		}
		claim(OfLines([]byte("f"), n, d), what)
	}
	claim(OfPath([]byte("f")), "a path alone")
	claim(OfLines([]byte("g"), 1, ofLines(1, "foo")), "another path")
	claim(OfPath([]byte("g")).With(1), "a path with a number")
	claim(OfPath([]byte("g")).With(1, 2), "a path with two")
}

func TestResults(t *testing.T) {
	files := []File{OfPath([]byte("a")), OfPath([]byte("b")), OfPath([]byte("c"))}
	sum := func(ordered bool, order ...int) string {
		r := Results{Ordered: ordered}
		for _, i := range order {
			r.Add(files[i])
		}
		return r.Digest().String()
	}
	if sum(false, 0, 1, 2) != sum(false, 2, 0, 1) {
		t.Error("the sum depends on the order")
	}
	if sum(true, 0, 1, 2) == sum(true, 2, 0, 1) {
		t.Error("the chain does not depend on the order")
	}
	if got := sum(false); got != strings.Repeat("0", 32) {
		t.Errorf("no results: %s", got)
	}
	// The carry goes from one half to the other.
	r := Results{}
	r.Add(File{1<<64 - 1, 0})
	r.Add(File{1, 0})
	if got := r.Digest(); got != (File{0, 1}) {
		t.Errorf("the carry: %v", got)
	}
	for _, f := range files {
		if got, ok := Parse(f.String()); !ok || got != f {
			t.Errorf("%s is read as %v", f, got)
		}
	}
	for _, text := range []string{"", "0", strings.Repeat("0", 31), strings.Repeat("0", 33), strings.Repeat("x", 32)} {
		if _, ok := Parse(text); ok {
			t.Errorf("%q is taken for a digest", text)
		}
	}
}

func BenchmarkAdd(b *testing.B) {
	line := bytes.Repeat([]byte("a"), 60)
	var d Lines
	for i := range b.N {
		d.Add(line, int64(i))
	}
}

// The hash is that of the crate; the Go module is its oracle.
func TestOf(t *testing.T) {
	text := []byte(strings.Repeat("0123456789abcdef", 100))
	for n := range len(text) {
		want := xxh3.Hash128(text[:n])
		if got := Of(text[:n]); got != (File{want.Lo, want.Hi}) {
			t.Fatalf("%d bytes: %x, want %x", n, got, want)
		}
	}
	if Of(nil) != Of([]byte{}) {
		t.Error("nothing and no bytes differ")
	}
}
