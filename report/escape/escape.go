// Package escape writes text of others, such as names, patterns and lines of files,
// so that the text begins no line that looks like one of ours and does not drive the
// terminal. It must not know where the text comes from.
package escape

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Escaped are the bytes that are no UTF-8 and the characters that do something
// instead of being seen: control characters (C0, DEL, C1), what ends a line for
// some readers (U+2028, U+2029), and what turns the direction of the text around
// it (U+202A to U+202E, U+2066 to U+2069).

// harmful reports whether a character that was decoded from n bytes is escaped.
func harmful(r rune, n int) bool {
	return r < ' ' || r >= 0x7F && r <= 0x9F || r >= 0x2028 && r <= 0x202E ||
		r >= 0x2066 && r <= 0x2069 || r == utf8.RuneError && n == 1
}

// next returns the length of what stands before the first escaped character of
// s, and that of this character, 0 if there is none.
func next[T []byte | string](s T) (before, width int) {
	for i := 0; i < len(s); {
		if c := s[i]; c >= ' ' && c < 0x7F {
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(string(s[i:min(len(s), i+utf8.UTFMax)]))
		if harmful(r, n) {
			return i, n
		}
		i += n
	}
	return len(s), 0
}

var letters = map[byte]string{'\n': `\n`, '\r': `\r`, '\t': `\t`}

// appendEscape appends the escape of a character: its bytes, so that it means the
// same to every shell in every locale.
func appendEscape[T []byte | string](b []byte, s T) []byte {
	if letter, ok := letters[s[0]]; ok {
		return append(b, letter...)
	}
	for i := range len(s) {
		b = fmt.Appendf(b, `\x%02x`, s[i])
	}
	return b
}

// plain reports whether a name is shown as it is: nothing in it is escaped, and no
// other name is shown like it.
func plain[T []byte | string](name T) bool {
	_, width := next(name)
	return width == 0 && !(len(name) > 1 && name[0] == '$' && name[1] == '\'')
}

// AppendName appends a name as it is, or, if something in it must be escaped, in
// the form that a shell reads back: $'a\nb\x1b[31m'. No two names look alike.
func AppendName[T []byte | string](b []byte, name T) []byte {
	if plain(name) {
		return append(b, name...)
	}
	b = append(b, "$'"...)
	for len(name) > 0 {
		before, width := next(name)
		for i := range before {
			if c := name[i]; c == '\'' || c == '\\' {
				b = append(b, '\\')
			}
			b = append(b, name[i])
		}
		name = name[before:]
		if width > 0 {
			b = appendEscape(b, name[:width])
			name = name[width:]
		}
	}
	return append(b, '\'')
}

// Name returns a name, or a pattern, as [AppendName] appends it.
func Name(name string) string {
	if plain(name) {
		return name
	}
	return string(AppendName(nil, name))
}

// AppendText appends a text of any number of lines. Tabs and line ends stay as they
// are; a carriage return does before a line feed and at the text's end, where it
// cannot take the line back.
func AppendText(b, text []byte) []byte {
	for {
		before, width := next(text)
		b = append(b, text[:before]...)
		if width == 0 {
			return b
		}
		c, rest := text[before:before+width], text[before+width:]
		switch {
		case c[0] == '\t', c[0] == '\n', c[0] == '\r' && (len(rest) == 0 || rest[0] == '\n'):
			b = append(b, c...)
		default:
			b = appendEscape(b, c)
		}
		text = rest
	}
}

// Line returns a text as one line.
func Line(text string) string {
	if _, width := next(text); width == 0 {
		return text
	}
	line := string(AppendText(nil, []byte(text)))
	return strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(line)
}

// A Writer writes text to W by way of [AppendText]. No character may be divided
// between two calls.
type Writer struct{ W io.Writer }

// Write writes a text.
func (w Writer) Write(text []byte) (int, error) {
	if _, width := next(text); width == 0 {
		return w.W.Write(text)
	}
	safe := AppendText(nil, text)
	if bytes.Equal(safe, text) {
		return w.W.Write(text)
	}
	if _, err := w.W.Write(safe); err != nil {
		return 0, err
	}
	return len(text), nil
}
