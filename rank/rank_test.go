package rank

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// ask ranks texts, given by path.
func ask(t *testing.T, question string, forgive bool, texts map[string]string) (above, below []string, results []Result) {
	t.Helper()
	q, err := ParseQuery(question)
	if err != nil {
		t.Fatal(err)
	}
	c := Collection{Query: q, Files: len(texts), Forgiving: forgive}
	s := q.NewScanner(forgive)
	for path, text := range texts { // in any order
		s.Begin(path)
		s.Write([]byte(text))
		if n := s.End(); n != nil {
			n.Path = path
			c.Notes = append(c.Notes, n)
		}
	}
	found, rest := c.Rank(Floor)
	paths := func(list []Result) (paths []string) {
		for _, r := range list {
			paths = append(paths, r.Path)
			if r.Score < 0 || r.Score > 1 {
				t.Errorf("%s scores %v", r.Path, r.Score)
			}
		}
		return paths
	}
	return paths(found), paths(rest), found
}

// prose returns words of a small vocabulary, the same for the same seed.
func prose(vocabulary string, seed uint64, words int) string {
	r := rand.New(rand.NewPCG(seed, 1))
	list := strings.Fields(vocabulary)
	var b strings.Builder
	for i := range words {
		b.WriteString(list[r.IntN(len(list))])
		b.WriteString(map[bool]string{true: ".\n", false: " "}[i%12 == 11])
	}
	return b.String()
}

const (
	italian = "quando abbiamo i nei il la di che non per con una sono della stato ancora poi dopo prima anche lavoro progetto riunione cliente"
	english = "when do we the a of and to for with it is was on at as by from this that have had our work plan meeting team note"
)

func notes(vocabulary string, n int) map[string]string {
	texts := map[string]string{}
	for i := range n {
		texts[fmt.Sprintf("journal/day-%02d.md", i)] = fmt.Sprintf("# Day %d\n\n%s", i, prose(vocabulary, uint64(i), 300+40*i))
	}
	return texts
}

func TestFunctionWordsDoNotDecide(t *testing.T) {
	texts := notes(italian, 40)
	// Three of the words, against four that are in every other note.
	texts["stampa.md"] = "# Stampa\n\nCaratteri sovrapposti: colpa del motore PDF.\n"
	above, _, _ := ask(t, "quando abbiamo riparato i caratteri sovrapposti nei PDF", false, texts)
	if len(above) == 0 || above[0] != "stampa.md" {
		t.Errorf("%q", above)
	}
}

func TestTheNoteOfThatNameBeatsALog(t *testing.T) {
	texts := notes(english, 30)
	texts["renewal-conversation.md"] = "# Renewal conversation\n\nAsk in March.\n"
	texts["log.md"] = strings.Repeat("12:00 renewal checked, conversation closed, renewal renewal\n", 1000)
	for _, question := range []string{"renewal conversation", "the renewal conversation", "when do we start the renewal conversation"} {
		if above, _, _ := ask(t, question, false, texts); len(above) == 0 || above[0] != "renewal-conversation.md" {
			t.Errorf("%s: %q", question, above)
		}
	}
}

func TestLengthIsDamped(t *testing.T) {
	texts := notes(english, 20)
	texts["a/long.md"] = prose(english, 7, 2000) + "the budget forecast\n" + prose(english, 8, 2000)
	texts["b/short.md"] = prose(english, 7, 20) + "the budget forecast\n"
	if above, _, _ := ask(t, "budget forecast", false, texts); len(above) < 2 || above[0] != "b/short.md" || above[1] != "a/long.md" {
		t.Errorf("%q", above)
	}
}

