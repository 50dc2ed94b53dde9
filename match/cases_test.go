package match

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tally/walk/opt"
)

// A tableCase is a block of testdata/cases.txt, which describes the format.
type tableCase struct {
	line    int
	name    string
	syntax  Syntax
	options Options
	engines []string
	except  []string
	in      string
	want    []string
}

// tableFlags are the words of the line `flags`.
var tableFlags = map[string]func(*Syntax){
	"i":     func(s *Syntax) { s.Case = Insensitive },
	"S":     func(s *Syntax) { s.Case = Smart },
	"w":     func(s *Syntax) { s.Boundary = Words },
	"x":     func(s *Syntax) { s.Boundary = Lines },
	"s":     func(s *Syntax) { s.DotAll = true },
	"U":     func(s *Syntax) { s.MultiLine = true },
	"crlf":  func(s *Syntax) { s.CRLF = true },
	"null":  func(s *Syntax) { s.NullData = true },
	"ascii": func(s *Syntax) { s.Unicode = false },
}

// tableOptions are the words of the line `options`.
var tableOptions = map[string]func(o *Options, n int){
	"before":           func(o *Options, n int) { o.Before = n },
	"after":            func(o *Options, n int) { o.After = n },
	"max":              func(o *Options, n int) { o.MaxCount = opt.Some(int64(n)) },
	"invert":           func(o *Options, _ int) { o.Invert = true },
	"passthru":         func(o *Options, _ int) { o.Passthru = true },
	"stop-on-nonmatch": func(o *Options, _ int) { o.StopOnNonmatch = true },
}

func readCases(t *testing.T) []tableCase {
	t.Helper()
	text, err := os.ReadFile("testdata/cases.txt")
	if err != nil {
		t.Fatal(err)
	}
	var cases []tableCase
	open := false
	for i, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		if line == "" {
			open = false
			continue
		}
		if !open {
			cases = append(cases, tableCase{
				line:    i + 1,
				syntax:  Syntax{Unicode: true},
				options: everything,
				engines: []string{"regex", "pcre2"},
			})
			open = true
		}
		c := &cases[len(cases)-1]
		key, value, ok := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		if !ok || !c.set(key, value) {
			t.Fatalf("testdata/cases.txt:%d: cannot read %q", i+1, line)
		}
	}
	return cases
}

// set takes in one line and reports whether it could be read.
func (c *tableCase) set(key, value string) bool {
	switch key {
	case "name":
		c.name = value
	case "pattern":
		c.syntax.Patterns = append(c.syntax.Patterns, value)
	case "flags":
		for _, f := range strings.Fields(value) {
			if tableFlags[f] == nil {
				return false
			}
			tableFlags[f](&c.syntax)
		}
	case "options":
		for _, f := range strings.Fields(value) {
			name, number, _ := strings.Cut(f, "=")
			n, _ := strconv.Atoi(number)
			if tableOptions[name] == nil {
				return false
			}
			tableOptions[name](&c.options, n)
		}
	case "engines":
		c.engines = strings.Fields(value)
	case "except":
		c.except = strings.Fields(value)
	case "in":
		in, err := strconv.Unquote(value)
		c.in = in
		return err == nil
	case "want":
		c.want = append(c.want, value)
	default:
		return false
	}
	return true
}

// with returns the case's syntax for an engine.
func (c *tableCase) with(engine string) Syntax {
	s := c.syntax
	switch engine {
	case "literal":
		s.Fixed = true
	case "pcre2":
		s.Engine = PCRE2Engine
	}
	return s
}

// filler is a pattern that matches nothing in the table. It makes any pattern
// so large that it is compiled from its plan instead of by rure.
var filler = strings.Repeat("zy", 33<<10)

// TestCases searches each haystack with each engine in each way of reading.
func TestCases(t *testing.T) {
	for _, c := range readCases(t) {
		for _, engine := range c.engines {
			t.Run(fmt.Sprintf("%s/%s", c.name, engine), func(t *testing.T) {
				s := c.with(engine)
				c.check(t, s, false)
				switch engine {
				case "literal":
					// PCRE2 takes literal text, too.
					literal := s
					literal.Engine = PCRE2Engine
					c.check(t, literal, false)
					fallthrough
				case "regex":
					large := s
					large.Patterns = append(slices.Clone(s.Patterns), filler)
					c.check(t, large, false)
				}
				if !s.MultiLine && !slices.Contains(c.except, "multi") {
					s.MultiLine = true
					c.check(t, s, true)
				}
			})
		}
	}
}

// check searches in all ways of reading. With split, blocks of lines are
// compared line by line: in a search across lines, lines that touch make one.
func (c *tableCase) check(t *testing.T, s Syntax, split bool) {
	t.Helper()
	searcher := compile(t, s).NewSearcher(c.options)
	for _, step := range []int{1, 3, 1 << 20} {
		for _, h := range []Haystack{{}, {Stream: true}, {Mapped: true}} {
			h.Reader = &dribble{[]byte(c.in), step}
			r := recorder{split: split}
			out, err := searcher.Search(h, &r)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(r.lines, c.want) {
				t.Fatalf("testdata/cases.txt:%d: engine %d multi-line %v step %d stream %v mapped %v:\n got %s\nwant %s",
					c.line, s.Engine, s.MultiLine, step, h.Stream, h.Mapped, r.lines, c.want)
			}
			if !out.Stopped && out.Bytes != int64(len(c.in)) {
				t.Errorf("searched %d bytes of %d", out.Bytes, len(c.in))
			}
		}
	}
}
