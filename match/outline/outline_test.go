package outline

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// shown is the outline of a text: of each line that is more than text its number
// and kind, of a heading its level and what it says, and whether it is the title.
func shown(name, text string) string {
	syntax := Of(name)
	r := NewReader(syntax, []byte(text))
	var out []string
	for number := 1; ; number++ {
		l, ok := r.Next()
		if !ok {
			return strings.Join(out, "; ")
		}
		switch l.Kind {
		case Text:
		case Head, Underline:
			lines := strings.Count(text[l.Heading.Start:l.Heading.End], "\n") - strings.Count(text[l.Start:l.End], "\n")
			s := fmt.Sprintf("%d h%d %s", number-lines, l.Heading.Level, syntax.Text([]byte(text), l.Heading))
			if l.Heading.Title {
				s += " (title)"
			}
			out = append(out, s)
		default:
			out = append(out, fmt.Sprintf("%d %s", number, kindNames[l.Kind]))
		}
	}
}

var outlines = []struct{ name, text, want string }{
	{"a.md", "", ""},
	{"a.txt", "# Foo\n---\n", ""},
	// CommonMark 4.2, by the numbers of its examples.
	{"62.md", "# foo\n## foo\n### foo\n#### foo\n##### foo\n###### foo\n", "1 h1 foo (title); 2 h2 foo; 3 h3 foo; 4 h4 foo; 5 h5 foo; 6 h6 foo"},
	{"63.md", "####### foo\n", ""},
	{"64.md", "#5 bolt\n\n#hashtag\n", ""},
	{"65.md", "\\## foo\n", ""},
	{"67.md", "#                  foo                     \n", "1 h1 foo (title)"},
	{"68.md", " ### foo\n  ## foo\n   # foo\n", "1 h3 foo (title); 2 h2 foo; 3 h1 foo"},
	{"69.md", "    # foo\n", ""},
	{"70.md", "foo\n    # bar\n", ""},
	{"71.md", "## foo ##\n  ###   bar    ###\n", "1 h2 foo (title); 2 h3 bar"},
	{"72.md", "# foo ##################################\n##### foo ##\n", "1 h1 foo (title); 2 h5 foo"},
	{"74.md", "### foo ### b\n", "1 h3 foo ### b (title)"},
	{"75.md", "# foo#\n", "1 h1 foo# (title)"},
	{"77.md", "****\n## foo\n****\n", "2 h2 foo (title)"},
	{"78.md", "Foo bar\n# baz\nBar foo\n", "2 h1 baz (title)"},
	{"79.md", "## \n#\n### ###\n# foo", "1 h2 ; 2 h1 ; 3 h3 ; 4 h1 foo (title)"},
	// 4.3
	{"80.md", "Foo *bar*\n=========\n\nFoo *bar*\n---------\n", "1 h1 Foo *bar* (title); 4 h2 Foo *bar*"},
	{"81.md", "Foo *bar\nbaz*\n====\n", "1 h1 Foo *bar baz* (title)"},
	{"82.md", "  Foo *bar\nbaz*\t\n====\n", ""}, // may stand in an entry of a list
	{"83.md", "Foo\n-------------------------\n\nFoo\n=\n", "1 h2 Foo (title); 4 h1 Foo"},
	{"84.md", "   Foo\n   ---\n\n  Foo\n  -----\n\n  Foo\n   ===\n", "1 h2 Foo (title); 4 h2 Foo; 7 h1 Foo"},
	{"85.md", "    Foo\n    ---\n\n    Foo\n---\n", ""},
	{"86.md", "Foo\n   ----      \n", "1 h2 Foo (title)"},
	{"87.md", "Foo\n    ---\n", ""},
	{"88.md", "Foo\n= =\n\nFoo\n--- -\n", ""},
	{"91.md", "`Foo\n----\n`\n\n<a title=\"a lot\n---\nof dashes\"/>\n", "1 h2 `Foo (title)"},
	{"92.md", "> Foo\n---\n", ""},
	{"93.md", "> foo\nbar\n===\n", ""},
	{"94.md", "- Foo\n---\n", ""},
	{"95.md", "Foo\nBar\n---\n", "1 h2 Foo Bar (title)"},
	{"96.md", "---\nFoo\n---\nBar\n---\nBaz\n", "1 front matter; 2 front matter; 3 front matter; 4 h2 Bar (title)"},
	{"97.md", "\n====\n", ""},
	{"98.md", "***\n---\n", ""},
	{"99.md", "- foo\n-----\n", ""},
	{"100.md", "    foo\n---\n", ""},
	{"101.md", "> foo\n-----\n", ""},
	{"103.md", "Foo\n\nbar\n---\nbaz\n", "3 h2 bar (title)"},
	{"104.md", "Foo\nbar\n\n---\n\nbaz\n", ""},
	{"105.md", "Foo\nbar\n* * *\nbaz\n", ""},
	// What an underline is below of.
	{"heading.md", "# A\nFoo\n---\n***\nBar\n===\n", "1 h1 A (title); 2 h2 Foo; 5 h1 Bar"},
	{"dash.md", "Foo\n-\n", ""},
	{"two.md", "Foo\n--\n", "1 h2 Foo (title)"},
	{"item.md", "- a\n\n  foo\n---\n\n1. a\n---\n\n+ a\n\n12) a\n===\n", ""},
	{"interrupted.md", "foo\n2. bar\n---\n\nfoo\n1. bar\n---\n\nfoo\n- bar\n---\n", "1 h2 foo 2. bar (title)"},
	{"table.md", "| a |\n---\n\na | b\n--- | ---\nc | d\n---\n\na\n:-|-:\n---\n", ""},
	{"html.md", "<p>\nfoo\n---\n", ""},
	{"long.md", strings.Repeat("word ", 50) + "a\n===\n" + strings.Repeat("word ", 51) + "b\n===\n", "1 h1 " + strings.Repeat("word ", 50) + "a (title)"},
	{"crlf.md", "Foo\r\n===\r\n# Bar #\r\n", "1 h1 Foo (title); 3 h1 Bar"},
	{"bom.md", "\ufeff# Foo\n", "1 h1 Foo (title)"},
	// 4.5
	{"fence.md", "```\n# a\n~~~\n````\n# b\n", "1 fence; 2 code; 3 code; 4 end; 5 h1 b (title)"},
	{"fence.md", "~~~~\n# a\n~~~\n~~~~ x\n   ~~~~~\n# b\n", "1 fence; 2 code; 3 code; 4 code; 5 end; 6 h1 b (title)"},
	{"fence.md", "``` a`b\n# b\n\n``\n# c\n~~~ a`b\n# d", "2 h1 b (title); 5 h1 c; 6 fence; 7 code"},
	{"fence.md", "text\n```\ntext\n```\nFoo\n---\n", "2 fence; 3 code; 4 end; 5 h2 Foo (title)"},
	{"fence.md", "```\n    ```\n# a\n", "1 fence; 2 code; 3 code"},
	{"entry.md", "1. x\n\n    ```sh\n    # a\n  # b\n\n# c\n\n- x\n\t```\n\t# a\n\t```\n# d\n", "3 fence; 4 code; 5 code; 6 code; 7 h1 c (title); 10 fence; 11 code; 12 end; 13 h1 d"},
	{"entry.md", "- x\n     ```\n  a\nFoo\n---\n", "2 fence; 3 code; 4 h2 Foo (title)"},
	// Front matter.
	{"front.md", "---\ntitle: A\n# no heading\n...\n# Foo\n", "1 front matter; 2 front matter; 3 front matter; 4 front matter; 5 h1 Foo"},
	{"front.md", "---\ntitle: ''\n---\n# Foo\n", "1 front matter; 2 front matter; 3 front matter; 4 h1 Foo (title)"},
	{"front.md", "+++\nname = \"A\"\n+++\n# Foo\n", "1 front matter; 2 front matter; 3 front matter; 4 h1 Foo"},
	{"front.md", "---\ntitle: A\n\n# Foo\n", "4 h1 Foo (title)"},
	// Other languages.
	{"a.org", "* TODO A :tag:\n** B *b*\n *c\n\n * d\n```\n*** E\n*\n", "1 h1 TODO A :tag: (title); 2 h2 B *b*; 7 h3 E"},
	{"a.adoc", "= A =\n\n====\nAn example.\n====\n```\n== no\n```\n == no\n== B", "1 h1 A (title); 6 fence; 7 code; 8 end; 10 h2 B"},
	{"a.adoc", "A\n----\n== B\n", "3 h2 B (title)"},
	{"a.wiki", "= A =\n==B==\n== no\n====\n= =\n=== C == \n", "1 h1 A (title); 2 h2 B; 5 h1 "},
}

