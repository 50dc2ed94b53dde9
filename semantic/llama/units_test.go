//go:build unix

package llama

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
)

func TestDecode(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	tests := []struct {
		in, want []float32
		bad      bool
	}{
		{in: []float32{3, 0, 4}, want: []float32{0.6, 0, 0.8}},
		{in: []float32{1}, want: []float32{1}},
		{in: []float32{-1e-20, 0}, want: []float32{-1, 0}},
		{in: []float32{1e30, 0}, want: []float32{1, 0}},
		{in: []float32{0, 0}},
		{in: []float32{nan, 1}, bad: true},
		{in: []float32{inf, 1}, bad: true},
		{bad: true},
	}
	for _, test := range tests {
		var data []byte
		for _, x := range test.in {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(x))
		}
		got, err := decode(data)
		if (err != nil) != test.bad || len(got) != len(test.want) && !test.bad {
			t.Errorf("%v: %v, %v", test.in, got, err)
			continue
		}
		for i, x := range test.want {
			if math.Abs(float64(got[i]-x)) > 1e-6 {
				t.Errorf("%v: %v", test.in, got)
			}
		}
	}
	if v, err := decode(make([]byte, 5)); err == nil {
		t.Errorf("five bytes: %v", v)
	}
}

// FuzzTail holds a tail that is written piecemeal to the end of the whole.
func FuzzTail(f *testing.F) {
	f.Add("one\ntwo\n", 1)
	f.Add(strings.Repeat("a line of some length\n", 200), 100)
	f.Add(strings.Repeat("é", 3*tailKept), 7)
	f.Add(strings.Repeat("x", 3*tailKept)+"\n", tailKept+1)
	f.Fuzz(func(t *testing.T, text string, step int) {
		if step < 1 {
			step = 1
		}
		var kept tail
		for rest := text; rest != ""; {
			n := min(step, len(rest))
			if got, err := kept.Write([]byte(rest[:n])); got != n || err != nil {
				t.Fatal(got, err)
			}
			rest = rest[n:]
		}
		want := text
		if over := len(text) - tailKept; over > 0 {
			want = text[over:]
			if _, after, ok := strings.Cut(want, "\n"); ok && after != "" {
				want = after
			}
		}
		if string(kept.kept) != text[max(0, len(text)-tailKept):] {
			t.Errorf("kept %q", kept.kept)
		}
		got := kept.String()
		if strings.ContainsFunc(got, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 }) {
			t.Errorf("a terminal obeys %q", got)
		}
		if plain := !strings.ContainsFunc(want, func(r rune) bool { return r < ' ' && r != '\n' || r > 0x7e }); plain && got != strings.TrimSpace(want) {
			t.Errorf("got %q, want %q", got, want)
		}
	})
}
