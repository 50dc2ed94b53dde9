package rank

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rivo/uniseg"
)

// atoms cuts a text, in blocks or not, into lines that say all about them.
func atoms(text string, blocks bool) (list []string, pos int) {
	c := cutter{folder: newFolder()}
	c.mind = func(atom []byte, at place) { list = append(list, fmt.Sprintf("%s %v", atom, at)) }
	if blocks {
		c.filter = new(filter)
		for i := range c.filter.keys {
			c.filter.keys[i] = ^uint64(0)
		}
		for b := range 256 {
			c.filter.begin.Add(string([]byte{byte(b)}), false)
			c.filter.heads[b] = []atomHead{{}} // no byte of which counts
		}
	}
	c.cut([]byte(text))
	return list, c.pos
}

func checkBlocks(t *testing.T, text string) {
	t.Helper()
	plain, pos := atoms(text, false)
	fast, fastPos := atoms(text, true)
	if strings.Join(plain, "\n") != strings.Join(fast, "\n") || pos != fastPos {
		t.Fatalf("%q:\nrun by run %q %d\nin blocks  %q %d", text, plain, pos, fast, fastPos)
	}
	// What nobody minds is counted all the same, and so is what has been seen.
	k := cutter{folder: newFolder(), filter: new(filter), mind: func([]byte, place) {}}
	k.known = &known{matters: func([]byte) bool { return false }}
	for range 2 {
		k.pos = 0
		k.cut([]byte(text))
		if k.pos != pos {
			t.Fatalf("%q: %d atoms, %d if they are known", text, pos, k.pos)
		}
	}
	c := cutter{folder: newFolder(), filter: new(filter), mind: func([]byte, place) {}}
	if c.cut([]byte(text)); c.pos != pos {
		t.Fatalf("%q: %d atoms, %d with a filter", text, pos, c.pos)
	}
}

// Every arrangement of the kinds of bytes, at every place of a block.
func TestBlocksAreRuns(t *testing.T) {
	alphabet := []string{"a", "B", "7", " ", "é", "界"}
	var grow func(s string, n int)
	grow = func(s string, n int) {
		if n > 0 {
			for _, a := range alphabet {
				grow(s+a, n-1)
			}
			return
		}
		for _, before := range []int{0, 30, 58, 60, 62} {
			checkBlocks(t, strings.Repeat(".", before)+s+strings.Repeat("x.", 40))
		}
	}
	grow("", 4)
}

func FuzzCut(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		var b strings.Builder
		for range 40 {
			b.WriteString([]string{"word ", "CamelCase", "parseHTTPRequest(", "l’été ", "カナ", "_x_", strings.Repeat("Long", 30), "\n", "ADR-016 ", "i18n,"}[r.IntN(10)])
		}
		f.Add(b.String())
	}
	f.Fuzz(func(t *testing.T, text string) { checkBlocks(t, text) })
}

func TestAtoms(t *testing.T) {
	for text, want := range map[string]string{
		"The accessibilità, l'été":   "the accessibilita l ete",
		"handleAuthError":            "handle auth error handleautherror",
		"parseHTTPRequest2":          "parse http request2 parsehttprequest2",
		"spin_lock ADR-016 i18n":     "spin lock adr 016 i18n",
		"東京都 と":                      "東 京 東京 都 京都 と",
		"ﬁne ＡＢＣ Straße ΣΊΣΥΦΟΣ":     "fine abc strasse σισυφοσ",
		"ภาษา":                       "ภ า ภา ษ าษ า ษา",
		"soft\u00adhyphen e\u0301té": "softhyphen ete",
		"":                           "",
		"HTTP":                       "http",
		"aB":                         "a b ab",
	} {
		var got []string
		c := cutter{folder: newFolder()}
		c.mind = func(atom []byte, _ place) { got = append(got, string(atom)) }
		c.cut([]byte(text))
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// In scripts with spaces, cutting a text is cutting each of its words by
// UAX #29: no atom reaches over the end of one.
func TestAtomsKeepToWords(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	pieces := []string{"a", "Word", "é", "e\u0301", "ß", "Ωμέγα", "Привет", "שלום", "سلام", "हिन्दी", "7", "3.14", "-", "_", "'", "’", ".", " ", "\n", ",", "\u00ad", "—", "🙂", "x2"}
	for range 3000 {
		var b strings.Builder
		for range r.IntN(30) {
			b.WriteString(pieces[r.IntN(len(pieces))])
		}
		text := b.String()
		cutWhole := func(text string) (got []string) {
			c := cutter{folder: newFolder()}
			c.mind = func(atom []byte, at place) {
				if at.pos == c.pos { // else it is a whole after its parts
					got = append(got, string(atom))
				}
			}
			c.cut([]byte(text))
			return got
		}
		var byWord []string
		for rest, state := text, -1; len(rest) > 0; {
			var word string
			word, rest, state = uniseg.FirstWordInString(rest, state)
			byWord = append(byWord, cutWhole(word)...)
		}
		if got := cutWhole(text); strings.Join(got, " ") != strings.Join(byWord, " ") {
			t.Fatalf("%q:\n%q\nby word:\n%q", text, got, byWord)
		}
	}
}
