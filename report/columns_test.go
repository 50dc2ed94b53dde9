package report

import (
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// FuzzGraphemes compares with what the package for clusters finds on the whole
// text, without the short cut for ASCII.
func FuzzGraphemes(f *testing.F) {
	for _, seed := range []string{"", "abc", "a\r\nb", "e\u0301e", "\U0001F1E9\U0001F1EA\U0001F1EB", "\u0915\u094D\u0937", "a\u0301\r\n\u200D"} {
		f.Add(seed, uint8(3))
	}
	f.Fuzz(func(t *testing.T, s string, n uint8) {
		if !utf8.ValidString(s) || len(s) > 1000 {
			return
		}
		want, rest, state := 0, s, -1
		for i := 0; i < int(n) && rest != ""; i++ {
			var cluster string
			cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
			want += len(cluster)
		}
		if got := prefixOfGraphemes([]byte(s), int64(n)); got != want {
			t.Errorf("%d clusters of %q are %d bytes, not %d", n, s, want, got)
		}
	})
}

func TestInvalidBytesAreClusters(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int64
		want int
	}{
		{"\xff\xfe", 1, 1},
		{"\xe2\x82x", 1, 2},
		{"\xe2\x82\x82", 1, 3},
		{"\xf0\x9f\x92", 1, 3},
		{"\xf0\x80\x80", 1, 1},
		{"\xed\xa0\x80", 1, 1},
		{"\xc3(", 2, 2},
		{"\xe0\x9f", 1, 1},
		{"\xf4\x90", 1, 1},
		{"\xf4\x8f\xbf", 1, 3},
		{"\xc0\x80", 1, 1},
		{"a\xccb", 2, 2},
	} {
		if got := prefixOfGraphemes([]byte(c.text), c.n); got != c.want {
			t.Errorf("%d clusters of %q are %d bytes, not %d", c.n, c.text, c.want, got)
		}
	}
}

// TestNumbersCountUp compares with formatting each number anew.
func TestNumbersCountUp(t *testing.T) {
	p := prelude{path: []byte("9:"), field: []byte("9:"), number: noNumber}
	s := styles{line: []byte("\x1b[9m"), reset: []byte("\x1b[0m")}
	check := func(n int64) {
		t.Helper()
		if got, want := string(p.at(n, &s)), "9:\x1b[9m"+strconv.FormatInt(n, 10)+"\x1b[0m9:"; got != want {
			t.Fatalf("%d is written %q", n, got)
		}
	}
	for _, n := range []int64{1, 1, 2, 9, 10, 11, 99, 100, 5, 6, 999, 1000, 1<<63 - 2, 1<<63 - 1, 1} {
		check(n)
	}
	for n := range int64(12000) {
		check(n)
	}
}
