package match

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
)

// memory is a file in memory.
type memory struct{ *bytes.Reader }

func (m memory) Size() (int64, error) { return m.Reader.Size(), nil }
func (m memory) Descriptor() int      { return -1 }

// disk is a file on a disk, which can be mapped.
type disk struct{ *os.File }

func (d disk) Descriptor() int { return int(d.Fd()) }
func (d disk) Size() (int64, error) {
	info, err := d.Stat()
	return info.Size(), err
}

// onDisk writes text to a file.
func onDisk(t *testing.T, text []byte) disk {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if _, err := f.Write(text); err != nil {
		t.Fatal(err)
	}
	return disk{f}
}

// testPiece makes texts of a few hundred kilobytes worth cutting.
const testPiece = 16 << 10

// held searches text whole and in pieces and holds the results equal.
func held(t *testing.T, s Syntax, o Options, text []byte) {
	t.Helper()
	heldBy(t, s, o, text, func(*Searcher) {})
}

// heldBy does so with a searcher that is set up further.
func heldBy(t *testing.T, s Syntax, o Options, text []byte, setUp func(*Searcher)) {
	t.Helper()
	m := compile(t, s)
	o.Threads = 1
	var want, got recorder
	plain, err := m.NewSearcher(o).Search(Haystack{Reader: bytes.NewReader(text), Mapped: true}, &want)
	if err != nil {
		t.Fatal(err)
	}
	file := onDisk(t, text)
	for _, threads := range []int{2, 5} {
		o.Threads = threads
		searcher := m.NewSearcher(o)
		searcher.piece = testPiece
		setUp(searcher)
		for _, at := range []RandomReader{memory{bytes.NewReader(text)}, file, file} {
			got.lines = nil
			split, err := searcher.Search(Haystack{Reader: bytes.NewReader(text), Mapped: true, At: at}, &got)
			if err != nil {
				t.Fatal(err)
			}
			if split != plain {
				t.Errorf("%d threads, %T: %+v in pieces, %+v whole", threads, at, split, plain)
			}
			if !reflect.DeepEqual(got.lines, want.lines) {
				t.Errorf("%d threads: %d lines in pieces, %d whole", threads, len(got.lines), len(want.lines))
			}
		}
		counted, err := searcher.Search(Haystack{Reader: bytes.NewReader(text), Mapped: true, At: file}, nil)
		if err != nil || counted.Lines != plain.Lines || counted.Digest != plain.Digest {
			t.Errorf("%d threads: counting says %+v, %v; searching %+v", threads, counted, err, plain)
		}
	}
}

// longText is several times what is worth cutting. Lines are of every length,
// some longer than a piece, and some of them end where a cut is.
func longText(seed uint64, end string) []byte {
	r := rand.New(rand.NewPCG(seed, 9))
	var b bytes.Buffer
	for b.Len() < bufferSize+(minSplit+5)*testPiece {
		switch r.IntN(200) {
		case 0:
			b.WriteString(strings.Repeat("long ", r.IntN(2*testPiece/5)))
		case 1:
			// Up to one byte short of a cut, to it, or one byte beyond.
			if n := testPiece - (b.Len()+testPiece)%testPiece + r.IntN(3) - 1; n > 0 {
				b.WriteString(strings.Repeat("x", n))
			}
		default:
			b.WriteString(strings.Repeat("word ", r.IntN(20)))
		}
		if r.IntN(10) == 0 {
			b.WriteString("needle")
		}
		b.WriteByte('\n')
	}
	b.WriteString(end)
	return b.Bytes()
}

func TestSplit(t *testing.T) {
	for seed := range uint64(2) {
		for _, end := range []string{"", "needle", "\n\n"} {
			text := longText(seed, end)
			for _, s := range []Syntax{literal("needle"), literal("word"), regex("^$"), regex("[^n]e+d"), literal("nowhere"), regex(`\Ax`)} {
				o := everything
				o.Detection = Convert
				held(t, s, o, text)
				o.FirstOnly = true
				held(t, s, o, text)
			}
		}
	}
}

