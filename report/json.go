package report

import (
	"encoding/base64"
	"encoding/binary"
	"unicode/utf8"
)

// appendData appends text as {"text":...}, anything else as base64 or, with
// lossy, as text in which U+FFFD stands for each byte that is none.
func appendData(b, data []byte, lossy bool) []byte {
	if lossy || utf8.Valid(data) {
		b = append(b, `{"text":`...)
		b = appendString(b, data)
		return append(b, '}')
	}
	b = append(b, `{"bytes":"`...)
	b = base64.StdEncoding.AppendEncode(b, data)
	return append(b, `"}`...)
}

const hexDigits = "0123456789abcdef"

// escapes holds, for each byte that a JSON string cannot hold as it is, the
// letter after the backslash, or 'u'.
var escapes = func() (t [256]byte) {
	for c := range 0x20 {
		t[c] = 'u'
	}
	t['"'], t['\\'], t['\b'], t['\f'] = '"', '\\', 'b', 'f'
	t['\n'], t['\r'], t['\t'] = 'n', 'r', 't'
	return t
}()

// appendString appends s as a JSON string, escaping no more than JSON demands;
// for each byte that is not UTF-8 it appends U+FFFD.
func appendString(b, s []byte) []byte {
	b = append(b, '"')
	from := 0
	for i := 0; i < len(s); {
		if len(s)-i >= 8 && asItIs(binary.LittleEndian.Uint64(s[i:])) {
			i += 8
			continue
		}
		c := s[i]
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRune(s[i:])
			if r == utf8.RuneError && size == 1 {
				b = append(b, s[from:i]...)
				b = append(b, "\uFFFD"...)
				from = i + 1
			}
			i += size
			continue
		}
		i++
		e := escapes[c]
		if e == 0 {
			continue
		}
		b = append(b, s[from:i-1]...)
		from = i
		b = append(b, '\\', e)
		if e == 'u' {
			b = append(b, '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	b = append(b, s[from:]...)
	return append(b, '"')
}

func appendComma(b []byte, i int) []byte {
	if i > 0 {
		return append(b, ',')
	}
	return b
}

// asItIs reports whether all bytes of x are ASCII that a JSON string holds
// unescaped. Subtracting from each byte sets its high bit if it was too small;
// what is borrowed from the next one matters only where one was.
func asItIs(x uint64) bool {
	const ones = 0x0101010101010101
	quotes, slashes := x^'"'*ones, x^'\\'*ones
	return (x|(x-' '*ones)|(quotes-ones)|(slashes-ones))&(0x80*ones) == 0
}

// textLen is the length of s once U+FFFD stands for each byte that is not
// UTF-8.
func textLen(s []byte) int {
	n := 0
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRune(s[i:])
		n += utf8.RuneLen(r)
		i += size
	}
	return n
}
