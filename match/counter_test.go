package match

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// checkCounter holds a counter of several patterns against one search for each.
func checkCounter(t *testing.T, patterns []string, of Syntax, texts ...string) {
	t.Helper()
	var ms []*Matcher
	for _, p := range patterns {
		s := of
		s.Patterns = []string{p}
		m, err := Compile(s)
		if err != nil {
			return // not a pattern
		}
		ms = append(ms, m)
	}
	c := NewCounter(ms)
	for _, text := range texts {
		counts, err := c.Count([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for i, m := range ms {
			o, err := m.NewSearcher(Options{CountAll: true, Spans: true}).SearchText([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if want := (Count{o.Lines, o.Matches}); counts[i] != want {
				t.Fatalf("%q in %q: %+v, a search says %+v", patterns[i], text, counts[i], want)
			}
		}
	}
}

// Words that hold, begin, end or repeat one another, at every place of a block.
func TestCounterIsSearches(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	drawn := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString([]string{"a", "a", "b", "A", "\n", "é", "a long one"}[r.IntN(7)])
		}
		return b.String()
	}
	for range 2000 {
		var patterns []string
		for range 1 + r.IntN(5) {
			if p := strings.ReplaceAll(drawn(1+r.IntN(4)), "\n", ""); p != "" {
				patterns = append(patterns, p)
			}
		}
		of := Syntax{
			Fixed: true, Unicode: true, Case: Case(r.IntN(8) % 3), Boundary: Boundary(max(0, r.IntN(8)-5)),
			CRLF: r.IntN(5) == 0, NullData: r.IntN(5) == 0,
		}
		checkCounter(t, patterns, of, drawn(r.IntN(40)), drawn(r.IntN(300)), drawn(9000+r.IntN(200)))
	}
}

func FuzzCounter(f *testing.F) {
	f.Add("aa", "a", "ab", "aaa aab\nab", uint8(0))
	f.Add("we", "renewal", "new", "renewal, we renew\n", uint8(1))
	f.Add("conversation", "on", "convers", "conversations on conversation\r\n", uint8(2))
	f.Fuzz(func(t *testing.T, a, b, c, text string, how uint8) {
		of := Syntax{Fixed: true, Unicode: true, NullData: how&1 != 0, CRLF: how&2 != 0, Case: Case(how >> 2 % 3)}
		checkCounter(t, []string{a, b, c}, of, text, strings.Repeat(text, 9))
	})
}

// BenchmarkCounter compares one pass with one search for each word.
func BenchmarkCounter(b *testing.B) {
	text := []byte(strings.Repeat("When does the team start it? We start the renewal conversation in March, as every year, and then go on.\n", 1<<13))
	var ms []*Matcher
	for _, word := range strings.Fields("when do we start the renewal conversation") {
		m, err := Compile(Syntax{Patterns: []string{word}, Fixed: true, Unicode: true})
		if err != nil {
			b.Fatal(err)
		}
		ms = append(ms, m)
	}
	b.Run("together", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for c := NewCounter(ms); b.Loop(); {
			c.Count(text)
		}
	})
	b.Run("alone", func(b *testing.B) {
		var list []*Searcher
		for _, m := range ms {
			list = append(list, m.NewSearcher(Options{CountAll: true, Spans: true}))
		}
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			for _, s := range list {
				s.SearchText(text)
			}
		}
	})
}
