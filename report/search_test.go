package report

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"tally/match"
)

// A search is a search engine in its plainest form. It drives workers in the
// tests, so that they need no other room.
type search struct {
	re               *regexp.Regexp
	before, after    int
	passthru, invert bool
	multiLine, crlf  bool
	maxCount         int // -1 for none
	term             byte
	convert, text    bool // what becomes of files with NUL bytes
	firstBuffer      int
}

func newSearch(pattern string) *search {
	return &search{re: regexp.MustCompile(pattern), maxCount: -1, term: '\n', firstBuffer: 64 << 10}
}

// body is a line without its terminator.
func (s *search) body(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == s.term {
		line = line[:n-1]
		if s.crlf {
			line = bytes.TrimSuffix(line, []byte("\r"))
		}
	}
	return line
}

// spans are the matches in b, without one behind its end.
func (s *search) spans(b []byte, all []byte) []match.Span {
	var spans []match.Span
	for _, m := range s.re.FindAllIndex(b, -1) {
		if m[0] < len(all) {
			spans = append(spans, match.Span{Start: m[0], End: m[1]})
		}
	}
	return spans
}

// block is a run of lines that is shown as one, selected or not.
type testBlock struct {
	start, end int
	number     int64
	selected   bool
	spans      []match.Span
}

// blocks divides data into lines, or into the runs of them that matches touch.
func (s *search) blocks(data []byte) []testBlock {
	var lines []testBlock
	for at, number := 0, int64(1); at < len(data); number++ {
		end := at + len(firstLine(data[at:], s.term))
		b := testBlock{start: at, end: end, number: number}
		if !s.multiLine {
			b.spans = s.spans(s.body(data[at:end]), data[at:end])
			// A match behind the last byte selects the line all the same.
			b.selected = s.re.Match(s.body(data[at:end])) != s.invert
		}
		lines = append(lines, b)
		at = end
	}
	if s.multiLine {
		return s.merge(data, lines)
	}
	return lines
}

func (s *search) merge(data []byte, lines []testBlock) []testBlock {
	lineOf := func(at int) int {
		for i, l := range lines {
			if at < l.end {
				return i
			}
		}
		return len(lines) - 1
	}
	var merged []testBlock
	next := 0
	plain := func(upto int) {
		for ; next < upto; next++ {
			lines[next].selected = s.invert
			if s.invert {
				merged = append(merged, lines[next])
				continue
			}
			merged = append(merged, lines[next])
		}
	}
	for _, m := range s.spans(data, data) {
		first, last := lineOf(m.Start), lineOf(max(m.Start, m.End-1))
		if n := len(merged); n > 0 && !s.invert && merged[n-1].selected && first <= next {
			b := &merged[n-1]
			b.end = max(b.end, lines[last].end)
			b.spans = append(b.spans, match.Span{Start: m.Start - b.start, End: m.End - b.start})
			next = max(next, last+1)
			continue
		}
		plain(first)
		b := testBlock{
			start: lines[first].start, end: lines[last].end, number: lines[first].number,
			selected: !s.invert,
		}
		if s.invert {
			for i := max(first, next); i <= last; i++ {
				l := lines[i]
				l.spans = s.spans(data[l.start:l.end], data[l.start:l.end])
				merged = append(merged, l)
			}
			next = max(next, last+1)
			continue
		}
		b.spans = []match.Span{{Start: m.Start - b.start, End: m.End - b.start}}
		merged = append(merged, b)
		next = last + 1
	}
	plain(len(lines))
	return merged
}

