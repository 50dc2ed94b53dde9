package chunk

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// shown is a chunk as the table below has it.
func shown(c Chunk) string { return fmt.Sprintf("%d-%d|%s|%s", c.From, c.To, c.Heading, c.Text) }

var splits = []struct {
	name, text string
	want       []string
}{
	{"a.md", "", nil},
	{"a.md", " \n\t\n", nil},
	{"a.txt", "one\n\ntwo\n", []string{"1-3||one\n\ntwo"}},
	{"a.md", "one\r\n\r\ntwo", []string{"1-3||one\n\ntwo"}},
	{"a.md", "\n\n# Garden\n\n## Slugs ##\n\nThey got the seedlings.\n", []string{"3-7|Garden > Slugs|Garden > Slugs\nThey got the seedlings."}},
	{"a.txt", "# a comment\n", []string{"1-1||# a comment"}},
	{"a.org", "* Garden\n** Slugs\nThey got them.\n", []string{"1-3|Garden > Slugs|Garden > Slugs\nThey got them."}},
	{"a.adoc", "= Garden\n\n====\nAn example.\n====\n", []string{"1-5|Garden|Garden\n====\nAn example.\n===="}},
	{"only.md", "# Garden\n", []string{"1-1|Garden|Garden"}},
	{"only.md", "#\n", []string{"1-1||"}},
	{"no-heading.md", "#hashtag\n####### seven\n", []string{"1-2||#hashtag\n####### seven"}},
	{
		"front.md", "---\ntitle: \"Spring\"\ndate: 2024-01-02\ntags:\n  - plants\n  - [pests, snails]\n---\nCopper tape.\n",
		[]string{"1-8||Spring\nplants\npests, snails\nCopper tape."},
	},
	{"front.md", "+++\ntitle = 'Spring'\n+++\n# Spring\nCopper tape.\n", []string{"1-5|Spring|Spring\nCopper tape."}},
	{"rule.md", "---\nnot front matter\n", []string{"1-2||---\nnot front matter"}},
	{"empty.md", "---\n---\ntext\n", []string{"1-3||text"}},
	{"under.md", "Garden\n======\n\nSlugs\n---\nThey got them.\n", []string{"1-6|Garden > Slugs|Garden > Slugs\nThey got them."}},
	{"under.md", "- entry\n---\n\n> said\n---\n\nfirst\nsecond\n---\n", []string{"1-9||- entry\n---\n\n> said\n---\n\nfirst\nsecond\n---"}},
	{"fence.md", "~~~~\n# not a heading\n~~~\n~~~~\n# Heading\ntext\n", []string{
		"1-4||~~~~\n# not a heading\n~~~\n~~~~", "5-6|Heading|Heading\ntext",
	}},
	{
		"paths.md", "# A\n" + words(20) + "\n## B\n" + words(20) + "\n### C\n" + words(20) + "\n## D\n" + words(20) + "\n",
		[]string{
			"1-2|A|A\n" + words(20), "3-4|A > B|A > B\n" + words(20),
			"5-6|A > B > C|A > B > C\n" + words(20), "7-8|A > D|A > D\n" + words(20),
		},
	},
	{"short.md", "# A\nshort\n## B\n" + words(20) + "\n", []string{"1-4|A|A\nshort\n## B\n" + words(20)}},
	{"siblings.md", "# A\n## B\n## C\ntext\n", []string{"1-4|A > C|A > C\n## B\n## C\ntext"}},
	{"bad.md", "a\xff\xfeb\n", []string{"1-1||a\ufffdb"}},
}

// words is text of n words that cost one token each.
func words(n int) string { return strings.TrimSpace(strings.Repeat("word ", n)) }

func TestSplit(t *testing.T) {
	for _, test := range splits {
		var got []string
		for _, c := range newSplitter(test.name, []byte(test.text)).passages() {
			got = append(got, shown(c))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s %q:\n got %q\nwant %q", test.name, test.text, got, test.want)
		}
	}
}