func TestSplitOneLine(t *testing.T) {
	text := []byte(strings.Repeat("x", bufferSize+(minSplit+3)*testPiece) + "needle")
	held(t, literal("needle"), everything, text)
	held(t, literal("needle"), everything, append(text, "\nneedle\n"...))
	// The last line goes through many pieces in which no line starts.
	held(t, literal("needle"), everything, append([]byte("short\n"), text...))
	held(t, literal("short"), everything, append([]byte("short\n"), text...))
}

func TestSplitBinary(t *testing.T) {
	text := longText(1, "")
	for _, at := range []int{100, bufferSize + 10*testPiece} {
		for _, nul := range []string{"\x00", "\x00needle", "\nneedle\x00\n"} {
			b := bytes.Clone(text)
			copy(b[at:], nul)
			for _, binaryGoesOn := range []bool{false, true} {
				o := everything
				o.Detection, o.SinkBinary = Convert, binaryGoesOn
				held(t, literal("needle"), o, b)
				o.Detection = Text
				held(t, literal("needle"), o, b)
			}
		}
	}
}

func FuzzSplit(f *testing.F) {
	f.Add(uint64(1), "needle", "e")
	f.Fuzz(func(t *testing.T, seed uint64, end, pattern string) {
		if len(end) > 1000 || strings.ContainsAny(pattern, "\n") || len(pattern) > 20 {
			return
		}
		s := literal(pattern)
		if _, err := Compile(s); err != nil {
			return
		}
		held(t, s, everything, longText(seed, end))
	})
}

// counted counts the bytes that are read of a file.
type counted struct {
	memory
	read *atomic.Int64
}

func (c counted) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.memory.ReadAt(p, off)
	c.read.Add(int64(n))
	return n, err
}

// TestSplitReadsOnce holds that a line of many pieces is read by one of them.
func TestSplitReadsOnce(t *testing.T) {
	text := []byte("short\n" + strings.Repeat("x", bufferSize+200*testPiece) + "needle\nend\n")
	var read atomic.Int64
	searcher := compile(t, Syntax{Patterns: []string{"needle"}}).NewSearcher(Options{Threads: 4})
	searcher.piece = testPiece
	o, err := searcher.Search(Haystack{
		Reader: bytes.NewReader(text), Mapped: true, At: counted{memory{bytes.NewReader(text)}, &read},
	}, nil)
	if err != nil || o.Lines != 1 {
		t.Fatalf("%d lines, %v; want 1", o.Lines, err)
	}
	if most := int64(3 * len(text)); read.Load() > most {
		t.Errorf("%d bytes were read of %d", read.Load(), len(text))
	}
}

// shrinking is a file that is cut short as soon as its size is known, so that
// what is mapped is no longer there.
type shrinking struct {
	disk
	t  *testing.T
	to int64
}

func (s shrinking) Size() (int64, error) {
	size, err := s.disk.Size()
	if err := s.Truncate(s.to); err != nil {
		s.t.Fatal(err)
	}
	return size, err
}

// TestSplitShrunk holds that what a file has lost is no error where it ends the
// way a file does that is read, and that nothing is made of it.
func TestSplitShrunk(t *testing.T) {
	text := bytes.Repeat([]byte("a needle\n"), (bufferSize+40*testPiece)/9)
	for _, to := range []int64{bufferSize, bufferSize + 5*testPiece + 100, bufferSize + 39*testPiece} {
		searcher := compile(t, literal("needle")).NewSearcher(Options{Threads: 4})
		searcher.piece = testPiece
		o, err := searcher.Search(Haystack{
			Reader: bytes.NewReader(text), Mapped: true, At: shrinking{onDisk(t, text), t, to},
		}, nil)
		if want := (to + 1) / 9; err != nil || o.Lines < want || o.Lines > want+1 {
			t.Errorf("cut to %d bytes: %d lines, %v; want %d", to, o.Lines, err, want)
		}
	}
}
