package readings

import (
	"fmt"
	"strings"
)

// Characters that people and their programs write for one another.
var (
	quoteSets = []string{"'`´‘’‚‛′ʼ＇‹›", "\"“”„‟″«»＂"}
	spaceSets = []string{" \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"}
)

const dashSet = "-‐‑‒–—―−﹘﹣－"

// class returns a character class of the characters in set.
func class(set string) string {
	var b strings.Builder
	b.WriteByte('[')
	for _, r := range set {
		fmt.Fprintf(&b, `\x{%x}`, r)
	}
	b.WriteByte(']')
	return b.String()
}

// likeness replaces a character that is in one of sets by that set.
func likeness(sets []string) rewriter {
	classes := make([]string, len(sets))
	for i, set := range sets {
		classes[i] = class(set)
	}
	return func(list []token, i int) (string, int) {
		for k, set := range sets {
			if list[i].lit != "" && strings.Contains(set, list[i].lit) {
				return classes[k], 1
			}
		}
		return "", 0
	}
}

// dashes replaces a run of dashes by up to three, or as many, of any kind.
func dashes(list []token, i int) (string, int) {
	n := 0
	for i+n < len(list) && list[i+n].lit != "" && strings.Contains(dashSet, list[i+n].lit) {
		n++
	}
	if n == 0 {
		return "", 0
	}
	return fmt.Sprintf("%s{1,%d}", class(dashSet), max(3, n)), n
}

// ellipses takes three dots, spaced or not, and the one character for the same.
func ellipses(list []token, i int) (string, int) {
	n := 0
	switch {
	case list[i].lit == "…":
		n = 1
	case len(list)-i >= 3 && list[i].lit == "." && list[i+1].lit == "." && list[i+2].lit == ".":
		n = 3
	default:
		return "", 0
	}
	return `(?:\. ?\. ?\.|[\x{2026}])`, n
}
