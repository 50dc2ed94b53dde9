package readings

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxSuggestion is the length, in bytes, up to which a pattern is suggested.
const maxSuggestion = 200

// Suggest returns the flags that find a text, which a reading has matched.
func Suggest(matched string) string {
	if len(matched) > maxSuggestion {
		_, n := utf8.DecodeRuneInString(matched)
		for n < maxSuggestion {
			_, width := utf8.DecodeRuneInString(matched[n:])
			n += width
		}
		matched = matched[:n]
	}
	return flagsOf([]string{quote(matched)}, "--regex")
}

// flagsOf returns flags with patterns as a shell takes them. Invisible
// characters and quotation marks are written as escapes, so that the patterns
// survive being copied.
func flagsOf(patterns []string, flags string) string {
	for _, p := range patterns {
		if len(patterns) > 1 {
			flags += " -e"
		}
		flags += " '" + escaped(p) + "'"
	}
	return flags
}

// escaped returns a pattern in printable ASCII without single quotes.
func escaped(p string) string {
	var b strings.Builder
	for len(p) > 0 {
		r, n := utf8.DecodeRuneInString(p)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `(?-u:\x%02x)`, p[0])
		case r == '\'' || r < ' ' || r > '~':
			fmt.Fprintf(&b, `\x{%x}`, r)
		default:
			b.WriteRune(r)
		}
		p = p[n:]
	}
	return b.String()
}