var sentences = []struct {
	name, text string
	want       []string // lines|heading|what it stands under|text
}{
	{
		"a.md", "---\ntitle: Garden\n---\n# Pests\n\n- The *slugs* got the seedlings last year, so [copper](https://example.org/a_b) tape goes\n  round every bed. (It is said to work\n  for those that come over land!) Short one.\n",
		[]string{
			"6-7|Pests|Garden\nPests|The slugs got the seedlings last year, so copper tape goes round every bed.",
			"7-8|Pests|Garden\nPests|(It is said to work for those that come over land!)",
		},
	},
	{
		"a.txt", "A line of a dozen words is what it takes to be\nkept, e.g. this one: " + words(9) + "\n\n| " + words(11) + " |\n- " + words(12) + "\n",
		[]string{
			"1-2|||A line of a dozen words is what it takes to be kept, e.g. this one: " + words(9),
			"4-4|||" + words(11) + " |", "5-5|||" + words(12),
		},
	},
	{"code.md", "Before the code, " + words(11) + "\n```go\n" + words(30) + "\n\n" + words(30) + "\n```\n" + words(12) + "\n", []string{
		"1-1|||Before the code, " + words(11), "7-7|||" + words(12),
	}},
	{"a.txt", "雲端運算讓使用者可以透過網際網路存取資源。雲端運算讓使用者可以透過網際網路存取。", []string{
		"1-1|||雲端運算讓使用者可以透過網際網路存取資源。", "1-1|||雲端運算讓使用者可以透過網際網路存取。",
	}},
	{"long.txt", words(60) + "\n" + words(70) + "\n", []string{"1-1|||" + words(60), "2-2|||" + words(70)}},
	{"long.txt", words(150), []string{"1-1|||" + words(100), "1-1|||" + words(50)}},
	{"tags.md", "<p class=\"x\">" + words(12) + "</p> a < b, snake_case _stays_ ![shot](a.png) [unclosed](\n", []string{
		"1-1|||" + words(12) + " a < b, snake_case stays shot [unclosed](",
	}},
	{"table.md", "# " + words(20) + "\n\n" + words(20) + "\n===\n\n| a | b |\n" + strings.Repeat("|---", 20) + "|\n\n... " + words(12) + "… " + words(13) + "\nNote: Here it " + words(12) + "\n", []string{
		"9-10|" + words(20) + "|" + words(20) + "|... " + words(12) + "… " + words(13) + " Note:", "10-10|" + words(20) + "|" + words(20) + "|Here it " + words(12),
	}},
	{"tags.txt", words(12) + " <p> *x* [a](b)\n", []string{"1-1|||" + words(12) + " <p> *x* [a](b)"}},
}

// What needs no stripping is what stripping leaves.
func TestBare(t *testing.T) {
	for _, test := range sentences {
		for _, c := range newSplitter(test.name, []byte(test.text)).sentences(nil) {
			if !isBare(c.Text) {
				continue
			}
			if got := strings.Join(strings.Fields(withoutEmphasis(withoutTags(withoutAddresses(c.Text)))), " "); got != c.Text {
				t.Errorf("%q is left as %q", c.Text, got)
			}
		}
	}
	for _, text := range []string{"", "a  b", "a\nb", "a *b*", "[a](b)", "a <b>", "- a", "> a", "a_b", "a\u00a0b"} {
		if isBare(text) {
			t.Errorf("%q is bare", text)
		}
	}
}

func TestSentences(t *testing.T) {
	for _, test := range sentences {
		var got []string
		for _, c := range newSplitter(test.name, []byte(test.text)).sentences(nil) {
			got = append(got, fmt.Sprintf("%d-%d|%s|%s|%s", c.From, c.To, c.Heading, c.Under, c.Text))
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s %q:\n got %q\nwant %q", test.name, test.text, got, test.want)
		}
	}
}

