package match

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"

	"tally/match/decode"
)

// meddled is a file that something happens to after the first read.
type meddled struct {
	*os.File
	meddle func()
}

func (m *meddled) Read(p []byte) (int, error) {
	n, err := m.File.Read(p)
	if m.meddle != nil {
		m.meddle()
		m.meddle = nil
	}
	return n, err
}

// TestFileThatChanges searches files that grow and shrink meanwhile: what is
// read is searched, and that is the end of it.
func TestFileThatChanges(t *testing.T) {
	line := []byte("a needle in a line\n")
	whole := bytes.Repeat(line, 10_000)
	first := (bufferSize + len(line) - 1) / len(line)
	for _, test := range []struct {
		what    string
		meddle  func(path string) error
		atLeast int
		atMost  int
	}{
		{"shrinks", func(path string) error { return os.Truncate(path, 100) }, first - 1, first},
		{"vanishes", os.Remove, 10_000, 10_000},
		{"grows", func(path string) error {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				_, err = f.Write(whole)
			}
			return err
		}, 20_000, 20_000},
	} {
		path := filepath.Join(t.TempDir(), "f")
		if err := os.WriteFile(path, whole, 0o666); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		m := compile(t, literal("needle"))
		h := Haystack{Mapped: true, Reader: &meddled{f, func() {
			if err := test.meddle(path); err != nil {
				t.Fatal(err)
			}
		}}}
		o, err := m.NewSearcher(Options{}).Search(h, nil)
		if err != nil || int(o.Lines) < test.atLeast || int(o.Lines) > test.atMost {
			t.Errorf("a file that %s: %d lines, %v", test.what, o.Lines, err)
		}
	}
}

// TestReadError searches what comes before an error, but no line that it cuts.
func TestReadError(t *testing.T) {
	failed := io.ErrClosedPipe
	m := compile(t, literal("needle"))
	for text, want := range map[string]int64{
		"":                            0,
		"needle":                      0,
		"needle\n":                    1,
		"needle\nneedle":              1,
		"x\n\nneedle\n\nneedle\nneed": 2,
	} {
		for what, r := range map[string]io.Reader{
			"error behind": io.MultiReader(bytes.NewReader([]byte(text)), iotest.ErrReader(failed)),
			"in bytes":     io.MultiReader(iotest.OneByteReader(bytes.NewReader([]byte(text))), iotest.ErrReader(failed)),
			"error with":   &withError{[]byte(text), failed},
		} {
			o, err := m.NewSearcher(Options{}).Search(Haystack{Reader: r}, nil)
			if err != failed || o.Lines != want {
				t.Errorf("%q, %s: %d lines, %v", text, what, o.Lines, err)
			}
		}
	}
}

// withError returns its error with its last bytes.
type withError struct {
	data []byte
	err  error
}

func (r *withError) Read(p []byte) (int, error) {
	n := copy(p, r.data)
	r.data = r.data[n:]
	if len(r.data) == 0 {
		return n, r.err
	}
	return n, nil
}

// TestDecodedHaystack has one text in several shapes.
func TestDecodedHaystack(t *testing.T) {
	m := compile(t, literal("größte"))
	utf16 := "g\x00r\x00\xf6\x00\xdf\x00t\x00e\x00\n\x00"
	for what, test := range map[string]struct {
		data    string
		cfg     decode.Config
		guessed bool
	}{
		"UTF-8":            {data: "größte\n"},
		"UTF-8, marked":    {data: "\xef\xbb\xbfgrößte\n"},
		"UTF-16":           {data: "\xff\xfe" + utf16},
		"UTF-16, unmarked": {data: utf16, cfg: decode.Config{Guess: true}, guessed: true},
	} {
		for _, mapped := range []bool{false} {
			for _, detect := range []Detection{Text, Quit, Convert} {
				s := m.NewSearcher(Options{Detection: detect, Decode: test.cfg})
				o, err := s.Search(Haystack{Reader: bytes.NewReader([]byte(test.data)), Mapped: mapped}, nil)
				if err != nil || o.Lines != 1 || o.Bytes != 9 || o.BinaryOffset >= 0 || o.Guessed != test.guessed {
					t.Errorf("%s, mapped %t, detection %d: %+v, %v", what, mapped, detect, o, err)
				}
			}
		}
	}
}
