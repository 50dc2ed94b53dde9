package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"unicode"
	"unicode/utf8"

	"tally/match"
	"tally/match/decode"
	"tally/rank"
	"tally/report"
	"tally/walk"
)

// keepFile is the size up to which a file is kept in memory while each word is
// counted in it; a longer one is read again for each.
const keepFile = 4 << 20

// A rankInput is a file that is read several times.
type rankInput struct {
	kept   []byte
	plain  bool                         // kept is the text itself, and holds no NUL byte
	again  func() (*walk.Handle, error) // nil: all of it is kept
	handle *walk.Handle
	mapped bool
	stream bool
	format decode.Format
}

// inputs reads files, one after another, for one worker.
type inputs struct {
	s     *searcher
	path  []byte // of the file at work
	raw   []byte // the file
	chunk []byte // of its text
	text  *decode.Reader
	again bool // standard input was read before
}

func (s *searcher) inputs() inputs {
	return inputs{s: s, chunk: make([]byte, chunkSize), text: decode.NewReader(s.options.Decode)}
}

// chunkSize is how much text is looked at at once.
const chunkSize = 256 << 10

// haystack is the file from its beginning.
func (in *rankInput) haystack() (match.Haystack, error) {
	h := match.Haystack{Mapped: in.mapped, Stream: in.stream, Format: in.format}
	if in.again == nil {
		h.Reader = bytes.NewReader(in.kept)
		return h, nil
	}
	in.close()
	handle, err := in.again()
	if err != nil {
		return h, err
	}
	in.handle, h.Reader = handle, handle
	return h, nil
}

// reader is haystack for who knows how it is read.
func (in *rankInput) reader() (io.Reader, error) {
	h, err := in.haystack()
	return h.Reader, err
}

// look finds out whether a file that is kept is text as it is.
func (v *inputs) look(in *rankInput) {
	if in.again != nil || bytes.IndexByte(in.kept, 0) >= 0 {
		return
	}
	v.text.Reset(bytes.NewReader(in.kept), in.format)
	if _, err := v.text.Read(v.chunk); err == nil || err == io.EOF {
		facts := v.text.Facts()
		in.plain = !facts.Derived && !facts.Marked && !facts.Transcoded
	}
}

// pieces hands the file's text to take, in pieces of whole lines, as long as it
// returns true.
func (v *inputs) pieces(in *rankInput, take func([]byte) bool) error {
	if in.plain {
		take(in.kept)
		return nil
	}
	h, err := in.haystack()
	if err != nil {
		return err
	}
	v.text.Reset(h.Reader, h.Format)
	n := 0
	for {
		m, err := v.text.Read(v.chunk[n:])
		n += m
		if err == io.EOF {
			take(v.chunk[:n])
			return nil
		}
		if err != nil {
			return err
		}
		if n < len(v.chunk) {
			continue
		}
		if v.s.stopped() {
			return match.ErrStopped
		}
		end := bytes.LastIndexByte(v.chunk, '\n') + 1
		if end == 0 {
			end = betweenWords(v.chunk)
		}
		if !take(v.chunk[:end]) {
			return nil
		}
		n = copy(v.chunk, v.chunk[end:n])
	}
}

// betweenWords is where a piece of a line without end is cut: behind the last
// character that is in no word, or at its end if there is none.
func betweenWords(text []byte) int {
	i := bytes.LastIndexFunc(text, func(r rune) bool {
		return r != utf8.RuneError && (unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.IsSymbol(r))
	})
	if i < 0 {
		return len(text)
	}
	_, size := utf8.DecodeRune(text[i:])
	return i + size
}

func (in *rankInput) close() {
	if in.handle != nil {
		in.handle.Close()
		in.handle = nil
	}
}

// open opens a file and reads it, if it is not too long. The error names the
// step that failed.
func (v *inputs) open(f *walk.File) (*rankInput, *walk.Error) {
	fail := func(op walk.Op, err error) (*rankInput, *walk.Error) {
		return nil, &walk.Error{Path: walk.Displayed(v.path), Op: op, Err: err, Repeated: f.Repeated()}
	}
	in := &rankInput{mapped: v.s.mapped(f.Explicit()), stream: !f.Regular(), format: v.s.format(v.path)}
	if f.Stdin() {
		in.mapped, in.stream, in.format = false, true, decode.Plain
		var from io.Reader = v.s.stdin(f)
		if v.again && !f.Repeated() {
			var err error
			if from, err = v.s.kept.reader(); err != nil {
				return fail(walk.OpRead, err)
			}
		}
		if err := v.keep(in, from, false); err != nil {
			return fail(walk.OpRead, err)
		}
		return in, nil
	}
	if v.again && !f.Regular() {
		return fail(walk.OpRead, errOnce)
	}
	if v.s.pre.wants(v.path) {
		in.mapped, in.format = false, decode.Plain
		if op, err := v.keepPreprocessed(in); err != nil {
			return fail(op, err)
		}
		return in, nil
	}
	open := func() (*walk.Handle, error) {
		h, err := f.Open()
		return &h, err
	}
	handle, err := open()
	if err != nil {
		return fail(walk.OpOpen, err)
	}
	defer handle.Close()
	if err := v.keep(in, handle, f.Regular()); err != nil {
		return fail(walk.OpRead, err)
	}
	if in.kept == nil {
		in.again = open
	}
	return in, nil
}