func TestARareIdentifierOutweighsCommonWords(t *testing.T) {
	texts := notes(english, 30)
	texts["a.md"] = "# Choices\n\nWe took ADR-016 for storage.\n"
	texts["b.md"] = "# The plan for the meeting\n\nThe team plan for the meeting, the work plan, the team meeting.\n"
	texts["c.md"] = "# ADR-017\n\nAnother one: ADR-017.\n"
	for _, question := range []string{"ADR-016 team plan meeting", "team plan meeting ADR-016"} {
		if above, _, _ := ask(t, question, false, texts); len(above) == 0 || above[0] != "a.md" {
			t.Errorf("%s: %q", question, above)
		}
	}
	texts["d.go"] = "func handleAuthError(err error) {}\n"
	for _, question := range []string{"handleAuthError", "handleautherror", "auth error", "handle_auth_error"} {
		if above, _, _ := ask(t, question, false, texts); len(above) == 0 || above[0] != "d.go" {
			t.Errorf("%s: %q", question, above)
		}
	}
}

func TestMadeUpQuestionsFindNothing(t *testing.T) {
	texts := notes(english, 30)
	for path, text := range notes(italian, 10) {
		texts["it/"+path] = text
	}
	texts["garden.md"] = "# Garden\n\nThe slugs got the seedlings; plan for copper tape.\n"
	for _, question := range []string{
		"how do we calibrate the flux capacitor",
		"which wizard has the purple dragon license",
		"quando abbiamo comprato il sottomarino giallo",
		"the quarterly zeppelin maintenance plan on the moon",
	} {
		if above, _, found := ask(t, question, false, texts); len(above) > 0 {
			t.Errorf("%s: %q %v", question, above, found[0].Score)
		}
	}
}

func TestWordsAreFoundAsTyped(t *testing.T) {
	texts := notes(english, 10)
	texts["it.md"] = "L'accessibilità è importante.\n"
	texts["ja.md"] = "会議は京都で行われます。\n"
	texts["th.md"] = "ภาษาไทยไม่มีช่องว่าง\n"
	texts["num.md"] = "See i18n and 4711.\n"
	for question, want := range map[string]string{
		"accessibilita": "it.md", "ACCESSIBILITÀ": "it.md", "京都": "ja.md", "会": "ja.md", "ไทย": "th.md", "i18n": "num.md", "4711": "num.md",
		`"i18n and 4711"`: "num.md",
	} {
		if above, _, _ := ask(t, question, false, texts); !slices.Equal(above, []string{want}) {
			t.Errorf("%s: %q", question, above)
		}
	}
	if above, _, _ := ask(t, `"4711 and i18n"`, false, texts); above != nil {
		t.Errorf("the phrase does not occur: %q", above)
	}
}

// What is between two notes does not depend on a third, but through rarity.
func TestAnUnrelatedFileChangesNoOrder(t *testing.T) {
	texts := notes(english, 20)
	for i := range 8 {
		texts[fmt.Sprintf("n%d.md", i)] = strings.Repeat("budget ", i+1) + prose(english, uint64(i), 60*i) + "forecast"
	}
	order := func() []string { above, _, _ := ask(t, "budget forecast", false, texts); return above }
	before := order()
	if len(before) < 8 {
		t.Fatalf("%q", before)
	}
	texts["huge.md"] = prose("entirely unrelated text about gardens", 1, 50000)
	if after := order(); !slices.Equal(before, after) {
		t.Errorf("%q, then %q", before, after)
	}
}

func TestSlips(t *testing.T) {
	texts := notes(english, 10)
	texts["exact.md"] = "Somewhere in a long text the word budgt stands. " + prose(english, 3, 500)
	texts["budget.md"] = "# Budget\n\nThe budget is a budget.\n"
	texts["meridian.md"] = "Meridian.\n"
	for _, test := range []struct {
		question string
		want     []string
	}{
		{"budgt", []string{"exact.md", "budget.md"}}, // word for word comes first
		{"buget", []string{"budget.md"}},
		{"budegt", []string{"budget.md", "exact.md"}},
		{"Mer", []string{"meridian.md"}},
		{"merdiain", []string{"meridian.md"}},
		{"mxrxdxan", nil},
		{"ta", nil}, // too short for anything but itself
	} {
		if above, _, _ := ask(t, test.question, true, texts); !slices.Equal(above, test.want) {
			t.Errorf("%s: %q, want %q", test.question, above, test.want)
		}
	}
	if above, _, _ := ask(t, "budegt", false, map[string]string{"a": "budget"}); above != nil {
		t.Errorf("without forgiveness: %q", above)
	}
}

