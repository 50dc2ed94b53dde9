package inflate

import (
	"bufio"
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"
)

// most bounds what is read of a stream that may be anything.
const most = 16 << 20

// A result is what came of a stream: its text, what ended it, and how many
// bytes stand behind it.
type result struct {
	text []byte
	err  error
	rest int
}

// read reads a stream of our own.
func read(r *Reader, src io.Reader, room int, through func(io.Reader) io.Reader) result {
	in := bufio.NewReaderSize(src, room)
	r.Reset(in)
	text, err := io.ReadAll(io.LimitReader(through(r), most))
	rest, _ := io.Copy(io.Discard, in)
	return result{text, err, int(rest)}
}

func asItIs(r io.Reader) io.Reader { return r }

// reference is what the standard library makes of it.
func reference(data []byte) result {
	in := bytes.NewReader(data)
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(in), most))
	var corrupt flate.CorruptInputError
	if errors.As(err, &corrupt) {
		err = ErrCorrupt
	}
	return result{text, err, in.Len()}
}

// agree compares what is decoded in large pieces, what is decoded byte by byte,
// and the reference.
func agree(t *testing.T, r *Reader, data []byte) {
	t.Helper()
	want := reference(data)
	if len(want.text) == most {
		return
	}
	whole := read(r, bytes.NewReader(data), 32<<10, asItIs)
	pieces := read(r, iotest.OneByteReader(bytes.NewReader(data)), 16, iotest.HalfReader)
	if !bytes.Equal(whole.text, pieces.text) || whole.err != pieces.err || whole.err == nil && whole.rest != pieces.rest {
		t.Fatalf("%x\nas a whole: %d bytes, %v, %d behind\nin pieces: %d bytes, %v, %d behind", data,
			len(whole.text), whole.err, whole.rest, len(pieces.text), pieces.err, pieces.rest)
	}
	// The reference asks for as many bits as the end of the block has, and so
	// may lose the last symbols of a stream that was cut, and what they show.
	if want.err == io.ErrUnexpectedEOF && whole.err != nil && bytes.HasPrefix(whole.text, want.text) &&
		len(whole.text)-len(want.text) <= 15*258 {
		return
	}
	// Codes that are not complete are corrupt for the one where they are
	// described, for the other where they are used; and one of them notices
	// before it has read all of a description.
	if want.err == ErrCorrupt && whole.err != nil && bytes.HasPrefix(want.text, whole.text) {
		return
	}
	if !bytes.Equal(whole.text, want.text) || whole.err != want.err || want.err == nil && whole.rest != want.rest {
		t.Fatalf("%x\n%d bytes, %v, %d behind; want %d bytes, %v, %d behind", data,
			len(whole.text), whole.err, whole.rest, len(want.text), want.err, want.rest)
	}
}

