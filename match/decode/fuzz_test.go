package decode

import (
	"bytes"
	"io"
	"testing"
	"testing/iotest"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
)

// most bounds what is read of a fuzzed file.
const most = 16 << 20

// FuzzUnpack holds that whatever a file contains, it is read in pieces as it
// is as a whole, and comes to an end.
func FuzzUnpack(f *testing.F) {
	names := []string{"a.gz", "a.bz2", "a.xz", "a.lz4", "a.lzma", "a.br", "a.zst", "a.Z", "a"}
	for format := range packers {
		for _, data := range samples()[:2] {
			f.Add(pack(f, format, data), uint8(format-1), true)
		}
	}
	f.Add([]byte(bzippedHello), uint8(1), false)
	f.Add([]byte(zippedHello), uint8(7), true)
	r := NewReader(Config{})
	content := NewReader(Config{Unpack: true, Strict: true})
	f.Fuzz(func(t *testing.T, data []byte, name uint8, byContent bool) {
		used := r
		if byContent {
			used = content
		}
		format := FormatByName([]byte(names[int(name)%len(names)]))
		used.Reset(bytes.NewReader(data), format)
		whole, err := io.ReadAll(io.LimitReader(used, most))
		if len(whole) == most {
			return
		}
		used.Reset(iotest.HalfReader(bytes.NewReader(data)), format)
		pieces, again := io.ReadAll(iotest.OneByteReader(used))
		if err == nil && !bytes.Equal(whole, pieces) {
			t.Errorf("%d bytes as a whole, %d in pieces", len(whole), len(pieces))
		}
		if (err == nil) != (again == nil) {
			t.Errorf("as a whole: %v, in pieces: %v", err, again)
		}
	})
}

// FuzzUnicode holds UTF-8 against package utf8 and golang.org/x/text, and
// UTF-16 against package utf16.
func FuzzUnicode(f *testing.F) {
	for _, s := range []string{"a", "é€😀\n", "\xe0\xa0", "\xf0\x9f\x98\xff", "\xed\xa0\x80", "\x3d\xd8\x00\xde", "\xd8\x3d\xd8\x3d\xde\x00", "\xff\xfe\xef\xbb\xbf"} {
		f.Add([]byte(s), uint16(3))
	}
	decodeIn := func(d decoder, data []byte, size int) []byte {
		var out, rest []byte
		for len(data) > 0 {
			n := min(size, len(data))
			rest = append(rest, data[:n]...)
			data = data[n:]
			var taken int
			out, taken = d.decode(out, rest, len(data) == 0)
			rest = rest[taken:]
		}
		return out
	}
	f.Fuzz(func(t *testing.T, data []byte, size uint16) {
		step := int(size)%len("0123456789") + 1
		want, err := unicode.UTF8.NewDecoder().Bytes(bytes.TrimPrefix(data, []byte("\uFEFF")))
		if err != nil {
			t.Fatal(err)
		}
		if got := decodeIn(&utf8Decoder{}, data, step); !bytes.Equal(got, want) {
			t.Errorf("UTF-8: %q, want %q", got, want)
		}
		if utf8.Valid(data) && !bytes.Equal(bytes.TrimPrefix(data, []byte("\uFEFF")), want) {
			t.Error("what is valid was changed")
		}
		for _, big := range []bool{false, true} {
			d := &utf16Decoder{big: big}
			var units []uint16
			for i := 0; i+1 < len(data); i += 2 {
				units = append(units, d.unit(data[i:]))
			}
			if len(units) > 0 && units[0] == 0xFEFF {
				units = units[1:]
			}
			odd := len(data)%2 == 1
			if n := len(units); odd && n > 0 && 0xD800 <= units[n-1] && units[n-1] < 0xDC00 {
				units = units[:n-1] // one error together with the odd byte
			}
			want := []byte(string(utf16.Decode(units)))
			if odd {
				want = appendError(want)
			}
			if got := decodeIn(d, data, step); !bytes.Equal(got, want) {
				t.Errorf("UTF-16, big %t: %q, want %q", big, got, want)
			}
		}
	})
}

// FuzzEncodings holds that what is read does not depend on the pieces that it
// comes in, is UTF-8, and keeps all ASCII line ends of encodings that have
// them.
func FuzzEncodings(f *testing.F) {
	all := encodings()
	for i := range all {
		f.Add([]byte("a\n\x1b$B0\n\x81\n\x84\x31\xa4\x37\x8f\xa1\n\xff\xfe\n"), uint8(i), uint8(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, which, size uint8) {
		label := all[int(which)%len(all)]
		e, err := Lookup(label)
		if err != nil {
			t.Fatal(err)
		}
		r := NewReader(Config{Encoding: e})
		r.Reset(bytes.NewReader(data), Plain)
		whole, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		r.Reset(iotest.OneByteReader(bytes.NewReader(data)), Plain)
		pieces, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(whole, pieces) {
			t.Errorf("%s: %q as a whole, %q in pieces; %v", label, whole, pieces, err)
		}
		facts := r.Facts()
		if facts.Transcoded && !utf8.Valid(whole) {
			t.Errorf("%s: %q is not UTF-8", label, whole)
		}
		if (facts.Transcoded || facts.Marked) == bytes.Equal(whole, data) && !utf8.Valid(data) {
			t.Errorf("%s: %+v, but %q has become %q", label, facts, data, whole)
		}
		if facts.Marked || e == (Encoding{"utf-16le"}) || e == (Encoding{"utf-16be"}) {
			return
		}
		if got, want := bytes.Count(whole, []byte("\n")), bytes.Count(data, []byte("\n")); got != want && e != (Encoding{"iso-2022-jp"}) {
			t.Errorf("%s: %d line ends of %d in %q", label, got, want, data)
		}
	})
}
