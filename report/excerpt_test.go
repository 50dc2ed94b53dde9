package report

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"tally/match"
)

// drawnLine is a line of characters of one to four bytes, some of them marks that
// stand for matches.
func drawnLine(r *rand.Rand) (line []byte, spans []match.Span) {
	alphabet := []string{"a", "ä", "世", "🦉"}
	for range r.IntN(60) {
		if r.IntN(12) == 0 {
			start := len(line)
			line = append(line, strings.Repeat("X", 1+r.IntN(9))...)
			spans = append(spans, match.Span{Start: start, End: len(line)})
			continue
		}
		line = append(line, alphabet[r.IntN(len(alphabet))]...)
	}
	return append(line, '\n'), spans
}

// FuzzExcerpt holds of what is shown of a long line that it has the beginning of
// each match, in whole characters, around no match more than was asked for, and that
// a line is cut only if it is longer.
func FuzzExcerpt(f *testing.F) {
	for seed := range uint64(500) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		line, spans := drawnLine(r)
		size := 4 + r.IntN(40)
		cfg := testConfig()
		cfg.Window = int64(size)
		w := &Worker{cfg: &cfg}
		text := len(line) - 1
		parts, cut := w.excerpt(line, match.Span{Start: 0, End: len(line)}, spans)
		if cut != (text > size) && !(cut == false && len(parts) == 1 && parts[0] == match.Span{Start: 0, End: text}) {
			t.Fatalf("%q, %d: cut is %t", line, size, cut)
		}
		most := size * max(1, len(spans))
		total := 0
		for i, p := range parts {
			total += p.End - p.Start
			if !utf8.Valid(line[p.Start:p.End]) || p.Start >= p.End && text > 0 || p.End > text {
				t.Fatalf("%q, %d: part %v", line, size, p)
			}
			if i > 0 && p.Start <= parts[i-1].End {
				t.Fatalf("%q, %d: parts %v touch", line, size, parts)
			}
		}
		if total > most {
			t.Fatalf("%q, %d: %v are %d bytes", line, size, parts, total)
		}
		for _, m := range spans {
			n := 0
			for _, p := range parts {
				if p.Start <= m.Start && min(m.End, m.Start+size) <= p.End {
					n++
				}
			}
			if n != 1 {
				t.Fatalf("%q, %d: the match %v is in %d of %v", line, size, m, n, parts)
			}
		}
	})
}

func TestExcerptOfWhatIsNoUTF8(t *testing.T) {
	cfg := testConfig()
	cfg.Window = 10
	w := &Worker{cfg: &cfg}
	line := bytes.Repeat([]byte{0x80}, 100)
	parts, cut := w.excerpt(line, match.Span{Start: 0, End: 100}, []match.Span{{Start: 50, End: 52}})
	if want := (match.Span{Start: 46, End: 56}); !cut || len(parts) != 1 || parts[0] != want {
		t.Errorf("parts %v, cut %t; want %v", parts, cut, want)
	}
}
