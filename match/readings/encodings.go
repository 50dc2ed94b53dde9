package readings

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/korean"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/traditionalchinese"
)

// likely are the encodings in which text is looked for that is not UTF-8, under
// the names that --encoding takes.
var likely = []struct {
	name string
	encoding.Encoding
}{
	{"windows-1252", charmap.Windows1252},
	{"windows-1250", charmap.Windows1250},
	{"windows-1251", charmap.Windows1251},
	{"koi8-r", charmap.KOI8R},
	{"shift_jis", japanese.ShiftJIS},
	{"euc-jp", japanese.EUCJP},
	{"gb18030", simplifiedchinese.GB18030},
	{"big5", traditionalchinese.Big5},
	{"euc-kr", korean.EUCKR},
}

// BeyondASCII reports whether a pattern has a character that is not ASCII. Where
// none has, the encodings above hold it as UTF-8 does.
func BeyondASCII(q Query) bool {
	for _, p := range q.Patterns {
		for i := range len(p) {
			if p[i] >= utf8.RuneSelf {
				return true
			}
		}
	}
	return false
}

// encoded reads text in other encodings.
func encoded(q *query) []Reading {
	if !BeyondASCII(q.Query) {
		return nil
	}
	typed := rewrite(q.parsed, nil)
	var list []Reading
	for _, e := range likely {
		for _, parsed := range q.parsed {
			if bytesIn(e.Encoding, literalText(parsed)) != "" {
				list = append(list, Reading{
					Patterns: typed, Encoding: e.name, Hints: []Hint{{Flags: []string{"--encoding", e.name}}},
				})
				break
			}
		}
	}
	return list
}

// literalText is the literal characters of a pattern.
func literalText(list []token) string { return textOf(list) }

// bytesIn returns a text in an encoding, "" if that is no other than in UTF-8,
// or is not possible.
func bytesIn(e encoding.Encoding, text string) string {
	out, err := e.NewEncoder().String(text)
	if err != nil || out == text {
		return ""
	}
	return out
}

// byteOrders are the two ways to write numbers.
var byteOrders = []struct {
	name   string
	append func(b []byte, n uint32, size int) []byte
}{
	{"utf-16le", func(b []byte, n uint32, size int) []byte {
		for range size {
			b, n = append(b, byte(n)), n>>8
		}
		return b
	}},
	{"utf-16be", func(b []byte, n uint32, size int) []byte {
		for i := size - 1; i >= 0; i-- {
			b = append(b, byte(n>>(8*i)))
		}
		return b
	}},
}

// inUTF16 reads bytes as UTF-16.
func inUTF16(q *query) (list []Reading) {
	for i, order := range byteOrders {
		list = append(list, Reading{Patterns: unitPatterns(q.parsed, i, 2), Unit: 2, Hints: []Hint{{Flags: []string{"--encoding", order.name}}}})
	}
	return list
}

// inUTF32 reads bytes as UTF-32, for which there is no --encoding. With a mark
// the first half of it is that of UTF-16, and it is decoded so.
func inUTF32(q *query) (list []Reading) {
	for i := range byteOrders {
		patterns := unitPatterns(q.parsed, i, 4)
		list = append(list, Reading{Patterns: patterns, Unit: 4, Hints: []Hint{regexHint(patterns, "--text", "--encoding", "none")}})
	}
	apart := rewrite(q.parsed, func(list []token, i int) (string, int) {
		return quote(list[i].lit) + between(list, i, `\x00`, `\x00`), 1
	})
	if list[0].Patterns != nil {
		list = append(list, Reading{Patterns: apart, Unit: 1, Hints: []Hint{regexHint(apart, "--text")}})
	}
	return list
}

// unitPatterns returns the bytes of the patterns in units of two or four bytes,
// nil if one of them is more than literal text or holds a line's end.
func unitPatterns(parsed [][]token, order, size int) []string {
	var out []string
	for _, list := range parsed {
		p := units(list, order, size)
		if p == "" {
			return nil
		}
		out = append(out, p)
	}
	return out
}

func units(list []token, order, size int) string {
	var bytes []byte
	for _, t := range list {
		if t.raw != "" || !utf8.ValidString(t.lit) {
			return ""
		}
		for _, r := range t.lit {
			if size == 4 {
				bytes = byteOrders[order].append(bytes, uint32(r), size)
				continue
			}
			for _, unit := range utf16.AppendRune(nil, r) {
				bytes = byteOrders[order].append(bytes, uint32(unit), size)
			}
		}
	}
	if strings.IndexByte(string(bytes), '\n') >= 0 || len(bytes) == 0 {
		return ""
	}
	return byBytes(string(bytes))
}

// byBytes returns an expression for bytes.
func byBytes(s string) string {
	var b strings.Builder
	b.WriteString("(?-u:")
	for i := range len(s) {
		fmt.Fprintf(&b, `\x%02x`, s[i])
	}
	b.WriteByte(')')
	return b.String()
}