// A paragraph stays whole if a cut elsewhere leaves chunks of a fair size.
func TestPlaceOfCuts(t *testing.T) {
	first, second, third := words(230), words(220), words(190)
	fence := "```\n" + strings.Repeat(words(30)+"\n", 8) + "```"
	prose := strings.Repeat(words(24)+". ", 30)
	tests := []struct {
		name, text string
		ends       []string // of passages
	}{
		{"paragraphs", first + "\n\n" + second + "\n\n" + third, []string{first, second, third}},
		{"fence", words(100) + "\n\n" + fence + "\n\n" + words(200), []string{"```", words(30)}},
		{"sentences", prose, []string{".", ".", "."}},
	}
	for _, test := range tests {
		chunks := newSplitter("a.md", []byte(test.text)).passages()
		if len(chunks) < len(test.ends) {
			t.Errorf("%s: %d chunks", test.name, len(chunks))
			continue
		}
		for i, end := range test.ends {
			if !strings.HasSuffix(chunks[i].Passage, end) {
				t.Errorf("%s: chunk %d ends with %q", test.name, i, chunks[i].Passage[max(0, len(chunks[i].Passage)-40):])
			}
		}
	}
}

// Chunks of one section overlap, by 10 to 15 percent of a chunk.
func TestOverlap(t *testing.T) {
	var text strings.Builder
	for i := range 300 {
		fmt.Fprintf(&text, "Sentence %d of the text. ", i)
	}
	chunks := newSplitter("a.txt", []byte(text.String())).passages()
	for i := 1; i < len(chunks); i++ {
		shared := 0
		for sentence := range strings.SplitAfterSeq(chunks[i].Passage, ". ") {
			if strings.Contains(chunks[i-1].Passage, strings.TrimSpace(sentence)) {
				_, n := measure(sentence, 1000)
				shared += n
			}
		}
		if shared < 30 || shared > 45 {
			t.Errorf("chunk %d has %d tokens of the one before", i, shared)
		}
	}
	if len(chunks) < 5 {
		t.Errorf("%d chunks", len(chunks))
	}
}

// tokens are those of the tokenizer of all-MiniLM-L6-v2, without the two around
// a text.
var tokens = []struct {
	text   string
	tokens int
}{
	{"The slugs got the seedlings last year, so this spring copper tape goes round every bed.", 20},
	{"Retrieval-augmented generation grounds the answers of a language model in documents.", 14},
	{"func (s *Store) Put(key Key, vector []float32) error { return s.file.append(key, vector) }", 33},
	{"https://github.com/18F/handbook/blob/main/pages/tools/git-signing.md?plain=1#L20-L31", 41},
	{"Die Anmeldung zur Schulung ist bis zum Monatsende über das Formular möglich.", 25},
	{"Le déjeuner d'équipe est reporté à jeudi prochain à cause de la grève.", 26},
	{"雲端運算讓使用者可以透過網際網路存取資源。", 21},
	{"클라우드 컴퓨팅은 인터넷을 통해 자원을 제공한다.", 45},
	{"Облачные вычисления предоставляют ресурсы через интернет.", 51},
	{"9c35e00dc2d36cc7 7djo2hQllrqpExJK5QVQ3ihLaRa/WVd+8vDLlmDC9RQ=", 44},
	{"| 2024-01-31 | 1,780 files | 25.1 MB | 0.83 s |", 23},
}

// Estimates are near enough, on the whole too high, and too low by a third at
// most.
func TestEstimate(t *testing.T) {
	for _, test := range tokens {
		_, got := measure(test.text, 1000)
		if r := float64(got) / float64(test.tokens); r < 0.65 || r > 1.8 {
			t.Errorf("%q: %d tokens, estimated at %d", test.text, test.tokens, got)
		}
	}
}