func TestDistance(t *testing.T) {
	f := newFuzzy(nil)
	for _, test := range []struct {
		a, b string
		want int
	}{
		{"budget", "budget", 0},
		{"budget", "budgt", 1},
		{"budget", "buddget", 1},
		{"budget", "bodget", 1},
		{"budget", "bugdet", 1},
		{"abcd", "badc", 2},
		{"", "abc", 3},
		{"é", "e", 1},
	} {
		if got := f.distance([]rune(test.a), []rune(test.b)); got != test.want {
			t.Errorf("%s, %s: %d, want %d", test.a, test.b, got, test.want)
		}
		if got := f.distance([]rune(test.b), []rune(test.a)); got != test.want {
			t.Errorf("%s, %s: %d, want %d", test.b, test.a, got, test.want)
		}
	}
}

func TestQueries(t *testing.T) {
	for text, want := range map[string]string{
		`how do I -x a:b "quoted phrase"?`: "how do I x a:b quoted phrase",
		"ADR-016 l'été state-of-the-art":   "ADR-016 l'été state-of-the-art",
		"the The the":                      "the The",
		"カオスエンジニアリングは何ですか":                 "カオスエンジニアリング は 何 ですか",
		"- -- x": "x", `a 19" screen`: "a 19 screen", "x² of CO₂": "x² of CO₂",
	} {
		q, err := ParseQuery(text)
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, w := range q.Words {
			words = append(words, w.Text)
		}
		if got := strings.Join(words, " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
	for _, text := range []string{"", " ?! ", strings.Repeat("a b c d e f g h ", 1) + prose(strings.Join(strings.Split("abcdefghijklmnopqrstuvwxyz0123456789", ""), "x ")+" "+strings.Join(strings.Split("abcdefghijklmnopqrstuvwxyz0123456789", ""), "y "), 1, 2000)} {
		if _, err := ParseQuery(text); err == nil {
			t.Errorf("%.20q… is accepted", text)
		}
	}
}

func TestPassage(t *testing.T) {
	text := "---\ntitle: Terms\n---\n\n# Terms\n\nSomething else.\n\n## Renewal\n\nIt can be renewed.\nWe start the Renewal conversation in March.\n"
	q, _ := ParseQuery("when do we start the renewal conversation")
	c := Collection{Query: q, Files: 10}
	s := q.NewScanner(false)
	s.Begin("terms.md")
	s.Write([]byte(text))
	c.Notes = append(c.Notes, s.End())
	p := c.NewReader(false).Passage("terms.md", []byte(text))
	var marked []string
	for _, m := range p.Marks {
		marked = append(marked, string(p.Text[m.Start:m.End]))
	}
	if p.Line != 12 || string(p.Heading) != "## Renewal" || strings.Join(marked, " ") != "We start the Renewal conversation" {
		t.Errorf("line %d, heading %q, marks %q", p.Line, p.Heading, marked)
	}
}

// Pieces that end where lines do make the same note as the whole.
func TestPiecesMakeTheWhole(t *testing.T) {
	text := "---\ntitle: The plan\ntags: [team, work]\n---\n# Plan\n\n" + prose(english, 1, 500) + "\n```\n# no heading\n```\n## Work for the team\n" + prose(english, 2, 500)
	q, _ := ParseQuery(`the "team plan" meeting for work`)
	note := func(sizes ...int) string {
		s := q.NewScanner(false)
		s.Begin("a/plan.md")
		rest := []byte(text)
		for i := 0; len(rest) > 0; i++ {
			n := min(len(rest), sizes[i%len(sizes)])
			for n < len(rest) && rest[n-1] != '\n' {
				n++
			}
			s.Write(rest[:n])
			rest = rest[n:]
		}
		return fmt.Sprintf("%+v", *s.End())
	}
	whole := note(1 << 20)
	for _, sizes := range [][]int{{200}, {300, 77}, {1000}} {
		if got := note(sizes...); got != whole {
			t.Errorf("%v:\n%s\n%s", sizes, got, whole)
		}
	}
}

func TestALongLineIsShortened(t *testing.T) {
	text := prose("é界 x", 1, 9000)
	text = strings.ReplaceAll(text, "\n", " ")
	text = text[:strings.IndexByte(text[10000:], ' ')+10000] + " the renewal conversation " + text
	q, _ := ParseQuery("renewal conversation")
	c := Collection{Query: q, Files: 10}
	s := q.NewScanner(false)
	s.Begin("a.md")
	s.Write([]byte(text))
	c.Notes = append(c.Notes, s.End())
	p := c.NewReader(false).Passage("a.md", []byte(text))
	if len(p.Text) > longest+6 || len(p.Marks) != 2 || string(p.Text[p.Marks[1].Start:p.Marks[1].End]) != "conversation" || !utf8.Valid(p.Text) {
		t.Errorf("%d bytes, %v: %q", len(p.Text), p.Marks, p.Text)
	}
}

// What passes over most of a text misses nothing: the note is that of a scan
// that looks at every atom.
func TestFilterMissesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	pieces := []string{
		"new", "news", "renewal", "Renewed", "RENEWALS", "a", "A", "x7", "4711", "cafe", "Café", "cafés", "naive", "ADR-016",
		"handleAuthError", "parseHTTPRequest", "spin_lock", "l'été", "Ωμέγα", "会議", "会", "the", "then", "I", "i18n", "ne", "neW", "\x12\x13new", "@new`",
	}
	text := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(pieces[r.IntN(len(pieces))])
			b.WriteString([]string{" ", " ", "", "\n", ". ", "_", " — "}[r.IntN(7)])
		}
		return b.String()
	}
	for range 400 {
		question := text(1 + r.IntN(6))
		q, err := ParseQuery(question)
		if err != nil {
			continue
		}
		hay := text(r.IntN(3000))
		note := func(forgive, fast bool) string {
			s := q.NewScanner(forgive)
			if !fast {
				s.cutter.filter, s.cutter.known = nil, nil
			}
			s.Begin("notes/new.md")
			s.Write([]byte(hay))
			n := s.End()
			if n == nil {
				return ""
			}
			return fmt.Sprintf("%+v", *n)
		}
		for _, forgive := range []bool{false, true} {
			if fast, plain := note(forgive, true), note(forgive, false); fast != plain {
				t.Fatalf("%q, forgiving %v, in %q:\nwith a filter %s\nwithout       %s", question, forgive, hay, fast, plain)
			}
		}
	}
}

