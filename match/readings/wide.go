package readings

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Wide returns patterns of bytes that match wherever one of a query's texts stands
// in UTF-16 of either order, at any offset; ok is false if there are none such.
// A single character of ASCII is left out: as a byte it is found anyway.
func Wide(q Query) (patterns []string, ok bool) {
	for _, list := range parse(q).parsed {
		text := textOf(list)
		if q.Insensitive && strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf && unicode.SimpleFold(r) != r }) {
			return nil, false
		}
		if len(text) == 1 {
			continue
		}
		for order := range byteOrders {
			both := units(list, order, 2)
			if both == "" {
				return nil, false
			}
			patterns = append(patterns, both)
		}
	}
	return patterns, true
}