// check holds every property of what Split returns.
func check(t *testing.T, name string, text []byte) {
	t.Helper()
	chunks := Split(name, text)
	passages := len(newSplitter(name, text).passages())
	for _, c := range chunks[passages:] {
		if c.Text == "" || isShort(c.Text) || c.Text != strings.Join(strings.Fields(c.Text), " ") {
			t.Fatalf("a sentence is %q", c.Text)
		}
		if _, cost := measure(c.Text, 1<<30); cost > longest {
			t.Fatalf("a sentence has %d tokens: %q", cost, c.Text)
		}
		checkHalves(t, c)
	}
	clean := strings.ToValidUTF8(string(bytes.ReplaceAll(bytes.TrimPrefix(text, []byte("\ufeff")), []byte("\r\n"), []byte("\n"))), "\ufffd")
	lines := strings.Split(clean, "\n")
	covered := make([]bool, len(lines))
	checkSpans(t, name, clean)
	starts := make([]int, len(lines)+1)
	for i, l := range lines {
		starts[i+1] = starts[i] + len(l) + 1
	}
	for i, c := range chunks {
		if c.From < 1 || c.To > len(lines) || c.From > c.To || strings.Count(c.Passage, "\n") != c.To-c.From {
			t.Fatalf("chunk %d has the lines %d-%d of %d", i, c.From, c.To, len(lines))
		}
		for l := c.From; l <= c.To && i < passages; l++ {
			covered[l-1] = true
		}
		first, last := starts[c.From-1], starts[c.To]
		if !strings.Contains(clean[first:min(last, len(clean))], c.Passage) {
			t.Fatalf("chunk %d is not in its lines", i)
		}
		if c.Passage == "" || c.Passage != strings.TrimSpace(c.Passage) || !utf8.ValidString(c.Text) {
			t.Fatalf("chunk %d: %q", i, c.Passage)
		}
		if _, n := measure(c.Text, 1<<30); n > most+2*grain+maxHead*2+maxHead {
			t.Fatalf("chunk %d: %d tokens", i, n)
		}
		if _, n := measure(c.Passage, 1<<30); n > most+grain {
			t.Fatalf("the passage of chunk %d: %d tokens", i, n)
		}
	}
	for i, l := range lines {
		if strings.TrimSpace(l) != "" && !covered[i] {
			t.Fatalf("line %d is in no chunk: %q", i+1, l)
		}
	}
	if !slices.Equal(chunks, Split(name, text)) {
		t.Fatal("not the same twice")
	}
	for _, c := range chunks[:min(len(chunks), 3)] {
		checkHalves(t, c)
	}
}

// checkSpans makes sure that everything but white space is in a chunk.
func checkSpans(t *testing.T, name, text string) {
	t.Helper()
	s := newSplitter(name, []byte(text))
	end := 0
	for _, a := range s.atoms {
		if strings.TrimSpace(text[end:a.start]) != "" || a.end <= a.start {
			t.Fatalf("no atom holds %q", text[end:a.start])
		}
		end = a.end
	}
	if strings.TrimSpace(text[end:]) != "" {
		t.Fatalf("no atom holds %q", text[end:])
	}
	last := span{-1, 0}
	for _, next := range s.spans() {
		if next.first > last.end || next.first <= last.first || next.end <= last.end {
			t.Fatalf("%v after %v", next, last)
		}
		last = next
	}
	if last.end != len(s.atoms) {
		t.Fatalf("%d atoms of %d", last.end, len(s.atoms))
	}
}

