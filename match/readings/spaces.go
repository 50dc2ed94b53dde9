package readings

import "strings"

// whiteSpace replaces each run of white space by expr, and drops it at the ends.
func whiteSpace(expr string) rewriter {
	return func(list []token, i int) (string, int) {
		n := 0
		for i+n < len(list) && list[i+n].space() {
			n++
		}
		switch {
		case n == 0:
			return "", 0
		case i == 0, i+n == len(list):
			return "", n
		}
		return expr, n
	}
}

// spaced returns the patterns that have white space inside, nil if none has.
func spaced(parsed [][]token) [][]token {
	var out [][]token
	for _, list := range parsed {
		if len(breaks(list)) > 0 {
			out = append(out, list)
		}
	}
	return out
}

// breaks returns the places of white space inside a pattern, outside of
// anything that a regular expression groups.
func breaks(list []token) []int {
	var places []int
	depth := 0
	for i, t := range list {
		switch {
		case strings.HasPrefix(t.raw, "(") && !strings.HasSuffix(t.raw, ")"):
			depth++
		case t.raw == ")":
			depth--
		case t.raw == "|" && depth == 0:
			return nil
		case depth == 0 && t.space() && i > 0 && i+1 < len(list) && !list[i-1].space():
			places = append(places, i)
		}
	}
	return places
}

// continued is what stands at a line's end and at the beginning of the next one
// where a text goes on, in a comment, a list or a quotation, too.
const continued = `\s+(?:[#/*>|;%-]+\s+)?`

// broken allows a line break for each blank.
func broken(q *query) []Reading {
	with := spaced(q.parsed)
	if with == nil {
		return nil
	}
	patterns := rewrite(with, whiteSpace(continued))
	short := rewrite(with, whiteSpace(`\s+`))
	return []Reading{{Patterns: patterns, MultiLine: true, Hints: []Hint{
		regexHint(short, "--multiline"), regexHint(patterns, "--multiline"),
	}}}
}

// atLineEnd is a hyphen at the end of a line, up to where the word goes on.
const atLineEnd = `[-\x{2010}\x{ad}][ \t]*\r?\n[ \t]*(?:[#/*>|;%]+[ \t]+)?`

// hyphenated allows a hyphen and a line break inside words, and a line break
// behind a hyphen.
func hyphenated(q *query) []Reading {
	patterns := changed(q.parsed, func(list []token, i int) (string, int) {
		switch {
		case list[i].lit == "" || i+1 == len(list) || !list[i+1].letter():
			return "", 0
		case list[i].letter():
			return quote(list[i].lit) + `(?:` + atLineEnd + `)?`, 1
		case strings.Contains(dashSet, list[i].lit):
			return `(?:` + quote(list[i].lit) + `|` + atLineEnd + `)`, 1
		}
		return "", 0
	})
	return []Reading{{Patterns: patterns, MultiLine: true}}
}

// lineEnd allows CR where a line ends or begins.
func lineEnd(q *query) []Reading {
	if q.CRLF {
		return nil
	}
	hints := []Hint{{Flags: []string{"--crlf"}}}
	if q.Boundary == Lines {
		patterns := make([]string, len(q.parsed))
		for i, p := range rewrite(q.parsed, nil) {
			patterns[i] = `(?:.*\r)?(?:` + p + `)(?:\r.*)?`
		}
		return []Reading{{Patterns: patterns, Hints: append(hints, regexHint(patterns))}}
	}
	patterns := changed(q.parsed, func(list []token, i int) (string, int) {
		switch list[i].raw {
		case "$":
			return `(?:\r|$)`, 1
		case "^":
			return `(?:^|\r)`, 1
		}
		return "", 0
	})
	return []Reading{{Patterns: patterns, Hints: append(hints, regexHint(patterns))}}
}

// part lets a match be a part of a word or line.
func part(q *query) []Reading {
	around := map[Boundary]string{Words: `\w*`, Lines: `.*`}[q.Boundary]
	if around == "" {
		return nil
	}
	whole := make([]string, len(q.parsed))
	patterns := rewrite(q.parsed, nil)
	for i, p := range patterns {
		if strings.Contains(p, "|") {
			p = `(?:` + p + `)`
		}
		whole[i] = around + p + around
	}
	return []Reading{{Patterns: patterns, Unbounded: true, Hints: []Hint{regexHint(whole)}}}
}
