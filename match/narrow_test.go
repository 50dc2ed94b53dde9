package match

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tally/match/digest"
	"tally/walk/opt"
)

// drawnWords are short texts over a small alphabet, of which some hold others.
func drawnWords(r *rand.Rand, n int) []string {
	var words []string
	for range n {
		words = append(words, []string{"a", "b", "ab", "ba", "aab", "b a", "c", "B", "é"}[r.IntN(9)])
	}
	return words
}

// drawnText is lines over that alphabet.
func drawnText(r *rand.Rand, lines int, term byte) []byte {
	var b bytes.Buffer
	for range lines {
		for range r.IntN(7) {
			b.WriteString([]string{"a", "a", "b", " ", "c", "B", "é", "\xff", "\r"}[r.IntN(9)])
		}
		b.WriteByte(term)
	}
	if r.IntN(2) == 0 {
		b.WriteString("ab")
	}
	return b.Bytes()
}

// drawnSyntax is a way to read these words.
func drawnSyntax(r *rand.Rand) Syntax {
	s := Syntax{
		Fixed: r.IntN(2) == 0, Unicode: true, Case: Case(r.IntN(5) % 3), Boundary: Boundary(max(0, r.IntN(6)-3)),
		CRLF: r.IntN(5) == 0, NullData: r.IntN(5) == 0,
	}
	if s.NullData {
		s.CRLF = false
	}
	if r.IntN(4) == 0 {
		s.Engine = PCRE2Engine
	}
	return s
}

