package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"tally/flags"
	"tally/match/decode"
	"tally/walk"
)

// inspect answers a question about the universe instead of searching it.
func (p *plan) inspect() int {
	if p.args.Inspect == flags.InspectWhy {
		return p.why()
	}
	return p.listSkipped()
}

// A finding is what one line of --why or --skipped says, in text or JSON.
type finding struct {
	Path      jsonPath  `json:"path"`
	InScope   *bool     `json:"in_scope,omitempty"` // --why only
	Exists    *bool     `json:"exists,omitempty"`   // --why only
	Directory bool      `json:"directory"`
	Reason    string    `json:"reason,omitempty"`
	At        *jsonPath `json:"at,omitempty"` // what was left out, if not path itself
	Rule      *rule     `json:"rule,omitempty"`
	Reading   *reading  `json:"reading,omitempty"`
	Error     string    `json:"error,omitempty"`
}

// A jsonPath is text if it is UTF-8, else base64, as in ripgrep's messages.
type jsonPath string

func (p jsonPath) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(p)) {
		return encode(map[string]string{"text": string(p)})
	}
	return encode(map[string][]byte{"bytes": []byte(p)})
}

// A rule names the line, glob or type that decided.
type rule struct {
	Source  string `json:"source"`
	Line    int    `json:"line,omitempty"`
	Pattern string `json:"pattern"`
}

func newRule(r walk.Rule) *rule {
	switch {
	case r.Ignore.Source != "":
		pattern := r.Ignore.Pattern
		return &rule{r.Ignore.Source, r.Ignore.Line, pattern}
	case r.Glob != "":
		return &rule{"--glob", 0, r.Glob}
	case r.Type != "":
		return &rule{"--type", 0, r.Type}
	}
	return nil
}

func (r *rule) String() string {
	if r.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", r.Source, r.Line, r.Pattern)
	}
	return r.Source + " " + r.Pattern
}

// A reading says what a search would make of a file's bytes.
type reading struct {
	Binary *int64 `json:"binary_offset,omitempty"`
	Text   string `json:"encoding,omitempty"`
}

// text is the finding as a line.
func (f *finding) text() string {
	var notes []string
	if f.At != nil {
		notes = append(notes, "below "+string(*f.At))
	}
	if f.Rule != nil {
		notes = append(notes, f.Rule.String())
	}
	if f.Exists != nil && !*f.Exists && f.Error == "" {
		notes = append(notes, "does not exist")
	}
	if r := f.Reading; r != nil {
		if r.Text != "" {
			notes = append(notes, r.Text)
		}
		if r.Binary != nil {
			notes = append(notes, fmt.Sprintf("binary: NUL at byte %d", *r.Binary))
		}
	}
	if f.Error != "" {
		notes = append(notes, f.Error)
	}
	line := strings.ReplaceAll(f.Reason, "_", " ") + ": " + string(f.Path)
	if f.Directory && !strings.HasSuffix(string(f.Path), "/") {
		line += "/"
	}
	if len(notes) > 0 {
		line += " (" + strings.Join(notes, "; ") + ")"
	}
	return line + "\n"
}

// render returns the finding in the form that was asked for.
func (p *plan) render(kind string, f *finding) []byte {
	if p.args.Mode != flags.ModeJSON {
		return []byte(f.text())
	}
	line, err := encode(struct {
		Type string   `json:"type"`
		Data *finding `json:"data"`
	}{kind, f})
	if err != nil {
		panic(err) // all fields can be encoded
	}
	return append(line, '\n')
}

// encode is JSON without HTML's escapes.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// why says of each path whether it is in the universe.
func (p *plan) why() int {
	if len(p.args.Paths) == 0 {
		return refuse(p.args.Program, errors.New("--why needs at least one path to ask about, such as: tally --why build/out.txt"))
	}
	u := walk.New(p.walk, p.say.ignoreRule)
	code := 0
	for _, path := range p.args.Paths {
		a := u.Why(path)
		f := &finding{Path: jsonPath(a.Path), Directory: a.IsDir, InScope: &a.InScope, Exists: &a.Exists, Rule: newRule(a.Rule)}
		switch {
		case a.Err != nil:
			f.Reason, f.Error = "unknown", string(a.Err.Path)+": "+systemText(a.Err.Err)
			code = exitError
		case a.InScope:
			f.Reason = "in scope"
			if a.Exists && !a.IsDir {
				f.Reading = p.read(path)
			}
		default:
			f.Reason = a.Reason.String()
			if at := jsonPath(a.At); strings.TrimSuffix(string(a.At), "/") != strings.TrimSuffix(strings.TrimPrefix(a.Path, "./"), "/") {
				at += "/"
				f.At = &at
			}
			code = max(code, 1)
		}
		if _, err := os.Stdout.Write(p.render("why", f)); err != nil {
			return exitError
		}
	}
	return code
}

// read says what stands out in the beginning of a file, as a search would read
// it; nil if nothing does.
func (p *plan) read(path string) *reading {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	in := decode.NewReader(p.options.Decode)
	in.Reset(file, p.format([]byte(path)))
	b := make([]byte, 64<<10)
	n, _ := io.ReadFull(in, b)
	r := reading{Text: p.encoding(in.Facts())}
	if i := int64(bytes.IndexByte(b[:n], 0)); i >= 0 && p.args.Binary != flags.BinaryText {
		r.Binary = &i
	}
	if r == (reading{}) {
		return nil
	}
	return &r
}

// encoding words what was seen of a file's encoding, "" if it is plain.
func (p *plan) encoding(f decode.Facts) string {
	switch {
	case f.Guessed:
		return "UTF-16 without a byte-order mark"
	case f.UTF16:
		return "UTF-16"
	case f.Transcoded:
		return p.args.Encoding
	case f.Marked:
		return "UTF-8 with a byte-order mark"
	}
	return ""
}

// listSkipped lists what the universe leaves out.
func (p *plan) listSkipped() int {
	code := 1
	universe := p.sorted(walk.New(p.walk, p.say.ignoreRule))
	for part := range walk.Map(universe, func(emit func(*skipText)) walk.Visitor {
		return &skipLister{p: p, emit: emit, l: new(skipText)}
	}) {
		for i := range part.fails {
			p.say.failed(&part.fails[i])
			code = exitError
		}
		if len(part.text) > 0 && code == 1 {
			code = 0
		}
		if _, err := os.Stdout.Write(part.text); err != nil {
			if errors.Is(err, errBrokenPipe) {
				return code
			}
			return refuse(p.args.Program, err)
		}
	}
	return code
}

// skipText is a piece of the list: text for standard output, and errors.
type skipText struct {
	text  []byte
	fails []walk.Error
}

func (l *skipText) Size() int { return cap(l.text) }

// A skipLister renders what is skipped and passes over files.
type skipLister struct {
	p    *plan
	emit func(*skipText)
	l    *skipText
}

func (s *skipLister) File(*walk.File) {}

func (s *skipLister) Skip(k *walk.Skip) {
	s.l.text = append(s.l.text, s.p.render("skipped", skipFinding(k))...)
}

// skipFinding is what is known about a path that was left out.
func skipFinding(k *walk.Skip) *finding {
	return &finding{
		Path:      jsonPath(k.AppendPath(nil)),
		Directory: k.IsDir,
		Reason:    k.Reason.String(),
		Rule:      newRule(k.Rule()),
	}
}

func (s *skipLister) Fail(e walk.Error) { s.l.fails = append(s.l.fails, e) }

func (s *skipLister) Done() {
	if len(s.l.text)+len(s.l.fails) > 0 {
		s.emit(s.l)
		s.l = new(skipText)
	}
}