// Fields are what outline says that lines are.
func TestFields(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       string // the field of each word "x"
	}{
		{"a.txt", "# x\n", "body"},
		{"a.md", "x\n# x\n## x\n", "body title headings"},
		{"a.md", "x\n===\n\nx\nx\n---\nx\n", "title headings headings body"},
		{"a.md", "~~~\n# x\n```\n# x\n~~~\n# x\n", "body body title"},
		{"a.md", "  ```\n# x\n  ```\n# x\n", "body title"},
		{"a.md", "---\ntitle: x\nname: x\ntags:\n  - x\ndescription: x\nother: x\n---\n# x\n", "title aliases aliases body body headings"},
		{"a.md", "+++\ntitle = 'x'\n[author]\nname = 'x'\n+++\nx\n", "title body body"},
		{"a.wiki", "= x\n==x==\n", "body title"},
	} {
		q, err := ParseQuery("x")
		if err != nil {
			t.Fatal(err)
		}
		s := q.NewScanner(false)
		s.Begin(test.name)
		mind := s.cutter.mind
		var got []string
		s.cutter.mind = func(atom []byte, at place) {
			if string(atom) == "x" {
				got = append(got, s.field.String())
			}
			mind(atom, at)
		}
		s.Write([]byte(test.text))
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s %q: %q, want %q", test.name, test.text, got, test.want)
		}
	}
	q, _ := ParseQuery("slugs")
	c := Collection{Query: q, Files: 10}
	text := "---\n# a comment: x\n---\nAbout the\ngarden\n---\nThe slugs.\n"
	if p := c.NewReader(false).Passage("a.md", []byte(text)); p.Line != 7 || string(p.Heading) != "About the garden" {
		t.Errorf("line %d, heading %q", p.Line, p.Heading)
	}
}