// texts each lead to other blocks, codes and matches.
func texts() map[string][]byte {
	random := rand.New(rand.NewPCG(3, 5))
	noise := make([]byte, 100_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	var lines, periods, skewed, far []byte
	for i := range 8_000 {
		lines = fmt.Appendf(lines, "%d: the needle of line %x\n", i, random.Uint32())
	}
	for period := 1; period < 40; period++ {
		for length := 1; length < 300; length += 7 {
			periods = append(periods, noise[period*300:period*300+period]...)
			for range length {
				periods = append(periods, periods[len(periods)-period])
			}
		}
	}
	// Half of the bytes are one, a quarter another, and so on: codes of all
	// lengths.
	for range 100_000 {
		symbol := byte(0)
		for symbol < 40 && random.Uint32()&1 == 0 {
			symbol++
		}
		skewed = append(skewed, symbol*5)
	}
	for range 4 { // the window's whole width, and one byte more
		far = append(far, noise[:32<<10]...)
		far = append(far, 'x')
	}
	return map[string][]byte{
		"empty": nil, "one": []byte("a"), "small": []byte("hello, hello, hello\n"), "noise": noise, "lines": lines,
		"periods": periods, "skewed": skewed, "far": far, "zeros": make([]byte, 300_000),
	}
}

// deflate compresses; flushed after every `flush` bytes if that is not zero.
func deflate(t testing.TB, text []byte, level, flush int) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	if err != nil {
		t.Fatal(err)
	}
	for flush > 0 && len(text) > flush {
		_, err = w.Write(text[:flush])
		if err = errors.Join(err, w.Flush()); err != nil {
			t.Fatal(err)
		}
		text = text[flush:]
	}
	_, err = w.Write(text)
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestRoundTrip decodes all that a compressor makes, and stops where the
// stream does.
func TestRoundTrip(t *testing.T) {
	var r Reader
	for name, text := range texts() {
		for _, level := range []int{flate.HuffmanOnly, flate.NoCompression, flate.BestSpeed, flate.BestCompression} {
			for _, flush := range []int{0, 50_000} {
				data := append(deflate(t, text, level, flush), "behind it"...)
				if got := read(&r, bytes.NewReader(data), 32<<10, asItIs); !bytes.Equal(got.text, text) || got.err != nil || got.rest != 9 {
					t.Errorf("%s, level %d: %d bytes of %d, %v, %d behind", name, level, len(got.text), len(text), got.err, got.rest)
				}
			}
		}
		agree(t, &r, deflate(t, text[:min(len(text), 100_000)], flate.DefaultCompression, 0))
	}
}

// TestMutations compares what is made of streams that something has happened
// to.
func TestMutations(t *testing.T) {
	var r Reader
	random := rand.New(rand.NewPCG(7, 1))
	for name, text := range texts() {
		t.Run(name, func(t *testing.T) {
			for i := range 120 {
				from := random.IntN(len(text)/2 + 1)
				part := text[from : from+min(len(text)-from, 1<<(4+i%10))]
				data := deflate(t, part, i%12-2, []int{0, 0, 100}[i%3])
				for range 1 + i%3 {
					at := random.IntN(len(data))
					if i%4 > 0 {
						at = random.IntN(min(len(data), 100)) // where the codes are described
					}
					switch random.IntN(4) {
					case 0:
						data = data[:at+1]
					case 1:
						data[at] = byte(random.Uint32())
					default:
						data[at] ^= 1 << random.IntN(8)
					}
				}
				agree(t, &r, data)
			}
		})
	}
}

// TestNoise compares what is made of bytes that are no stream: most describe
// codes that are none.
func TestNoise(t *testing.T) {
	var r Reader
	random := rand.New(rand.NewPCG(8, 2))
	for range 5_000 {
		data := make([]byte, 1+random.IntN(120))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		data[0] = data[0]&^6 | byte(random.IntN(3))<<1
		agree(t, &r, data)
	}
}

// TestTextBeforeDamage holds that all blocks before the first damaged byte are
// read, which agree leaves open where decoders differ about what damage is.
func TestTextBeforeDamage(t *testing.T) {
	var data bytes.Buffer
	w, err := flate.NewWriter(&data, flate.DefaultCompression)
	if err != nil {
		t.Fatal(err)
	}
	const part = 3000
	text := texts()["lines"][:40*part]
	var ends []int // of the parts' blocks
	for rest := text; len(rest) > 0; rest = rest[part:] {
		_, err := w.Write(rest[:part])
		if err := errors.Join(err, w.Flush()); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, data.Len())
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var r Reader
	random := rand.New(rand.NewPCG(2, 6))
	damages := map[string]func(data []byte, at int) []byte{
		"cut":     func(data []byte, at int) []byte { return data[:at] },
		"changed": func(data []byte, at int) []byte { data[at] ^= 1 << random.IntN(8); return data },
		"noise": func(data []byte, at int) []byte {
			for ; at < len(data); at++ {
				data[at] = byte(random.Uint32())
			}
			return data
		},
	}
	for name, damage := range damages {
		for i := range 300 {
			at := random.IntN(data.Len())
			if i%2 == 0 { // where a block describes its codes
				at = ends[random.IntN(len(ends)-1)] + random.IntN(10)
			}
			whole := 0
			for whole < len(ends) && ends[whole] <= at {
				whole++
			}
			damaged := damage(bytes.Clone(data.Bytes()), at)
			got := read(&r, bytes.NewReader(damaged), 32<<10, asItIs)
			if !bytes.HasPrefix(got.text, text[:whole*part]) {
				t.Errorf("%s at %d: %d bytes, %v; the blocks before have %d", name, at, len(got.text), got.err, whole*part)
			}
		}
	}
}

// TestReadError tells an error of the source from those of the stream.
func TestReadError(t *testing.T) {
	failed := errors.New("input/output error")
	data := deflate(t, texts()["lines"], flate.DefaultCompression, 0)
	var r Reader
	for _, n := range []int{0, 1, 20, len(data) / 2} {
		got := read(&r, io.MultiReader(bytes.NewReader(data[:n]), iotest.ErrReader(failed)), 4096, asItIs)
		if got.err != failed {
			t.Errorf("after %d bytes: %v", n, got.err)
		}
	}
}

// FuzzInflate holds all three decoders equal.
func FuzzInflate(f *testing.F) {
	for _, text := range texts() {
		text = text[:min(len(text), 3000)]
		for _, level := range []int{flate.HuffmanOnly, flate.NoCompression, flate.BestCompression} {
			f.Add(deflate(f, text, level, 0))
		}
	}
	var r Reader
	f.Fuzz(func(t *testing.T, data []byte) { agree(t, &r, data) })
}