// linesOf cuts a text into lines.
func linesOf(text []byte, term byte) [][]byte {
	lines := bytes.SplitAfter(text, []byte{term})
	if len(lines[len(lines)-1]) == 0 {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// hitBy reports whether a line alone matches.
func hitBy(t *testing.T, m *Matcher, line []byte) bool {
	t.Helper()
	o, err := m.NewSearcher(Options{}).SearchText(line)
	if err != nil {
		t.Fatal(err)
	}
	return o.Lines > 0
}

// of all patterns of s, one matcher for each, with smart case settled by all.
func eachAlone(t *testing.T, s Syntax) []*Matcher {
	t.Helper()
	all := slices.Concat(s.Patterns, s.And)
	if s.Case == Smart {
		s.Case = Insensitive
		if strings.ContainsAny(strings.Join(all, ""), "B") {
			s.Case = Sensitive
		}
	}
	var ms []*Matcher
	for _, p := range all {
		one := s
		one.Patterns, one.And = []string{p}, nil
		ms = append(ms, compile(t, one))
	}
	return ms
}

// naiveAnd says of each line whether it matches a pattern and all that belong to it,
// by asking for each of them alone.
func naiveAnd(t *testing.T, s Syntax, lines [][]byte) []bool {
	t.Helper()
	ms, selected := eachAlone(t, s), make([]bool, len(lines))
	for i, line := range lines {
		for _, m := range ms[:len(s.Patterns)] {
			selected[i] = selected[i] || hitBy(t, m, line)
		}
		for _, m := range ms[len(s.Patterns):] {
			selected[i] = selected[i] && hitBy(t, m, line)
		}
	}
	return selected
}

// checkSelection holds a search against the lines that it should select. The
// display is held against that of a plain search for a mark at their ends.
func checkSelection(t *testing.T, what string, m *Matcher, search func(Options, Sink) Outcome, selected []bool, lines [][]byte, o Options) {
	t.Helper()
	term, crlf, mark := m.term, m.syntax.CRLF, Syntax{Patterns: []string{"\x01"}, NullData: m.term == 0}
	if m.linewise {
		mark.Engine = PCRE2Engine // what lines owe to context differs
	}
	var marked bytes.Buffer
	var sum digest.Lines
	n := int64(0)
	for i, line := range lines {
		text := bytes.TrimSuffix(line, []byte{term})
		marked.Write(text)
		if selected[i] {
			marked.WriteString("\x01")
		}
		marked.Write(line[len(text):])
		if selected[i] != o.Invert {
			n++
			sum.Add(body(line, term, crlf), int64(i+1))
		}
	}
	var want, got unplaced
	plain, err := compile(t, mark).NewSearcher(o).Search(Haystack{Reader: &marked}, &want)
	if err != nil {
		t.Fatal(err)
	}
	out := search(o, &got)
	if !slices.Equal(got, want) {
		t.Fatalf("%s %+v:\n%q\nwant\n%q", what, o, got, want)
	}
	if out.Lines != plain.Lines || out.Stopped != plain.Stopped || out.Cut != plain.Cut || out.Nonmatch != plain.Nonmatch {
		t.Fatalf("%s %+v: %+v, want %+v", what, o, out, plain)
	}
	if o.CountAll && (out.Lines != n || o.Digest && out.Digest != sum) {
		t.Fatalf("%s %+v: %d lines, want %d; digest %v, want %v", what, o, out.Lines, n, out.Digest, sum)
	}
}

// unplaced notes what it is told, but for offsets and marks.
type unplaced []string

func (u *unplaced) add(l *Line, kind string) bool {
	*u = append(*u, fmt.Sprintf("%s%d:%q", kind, l.Number, bytes.ReplaceAll(l.Bytes, []byte("\x01"), nil)))
	return true
}

func (u *unplaced) Matched(l *Line) bool { return u.add(l, "") }

func (u *unplaced) Context(l *Line, k ContextKind) bool {
	return u.add(l, [...]string{Before: "B", After: "A", Other: "O"}[k])
}

func (u *unplaced) Break() bool { *u = append(*u, "--"); return true }

// drawnOptions are ways to search in which all lines are counted.
func drawnOptions(r *rand.Rand) Options {
	o := Options{Invert: r.IntN(4) == 0, Numbers: r.IntN(4) > 0, Digest: r.IntN(4) > 0, CountAll: r.IntN(4) > 0}
	switch r.IntN(4) {
	case 0:
		o.Before, o.After = r.IntN(3), r.IntN(3)
	case 1:
		o.Passthru = true
	}
	if r.IntN(3) == 0 {
		o.MaxCount = opt.Some(int64(r.IntN(4)))
	}
	o.FirstOnly = !o.CountAll && r.IntN(3) == 0
	o.StopOnNonmatch = r.IntN(6) == 0
	return o
}

// What a search for several patterns in one line selects is what each of them
// alone would select, whichever of them finds the lines.
func TestAnd(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 4))
	for range 1500 {
		s := drawnSyntax(r)
		s.Patterns, s.And = drawnWords(r, 1+r.IntN(2)), drawnWords(r, 1+r.IntN(3))
		m := compile(t, s)
		text := drawnText(r, r.IntN(40), m.term)
		lines := linesOf(text, m.term)
		selected := naiveAnd(t, s, lines)
		o := drawnOptions(r)
		checkSelection(t, fmt.Sprintf("%q and %q in %q", s.Patterns, s.And, text), m, func(o Options, sink Sink) Outcome {
			out, err := m.NewSearcher(o).Search(Haystack{Reader: bytes.NewReader(text)}, sink)
			if err != nil {
				t.Fatal(err)
			}
			return out
		}, selected, lines, o)
		checkSpans(t, m, s, text, lines, selected)
	}
}