func checkHalves(t *testing.T, c Chunk) {
	t.Helper()
	halves := c.Halve()
	if halves == nil {
		return
	}
	if len(halves) == 1 {
		// Only what stood in front of it went.
		h := halves[0]
		if c.head == "" || h.head != "" || h.Passage != c.Passage || h.From != c.From || h.To != c.To || h.Heading != c.Heading {
			t.Fatalf("%+v of %+v", h, c)
		}
		return
	}
	a, b := halves[0], halves[1]
	if a.From != c.From || b.To != c.To || a.To > b.From || a.Heading != c.Heading || b.Heading != c.Heading {
		t.Fatalf("%d-%d and %d-%d of %d-%d", a.From, a.To, b.From, b.To, c.From, c.To)
	}
	if strings.Count(a.Passage, "\n") != a.To-a.From || strings.Count(b.Passage, "\n") != b.To-b.From {
		t.Fatalf("the lines of the halves are wrong: %+v", halves)
	}
	gap, ok := strings.CutPrefix(c.Passage, a.Passage)
	gap, ok2 := strings.CutSuffix(gap, b.Passage)
	if !ok || !ok2 || strings.TrimFunc(gap, unicode.IsSpace) != "" || a.Passage == "" || b.Passage == "" {
		t.Fatalf("%q and %q are not the halves of %q", a.Passage, b.Passage, c.Passage)
	}
	if !utf8.ValidString(a.Text) || !utf8.ValidString(b.Text) || c.kind == passage && (len(a.Text) >= len(c.Text)+1 || len(b.Text) >= len(c.Text)+1) {
		t.Fatalf("the halves are no shorter: %q and %q", a.Text, b.Text)
	}
}

func FuzzSplit(f *testing.F) {
	for _, test := range splits {
		f.Add(test.name, []byte(test.text), 1)
	}
	f.Add("a.md", []byte("# A\n\nWord word. Word\u00a0word!\n- x\n| y |\n```\ncode\n\n```\n雲端運算。讓\n"), 300)
	f.Add("a.txt", []byte("a \x01\n"), 3000)
	f.Add("a.md", []byte("# heading without an end "), 2000)
	f.Add("a.md", []byte("\u3000\u0085 x\u2028"), 900)
	f.Fuzz(func(t *testing.T, name string, text []byte, times int) {
		if times < 1 || times*len(text) > 1<<17 {
			times = 1
		}
		check(t, name, bytes.Repeat(text, times))
	})
}

func TestHugeLines(t *testing.T) {
	for _, piece := range []string{"a", "word ", "Word. ", "雲", "x\x01", "1", "é", "-", "a. \x01\x01"} {
		text := []byte(strings.Repeat(piece, 1<<20/len(piece)))
		for _, name := range []string{"a.md", "a.txt"} {
			check(t, name, text)
			check(t, name, append([]byte("# "), text...))
			check(t, name, append([]byte("```\n"), text...))
			check(t, name, append([]byte("---\ntitle: "), text...))
		}
	}
}

// Halving ends, at single characters.
func TestHalveEnds(t *testing.T) {
	for _, text := range []string{"a", "ab", "雲端運算", "# A\n\nb c", "one two\n\nthree. Four", "a\u3000\u3000\u3000\u3000\u3000b"} {
		list := newSplitter("a.md", []byte(text)).passages()
		for n := 0; len(list) > 0; n++ {
			if n > 1000 {
				t.Fatalf("%q: no end", text)
			}
			c := list[0]
			checkHalves(t, c)
			list = append(list[1:], c.Halve()...)
			if c.Halve() == nil && utf8.RuneCountInString(strings.TrimSpace(c.Passage[c.skip:])) > 1 {
				t.Errorf("%q is not halved", c.Passage)
			}
		}
	}
}

func BenchmarkSplit(b *testing.B) {
	var note strings.Builder
	for i := range 200 {
		fmt.Fprintf(&note, "## Heading %d\n\n", i)
		for range 5 {
			note.WriteString("The slugs got the seedlings last year, so this spring copper tape goes round every bed. " +
				"It is said to work, at least for those that come over land.\n\n")
		}
		note.WriteString("- an entry\n- another one, with `code`\n\n```\nfunc main() {}\n```\n\n")
	}
	for _, test := range []struct{ kind, name, text string }{
		{"markdown", "a.md", note.String()},
		{"plain", "a.txt", note.String()},
		{"oneline", "a.txt", strings.ReplaceAll(note.String(), "\n", " ")},
	} {
		b.Run(test.kind, func(b *testing.B) {
			b.SetBytes(int64(len(test.text)))
			for b.Loop() {
				Split(test.name, []byte(test.text))
			}
		})
	}
}
