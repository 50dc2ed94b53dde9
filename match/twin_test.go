package match

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"tally/match/digest"
)

// numbered is a text, and which of its lines match "x", by their numbers.
func numbered(rng *rand.Rand, lines, each int) (text []byte, found map[int64]string) {
	var b bytes.Buffer
	found = map[int64]string{}
	for n := int64(1); n <= int64(lines); n++ {
		line := strings.Repeat("a", rng.IntN(8))
		if rng.IntN(each) == 0 {
			line += "x"
			found[n] = line
		}
		fmt.Fprintln(&b, line)
	}
	return b.Bytes(), found
}

// The scan in Rust adds lines up as package digest does, from wherever the
// numbers begin and however far apart the lines are.
func TestTwin(t *testing.T) {
	m, err := Compile(Syntax{Patterns: []string{"x"}})
	if err != nil {
		t.Fatal(err)
	}
	sc := newScanner(m.p)
	rng := rand.New(rand.NewPCG(1, 2))
	for _, first := range []int64{1, 2, 63, 64, 65, 4095, 1 << 30, 1<<62 - 7} {
		for _, each := range []int{1, 2, 50, 700, 5000} {
			text, found := numbered(rng, 9000, each)
			var want digest.Lines
			for n, line := range found {
				want.Add([]byte(line), n-1+first)
			}
			for _, most := range []int64{1, 7, 1 << 40} {
				st := scanState{number: first}
				for st.pos < len(text) {
					sc.scan(text, '\n', scanDigest, most, &st)
				}
				if st.digest != want || st.lines != int64(len(found)) {
					t.Errorf("from %d, one line in %d, %d at a time: %v in %d lines, want %v in %d",
						first, each, most, st.digest, st.lines, want, len(found))
				}
			}
		}
	}
}
