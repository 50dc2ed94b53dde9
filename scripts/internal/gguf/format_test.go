package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
)

// A reader takes a GGUF file apart with encoding/binary alone.
type reader struct {
	t *testing.T
	*bytes.Reader
}

func (r reader) read(into any) {
	r.t.Helper()
	if err := binary.Read(r, binary.LittleEndian, into); err != nil {
		r.t.Fatal(err)
	}
}

func (r reader) uint32() (n uint32)   { r.t.Helper(); r.read(&n); return n }
func (r reader) uint64() (n uint64)   { r.t.Helper(); r.read(&n); return n }
func (r reader) float32() (n float32) { r.t.Helper(); r.read(&n); return n }

func (r reader) string() string {
	r.t.Helper()
	b := make([]byte, r.uint64())
	r.read(b)
	return string(b)
}

func (r reader) value(kind uint32) any {
	r.t.Helper()
	switch kind {
	case 4:
		return r.uint32()
	case 5:
		return int32(r.uint32())
	case 6:
		return r.float32()
	case 7:
		b, _ := r.ReadByte()
		return b == 1
	case 8:
		return r.string()
	case 9:
		kind := r.uint32()
		list := make([]any, r.uint64())
		for i := range list {
			list[i] = r.value(kind)
		}
		return list
	}
	r.t.Fatalf("type %d", kind)
	return nil
}

type laidOut struct {
	name       string
	dimensions []uint64
	kind       uint32
	data       []byte
}

// parse returns all that a file holds, and fails where it is not aligned or
// tensors overlap.
func parse(t *testing.T, file []byte) (entries map[string]any, list []laidOut) {
	t.Helper()
	r := reader{t, bytes.NewReader(file)}
	if string(file[:4]) != "GGUF" {
		t.Fatalf("begins with %q", file[:4])
	}
	r.uint32()
	if v := r.uint32(); v != 3 {
		t.Fatalf("version %d", v)
	}
	tensors, count := r.uint64(), r.uint64()
	entries = map[string]any{}
	for range count {
		key := r.string()
		entries[key] = r.value(r.uint32())
	}
	var offsets []uint64
	for range tensors {
		one := laidOut{name: r.string(), dimensions: make([]uint64, r.uint32())}
		r.read(one.dimensions)
		one.kind = r.uint32()
		offsets = append(offsets, r.uint64())
		list = append(list, one)
	}
	head, _ := r.Seek(0, io.SeekCurrent)
	data := file[(head+31)/32*32:]
	end := uint64(0)
	for i := range list {
		numbers := uint64(1)
		for _, d := range list[i].dimensions {
			numbers *= d
		}
		size := map[uint32]uint64{0: 4 * numbers, 8: numbers / 32 * 34}[list[i].kind]
		if offsets[i]%32 != 0 || offsets[i] < end || offsets[i] > end+31 {
			t.Fatalf("%s lies at %d, the one before it ends at %d", list[i].name, offsets[i], end)
		}
		end = offsets[i] + size
		list[i].data = data[offsets[i]:end]
	}
	return entries, list
}

func TestEncode(t *testing.T) {
	entries, list := parse(t, encode(
		[]entry{
			{"a", uint32(7)},
			{"b", float32(0.5)},
			{"c", true},
			{"d", false},
			{"e", "äöü"},
			{"f", []string{"x", "", "yz"}},
			{"g", []int32{-1, 2}},
		},
		[]stored{
			{"one", []int{2, 3}, float32s, float32Bytes([]float32{1, 2, 3, 4, 5, 6})},
			{"two", []int{32}, q8s, q8Bytes(make([]float32, 32))},
			{"three", []int{1}, float32s, float32Bytes([]float32{-0.25})},
		}))
	want := map[string]any{
		"a": uint32(7), "b": float32(0.5), "c": true, "d": false, "e": "äöü",
		"f": []any{"x", "", "yz"}, "g": []any{int32(-1), int32(2)},
	}
	for key, value := range want {
		if list, ok := value.([]any); ok {
			if got, _ := entries[key].([]any); !slices.Equal(got, list) {
				t.Errorf("%s: %v, want %v", key, got, list)
			}
		} else if entries[key] != value {
			t.Errorf("%s: %v, want %v", key, entries[key], value)
		}
	}
	if len(entries) != len(want) || len(list) != 3 {
		t.Fatalf("%d entries, %d tensors", len(entries), len(list))
	}
	if !slices.Equal(list[0].dimensions, []uint64{3, 2}) {
		t.Errorf("dimensions %v: the fastest must be the first", list[0].dimensions)
	}
	if got := math.Float32frombits(binary.LittleEndian.Uint32(list[2].data)); got != -0.25 {
		t.Errorf("the last number is %v", got)
	}
}

