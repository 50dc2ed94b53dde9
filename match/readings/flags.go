package readings

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxSuggestion is the length, in bytes, up to which a pattern is suggested.
const maxSuggestion = 200

// Suggest returns the hint that finds a text, which a reading has matched. The
// text may be cut.
func Suggest(matched string, flags ...string) Hint {
	if len(matched) > maxSuggestion {
		_, n := utf8.DecodeRuneInString(matched)
		for n < maxSuggestion {
			_, width := utf8.DecodeRuneInString(matched[n:])
			n += width
		}
		matched = matched[:n]
	}
	return regexHint([]string{quote(matched)}, flags...)
}

// Shell returns a hint as arguments for a shell. Invisible characters and
// quotation marks in regular expressions are written as escapes, so that they
// survive being copied.
func (h Hint) Shell() string {
	var args []string
	regex := false
	for _, f := range h.Flags {
		args, regex = append(args, Quoted(f)), regex || f == "--regex"
	}
	for _, p := range h.Patterns {
		if regex {
			p = "'" + escaped(p) + "'"
		} else {
			p = "'" + strings.ReplaceAll(p, "'", `'\''`) + "'"
		}
		if len(h.Patterns) > 1 || strings.HasPrefix(p, "'-") {
			args = append(args, "-e")
		}
		args = append(args, p)
	}
	return strings.Join(args, " ")
}

// Quoted returns a word as a shell takes it.
func Quoted(word string) string {
	if word != "" && strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%") == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
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
