package match

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	rure "github.com/BurntSushi/rure-go"
)

// recorder is a sink that writes down what it is told.
type recorder struct {
	lines []string
	stop  int // lines after which it has enough, 0 for never
}

func (r *recorder) add(l *Line, mark string) bool {
	s := fmt.Sprintf("%s%d@%d:%q", mark, l.Number, l.Offset, l.Bytes)
	for _, sp := range l.Spans {
		s += fmt.Sprintf("[%d,%d]", sp.Start, sp.End)
	}
	r.lines = append(r.lines, s)
	return r.stop == 0 || len(r.lines) < r.stop
}

func (r *recorder) Matched(l *Line) bool { return r.add(l, "") }

func (r *recorder) Context(l *Line, k ContextKind) bool {
	return r.add(l, [...]string{Before: "B", After: "A", Other: "O"}[k])
}

func (r *recorder) Break() bool { r.lines = append(r.lines, "--"); return true }

// dribble reads a few bytes at a time.
type dribble struct {
	b    []byte
	step int
}

func (d *dribble) Read(p []byte) (int, error) {
	n := copy(p, d.b[:min(d.step, len(d.b))])
	d.b = d.b[n:]
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func compile(t testing.TB, s Syntax) *Matcher {
	t.Helper()
	m, err := Compile(s)
	if err != nil {
		t.Fatalf("Compile(%q): %v", s.Patterns, err)
	}
	return m
}

func literal(patterns ...string) Syntax {
	return Syntax{Patterns: patterns, Fixed: true, Unicode: true}
}

func regex(patterns ...string) Syntax { return Syntax{Patterns: patterns, Unicode: true} }

func multiLine(patterns ...string) Syntax {
	return Syntax{Patterns: patterns, Unicode: true, MultiLine: true}
}

var everything = Options{MaxCount: -1, Spans: true, Numbers: true, Digest: true, CountAll: true}

func TestRurePointer(t *testing.T) {
	f, ok := reflect.TypeFor[rure.Regex]().FieldByName("p")
	if !ok || f.Type.Kind() != reflect.Pointer {
		t.Fatal("rure.Regex no longer has the field p that newScanner takes")
	}
}

func TestSearch(t *testing.T) {
	const poem = "one\ntwo foo\nthree\nfour foo foo\nfive\nsix\nseven foo"
	tests := []struct {
		name string
		s    Syntax
		o    func(*Options)
		in   string
		want []string
	}{
		{"plain", literal("foo"), nil, poem, []string{
			`2@4:"two foo\n"[4,7]`, `4@18:"four foo foo\n"[5,8][9,12]`, `7@40:"seven foo"[6,9]`,
		}},
		{"literal dot", literal("fal.ai"), nil, "falXai\nfal.ai\n", []string{`2@7:"fal.ai\n"[0,6]`}},
		{"context", literal("foo"), func(o *Options) { o.Before, o.After = 1, 1 }, "a\nb\nfoo\nc\nd\ne\nfoo\n", []string{
			`B2@2:"b\n"`, `3@4:"foo\n"[0,3]`, `A4@8:"c\n"`, "--", `B6@12:"e\n"`, `7@14:"foo\n"[0,3]`,
		}},
		{"invert", literal("foo"), func(o *Options) { o.Invert = true }, "a\nfoo\nb", []string{`1@0:"a\n"`, `3@6:"b"`}},
		{"invert with context", literal("foo"), func(o *Options) { o.Invert, o.After = true, 1 }, "a\nfoo\nfoo\nb", []string{
			`1@0:"a\n"`, `A2@2:"foo\n"[0,3]`, "--", `4@10:"b"`,
		}},
		{"passthru", literal("foo"), func(o *Options) { o.Passthru = true }, "a\nfoo\nb", []string{
			`O1@0:"a\n"`, `2@2:"foo\n"[0,3]`, `O3@6:"b"`,
		}},
		{"max count", literal("foo"), func(o *Options) { o.MaxCount = 1 }, poem, []string{`2@4:"two foo\n"[4,7]`}},
		{"max count with context", literal("foo"), func(o *Options) { o.MaxCount, o.After = 1, 2 }, "foo\na\nfoo\nb\n", []string{
			`1@0:"foo\n"[0,3]`, `A2@4:"a\n"`, `3@6:"foo\n"[0,3]`,
		}},
		{"stop on nonmatch", literal("foo"), func(o *Options) { o.StopOnNonmatch = true }, "a\nfoo\nfoo\nb\nfoo\n", []string{
			`2@2:"foo\n"[0,3]`, `3@6:"foo\n"[0,3]`,
		}},
		{"empty pattern", literal(""), nil, "a\n\nb", []string{`1@0:"a\n"[0,0][1,1]`, `2@2:"\n"[0,0]`, `3@3:"b"[0,0]`}},
		{"empty lines", regex("^$"), nil, "a\n\nb\n\n", []string{`2@2:"\n"[0,0]`, `4@5:"\n"[0,0]`}},
		{"records", Syntax{Patterns: []string{"b"}, Boundary: Lines, NullData: true, Unicode: true}, nil, "a\x00b\x00", []string{`2@2:"b\x00"[0,1]`}},
		{"haystack anchors across lines", multiLine(`\Ab`), nil, "a\nb\n", nil},
		{"haystack anchors", regex(`\Ab\z`), nil, "a\nb\nb c\n", []string{`2@2:"b\n"[0,1]`}},
		{"white space stays in its line", regex(`a\s*b`), nil, "a\nb\na  b\n", []string{`3@4:"a  b\n"[0,4]`}},
		{"words", Syntax{Patterns: []string{"foo"}, Boundary: Words, Unicode: true}, nil, "foobar\na foo b\n", []string{`2@7:"a foo b\n"[2,5]`}},
		{"whole lines", Syntax{Patterns: []string{"foo|ba"}, Boundary: Lines, Unicode: true}, nil, "foo\nfoox\nba\n", []string{`1@0:"foo\n"[0,3]`, `3@9:"ba\n"[0,2]`}},
		{"crlf", Syntax{Patterns: []string{"o$"}, CRLF: true, Unicode: true}, nil, "foo\r\nbar\r\n", []string{`1@0:"foo\r\n"[2,3]`}},
		{"multi-line", multiLine(`b\nc`), nil, "a\nb\nc\nd\n", []string{`2@2:"b\nc\n"[0,3]`}},
		{"multi-line blocks that touch", multiLine(`b\nc|d`), nil, "a\nb\nc\nd\ne\nd", []string{
			`2@2:"b\nc\nd\n"[0,3][4,5]`, `6@10:"d"[0,1]`,
		}},
		{"multi-line with context", multiLine(`b\nc`), func(o *Options) { o.Before, o.After = 1, 1 }, "x\na\nb\nc\nd\ne\n", []string{
			`B2@2:"a\n"`, `3@4:"b\nc\n"[0,3]`, `A5@8:"d\n"`,
		}},
		{"multi-line inverted", multiLine(`b\nc`), func(o *Options) { o.Invert = true }, "a\nb\nc\nd\n", []string{`1@0:"a\n"`, `4@6:"d\n"`}},
		{"multi-line max count", multiLine(`b\nc`), func(o *Options) { o.MaxCount = 1 }, "b\nc\nb\nc\n", []string{`1@0:"b\nc\n"[0,3]`}},
		{"no pattern", Syntax{}, nil, poem, nil},
		{"several patterns", literal("one", "six"), nil, poem, []string{`1@0:"one\n"[0,3]`, `6@36:"six\n"[0,3]`}},
		{"not UTF-8", literal("b"), nil, "\xff\xfdb\nc\n", []string{`1@0:"\xff\xfdb\n"[2,3]`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := everything
			if tt.o != nil {
				tt.o(&o)
			}
			s := compile(t, tt.s).NewSearcher(o)
			for _, step := range []int{1, 3, 1 << 20} {
				for _, stream := range []bool{false, true} {
					var r recorder
					out, err := s.Search(Haystack{Reader: &dribble{[]byte(tt.in), step}, Stream: stream}, &r)
					if err != nil {
						t.Fatal(err)
					}
					if !reflect.DeepEqual(r.lines, tt.want) {
						t.Errorf("step %d stream %v:\n got %s\nwant %s", step, stream, r.lines, tt.want)
					}
					if !out.Stopped && out.Bytes != int64(len(tt.in)) {
						t.Errorf("searched %d bytes of %d", out.Bytes, len(tt.in))
					}
				}
			}
		})
	}
}

func TestSyntaxErrors(t *testing.T) {
	tests := []struct {
		s    Syntax
		want string
	}{
		{regex("("), "regex parse error:\n    (?:()\n    ^\nerror: unclosed group"},
		{regex(`a\nb`), `the literal "\n" is not allowed in a regex`},
		{literal("a\nb"), `the literal "\n" is not allowed in a regex`},
		{Syntax{Patterns: []string{`\x00`}, BanNUL: true, Unicode: true}, `pattern contains "\0" but it is impossible to match`},
	}
	for _, tt := range tests {
		if _, err := Compile(tt.s); err == nil || err.Error() != tt.want {
			t.Errorf("Compile(%q) = %v, want %s", tt.s.Patterns, err, tt.want)
		}
	}
}

func TestMaxCountCountsOn(t *testing.T) {
	in := strings.Repeat("foo\nbar\n", 20000)
	o := everything
	o.MaxCount = 3
	out, _ := compile(t, literal("foo")).NewSearcher(o).Search(Haystack{Reader: strings.NewReader(in)}, &recorder{})
	if out.Lines != 20000 || !out.Cut || out.Stopped {
		t.Errorf("got %+v", out)
	}
	o.MaxCount = 20000
	out, _ = compile(t, literal("foo")).NewSearcher(o).Search(Haystack{Reader: strings.NewReader(in)}, &recorder{})
	if out.Cut {
		t.Errorf("nothing was cut: %+v", out)
	}
}

func TestBinary(t *testing.T) {
	early := "foo\n\x00\nfoo\n"
	late := strings.Repeat("foo bar baz\n", 10000) + "\x00\nfoo\n"
	tests := []struct {
		name   string
		detect Detection
		in     string
		lines  int64
		offset int64
	}{
		{"quit early", Quit, early, 0, 4},
		{"convert early", Convert, early, 2, 4},
		{"text", Text, early, 2, -1},
		{"quit late", Quit, late, 5461, 120000},
		{"convert late", Convert, late, 10001, 120000},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			o := Options{MaxCount: -1, Detection: tt.detect}
			out, err := compile(t, literal("foo")).NewSearcher(o).Search(Haystack{Reader: strings.NewReader(tt.in)}, nil)
			if err != nil || out.Lines != tt.lines || out.BinaryOffset != tt.offset {
				t.Errorf("got %+v, %v", out, err)
			}
			if out.Stopped != (tt.detect == Quit) {
				t.Errorf("Stopped = %v", out.Stopped)
			}
		})
	}
}

