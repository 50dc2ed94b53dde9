package decode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
	"github.com/ulikunitz/xz"
	"github.com/ulikunitz/xz/lzma"
)

// packers compress, for the formats that something in Go writes.
var packers = map[Format]func(io.Writer) (io.WriteCloser, error){
	Gzip:   func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
	Xz:     func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) },
	LZ4:    func(w io.Writer) (io.WriteCloser, error) { return lz4.NewWriter(w), nil },
	LZMA:   func(w io.Writer) (io.WriteCloser, error) { return lzma.NewWriter(w) },
	Brotli: func(w io.Writer) (io.WriteCloser, error) { return brotli.NewWriter(w), nil },
	Zstd:   func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
}

func pack(t testing.TB, f Format, data []byte) []byte {
	var b bytes.Buffer
	w, err := packers[f](&b)
	if err == nil {
		_, err = w.Write(data)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// bzipped are two bzip2 streams of "hello\n" and "world\n"; nothing in Go
// writes the format.
const (
	bzippedHello = "BZh91AY&SY\xc1\xc0\x80\xe2\x00\x00\x01\x41\x00\x00\x10\x02\x44\xa0\x00\x30\xcd\x00\xc3\x46\x29\x97\x17\x72\x45\x38\x50\x90\xc1\xc0\x80\xe2"
	zippedHello  = "\x1f\x9d\x90\x68\xca\xb0\x61\xf3\x46\x01" // compress
)

// samples are texts that each take another path through some format.
func samples() [][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	var noise, lines []byte
	for range 300_000 {
		noise = append(noise, byte(random.Uint32()))
	}
	for i := range 30_000 {
		lines = fmt.Appendf(lines, "%d: the needle of line %x\n", i, random.Uint32())
	}
	return [][]byte{nil, []byte("a\n"), lines, noise, make([]byte, 1<<20)}
}

// unpackAll reads what a file of a name holds.
func unpackAll(r *Reader, name string, data io.Reader) ([]byte, error) {
	r.Reset(data, FormatByName([]byte(name)))
	return io.ReadAll(r)
}

var nameOf = map[Format]string{
	Gzip: "a.gz", Bzip2: "a.tbz2", Xz: "a.txz", LZ4: "a.lz4", LZMA: "a.lzma", Brotli: "a.br", Zstd: "a.zstd", Compress: "a.Z",
}

// TestFormats reads each format by name and by content, whole and byte by
// byte, with one reader for all.
func TestFormats(t *testing.T) {
	byName, byContent := NewReader(Config{}), NewReader(Config{Unpack: true})
	for f := range packers {
		for i, want := range samples() {
			data := pack(t, f, want)
			check := func(how string, r *Reader, name string, in io.Reader) {
				got, err := unpackAll(r, name, in)
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%v, sample %d, %s: %d bytes, want %d; %v", f, i, how, len(got), len(want), err)
				}
				if !r.Facts().Derived {
					t.Errorf("%v, sample %d, %s: taken for plain", f, i, how)
				}
			}
			check("by name", byName, nameOf[f], bytes.NewReader(data))
			if f != Brotli {
				check("by content", byContent, "a.txt", bytes.NewReader(data))
				check("by content, not by name", byContent, "a.br", bytes.NewReader(data))
			}
			if len(want) < 1000 {
				check("byte by byte", byName, nameOf[f], iotest.OneByteReader(bytes.NewReader(data)))
			}
		}
	}
}

// TestMembers reads files that were compressed piece by piece.
func TestMembers(t *testing.T) {
	for f := range packers {
		one := pack(t, f, []byte("hello\n"))
		got, err := unpackAll(NewReader(Config{}), nameOf[f], bytes.NewReader(append(one[:len(one):len(one)], one...)))
		if f == LZMA || f == Brotli { // which have no members
			if string(got) != "hello\n" || err == nil {
				t.Errorf("%v: %q, %v", f, got, err)
			}
		} else if string(got) != "hello\nhello\n" || err != nil {
			t.Errorf("%v: %q, %v", f, got, err)
		}
	}
}

// TestDamage tells what is read of files that are not what they should be, and
// what is said about them.
func TestDamage(t *testing.T) {
	gz := string(pack(t, Gzip, []byte("hello\n")))
	badSum := []byte(gz)
	badSum[len(badSum)-5] ^= 1
	tests := []struct {
		title, name, data, text, err string
		strict                       bool
	}{
		{title: "no gzip", name: "a.gz", data: "hello\n", err: "decompressing gzip: the data does not begin as it should"},
		{title: "empty", name: "a.gz", err: "decompressing gzip: the data ends too soon"},
		{title: "cut", name: "a.gz", data: gz[:len(gz)-3], text: "hello\n", err: "decompressing gzip: the data ends too soon"},
		{title: "changed", name: "a.gz", data: string(badSum), text: "hello\n", err: "decompressing gzip: invalid checksum"},
		{title: "zeros", name: "a.gz", data: gz + strings.Repeat("\x00", 70_000), text: "hello\n"},
		{title: "more", name: "a.gz", data: gz + "more", text: "hello\n", err: "decompressing gzip: something else follows the end of the data"},
		{title: "zeros and more", name: "a.gz", data: gz + "\x00" + gz, text: "hello\nhello\n"},
		{title: "compress in .gz", name: "a.gz", data: zippedHello, text: "hello\n"},
		{title: "bzip2", name: "a.bz2", data: bzippedHello + bzippedHello, text: "hello\nhello\n"},
		{title: "bzip2 and more", name: "a.bz2", data: bzippedHello + "more", text: "hello\n"},
		{
			title: "bzip2 and more", name: "a.bz2", data: bzippedHello + "more", text: "hello\n", strict: true,
			err: "decompressing bzip2: something else follows the end of the data",
		},
		{title: "bzip2 and zeros", name: "a.bz2", data: bzippedHello + "\x00\x00", text: "hello\n", strict: true},
		{title: "bzip2 in .gz", name: "a.gz", data: bzippedHello, err: "decompressing gzip: the data does not begin as it should"},
		{title: "compress", name: "a.Z", data: zippedHello, text: "hello\n", strict: true},
		{title: "compress, cut", name: "a.Z", data: zippedHello[:8], text: "hell", strict: true, err: "decompressing compress: the data ends too soon"},
		{title: "no lzma", name: "a.lzma", data: "plain text\n", err: "decompressing lzma: the data does not begin as it should"},
		{
			title: "large dictionary", name: "a.lzma", data: "\x5d\x00\x00\x00\x20" + strings.Repeat("\xff", 8) + "\x00abcdefgh",
			err: "decompressing lzma: the data needs more than 128 MiB of memory",
		},
		{title: "empty lz4", name: "a.lz4"},
	}
	for _, test := range tests {
		r := NewReader(Config{Strict: test.strict})
		got, err := unpackAll(r, test.name, strings.NewReader(test.data))
		said := ""
		if err != nil {
			said = err.Error()
			var e *Error
			if !errors.As(err, &e) {
				t.Errorf("%s: %T is no *Error", test.title, err)
			}
		}
		if string(got) != test.text || said != test.err {
			t.Errorf("%s, strict %t: %q, %q; want %q, %q", test.title, test.strict, got, said, test.text, test.err)
		}
	}
}

// TestReadErrors tells errors of a file from those of its contents.
func TestReadErrors(t *testing.T) {
	failed := errors.New("input/output error")
	for f := range packers {
		data := pack(t, f, samples()[2])
		for _, n := range []int{0, 1, 20, len(data) / 2} {
			in := io.MultiReader(bytes.NewReader(data[:n]), iotest.ErrReader(failed))
			if _, err := unpackAll(NewReader(Config{}), nameOf[f], in); err != failed {
				t.Errorf("%v, after %d bytes: %v", f, n, err)
			}
		}
	}
}

// TestWindowLimit reads what was compressed with a larger window than may be.
func TestWindowLimit(t *testing.T) {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithWindowSize(256<<20), zstd.WithEncoderConcurrency(1), zstd.WithSingleSegment(false))
	if err != nil {
		t.Fatal(err)
	}
	_, err = io.CopyN(w, zeros{}, 257<<20)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	got, err := unpackAll(NewReader(Config{}), "a.zst", &b)
	if len(got) > 0 || !errors.Is(err, errTooBig) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// zeros are zero bytes without end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// TestCompressAgrees compares with compress(1), for all widths that work and for texts
// that make it begin anew.
func TestCompressAgrees(t *testing.T) {
	program, err := exec.LookPath("compress")
	if err != nil {
		requireTool(t, "compress", "ncompress")
	}
	varied := samples()[2]
	for range 4 {
		varied = append(varied, samples()[3]...)
		varied = append(varied, samples()[2]...)
	}
	r := NewReader(Config{Strict: true})
	// What the program writes with 9 bits it cannot read back itself.
	for bits := 10; bits <= 16; bits++ {
		for i, want := range append(samples(), varied) {
			cmd := exec.Command(program, "-c", "-f", "-b", fmt.Sprint(bits))
			cmd.Stdin = bytes.NewReader(want)
			data, err := cmd.Output()
			if err != nil && cmd.ProcessState.ExitCode() != 2 { // 2: it grew
				t.Fatal(err)
			}
			got, err := unpackAll(r, "a.Z", bytes.NewReader(data))
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%d bits, sample %d: %d bytes, want %d; %v", bits, i, len(got), len(want), err)
			}
		}
	}
}
