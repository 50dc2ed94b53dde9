package run

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"

	"tally/match"
	"tally/match/decode"
	"tally/match/readings"
	"tally/report"
	"tally/report/escape"
	"tally/walk"
)

// This file says how to find what nearly matched. What it says was tried: on the
// line that is shown, or on its file.

// A sample is a line that a probe has found.
type sample struct {
	probe  *probe
	path   string
	offset int64 // of the line,
	number int64 // its number, 0 if it is not known,
	length int   // and its length, in bytes
	text   string
	words  []string // expressions that were found in it, in their order
	window []byte   // the lines around it,
	line   int      // of which it is this one,
	base   int64    // and where they begin
}

// Ends of the names of files that nobody reads: what programs write for
// themselves, and where people write.
var (
	locks = []string{".lock", "-lock.json", "-lock.yaml", ".sum", ".min.js", ".min.css", ".map", ".svg", ".po", ".pot"}
	notes = []string{".md", ".markdown", ".txt", ".org", ".rst", ".adoc", ".tex", ".html"}
)

// longLine is the length from which on a line is not for people, in bytes.
const longLine = 1000

// rank says how good an example the line is; 0 is the best.
func (s *sample) rank() int {
	name := strings.ToLower(filepath.Base(s.path))
	ends := func(list []string) bool {
		return slices.ContainsFunc(list, func(end string) bool { return strings.HasSuffix(name, end) })
	}
	switch {
	case ends(locks):
		return 3
	case s.length > longLine:
		return 2
	case ends(notes):
		return 0
	}
	return 1
}

// finding words a candidate.
func (n *nearMisses) finding(c *candidate) report.Finding {
	s := &c.best
	f := report.Finding{
		Kind: c.kind, Scope: c.scope, Lines: c.lines, Files: c.files, Words: c.words(),
		Example: report.Example{Path: s.path, Line: report.KnownIf(s.number > 0, s.number)},
	}
	h, ok := n.hint(s)
	if !ok {
		return f
	}
	f.WithPattern = h.Patterns != nil
	front, behind := n.scopeFlags(c.scope, s.path)
	if hint := h.Shell(); hint != "" {
		front = append(front, hint)
	}
	f.Flags = strings.Join(append(front, behind...), " ")
	return f
}

// isThere searches a file once more as it was searched before.
func (n *nearMisses) isThere(path string) bool {
	m, err := match.Compile(n.Session.Syntax)
	if err != nil {
		return false
	}
	door := n.input.Door()
	door.Reread = true
	src, err := door.OpenPath(path)
	if err != nil {
		return false
	}
	defer src.Close()
	h, err := src.Haystack()
	if err != nil {
		return false
	}
	o := n.Search
	o.FirstOnly, o.Detection, o.Stop = true, n.Input.Of(src.Explicit).Detection, nil
	found, _ := m.NewSearcher(o).Search(h, nil)
	return found.Lines > 0
}

// scopeFlags are the arguments that bring a file into scope, before and behind
// the pattern. Flags are tried; the file's own path always does.
func (n *nearMisses) scopeFlags(scope, path string) (front, behind []string) {
	switch scope {
	case report.InScope:
		return nil, nil
	case walk.Binary.String():
		return []string{"--text"}, nil
	case "compressed":
		return []string{"--search-zip"}, nil
	}
	for _, flags := range map[string][][]string{
		walk.Hidden.String():  {{"--hidden"}, {"--hidden", "--no-ignore"}},
		walk.Ignored.String(): {{"--no-ignore"}, {"--no-ignore", "--hidden"}},
	}[scope] {
		if n.brings(flags, path) {
			return flags, nil
		}
	}
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	if name := escape.Name(path); name != path {
		return nil, []string{name} // which a shell reads back
	}
	return nil, []string{readings.Quoted(path)}
}

