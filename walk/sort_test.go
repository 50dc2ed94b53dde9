package walk

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// names returns the names of a listing in its order.
func (l *listing) names() (names []string) {
	for i := range l.entries {
		names = append(names, string(l.bytes(&l.entries[i])))
	}
	return names
}

// TestSort holds both ways of sorting to the plain one.
func TestSort(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, radixFrom - 1, radixFrom, radixFrom + 1, 3000} {
		for _, alphabet := range []string{"ab", "abcdefgh-0123", "\x01\x7f\x80\xff"} {
			var l listing
			var want []string
			for i := range n {
				var b strings.Builder
				if i%3 == 0 {
					b.WriteString("common-prefix")
				}
				for range 1 + r.IntN(12) {
					b.WriteByte(alphabet[r.IntN(len(alphabet))])
				}
				fmt.Fprint(&b, i) // names of a directory are different
				l.add([]byte(b.String()), typeFile, uint64(i))
				want = append(want, b.String())
			}
			slices.Sort(want)
			l.sort()
			if got := l.names(); !slices.Equal(got, want) {
				t.Errorf("%d names of %q are in another order", n, alphabet)
			}
		}
	}
}

func BenchmarkSort(b *testing.B) {
	for _, n := range []int{16, 64, radixFrom, 1000, 5000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			var l listing
			for i := range n {
				l.add(fmt.Appendf(nil, "%x-%d.md", r.Uint32(), i), typeFile, 0)
			}
			unsorted := slices.Clone(l.entries)
			for b.Loop() {
				l.entries = append(l.entries[:0], unsorted...)
				l.sort()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/name")
		})
	}
}