// checkSpans holds the matches in the selected lines against those that all
// patterns together have in each of them.
func checkSpans(t *testing.T, m *Matcher, s Syntax, text []byte, lines [][]byte, selected []bool) {
	t.Helper()
	any := s
	any.Patterns, any.And = slices.Concat(s.Patterns, s.And), nil
	together := compile(t, any).NewSearcher(everything)
	var want []string
	matches := int64(0)
	for i, line := range lines {
		if !selected[i] {
			continue
		}
		var one spanRecorder
		out, err := together.Search(Haystack{Reader: bytes.NewReader(line)}, &one)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, one...)
		matches += out.Matches
	}
	var got spanRecorder
	out, err := m.NewSearcher(everything).Search(Haystack{Reader: bytes.NewReader(text)}, &got)
	if err != nil || !slices.Equal(got, want) || out.Matches != matches || !out.MatchesKnown {
		t.Fatalf("%q and %q in %q: %q (%+v, %v), want %q (%d)", s.Patterns, s.And, text, got, out, err, want, matches)
	}
	counted, err := m.NewSearcher(everything).Search(Haystack{Reader: bytes.NewReader(text)}, nil)
	if err != nil || counted.Lines != out.Lines || counted.Matches != matches || counted.Digest != out.Digest {
		t.Fatalf("%q and %q in %q: counting says %+v, %v; searching %+v", s.Patterns, s.And, text, counted, err, out)
	}
}

// spanRecorder notes the matches of each line.
type spanRecorder []string

func (u *spanRecorder) Matched(l *Line) bool {
	*u = append(*u, fmt.Sprint(l.Spans))
	return true
}

func (*spanRecorder) Context(*Line, ContextKind) bool { return true }
func (*spanRecorder) Break() bool                     { return true }

func TestAndSplit(t *testing.T) {
	text := longText(3, "needle")
	for _, s := range []Syntax{literal("word"), literal("needle"), regex("^w"), literal("nowhere")} {
		s.And = []string{"needle", "e"}
		held(t, s, everything, text)
	}
}

// A reference is to a group of its own pattern, whatever stands before.
func TestAndReferences(t *testing.T) {
	m := compile(t, Syntax{Patterns: []string{`(a)\1`}, And: []string{`(b)\1`}, Engine: PCRE2Engine})
	var got spanRecorder
	if _, err := m.NewSearcher(everything).Search(Haystack{Reader: strings.NewReader("aabb\naab\nabb\n")}, &got); err != nil {
		t.Fatal(err)
	}
	if want := "[{0 2} {2 4}]"; len(got) != 1 || got[0] != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// checkEach holds the counts of each pattern against a search for it alone, in
// lines, across lines and in pieces.
func checkEach(t *testing.T, s Syntax, text []byte, piece int64) {
	t.Helper()
	var want []Count
	for _, m := range eachAlone(t, s) {
		o, err := m.NewSearcher(everything).Search(Haystack{Reader: bytes.NewReader(text)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, Count{o.Lines, o.Matches})
	}
	for _, sink := range []Sink{nil, new(recorder)} {
		o := everything
		o.Each, o.Threads = true, 2
		searcher := compile(t, s).NewSearcher(o)
		searcher.piece = piece
		for range 2 {
			h := Haystack{Reader: bytes.NewReader(text), At: memory{bytes.NewReader(text)}, Mapped: true}
			if _, err := searcher.Search(h, sink); err != nil {
				t.Fatal(err)
			}
			got, known := searcher.Each()
			if !known || !slices.Equal(got, want) {
				t.Fatalf("%q and %q in %.200q: %v (%t), want %v", s.Patterns, s.And, text, got, known, want)
			}
		}
	}
}

func TestEach(t *testing.T) {
	r := rand.New(rand.NewPCG(18, 5))
	for range 1000 {
		s := drawnSyntax(r)
		s.Patterns = drawnWords(r, 1+r.IntN(3))
		if s.MultiLine = r.IntN(3) == 0; !s.MultiLine {
			s.And = drawnWords(r, r.IntN(3))
		}
		term := byte('\n')
		if s.NullData {
			term = 0
		}
		checkEach(t, s, drawnText(r, r.IntN(40), term), testPiece)
	}
	for _, s := range []Syntax{literal("word", "needle", "nowhere"), regex("^w", "d n")} {
		checkEach(t, s, longText(5, "needle"), testPiece)
		s.And = []string{"e", "needle"}
		checkEach(t, s, longText(5, "needle"), testPiece)
	}
}
