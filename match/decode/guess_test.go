package decode

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"strings"
	"testing"
	"unicode/utf16"
)

// in16 encodes without a mark.
func in16(order binary.AppendByteOrder, s string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, u)
	}
	return b
}

func TestGuess(t *testing.T) {
	long := strings.Repeat("a line of text, and one more\r\n", 1000)
	texts := []string{
		"hi\r\n", "abcd", long, strings.Repeat("Съешь же ещё этих мягких французских булок\n", 30),
		"Straße, naïve, coöperate\n", "α β γ δ ε\n", strings.Repeat("Vecāmāte Āgenskalnā\n", 20), "smile 😀 and go on\n",
		strings.Repeat("x", guessWindow/2-1) + "😀 behind the window\n",
	}
	r := NewReader(Config{Guess: true})
	for _, s := range texts {
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			data := in16(order, s)
			for how, in := range map[string]io.Reader{
				"at once":   bytes.NewReader(data),
				"in pieces": pieces{bytes.NewReader(data)},
			} {
				r.Reset(in, Plain)
				got, err := io.ReadAll(r)
				if err != nil || string(got) != s || !r.Facts().Guessed {
					t.Errorf("%.20q, %v, %s: %.20q, %v", s, order, how, got, err)
				}
			}
		}
	}
}

// pieces brings 100 bytes at once.
type pieces struct{ r io.Reader }

func (p pieces) Read(b []byte) (int, error) { return p.r.Read(b[:min(len(b), 100)]) }

// TestNoGuess has what is not UTF-16.
func TestNoGuess(t *testing.T) {
	self, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Repeat("a line of text, and one more\n", 100)
	for what, data := range map[string][]byte{
		"this program":           self,
		"nothing":                nil,
		"short":                  []byte("a\x00"),
		"zeros":                  make([]byte, 4096),
		"text":                   []byte(text),
		"text with one NUL":      []byte(text[:100] + "\x00" + text),
		"words with NULs":        []byte(strings.ReplaceAll(text, " ", "\x00")),
		"names with NULs":        []byte("main.go\x00plan.go\x00a\x00b\x00c\x00search.go\x00"),
		"small numbers":          []byte("\x01\x00\x02\x00\x03\x00\x04\x00\x05\x00\x06\x00"),
		"numbers of four bytes":  []byte("A\x00\x00\x00B\x00\x00\x00C\x00\x00\x00"),
		"UTF-32":                 []byte("h\x00\x00\x00e\x00\x00\x00l\x00\x00\x00l\x00\x00\x00o\x00\x00\x00"),
		"half of a pair":         []byte("a\x00b\x00c\x00d\x00\x3d\xd8e\x00f\x00g\x00"),
		"text, then binary data": []byte(text + strings.Repeat("\x00\x01", 3000)),
	} {
		r := NewReader(Config{Guess: true})
		r.Reset(bytes.NewReader(data), Plain)
		got, err := io.ReadAll(r)
		if err != nil || r.Facts() != (Facts{}) || !bytes.Equal(got, data) {
			t.Errorf("%s: %+v, %v", what, r.Facts(), err)
		}
	}
}

// TestNoGuessUnlessAsked has UTF-16 that is not to be recognised.
func TestNoGuessUnlessAsked(t *testing.T) {
	data := in16(binary.LittleEndian, "some text\n")
	for _, cfg := range []Config{{}, {Encoding: None, Guess: true}} {
		r := NewReader(cfg)
		r.Reset(bytes.NewReader(data), Plain)
		if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%+v: %q, %v", cfg, got, err)
		}
	}
}

// TestPlainIsNotCopied holds that a plain file is read right into the buffer,
// by no more reads than it takes.
func TestPlainIsNotCopied(t *testing.T) {
	in := &counting{data: bytes.Repeat([]byte("line\n"), 1000)}
	r := NewReader(Config{Guess: true})
	p := make([]byte, 64<<10)
	allocs := testing.AllocsPerRun(10, func() {
		in.at, in.reads = 0, 0
		r.Reset(in, Plain)
		for {
			n, err := r.Read(p)
			if n > 0 && &in.last[0] != &p[0] {
				t.Fatal("read into another buffer")
			}
			if err == io.EOF {
				break
			}
		}
	})
	if allocs > 0 || in.reads != 2 {
		t.Errorf("%v allocations, %d reads", allocs, in.reads)
	}
}

type counting struct {
	data  []byte
	at    int
	reads int
	last  []byte
}

func (c *counting) Read(p []byte) (int, error) {
	c.reads++
	n := copy(p, c.data[c.at:])
	c.at += n
	if n == 0 {
		return 0, io.EOF
	}
	c.last = p
	return n, nil
}