func TestMadeParse(t *testing.T) {
	for _, kind := range []string{"random", "concept"} {
		file, err := os.ReadFile(made(t, kind))
		if err != nil {
			t.Fatal(err)
		}
		again, err := fabricate(kind)
		if err != nil || !bytes.Equal(file, again) {
			t.Errorf("%s: not the same each time (%v)", kind, err)
		}
		entries, list := parse(t, file)
		if entries["general.name"] != "made-"+kind || len(list) != 5+len(layerParts) {
			t.Errorf("%s: name %v, %d tensors", kind, entries["general.name"], len(list))
		}
		tokens := entries["tokenizer.ggml.tokens"].([]any)
		if int(list[0].dimensions[1]) != len(tokens) || tokens[2] != "[CLS]" {
			t.Errorf("%s: %d vectors for the tokens %.10v", kind, list[0].dimensions[1], tokens)
		}
	}
	if _, err := fabricate("other"); err == nil {
		t.Error("a kind that does not exist is made")
	}
}

// value16 is what the bits of a half mean, by the definition of IEEE 754.
func value16(bits uint16) float64 {
	exponent, fraction := int(bits>>10&31), float64(bits&1023)
	if exponent == 0 {
		return math.Ldexp(fraction, -24)
	}
	return math.Ldexp(1024+fraction, exponent-25)
}

// Every half comes back, and a number between two neighbours becomes the
// nearer one, the even one in the middle.
func TestHalf(t *testing.T) {
	const largest = 0x7bff
	for bits := range uint16(largest) {
		low, high := value16(bits), value16(bits+1)
		middle := (low + high) / 2
		even := bits + bits&1
		for _, c := range []struct {
			number float32
			want   uint16
		}{
			{float32(low), bits},
			{float32(middle), even},
			{math.Nextafter32(float32(middle), 0), bits},
			{math.Nextafter32(float32(middle), 1e9), bits + 1},
		} {
			if got := half(c.number); got != c.want {
				t.Fatalf("half(%v) = %#x, want %#x", c.number, got, c.want)
			}
		}
	}
	if got := half(1e6); got != 0x7c00 {
		t.Errorf("half(1e6) = %#x, want infinity", got)
	}
}

// No number is further from what is stored than half a step, and a little for
// the rounding of the scale (which is coarse below the normal halves).
func TestQ8(t *testing.T) {
	source := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		numbers := make([]float32, q8Block)
		scale := math.Exp(source.Float64()*12 - 3)
		var largest float64
		for i := range numbers {
			numbers[i] = float32(source.NormFloat64() * scale)
			largest = max(largest, math.Abs(float64(numbers[i])))
		}
		b := q8Bytes(numbers)
		if len(b) != 34 {
			t.Fatalf("%d bytes", len(b))
		}
		step := value16(binary.LittleEndian.Uint16(b))
		for i, n := range numbers {
			stored := step * float64(int8(b[2+i]))
			if off := math.Abs(stored - float64(n)); off > largest/127*0.5+largest/1000 {
				t.Fatalf("%v is stored as %v, in steps of %v", n, stored, step)
			}
		}
	}
	if b := q8Bytes(make([]float32, q8Block)); !bytes.Equal(b, make([]byte, 34)) {
		t.Errorf("zeros are stored as %v", b)
	}
}
