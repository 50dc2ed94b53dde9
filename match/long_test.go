package match

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"sync/atomic"
	"testing"

	"tally/match/decode"
	"tally/walk/opt"
)

// longSyntaxes are patterns of all kinds: with a longest match or without one,
// with looks to all sides, with words to be found first.
func longSyntaxes() []Syntax {
	all := []Syntax{literal("needle"), literal("a"), literal("dle ne"), literal("é"), literal("needle", "axe"), literal("\x00")}
	for _, p := range []string{
		`^needle`, `needle$`, `^a`, `a$`, `^$`, `$`, `\bneedle\b`, `\Bedl\B`, `ne{2,9}d`, `\w+dle`, `\Aneedle`, `needle\z`,
		`x.*y`, `[^ a]{7}`, `nee(dle)? `, `\W\W\W`, `(?-u:\xc3)`, `\x00a?`, `n..d`, `n\S+e\b`,
	} {
		all = append(all, regex(p))
	}
	for _, b := range []Boundary{Words, Lines} {
		for _, s := range []Syntax{literal("needle"), literal("a"), regex("ax?"), regex(`\W`)} {
			s.Boundary = b
			all = append(all, s)
		}
	}
	folded := literal("NEEDLE")
	folded.Case = Insensitive
	nul := literal("needle")
	nul.NullData = true
	ends := regex("e$")
	ends.NullData = true
	crlf := regex("e$")
	crlf.CRLF = true
	pcre := regex("(?<=e)e")
	pcre.Engine = PCRE2Engine
	return append(all, folded, nul, ends, crlf, pcre)
}

// longTextOf is lines of very different lengths, in most of which there is little.
func longTextOf(r *rand.Rand, size int) []byte {
	words := []string{"needle", "need", "dle", "a", "axe", "é", "\xa9", "\xc3", "\x00", "\r", "x", "y", "e e"}
	var b bytes.Buffer
	for b.Len() < size {
		fill := []string{" ", "-", "b", "bb c", "\x80"}[r.IntN(5)]
		b.Write(bytes.Repeat([]byte(fill), r.IntN(1<<r.IntN(11))))
		if r.IntN(3) == 0 {
			b.WriteString(words[r.IntN(len(words))])
		}
		switch r.IntN(6) {
		case 0:
			b.WriteByte('\n')
		case 1:
			b.WriteString("\r\n"[r.IntN(2):])
		}
	}
	return b.Bytes()
}

// longOptions draws what can be asked of a search.
func longOptions(r *rand.Rand) (o Options, mapped bool) {
	flip := func() bool { return r.IntN(2) == 0 }
	o = Options{
		Spans: flip(), Numbers: flip(), Digest: flip(), CountAll: flip(), FirstOnly: r.IntN(4) == 0,
		Invert: r.IntN(8) == 0, SinkBinary: flip(), Detection: []Detection{Text, Quit, Convert}[r.IntN(3)],
	}
	o.Decode.Encoding = decode.None
	if r.IntN(4) == 0 {
		o.MaxCount = opt.Some(int64(1 + r.IntN(4)))
	}
	if r.IntN(8) == 0 {
		o.Before, o.After = r.IntN(3), r.IntN(3)
	}
	return o, flip()
}

// longHeld searches a drawn text with lines held and in parts of a drawn size, and
// holds the results equal.
func longHeld(t *testing.T, seed uint64, s Syntax) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 15))
	m := compile(t, s)
	o, mapped := longOptions(r)
	size := 1 << r.IntN(16)
	if o.Detection == Text && r.IntN(8) == 0 {
		size = 4 * bufferSize
	}
	text := longTextOf(r, size)
	step := 1 + r.IntN(300)
	parts := m.NewSearcher(o)
	parts.longLine, parts.longPart = 1+r.IntN(400), 1+r.IntN(200)
	for _, counts := range []bool{false, true} {
		var want, got recorder
		search := func(s *Searcher, to *recorder, at RandomReader) Outcome {
			var sink Sink = to
			if counts {
				sink = nil
			}
			h := Haystack{Reader: &dribble{bytes.Clone(text), step}, Mapped: mapped, At: at}
			out, err := s.Search(h, sink)
			if err != nil {
				t.Fatal(err)
			}
			return out
		}
		plain := search(m.NewSearcher(o), &want, nil)
		if out := search(parts, &got, memory{bytes.NewReader(text)}); out != plain {
			t.Errorf("seed %d, %q, %+v: %+v in parts, %+v held", seed, s.Patterns, o, out, plain)
		}
		if !reflect.DeepEqual(got.lines, want.lines) {
			t.Errorf("seed %d, %q, %+v: in parts\n%.300q\nheld\n%.300q", seed, s.Patterns, o, got.lines, want.lines)
		}
	}
}