var kindNames = [...]string{Text: "text", Head: "heading", Underline: "underline", FenceBegin: "fence", Code: "code", FenceEnd: "end", FrontLine: "front matter"}

func TestOutline(t *testing.T) {
	for _, test := range outlines {
		if got := shown(test.name, test.text); got != test.want {
			t.Errorf("%s %q:\n got %s\nwant %s", test.name, test.text, got, test.want)
		}
	}
}

func TestOf(t *testing.T) {
	for name, want := range map[string]*Syntax{
		"a.md": markdown, "dir.md/a": nil, "A.MD": markdown, "a.Rmd": markdown, "a.org": org, "a.adoc": asciidoc, "a.mediawiki": mediawiki, "md": nil, "a.go": nil,
	} {
		if got := Of(name); got != want || got.Markdown() != (want == markdown) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestFront(t *testing.T) {
	roles := map[Role]string{Other: "other", Title: "title", Subject: "subject", Summary: "summary"}
	for _, test := range []struct {
		text string
		want string // values by role
		rest string
	}{
		{"# A\n", "", "# A\n"},
		{"---\n---\nx", "", "x"},
		{"--- \r\nTitle : A: b\r\n---\r\nx", `title " A: b\r\n"`, "x"},
		{"---\ntitle: A\nname: b\n", "", "---\ntitle: A\nname: b\n"},
		{"\ufeff---\nname: b\n\"title\": A\n---", `subject " b\n"; title " A\n"`, ""},
		{"---\nname: b\ntitle:\n---\n", `title " b\n"; title "\n"`, ""},
		{
			"---\ntags:\n- a\n  - b\n\n  c\nauthor:\n  name: d\nno key\n  e\ndescription: >\n  f\n...\nx",
			`subject "\n"; subject "- a\n"; subject "  - b\n"; subject "\n"; subject "  c\n"; other "author:\n"; other "  name: d\n"; ` +
				`other "no key\n"; other "  e\n"; summary " >\n"; summary "  f\n"`, "x",
		},
		{
			"+++\ntitle = 'a: b'\nkeywords = [\n  'c',\n]\n[params]\ntitle = 'd'\n+++\nx",
			`title " 'a: b'\n"; subject " [\n"; subject "  'c',\n"; other "]\n"; other "[params]\n"; other "title = 'd'\n"`, "x",
		},
		{"---\na = b\n+++\n", "", "---\na = b\n+++\n"},
		{"---\n" + strings.Repeat("k: v\n", maxFront/5) + "---\n", "", "---\n" + strings.Repeat("k: v\n", maxFront/5) + "---\n"},
	} {
		f := markdown.front([]byte(test.text), nil)
		var got []string
		for _, v := range f.Values {
			got = append(got, fmt.Sprintf("%s %q", roles[v.Role], test.text[v.Start:v.End]))
		}
		if strings.Join(got, "; ") != test.want || test.text[f.End:] != test.rest && "\ufeff"+test.rest != test.text {
			t.Errorf("%.100q:\n got %s, then %.100q\nwant %s, then %.100q", test.text, strings.Join(got, "; "), test.text[f.End:], test.want, test.rest)
		}
	}
}

// plainly are the headings of the pieces of a text, line by line.
func plainly(s *Syntax, pieces [][]byte) (list []Heading) {
	r := NewReader(s, pieces[0])
	for i, piece := range pieces {
		if i > 0 {
			st := r.state
			st.paragraph = noHeading // it may have begun before
			r = &Reader{state: st, text: piece}
		}
		for {
			l, ok := r.Next()
			if !ok {
				break
			}
			if l.Kind == Head || l.Kind == Underline {
				list = append(list, l.Heading)
			}
		}
	}
	return list
}

func quickly(s *Syntax, pieces [][]byte) (list []Heading) {
	var f Finder
	front := f.Begin(s, pieces[0])
	for i, piece := range pieces {
		skip := 0
		if i == 0 {
			skip = front.End
		}
		f.Find(piece[skip:], func(h Heading) {
			h.Start += skip
			h.End += skip
			list = append(list, h)
		})
	}
	return list
}

// inPieces divides a text at the ends of some of its lines.
func inPieces(text []byte, lines uint64) (pieces [][]byte) {
	begin, n := 0, 0
	for at := 0; at < len(text); n++ {
		at += lineLength(text[at:])
		if n > 0 && lines>>(n%64)&1 != 0 {
			pieces = append(pieces, text[begin:at:at])
			begin = at
		}
	}
	return append(pieces, text[begin:])
}

func checkFind(t *testing.T, s *Syntax, text []byte, lines uint64) {
	t.Helper()
	pieces := inPieces(text, lines)
	if want, got := plainly(s, pieces), quickly(s, pieces); !slices.Equal(got, want) {
		t.Fatalf("%q in %d pieces:\n got %+v\nwant %+v", text, len(pieces), got, want)
	}
	for _, l := range plainly(s, [][]byte{text}) {
		if says := s.Text(text, l); strings.ContainsAny(says, "\n") || l.Title && says == "" || l.Start >= l.End || !bytes.HasSuffix(text[:l.End], []byte("\n")) && l.End < len(text) {
			t.Fatalf("%q: %+v says %q", text, l, says)
		}
	}
}

func FuzzFind(f *testing.F) {
	for _, test := range outlines {
		f.Add([]byte(test.text), uint64(0), uint8(0))
		f.Add([]byte(test.text), uint64(0xaaaa), uint8(1))
	}
	f.Fuzz(func(t *testing.T, text []byte, lines uint64, syntax uint8) {
		list := []*Syntax{markdown, org, asciidoc, mediawiki}
		checkFind(t, list[int(syntax)%len(list)], text, lines)
	})
}

// Every text of a few short lines out of those that matter.
func TestFindExhaustively(t *testing.T) {
	lines := []string{"", "Foo", "===", "---", "--", "-", "# A", "```", "~~~ x", "- a", "  b", "    c", "     ***", "     ```", "***", "> q", "| t", "2. n", "a|b", strings.Repeat("w", maxSetext-6), "four", "fives", strings.Repeat(" ", maxSetext+9)}
	depth := 4
	if testing.Short() {
		depth = 3
	}
	index := make([]int, depth)
	for n := 0; ; n++ {
		var text []byte
		for _, i := range index {
			text = append(append(text, lines[i]...), '\n')
		}
		checkFind(t, markdown, text, 0)
		checkFind(t, markdown, text[:len(text)-1], uint64(n))
		k := 0
		for ; k < depth; k++ {
			if index[k]++; index[k] < len(lines) {
				break
			}
			index[k] = 0
		}
		if k == depth {
			return
		}
	}
}

// The rest of a line that is longer than a piece is no line.
func TestLinesInPieces(t *testing.T) {
	var f Finder
	f.Begin(markdown, []byte("a "))
	var got []Heading
	for _, piece := range []string{"a ", "# b\n---\n# c\n", "\n\nd\n---\n"} {
		f.Find([]byte(piece), func(h Heading) { got = append(got, h) })
	}
	want := []Heading{{Start: 8, End: 12, Level: 1, Title: true}, {Start: 2, End: 8, Level: 2, underlined: true}}
	if !slices.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func BenchmarkFind(b *testing.B) {
	var note strings.Builder
	for i := range 200 {
		fmt.Fprintf(&note, "## Heading %d\n\n", i)
		for range 5 {
			note.WriteString("The slugs got the seedlings last year, so this spring copper tape goes round every bed. " +
				"It is said to work,\nat least for those that come over land.\n\n")
		}
		note.WriteString("- an entry\n  of two lines\n- another one, with `code`\n\n```\nfunc main() {\n    return\n}\n```\n\n")
	}
	text := []byte(note.String())
	underlines := bytes.Repeat([]byte("Foo bar\n---\n--\n==\n--\n"), 4000)
	for _, bench := range []struct {
		name string
		text []byte
	}{{"note", text}, {"underlines", underlines}, {"lines", bytes.Repeat([]byte("--\n"), 32000)}} {
		b.Run(bench.name+"/quickly", func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			for b.Loop() {
				var f Finder
				f.Begin(markdown, bench.text)
				f.Find(bench.text, func(Heading) {})
			}
		})
		b.Run(bench.name+"/plainly", func(b *testing.B) {
			b.SetBytes(int64(len(bench.text)))
			for b.Loop() {
				r := NewReader(markdown, bench.text)
				for {
					if _, ok := r.Next(); !ok {
						break
					}
				}
			}
		})
	}
}