// errOnce is said of a pipe or a device that was read before: what it held is
// gone, and nothing may be said about it.
var errOnce = errors.New("it can be read only once; give it as standard input, with - for its name")

// keep reads a file into memory. It gives up one that is too long if it can be
// opened again.
func (v *inputs) keep(in *rankInput, from io.Reader, again bool) error {
	if v.raw == nil {
		v.raw = make([]byte, 64<<10)
	}
	n := 0
	for {
		m, err := from.Read(v.raw[n:])
		n += m
		switch {
		case err == io.EOF:
			in.kept = v.raw[:n]
			return nil
		case err != nil:
			return err
		}
		if n < len(v.raw) {
			continue
		}
		if again && n >= keepFile {
			return nil
		}
		v.raw = append(v.raw, make([]byte, len(v.raw))...)
	}
}

// keepPreprocessed keeps what the program of --pre makes of a file.
func (v *inputs) keepPreprocessed(in *rankInput) (op walk.Op, err error) {
	path := string(v.path)
	file, err := os.Open(path)
	if err != nil {
		return walk.OpOpen, err
	}
	defer file.Close()
	call := quoted(v.s.pre.command) + " " + quoted(path)
	run, err := v.s.pre.program.Start(path, file)
	if err != nil {
		return walk.OpOpen, fmt.Errorf("preprocessor command could not start: '%s': %s", call, systemText(err))
	}
	err = v.keep(in, &preprocessed{run, call}, false)
	if closed := run.Close(); err == nil && closed != nil {
		err = errors.New(complaint(closed))
	}
	return walk.OpPreprocess, err
}

// A shower fills in what is displayed of a file.
type shower struct {
	r      *ranker
	reader *rank.Reader
	in     inputs
}

func (r *ranker) newShower() *shower {
	return &shower{r, r.collection.NewReader(r.args.Fuzzy), r.inputs()}
}

// showBytes is how much of a file is looked at for its best line.
const showBytes = 16 << 20

// show reads the file again for its best line. One that has become unreadable
// since is shown without.
func (s *shower) show(f *report.RankedFile, r *rank.Result) {
	words := s.r.collection.Query.Words
	for _, n := range r.Nears() {
		f.Near = append(f.Near, report.NearWord{Word: words[n.Word].Text, Found: n.Found})
	}
	if s.r.args.ExplainScore {
		f.Explain = scoreParts(s.r.collection.Explain(r))
	}
	text, err := s.read(r.Path)
	if err != nil {
		return
	}
	p := s.reader.Passage(r.Path, text)
	f.Heading = p.Heading
	f.Line = match.Line{Number: p.Line, Bytes: p.Text}
	for _, m := range p.Marks {
		f.Line.Spans = append(f.Line.Spans, match.Span{Start: m.Start, End: m.End})
	}
}

func (s *shower) read(path string) ([]byte, error) {
	var from io.Reader
	format := decode.Plain
	switch {
	case path == "<stdin>" && s.r.report.Ledger.Stdin:
		kept, err := s.r.kept.reader()
		if err != nil {
			return nil, err
		}
		from = kept
	case s.r.pre.wants([]byte(path)):
		in := new(rankInput)
		s.in.path = []byte(path)
		if _, err := s.in.keepPreprocessed(in); err != nil {
			return nil, err
		}
		from = bytes.NewReader(in.kept)
	default:
		file, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		from, format = file, s.r.format([]byte(path))
	}
	s.in.text.Reset(from, format)
	return io.ReadAll(io.LimitReader(s.in.text, showBytes))
}

// scoreParts lists what a score is made of.
func scoreParts(e rank.Explanation) []report.ScorePart {
	list := []report.ScorePart{
		{Name: "words", Value: e.Words},
		{Name: "closeness", Value: e.Closeness},
		{Name: "neighbours", Value: e.Neighbours},
		{Name: "title", Value: e.Title},
	}
	for f, value := range e.Fields {
		list = append(list, report.ScorePart{Name: "in_" + rank.Field(f).String(), Value: value})
	}
	return list
}