// run searches data and drives sink with what it finds. With quit, a NUL byte
// in the first buffer hides the file, and a later one ends it.
func (s *search) run(data []byte, sink match.Sink) (o match.Outcome, quit bool) {
	o = match.Outcome{BinaryOffset: -1, MatchesKnown: !s.invert, Bytes: int64(len(data))}
	quit = !s.convert
	// The NUL is noticed when the buffer that holds it is read, which is when
	// the whole lines of those before have been searched.
	noticed := len(data)
	nul := bytes.IndexByte(data, 0)
	if nul >= 0 && !s.text && s.term != 0 {
		before := data[:nul/s.firstBuffer*s.firstBuffer]
		noticed = bytes.LastIndexByte(before, s.term) + 1
		if quit {
			data = data[:noticed]
			o.Bytes = int64(noticed)
		} else {
			data = bytes.ReplaceAll(data, []byte{0}, []byte{s.term})
		}
		if noticed == 0 {
			o.BinaryOffset = int64(nul)
		}
	}
	blocks := s.blocks(data)
	visited, left, sunk := 0, 0, false
	show := func(b *testBlock, selected bool, kind match.ContextKind) bool {
		if (s.before > 0 || s.after > 0) && sunk && visited < b.start {
			sink.Break()
		}
		visited, sunk = b.end, true
		l := match.Line{Bytes: data[b.start:b.end], Number: b.number, Offset: int64(b.start)}
		if selected != s.invert {
			l.Spans = b.spans
		}
		if selected {
			if s.invert {
				l.Spans = nil
			}
			return sink.Matched(&l)
		}
		if s.invert {
			l.Spans = b.spans
		}
		return sink.Context(&l, kind)
	}
	for i := range blocks {
		b := &blocks[i]
		if !b.selected {
			switch {
			case left > 0:
				left--
				show(b, false, match.After)
			case s.passthru:
				show(b, false, match.Other)
			}
			continue
		}
		if s.maxCount >= 0 && o.Lines >= int64(s.maxCount) {
			o.Cut, o.Stopped = true, true
			if left == 0 {
				return o, quit
			}
			left--
			show(b, true, match.After)
			continue
		}
		n := countLines(data[b.start:b.end], s.term)
		o.Lines += n
		o.Matches += int64(len(b.spans))
		for j := max(0, i-s.before); j < i; j++ {
			if blocks[j].start >= visited && !blocks[j].selected {
				show(&blocks[j], false, match.Before)
			}
		}
		o.Digest.Add(binary.LittleEndian.AppendUint64(nil, uint64(b.start)), int64(b.number))
		if !quit && b.start >= noticed && nul >= 0 {
			o.BinaryOffset = int64(nul)
			if w := sink.(*Worker); w.cfg.Mode == Standard && !w.cfg.Quiet {
				o.Stopped = true
				return o, quit
			}
		}
		if !show(b, true, 0) {
			o.Stopped = true
			return o, quit
		}
		left = s.after
		if o.Lines == int64(s.maxCount) && left == 0 {
			o.Stopped = i+1 < len(blocks)
			return o, quit
		}
	}
	if nul >= 0 && !s.text && s.term != 0 {
		o.BinaryOffset, o.Stopped = int64(nul), quit
	}
	return o, quit
}

// Expand is what a real engine's expander does, with Go's regular expressions.
func (s *search) Expand(dst, template []byte, l *match.Line) ([]byte, []match.Span) {
	line, spans := l.Bytes, l.Spans
	base, at := len(dst), 0
	var places []match.Span
	text := line
	if !s.multiLine {
		text = s.body(line)
	}
	for _, m := range s.re.FindAllSubmatchIndex(text, -1) {
		if !slices.Contains(spans, match.Span{Start: m[0], End: m[1]}) {
			continue
		}
		dst = append(dst, line[at:m[0]]...)
		start := len(dst) - base
		dst = s.re.Expand(dst, template, text, m)
		places = append(places, match.Span{Start: start, End: len(dst) - base})
		at = m[1]
	}
	return append(dst, line[at:]...), places
}

// A testFile is a haystack and its name.
type testFile struct {
	name string
	data []byte
}

func writeFiles(t testing.TB, files []testFile) string {
	dir := t.TempDir()
	for _, f := range files {
		path := filepath.Join(dir, f.name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// report searches files and returns what is printed. The files are divided
// among several workers by the bits of deal.
func runReport(t testing.TB, cfg Config, s *search, files []testFile, deal uint64) (string, string, *Ledger) {
	t.Helper()
	var out, errs bytes.Buffer
	p := New(cfg, &out, &errs)
	print := func(part *Part) {
		if part != nil {
			if err := p.Print(part); err != nil {
				t.Fatal(err)
			}
		}
	}
	workers := []*Worker{p.Worker(print), p.Worker(print)}
	var w *Worker
	for i, f := range files {
		if bit := deal >> (i % 32) & 3; w == nil || bit != 0 {
			if w != nil {
				print(w.Take())
			}
			w = workers[bit&1]
			w.SetExpander(s)
		}
		if cfg.Mode == Paths {
			w.Path([]byte(f.name), false)
			continue
		}
		w.Begin([]byte(f.name))
		o, quit := s.run(f.data, w)
		w.End(o, time.Microsecond, quit)
	}
	if w != nil {
		print(w.Take())
	}
	l := p.Ledger(Final{Elapsed: time.Millisecond})
	err := p.Finish(l)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), errs.String(), l
}