// naive searches the plain way: it cuts the text into lines and asks rure-go
// about each alone.
func naive(re *rure.Regex, text []byte, crlf bool) (lines []string, d Digest) {
	number, offset := int64(0), 0
	for len(text) > 0 {
		end := lineEnd(text, 0, '\n')
		line := text[:end]
		number++
		b := body(line, '\n', crlf)
		if re.IsMatchBytes(b) {
			s := fmt.Sprintf("%d@%d:%q", number, offset, line)
			for all := re.FindAllBytes(b); len(all) > 0; all = all[2:] {
				if all[0] < len(line) {
					s += fmt.Sprintf("[%d,%d]", all[0], all[1])
				}
			}
			lines = append(lines, s)
			st := scanState{}
			st.add(b, number)
			d.Sum += st.digestSum
			d.Weighted += st.digestWeighted
		}
		text, offset = text[end:], offset+end
	}
	return lines, d
}

// FuzzLines holds the batched scan of whole buffers against the naive search
// of each line alone: no match crosses a line end, whatever the pattern.
func FuzzLines(f *testing.F) {
	for _, p := range []string{`\s`, `[^a]`, `(?s).`, `\W`, `\PL`, `a|b\s+c`, `^$`, `\Aa\z`, `$`, `a*`, `(?-u:\xff)`, `(?i)É`, `\bfoo\b`, `(?-m)a$`, `(?-m)^`, `[\s\S]+`, `(?s)a.*b`, `\x{a}|b`, `(a)(\W)?b`, `\b{start}a`} {
		f.Add(p, []byte("a\nb a\n\n c\xff\xfe\r\nfoo É\xc3\n"), 3, false)
		f.Add(p, []byte("a \nb"), 2, true)
	}
	f.Fuzz(func(t *testing.T, pattern string, text []byte, step int, crlf bool) {
		if len(pattern) > 60 || len(text) > 4096 || step <= 0 {
			return
		}
		s := Syntax{Patterns: []string{pattern}, Unicode: true, CRLF: crlf, SizeLimit: 1 << 20}
		m, err := Compile(s)
		if err != nil {
			return
		}
		want, digest := naive(m.re, text, crlf)
		var r recorder
		out, err := m.NewSearcher(everything).Search(Haystack{Reader: &dribble{bytes.Clone(text), step}}, &r)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(r.lines, want) {
			t.Errorf("%q on %q:\n got %s\nwant %s", pattern, text, r.lines, want)
		}
		if out.Digest != digest || out.Lines != int64(len(want)) {
			t.Errorf("%q on %q: digest %v lines %d, want %v %d", pattern, text, out.Digest, out.Lines, digest, len(want))
		}
		counted, _ := m.NewSearcher(everything).Search(Haystack{Reader: bytes.NewReader(text)}, nil)
		if counted != out {
			t.Errorf("%q on %q: counting says %+v, searching %+v", pattern, text, counted, out)
		}
		// With CRLF, \r is in no match, wherever it stands; without, nothing but
		// the terminator has been taken out.
		plain, perr := rure.CompileOptions("(?m:(?:"+pattern+"))", rure.FlagUnicode, rure.NewOptions())
		if crlf || perr != nil {
			return
		}
		if lines, _ := naive(plain, text, crlf); !reflect.DeepEqual(lines, want) {
			t.Errorf("rewriting changed %q on %q:\n got %s\nwant %s", pattern, text, want, lines)
		}
	})
}