func TestLong(t *testing.T) {
	for i, s := range longSyntaxes() {
		for seed := range uint64(60) {
			longHeld(t, seed*1000+uint64(i), s)
		}
	}
}

func FuzzLong(f *testing.F) {
	f.Add(uint64(1), "needle", false)
	f.Add(uint64(2), `^a|b$|\bx`, true)
	f.Add(uint64(3), `(?i)É{2}\B`, true)
	f.Fuzz(func(t *testing.T, seed uint64, pattern string, asRegex bool) {
		s := Syntax{Patterns: []string{pattern}, Fixed: !asRegex, Unicode: true, SizeLimit: new(1 << 20)}
		if _, err := Compile(s); err == nil && len(pattern) < 100 {
			longHeld(t, seed, s)
		}
	})
}

// TestLongSplit does so in pieces, which go on to the ends of their lines.
func TestLongSplit(t *testing.T) {
	for _, size := range []int{200, testPiece / 2, 3 * testPiece} {
		for seed := range uint64(2) {
			text := append(longText(seed, ""), bytes.Repeat([]byte("far "), 3*testPiece)...)
			text = append(text, "end\n"...)
			for _, s := range []Syntax{literal("needle"), literal("x"), regex(`\w+edle`), regex("^long"), regex(" $"), literal("end")} {
				for _, first := range []bool{false, true} {
					o := everything
					o.Detection, o.FirstOnly = Convert, first
					heldBy(t, s, o, text, func(s *Searcher) { s.longLine, s.longPart = size, size })
				}
			}
		}
	}
}

// TestLongIsNotHeld holds that a long line takes little memory where nothing in it
// matches, wherever it stands.
func TestLongIsNotHeld(t *testing.T) {
	line := bytes.Repeat([]byte("0123456789abcdef"), 4<<20) // 64 MiB
	short := bytes.Repeat([]byte("short\n"), 100_000)
	for _, text := range [][]byte{line, append(bytes.Clone(short), line...), append(bytes.Clone(line), short...)} {
		for _, threads := range []int{1, 2} {
			most := 0
			s := compile(t, literal("needle")).NewSearcher(Options{Threads: threads, Digest: true})
			file := held64{memory{bytes.NewReader(text)}, new(atomic.Int64)}
			s.o.Stop = func() bool { most = max(most, len(s.buf.data)); return false }
			if o, err := s.Search(Haystack{Reader: bytes.NewReader(text), At: file, Mapped: true}, nil); err != nil || o.Bytes != int64(len(text)) {
				t.Errorf("%+v, %v", o, err)
			}
			if most > 2*longLine || file.most.Load() > 2*longLine {
				t.Errorf("%d threads: %d bytes were in the buffer, %d read at once", threads, most, file.most.Load())
			}
		}
	}
}

// held64 notes the most that was read at once.
type held64 struct {
	memory
	most *atomic.Int64
}

func (h held64) ReadAt(p []byte, off int64) (int, error) {
	for n := h.most.Load(); int64(len(p)) > n && !h.most.CompareAndSwap(n, int64(len(p))); n = h.most.Load() {
	}
	return h.memory.ReadAt(p, off)
}

// TestLongAgain holds that a file which cannot be read again as it was is an error,
// and that a line which is read again may be too long.
func TestLongAgain(t *testing.T) {
	text := fmt.Appendf(nil, "%150000dneedle%150000d\nneedle\n", 1, 2)
	for _, c := range []struct {
		again []byte
		limit int64
		want  error
	}{
		{text, 0, nil},
		{text[:140_000], 0, errShrunk},
		{text, 100_000, ErrLongLine},
	} {
		s := compile(t, literal("needle")).NewSearcher(Options{LineLimit: c.limit})
		s.longLine, s.longPart = 1000, 1000
		_, err := s.Search(Haystack{Reader: &dribble{bytes.Clone(text), 100}, At: memory{bytes.NewReader(c.again)}}, nil)
		if err != c.want {
			t.Errorf("%d bytes again, at most %d a line: %v, want %v", len(c.again), c.limit, err, c.want)
		}
	}
}
