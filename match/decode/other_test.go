package decode

import (
	"encoding/binary"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf16"
)

// TestOthersFindWhatIsThere draws files of pieces in several encodings, one of
// which holds a word: some reading, the usual one or another, must show it. Where
// not even a line end or a mark tells of UTF-16, none does.
func TestOthersFindWhatIsThere(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	pick := func(list ...string) string { return list[rnd.IntN(len(list))] }
	encode := []func(string) string{
		func(s string) string { return s },
		func(s string) string { return wideText(s, binary.LittleEndian) },
		func(s string) string { return wideText(s, binary.BigEndian) },
	}
	for range 5000 {
		word := pick("unicorn", "Einhorn", "q7", "слово", "中文", "ünï")
		n := 1 + rnd.IntN(4)
		at := rnd.IntN(n)
		data := pick("", "\xFF\xFE", "\xFE\xFF", "\xEF\xBB\xBF")
		for i := range n {
			text := pick("", "alpha beta\n", "привет мир\n", "日本語 文字\r\n", "’naïve’\n")
			if i == at {
				text += pick("", "pre ") + word + pick("\n", " post\n", "")
			}
			data += pick("", "", "", "x", "\n", "\xFF\xFE") + encode[rnd.IntN(len(encode))](text)
		}
		if data[:1] != "\xFF" && data[:1] != "\xFE" && !strings.Contains(data, "\x00") {
			continue
		}
		read := func(cfg Config) (string, Facts) {
			r := NewReader(cfg)
			r.Reset(strings.NewReader(data), Plain)
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			return string(text), r.Facts()
		}
		text, facts := read(Config{Guess: true, Inspect: true})
		found := strings.Contains(text, word)
		if !facts.UTF16 { // a literal text is looked for as the bytes that it is
			found = found || strings.Contains(data, wideText(word, binary.LittleEndian)) || strings.Contains(data, wideText(word, binary.BigEndian))
		}
		for _, o := range Others(facts) {
			text, _ := read(Config{Other: o})
			found = found || strings.Contains(text, word)
		}
		if !found {
			t.Errorf("%q is in no reading of %q", word, data)
		}
	}
}

func wideText(s string, order binary.AppendByteOrder) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = order.AppendUint16(b, u)
	}
	return string(b)
}

// TestOthersInPieces: however the bytes come, each reading is the same.
func TestOthersInPieces(t *testing.T) {
	data := "\xFF\xFE" + wideText("one ’two’\n日本\n", binary.LittleEndian) + "three\x00four\n" + wideText("five ’six\n", binary.BigEndian) + "x"
	for _, facts := range []Facts{{Doubtful: true}, {Doubtful: true, BigEndian: true}, {NUL: true}} {
		for _, o := range Others(facts) {
			var texts []string
			for _, src := range []io.Reader{strings.NewReader(data), iotest.OneByteReader(strings.NewReader(data)), iotest.HalfReader(strings.NewReader(data))} {
				r := NewReader(Config{Other: o})
				r.Reset(src, Plain)
				text, err := io.ReadAll(r)
				if err != nil {
					t.Fatal(err)
				}
				texts = append(texts, string(text))
			}
			if texts[0] != texts[1] || texts[0] != texts[2] {
				t.Errorf("%+v: %q", o, texts)
			}
		}
	}
}

// TestOthersOfOneKind: a text of an alphabet in UTF-16 holds nothing else, nor does
// one whose encoding was said.
func TestOthersOfOneKind(t *testing.T) {
	for _, test := range []struct {
		data     string
		encoding string
		doubtful bool
	}{
		{"\xFF\xFE" + wideText("naïve привет\r\n", binary.LittleEndian), "auto", false},
		{"\xFF\xFE" + wideText("it’s\n", binary.LittleEndian), "auto", true},
		{"\xFF\xFE" + wideText("it’s\n", binary.LittleEndian), "utf-16le", false},
		{"\xFF\xFE" + wideText("it’s\n", binary.LittleEndian), "utf-16be", true}, // the mark outranks it
		{"\xFF\xFE" + wideText("it’s\n", binary.LittleEndian), "latin1", true},
		{"\xFF\xFEa\x00b", "auto", true},
		{"it’s\n", "auto", false},
	} {
		encoding, err := Lookup(test.encoding)
		if err != nil {
			t.Fatal(err)
		}
		r := NewReader(Config{Encoding: encoding, Inspect: true})
		r.Reset(strings.NewReader(test.data), Plain)
		if _, err := io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
		if f := r.Facts(); f.Doubtful != test.doubtful || f.NUL {
			t.Errorf("%q as %s: %+v", test.data, test.encoding, f)
		}
	}
}