func TestExpand(t *testing.T) {
	tests := []struct{ pattern, template, in, want string }{
		{`(\w+) (\w+)`, "$2 $1", "one two, three four\n", "two one, four three\n"},
		{`(?P<a>\w)(\w)`, "${a}-$2", "xy", "x-y"},
		{`b`, "$0$0", "abc\n", "abbc\n"},
		{`b`, "$1", "abc\n", "ac\n"},
		{`b`, "$$1", "abc\n", "a$1c\n"},
		{`b`, "$", "abc", "a$c"},
		{`b`, "${", "abc", "a${c"},
		{`b`, "${a b}${}", "abc", "a${a b}${}c"},
		{`(b)`, "$1a", "abc", "ac"}, // the group named 1a
		{`(a)|(b)`, "[$1$2]", "ab", "[a][b]"},
	}
	for _, tt := range tests {
		m := compile(t, regex(tt.pattern))
		var r recorder
		var got []byte
		s := m.NewSearcher(everything)
		x := m.NewExpander()
		s.Search(Haystack{Reader: strings.NewReader(tt.in)}, sinkFunc(func(l *Line) bool {
			got, _ = x.Expand(nil, []byte(tt.template), l.Bytes, l.Spans)
			return r.Matched(l)
		}))
		if string(got) != tt.want {
			t.Errorf("%q by %q in %q: got %q, want %q", tt.pattern, tt.template, tt.in, got, tt.want)
		}
	}
}

type sinkFunc func(*Line) bool

func (f sinkFunc) Matched(l *Line) bool                { return f(l) }
func (f sinkFunc) Context(l *Line, _ ContextKind) bool { return true }
func (f sinkFunc) Break() bool                         { return true }
