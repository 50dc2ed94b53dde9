package readings

import "strings"

// within are the rewriters for characters that may all be at work at once, and
// the longer ones first.
var within = []rewriter{ellipses, dashes, likeness(quoteSets), letters, compatibility, accents, unicodeForm, escaped1}

// escaped1 is markup of one character, without what may follow it.
func escaped1(list []token, i int) (string, int) {
	if list[i].lit == "" {
		return "", 0
	}
	if expr, n := unescaped(list, i); n > 0 {
		return expr, n
	}
	if n := typed(typedMarkup(), list, i); n > 0 && n < len(list) {
		return "(?:" + quote(textOf(list[i:i+n])) + ")?", n
	}
	if forms := escapes(list[i].lit); forms != "" {
		return forms, 1
	}
	return "", 0
}

// A gap is what may stand between letters, between other characters, and for a
// blank.
type gap struct{ inside, outside, blank string }

// everything is all rewriters at once.
func everything(g gap) rewriter {
	space := whiteSpace(g.blank)
	var one rewriter
	one = func(list []token, i int) (string, int) {
		if list[i].lit == "" {
			return "", 0
		}
		if expr, n := space(list, i); n > 0 {
			return expr, n
		}
		lit := visible(list[i].lit)
		if lit == "" {
			return "", 1
		}
		forms, n := []string{quote(lit)}, 1
		for _, f := range within {
			switch expr, m := f(list, i); {
			case m > n:
				forms, n = []string{expr}, m
			case m == n && expr != "":
				forms = append(forms, expr)
			}
		}
		if n > 1 {
			// Each of the characters may also be another by itself.
			var parts strings.Builder
			for k := i; k < i+n; k++ {
				expr, _ := one(list[k:k+1], 0)
				parts.WriteString(expr)
				if k+1 < i+n {
					parts.WriteString(g.inside)
				}
			}
			forms = append(forms, parts.String())
		}
		return "(?:" + strings.Join(forms, "|") + ")" + between(list, i+n-1, g.inside, g.outside), n
	}
	return one
}

// oneBlank is what may stand for a blank in a line.
var oneBlank = `(?:[\s` + strings.TrimPrefix(class(spaceSets[0]), "[") + `|%20|&nbsp;|&#160;)+`

// gapOf returns the gaps where something may be in front of each.
func gapOf(broken, brokenBlank string) gap {
	inside, outside := "(?:["+invisible+"]|"+marked+")*", "(?:["+invisible+"]|"+linked+")*"
	return gap{broken + inside, broken + outside, "(?:" + brokenBlank + oneBlank + ")" + outside}
}

// inLine are the gaps of a line, overLines those that may be a line break, too.
var (
	inLine    = gapOf("", "")
	overLines = gapOf(`(?:`+atLineEnd+`)?`, continued+"|")
)

// atOnce reads the query in all ways that change characters.
func atOnce(q *query) []Reading {
	return []Reading{
		{Patterns: changed(q.parsed, everything(inLine)), AnyCase: true},
		{Patterns: changed(q.parsed, everything(overLines)), AnyCase: true, MultiLine: true},
	}
}
