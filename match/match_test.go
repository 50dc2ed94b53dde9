package match

import (
	"bytes"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	rure "github.com/BurntSushi/rure-go"

	"tally/match/decode"
	"tally/match/digest"
	"tally/walk/opt"
)

// recorder is a sink that writes down what it is told.
type recorder struct {
	lines []string
	stop  int  // lines after which it has enough, 0 for never
	split bool // blocks of lines are written down line by line
}

func (r *recorder) add(l *Line, mark string) bool {
	if end := bytes.IndexByte(l.Bytes, '\n') + 1; r.split && 0 < end && end < len(l.Bytes) {
		first := Line{Bytes: l.Bytes[:end], Number: l.Number, Offset: l.Offset}
		rest := Line{Bytes: l.Bytes[end:], Number: l.Number + 1, Offset: l.Offset + int64(end)}
		for _, sp := range l.Spans {
			if sp.Start < end {
				first.Spans = append(first.Spans, sp)
			} else {
				rest.Spans = append(rest.Spans, Span{sp.Start - end, sp.End - end})
			}
		}
		return r.add(&first, mark) && r.add(&rest, mark)
	}
	s := fmt.Appendf(nil, "%s%d@%d:%q", mark, l.Number, l.Offset, l.Bytes)
	for _, sp := range l.Spans {
		s = fmt.Appendf(s, "[%d,%d]", sp.Start, sp.End)
	}
	r.lines = append(r.lines, string(s))
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

var everything = Options{Spans: true, Numbers: true, Digest: true, CountAll: true}

func TestRurePointer(t *testing.T) {
	f, ok := reflect.TypeFor[rure.Regex]().FieldByName("p")
	if !ok || f.Type.Kind() != reflect.Pointer {
		t.Fatal("rure.Regex no longer has the field p that pointerOf takes")
	}
}

func TestNoPattern(t *testing.T) {
	var r recorder
	out, err := compile(t, Syntax{}).NewSearcher(everything).Search(Haystack{Reader: strings.NewReader("a\n")}, &r)
	if err != nil || len(r.lines) > 0 || out.Lines != 0 {
		t.Errorf("got %s, %+v, %v", r.lines, out, err)
	}
}

func TestSyntaxErrors(t *testing.T) {
	const (
		multiLineHint = "\n\nConsider enabling multiline mode with the --multiline flag (or -U for short).\n" +
			"When multiline mode is enabled, new line characters can be matched."
		textHint = "\n\nConsider enabling text mode with the --text flag (or -a for short). Otherwise,\n" +
			"binary detection is enabled and matching a NUL byte is impossible."
		pcre2Hint = "\n\nConsider enabling PCRE2 with the --pcre2 flag, which can handle backreferences\nand look-around."
		divider   = "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
		unclosed  = "regex parse error:\n    (?:()\n    ^\nerror: unclosed group"
	)
	with := func(e Engine, patterns ...string) Syntax {
		return Syntax{Patterns: patterns, Engine: e, Unicode: true}
	}
	tests := []struct {
		s    Syntax
		want string
	}{
		{regex("("), unclosed},
		{regex(`a\nb`), `the literal "\n" is not allowed in a regex` + multiLineHint},
		{literal("a\nb"), `the literal "\n" is not allowed in a regex` + multiLineHint},
		{Syntax{Patterns: []string{`\x00`}, BanNUL: true, Unicode: true}, `pattern contains "\0" but it is impossible to match` + textHint},
		{regex(`(a)\1`), "regex parse error:\n    (?:(a)\\1)\n          ^^\nerror: backreferences are not supported" + pcre2Hint},
		{regex(`a(?=b)`), "regex parse error:\n    (?:a(?=b))\n        ^^^\nerror: look-around, including look-ahead and look-behind, is not supported" + pcre2Hint},
		{Syntax{Patterns: []string{`\w{500}`}, Unicode: true, SizeLimit: new(1000)}, "compiled regex exceeds size limit of 1000"},
		{Syntax{Patterns: []string{`\d{3}`}, SizeLimit: new(0)}, "compiled regex exceeds size limit of 0"},
		{with(PCRE2Engine, "("), "PCRE2: error compiling pattern at offset 5: missing closing parenthesis"},
		{with(AutoEngine, "("), "regex could not be compiled with either the default regex engine or with PCRE2.\n\n" +
			"default regex engine error:\n" + divider + "\n" + unclosed + "\n" + divider +
			"\n\nPCRE2 regex engine error:\nPCRE2: error compiling pattern at offset 5: missing closing parenthesis"},
	}
	for _, tt := range tests {
		if _, err := Compile(tt.s); err == nil || err.Error() != tt.want {
			t.Errorf("Compile(%q) = %v, want %s", tt.s.Patterns, err, tt.want)
		}
	}
	for _, s := range []Syntax{with(AutoEngine, `(a)\1`), with(PCRE2Engine, `(?=a)`), with(AutoEngine, "a")} {
		compile(t, s)
	}
}

// TestEngineGivesUp searches with a pattern that PCRE2 stops trying: that must
// be an error, and what is known before it must have been handed over.
func TestEngineGivesUp(t *testing.T) {
	hard := strings.Repeat("a", 40) + "\n"
	s := Syntax{Patterns: []string{`^(?:(?=(a+))a)*?b|(?:a+)+c|x`}, Engine: PCRE2Engine, Unicode: true}
	for _, o := range []func(*Options){
		func(*Options) {},
		func(o *Options) { o.Invert = true },
		func(o *Options) { o.Before, o.After = 1, 1 },
		func(o *Options) { o.Passthru = true },
		func(o *Options) { o.Spans = false },
	} {
		for _, multi := range []bool{false, true} {
			options := everything
			o(&options)
			s.MultiLine = multi
			var r recorder
			_, err := compile(t, s).NewSearcher(options).Search(Haystack{Reader: strings.NewReader("x\ny\n" + hard + "x\ny\n")}, &r)
			if err == nil || err.Error() != "PCRE2: error matching: match limit exceeded" {
				t.Errorf("%+v, multi-line %v: error %v", options, multi, err)
			}
			for _, line := range r.lines {
				if strings.Contains(line, "aaa") || strings.Contains(line, "4@") || strings.Contains(line, "5@") {
					t.Errorf("%+v, multi-line %v: handed over %s", options, multi, r.lines)
				}
			}
			if !options.Invert && (len(r.lines) == 0 || r.lines[0][0] != '1') {
				t.Errorf("%+v, multi-line %v: nothing but %s", options, multi, r.lines)
			}
		}
	}
}

func TestMaxCountCountsOn(t *testing.T) {
	in := strings.Repeat("foo\nbar\n", 20000)
	o := everything
	o.MaxCount = opt.Some[int64](3)
	out, _ := compile(t, literal("foo")).NewSearcher(o).Search(Haystack{Reader: strings.NewReader(in)}, &recorder{})
	if out.Lines != 20000 || !out.Cut || out.Stopped {
		t.Errorf("got %+v", out)
	}
	o.MaxCount = opt.Some[int64](20000)
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
			o := Options{Detection: tt.detect}
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
func naive(re *rure.Regex, text []byte, crlf bool) (lines []string, d digest.Lines) {
	number, offset := int64(0), 0
	for len(text) > 0 {
		end := lineEnd(text, 0, '\n')
		line := text[:end]
		number++
		b := body(line, '\n', crlf)
		if re.IsMatchBytes(b) {
			s := fmt.Appendf(nil, "%d@%d:%q", number, offset, line)
			for all := re.FindAllBytes(b); len(all) > 0; all = all[2:] {
				if all[0] < len(line) {
					s = fmt.Appendf(s, "[%d,%d]", all[0], all[1])
				}
			}
			lines = append(lines, string(s))
			d.Add(b, number)
		}
		text, offset = text[end:], offset+end
	}
	return lines, d
}

// planned compiles the rewritten pattern with rure alone.
func planned(t *testing.T, s Syntax) *rure.Regex {
	t.Helper()
	p, err := newPlan(s.Patterns, s.planFlags())
	if err != nil {
		t.Fatal(err)
	}
	defer p.free()
	re, err := rure.CompileOptions(p.text(), rure.FlagUnicode, rure.NewOptions())
	if err != nil {
		t.Skip(err)
	}
	return re
}

// FuzzLines holds the batched scan of whole buffers against the naive search
// of each line alone: no match crosses a line end, whatever the pattern.
func FuzzLines(f *testing.F) {
	for _, p := range []string{`\s`, `[^a]`, `(?s).`, `\W`, `\PL`, `a|b\s+c`, `^$`, `\Aa\z`, `$`, `a*`, `(?-u:\xff)`, `(?i)É`, `\bfoo\b`, `(?-m)a$`, `(?-m)^`, `[\s\S]+`, `(?s)a.*b`, `\x{a}|b`, `(a)(\W)?b`, `\b{start}a`, `\B`, `\w+oob?\b.*É`, `[a-z](foo|\dbar)`, `e`, `\r`, `ab`} {
		f.Add(p, []byte("a\nb a\n\n c\xff\xfe\r\nfoo É\xc3\n"), 3, false)
		f.Add(p, []byte("a \nb"), 2, true)
		f.Add(p, []byte("eab\re e eeee\r\n e\n\nab e\nx\nfoobar\r\ne"), 99, true)
	}
	f.Fuzz(func(t *testing.T, pattern string, text []byte, step int, crlf bool) {
		if len(pattern) > 60 || len(text) > 4096 || step <= 0 {
			return
		}
		s := Syntax{Patterns: []string{pattern}, Unicode: true, CRLF: crlf, SizeLimit: new(1 << 20)}
		m, err := Compile(s)
		if err != nil {
			return
		}
		want, sum := naive(planned(t, s), text, crlf)
		var r recorder
		o := everything
		o.Decode.Encoding = decode.None
		out, err := m.NewSearcher(o).Search(Haystack{Reader: &dribble{bytes.Clone(text), step}}, &r)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(r.lines, want) {
			t.Errorf("%q on %q:\n got %s\nwant %s", pattern, text, r.lines, want)
		}
		if out.Digest != sum || out.Lines != int64(len(want)) {
			t.Errorf("%q on %q: digest %v lines %d, want %v %d", pattern, text, out.Digest, out.Lines, sum, len(want))
		}
		counted, _ := m.NewSearcher(o).Search(Haystack{Reader: bytes.NewReader(text)}, nil)
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
		{`(?P<n>b)`, "<$n$m>", "abc", "a<b>c"},
	}
	for i := range 2 * len(tests) {
		tt := tests[i/2]
		syntax := regex(tt.pattern)
		syntax.Engine = []Engine{DefaultEngine, PCRE2Engine}[i%2]
		m := compile(t, syntax)
		var r recorder
		var got []byte
		s := m.NewSearcher(everything)
		x := m.NewExpander()
		s.Search(Haystack{Reader: strings.NewReader(tt.in)}, sinkFunc(func(l *Line) bool {
			got, _ = x.Expand(nil, []byte(tt.template), l)
			return r.Matched(l)
		}))
		if string(got) != tt.want {
			t.Errorf("%q by %q in %q: got %q, want %q", tt.pattern, tt.template, tt.in, got, tt.want)
		}
	}
}

// TestExpandLooksAround replaces matches that need what stands around their
// lines.
func TestExpandLooksAround(t *testing.T) {
	s := Syntax{Patterns: []string{`(?<=a\n)(b)(?=\nc)`}, Engine: PCRE2Engine, MultiLine: true, Unicode: true}
	m := compile(t, s)
	x := m.NewExpander()
	var got []byte
	m.NewSearcher(everything).Search(Haystack{Reader: strings.NewReader("x\na\nb\nc\n")}, sinkFunc(func(l *Line) bool {
		got, _ = x.Expand(got, []byte("<$1>"), l)
		return true
	}))
	if string(got) != "<b>\n" {
		t.Errorf("got %q", got)
	}
}

type sinkFunc func(*Line) bool

func (f sinkFunc) Matched(l *Line) bool                { return f(l) }
func (f sinkFunc) Context(l *Line, _ ContextKind) bool { return true }
func (f sinkFunc) Break() bool                         { return true }
