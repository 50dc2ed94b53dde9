package readings

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A token is a piece of a pattern: a literal character with the marks that
// follow it, or a piece of a regular expression that is left as it is.
type token struct {
	lit string
	raw string
}

func (t token) space() bool {
	r, n := utf8.DecodeRuneInString(t.lit)
	return n > 0 && n == len(t.lit) && unicode.IsSpace(r)
}

// tokens takes a pattern apart. Of a regular expression it must only tell
// literal characters from everything else.
func tokens(pattern string, fixed bool) []token {
	var list []token
	for len(pattern) > 0 {
		n := 0
		if !fixed {
			n = rawLen(pattern)
		}
		switch {
		case n > 0:
			list = append(list, token{raw: pattern[:n]})
		case !fixed && pattern[0] == '\\':
			n = 2
			list = append(list, token{lit: pattern[1:2]})
		default:
			n = clusterLen(pattern)
			list = append(list, token{lit: pattern[:n]})
		}
		pattern = pattern[n:]
	}
	return list
}

// clusterLen is the length of a character with the marks on it.
func clusterLen(s string) int {
	_, n := utf8.DecodeRuneInString(s)
	for n < len(s) {
		r, width := utf8.DecodeRuneInString(s[n:])
		if !unicode.Is(unicode.M, r) {
			break
		}
		n += width
	}
	return n
}

// rawLen is the length of what is no literal character at the start of a
// regular expression, 0 if there is one.
func rawLen(s string) int {
	switch s[0] {
	case '\\':
		return escapeLen(s)
	case '[':
		return classLen(s)
	case '{':
		if i := strings.IndexByte(s, '}'); i > 0 {
			return i + 1
		}
	case '(':
		if !strings.HasPrefix(s, "(?") {
			return 1
		}
		if i := strings.IndexAny(s, ":>)"); i > 0 {
			return i + 1
		}
		return len(s)
	}
	if strings.IndexByte(`)|*+?.^$`, s[0]) >= 0 {
		return 1
	}
	return 0
}

// escapeLen is the length of an escape; 0 if it stands for the character behind
// the backslash.
func escapeLen(s string) int {
	if len(s) < 2 {
		return len(s)
	}
	c := s[1]
	switch {
	case strings.IndexByte("pPxuUb", c) >= 0 && len(s) > 2 && s[2] == '{':
		if i := strings.IndexByte(s, '}'); i > 0 {
			return i + 1
		}
		return len(s)
	case c == 'p', c == 'P':
		return min(3, len(s))
	case c == 'x':
		return min(4, len(s))
	case c == 'u':
		return min(6, len(s))
	case c == 'U':
		return min(10, len(s))
	case c >= utf8.RuneSelf || unicode.IsLetter(rune(c)) || unicode.IsDigit(rune(c)):
		return 2
	}
	return 0
}

// classLen is the length of a character class. A bracket that comes first in
// one is a member of it.
func classLen(s string) int {
	depth, first := 0, false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '[':
			depth++
			first = true
			if i+1 < len(s) && s[i+1] == '^' {
				i++
			}
			continue
		case c == ']' && !first:
			if depth--; depth == 0 {
				return i + 1
			}
		}
		first = false
	}
	return len(s)
}

// A rewriter returns the regular expression that takes the place of list[i:]'s
// first n tokens, or n = 0 to leave list[i] as it is.
type rewriter func(list []token, i int) (expr string, n int)

// rewrite turns parsed patterns into regular expressions.
func rewrite(parsed [][]token, f rewriter) []string {
	var out []string
	for _, list := range parsed {
		var b strings.Builder
		for i := 0; i < len(list); {
			expr, n := "", 0
			if f != nil {
				expr, n = f(list, i)
			}
			if n == 0 {
				expr, n = list[i].raw+quote(list[i].lit), 1
			}
			b.WriteString(expr)
			i += n
		}
		out = append(out, b.String())
	}
	return out
}

// changed is rewrite, but nil if nothing changes or nothing is left.
func changed(parsed [][]token, f rewriter) []string {
	out := rewrite(parsed, f)
	if slices.Equal(out, rewrite(parsed, nil)) || slices.Contains(out, "") {
		return nil
	}
	return out
}

// quote returns a regular expression that matches s alone.
func quote(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(`\.+*?()|[]{}^$#&-~`, s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// regexOf returns patterns as they are if any of them would mean something else
// as a regular expression.
func regexOf(patterns []string) []string {
	for _, p := range patterns {
		if quote(p) != p && strings.ContainsAny(p, `\.+*?()|[]{}^$`) {
			return patterns
		}
	}
	return nil
}

// literalOf returns patterns that match the text of the given ones, nil if that
// is the same.
func literalOf(patterns []string) []string {
	if regexOf(patterns) == nil {
		return nil
	}
	out := make([]string, len(patterns))
	for i, p := range patterns {
		out[i] = quote(p)
	}
	return out
}

// textOf is the literal text of some tokens.
func textOf(list []token) string {
	var b strings.Builder
	for _, t := range list {
		b.WriteString(t.lit)
	}
	return b.String()
}
