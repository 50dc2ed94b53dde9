package readings

import (
	"regexp"
	"strings"
	"sync"
)

// A dialect is a way to write patterns that another program has. It returns
// the pattern in ours, as a regular expression or as literal text, and nil
// where it is no different.
type dialect struct {
	flag string // how the patterns are given
	of   func(string) []string
}

// inDialects are the dialects: of literal text, too, since brackets may be meant
// for no more than that.
var inDialects = []dialect{
	{"--regex", basic},
	{"-F", alternatives},
	{"-F", undelimited},
	{"-F", trailing},
	{"--regex", globbed},
}

// dialects reads patterns as other programs would. All patterns are read in
// the same one.
func dialects(q *query) []Reading {
	var list []Reading
	for _, d := range inDialects {
		var patterns []string
		other := false
		for _, p := range q.Patterns {
			if own := d.of(p); own != nil {
				patterns, other = append(patterns, own...), true
			} else {
				patterns = append(patterns, p)
			}
		}
		if !other {
			continue
		}
		r := Reading{Patterns: patterns, Hints: []Hint{{Flags: []string{d.flag}, Patterns: patterns}}}
		if d.flag == "-F" {
			r.Patterns = make([]string, len(patterns))
			for i, p := range patterns {
				r.Patterns[i] = quote(p)
			}
		}
		list = append(list, r)
	}
	return list
}

// basic reads a basic regular expression, which has some of its operators
// behind a backslash.
func basic(p string) []string {
	if !strings.Contains(p, `\|`) && !(strings.Contains(p, `\(`) && strings.Contains(p, `\)`)) &&
		!strings.Contains(p, `\+`) && !strings.Contains(p, `\<`) && !strings.Contains(p, `\>`) {
		return nil
	}
	var b strings.Builder
	for i := 0; i < len(p); i++ {
		switch c := p[i]; {
		case c == '\\' && i+1 < len(p):
			i++
			if c := p[i]; strings.IndexByte("|(){}+?", c) >= 0 {
				b.WriteByte(c)
			} else if c == '<' || c == '>' {
				b.WriteString(`\b`)
			} else {
				b.WriteString(p[i-1 : i+1])
			}
		case strings.IndexByte("|(){}+?", c) >= 0:
			b.WriteString(`\` + p[i:i+1])
		default:
			b.WriteByte(c)
		}
	}
	return []string{b.String()}
}

// alternatives reads bars as such between pieces that are literal text, since
// brackets make them no expression, or text was asked for.
func alternatives(p string) []string {
	if !strings.Contains(p, "|") || strings.Contains(p, `\`) {
		return nil
	}
	var list []string
	for piece := range strings.SplitSeq(p, "|") {
		if piece = strings.TrimSpace(piece); piece == "" {
			return nil
		}
		list = append(list, piece)
	}
	return list
}

// undelimited leaves out quotation marks or slashes around a pattern.
func undelimited(p string) []string {
	for _, around := range []string{`""`, `''`, "``", "“”", "‘’", "«»", "//"} {
		marks := []rune(around)
		inner, ok := strings.CutPrefix(p, string(marks[0]))
		if !ok {
			continue
		}
		if inner, ok = strings.CutSuffix(inner, string(marks[1])); ok && strings.TrimSpace(inner) != "" {
			return []string{inner}
		}
	}
	return nil
}

// trailing leaves out what follows a name where it is spoken of.
func trailing(p string) []string {
	for _, end := range []string{"()", "/", "(", ":", ";", ","} {
		if name, ok := strings.CutSuffix(p, end); ok && inName().MatchString(name) {
			return []string{name}
		}
	}
	return nil
}

var inName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[\pL\pN]{2}`) })

// globbed reads the wildcards of a glob.
func globbed(p string) []string {
	if !strings.ContainsAny(p, "*?") || strings.ContainsAny(p, `\^$(|+ `) || strings.Contains(p, ".*") || strings.Contains(p, "**") {
		return nil
	}
	p = strings.Trim(p, "*")
	if !inName().MatchString(p) {
		return nil
	}
	var b strings.Builder
	for _, c := range p {
		switch c {
		case '*':
			b.WriteString(`\S*`)
		case '?':
			b.WriteString(`\S`)
		default:
			b.WriteString(quote(string(c)))
		}
	}
	return []string{b.String()}
}
