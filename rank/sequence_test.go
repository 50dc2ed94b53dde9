package rank

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// What a text holds in a row is found between quotes, wherever in it that is.
func TestEachPieceOfATextIsItsPhrase(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	pieces := []string{
		"no", "no", "yes", "日本", "の", "歴史", "本", "GitHub", "github", "PDFs", "PDF", "x²", "CO₂", "l'été", "ADR-016", "foo-BarBaz",
		"ไทย", "ภาษา", "カー", "Straße", "I", "aA", "handleURLs", "IPv6", "한국어", "e\u0301te\u0301", "écoleNormale",
	}
	for range 3000 {
		var words []string
		for range 1 + r.IntN(12) {
			words = append(words, pieces[r.IntN(len(pieces))])
		}
		from := r.IntN(len(words))
		to := from + 1 + r.IntN(len(words)-from)
		separator := []string{" ", ", ", "\n"}[r.IntN(3)]
		phrase := strings.Join(words[from:to], " ")
		text := strings.Join(words, separator)
		if !holdsPhrase(t, phrase, text) {
			t.Fatalf("%q is not found in %q", phrase, text)
		}
		for _, other := range []string{"GitHub", "github", "GITHUB"} {
			if text := strings.ReplaceAll(strings.ReplaceAll(text, "GitHub", other), "github", other); !holdsPhrase(t, phrase, text) {
				t.Fatalf("%q is not found in %q", phrase, text)
			}
		}
		broken := strings.Join(words[from:to], " between ")
		if to-from > 1 && holdsPhrase(t, phrase, broken) {
			t.Fatalf("%q is found in %q", phrase, broken)
		}
	}
}

func holdsPhrase(t *testing.T, phrase, text string) bool {
	t.Helper()
	q, err := ParseQuery(`"` + phrase + `"`)
	if err != nil {
		t.Fatal(err)
	}
	s := q.NewScanner(false)
	s.Begin("")
	s.Write([]byte(text))
	n := s.End()
	return n != nil && n.holds(q.required)
}

// Capitals within a word neither hide it nor are they needed to find it.
func TestCapitalsWithinWords(t *testing.T) {
	for question, texts := range map[string][]string{
		"GitHub":       {"github", "GitHub", "GITHUB", "git hub"},
		"github":       {"github", "GitHub", "GITHUB"},
		"IPv6":         {"ipv6", "IPv6", "IPV6"},
		"2FA":          {"2fa", "2FA"},
		"H2O":          {"h2o", "H2O"},
		"PDF":          {"PDF", "pdf", "PDFs"},
		"PDFs":         {"PDF", "PDFs", "pdfs"},
		"urls":         {"urls", "URLs", "handle-URLs"},
		"URL":          {"handleURLs", "parseURLs()"},
		"écoleNormale": {"écolenormale", "ecoleNormale"},
		"écolenormale": {"écoleNormale"},
		"foo-BarBaz":   {"foo-barbaz", "foo_bar_baz", "FooBarBaz"},
		"CO₂":          {"CO2", "co₂"},
		"m²":           {"m2", "10 m²"},
	} {
		for _, text := range texts {
			if above, _, _ := ask(t, question, false, map[string]string{"a.txt": text, "b.txt": "other", "c.txt": "words"}); !slices.Equal(above, []string{"a.txt"}) {
				t.Errorf("%s in %q: %q", question, text, above)
			}
		}
	}
}

// A word before which there is none has no neighbour.
func TestTheFirstWordHasNoNeighbour(t *testing.T) {
	q, _ := ParseQuery("the budget")
	s := q.NewScanner(false)
	s.Begin("budget.md")
	if n := s.End(); n == nil || n.pairs != 0 {
		t.Errorf("%+v", n)
	}
}

func TestAQuoteAloneQuotesNothing(t *testing.T) {
	for question, phrases := range map[string]int{`a 19" screen`: 0, `"a b" 19" screen`: 1, `"a`: 0, `a "b c"`: 1, `"" a`: 0} {
		if q, err := ParseQuery(question); err != nil || len(q.required) != phrases || len(q.Phrases) != phrases {
			t.Errorf("%s: %+v %v", question, q, err)
		}
	}
}

func TestTooManyPhrases(t *testing.T) {
	var b strings.Builder
	for i := range 8 {
		for j := range 9 {
			b.WriteString(`"` + string(rune('a'+i)) + " " + string(rune('k'+j)) + `" `)
		}
	}
	if _, err := ParseQuery(b.String()); err == nil || !strings.Contains(err.Error(), "72 phrases") {
		t.Errorf("%v", err)
	}
	if q, err := ParseQuery(strings.Repeat(`"a b" `, 100)); err != nil || len(q.required) != 1 {
		t.Errorf("%v", err)
	}
}

// Marks never overlap, whatever parts and wholes the question has.
func TestMarksAreApart(t *testing.T) {
	text := "func handleAuthError() {} // IPv6, 会議室の会議\n"
	for _, question := range []string{"handle error handleautherror", "IPv6", "会 会議室 室", "handleAuthError auth error"} {
		q, err := ParseQuery(question)
		if err != nil {
			t.Fatal(err)
		}
		c := Collection{Query: q, Files: 1}
		s := q.NewScanner(false)
		s.Begin("a.go")
		s.Write([]byte(text))
		c.Notes = append(c.Notes, s.End())
		end := 0
		for _, m := range c.NewReader(false).Passage("a.go", []byte(text)).Marks {
			if m.Start < end || m.End <= m.Start {
				t.Errorf("%s: %+v begins before %d", question, m, end)
			}
			end = m.End
		}
		if end == 0 {
			t.Errorf("%s: no marks", question)
		}
	}
}