// brings reports whether a path is in scope of the run with further flags.
func (n *nearMisses) brings(flags []string, path string) bool {
	argv := slices.Concat(n.argv[:1], flags, n.argv[1:])
	other := New(*n.world, argv)
	if other.refusal != nil {
		return false
	}
	other.open()
	a := other.universe.Why(path)
	return a.Err == nil && a.Exists && a.InScope
}

// hint returns how a user would find the line, if there is a way.
func (n *nearMisses) hint(s *sample) (readings.Hint, bool) {
	p := s.probe
	if p.Kind == readings.AsTyped {
		return readings.Hint{}, true
	}
	hints := slices.Clone(p.Hints)
	switch {
	case s.words != nil && p.Within == 1:
		hints = append(hints, readings.Hint{Flags: []string{"--regex"}, Patterns: []string{strings.Join(s.words, `.*`)}})
	case s.words != nil:
		hints = append(hints, readings.Hint{Flags: []string{"--multiline", "--regex"}, Patterns: []string{strings.Join(s.words, `(?s:.{0,2000}?)`)}})
	case p.MultiLine:
		hints = append(hints, readings.Suggest(s.text, "--multiline"))
	case p.Unit == 0 && p.Encoding == "":
		hints = append(hints, readings.Suggest(s.text))
	}
	for _, h := range hints {
		if n.works(h, s) {
			return h, true
		}
	}
	return readings.Hint{}, false
}

// works tries a hint: it must find the line.
func (n *nearMisses) works(h readings.Hint, s *sample) bool {
	syntax := n.Session.Syntax
	syntax.BanNUL = false
	o := match.Options{Spans: true, Numbers: true, Decode: decode.Config{Encoding: decode.None}}
	text, line := s.window, s.line
	for i, f := range h.Flags {
		switch f {
		case "-i":
			syntax.Case = match.Insensitive
		case "--regex":
			syntax.Fixed = false
		case "-F":
			syntax.Fixed = true
		case "--multiline":
			syntax.MultiLine = true
		case "--crlf":
			syntax.CRLF = true
		case "--encoding":
			o.Decode.Encoding, _ = decode.Lookup(h.Flags[i+1])
			if s.probe.Unit > 1 && s.number > 0 {
				// Cut at the ends of lines, units would be torn apart.
				if text = n.upTo(s.path, s.base+int64(len(s.window))); text == nil {
					return false
				}
				line = int(s.number) - 1
			}
		}
	}
	if h.Patterns != nil {
		syntax.Patterns = h.Patterns
	}
	m, err := match.Compile(syntax)
	if err != nil {
		return false
	}
	sink := covers{line: line}
	m.NewSearcher(o).Search(match.Haystack{Reader: bytes.NewReader(text)}, &sink)
	return sink.found
}

// mostHead is how much of a file is read to try a hint, in bytes.
const mostHead = 16 << 20

// upTo returns a file's bytes up to an offset, nil if that are too many.
func (n *nearMisses) upTo(path string, offset int64) []byte {
	if offset > mostHead {
		return nil
	}
	door := n.input.Door()
	door.Reread = true
	src, err := door.OpenPath(path)
	if err != nil {
		return nil
	}
	defer src.Close()
	head, err := src.Raw(offset)
	if err != nil {
		return nil
	}
	return head
}

// covers notes whether a line is found.
type covers struct {
	line  int
	found bool
}

func (s *covers) Matched(l *match.Line) bool {
	for _, m := range l.Spans {
		from := int(l.Number) - 1 + bytes.Count(l.Bytes[:m.Start], []byte{'\n'})
		to := from + bytes.Count(bytes.TrimSuffix(l.Bytes[m.Start:m.End], []byte{'\n'}), []byte{'\n'})
		s.found = s.found || from <= s.line && s.line <= to
	}
	return !s.found
}

func (*covers) Context(*match.Line, match.ContextKind) bool { return true }
func (*covers) Break() bool                                 { return true }
