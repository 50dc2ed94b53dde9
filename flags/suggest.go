package flags

import "strings"

// similarEnough is the least similarity of a name that is suggested for another
// (ripgrep's value).
const similarEnough = 0.4

// suggest returns what to append to the error about an unknown long flag: the
// names that resemble it, in ripgrep's order, or nothing.
func suggest(unknown string, onlyRipgrep bool) string {
	given := trigrams(unknown)
	var similar []string
	for _, r := range byPlace() {
		if onlyRipgrep && r.category == ours {
			continue
		}
		names := []string{r.long}
		if r.negation != "" {
			names = append(names, r.negation)
		}
		for _, name := range append(names, r.aliases...) {
			if jaccard(given, trigrams(name)) >= similarEnough {
				similar = append(similar, "--"+name)
			}
		}
	}
	if len(similar) == 0 {
		return ""
	}
	return "\n\nsimilar flags that are available: " + strings.Join(similar, ", ")
}

// trigrams returns the set of three-byte substrings of a name; a shorter name
// is padded to one.
func trigrams(name string) map[string]bool {
	if len(name) < 3 {
		return map[string]bool{(name + "!!!")[:3]: true}
	}
	set := make(map[string]bool)
	for i := 0; i+3 <= len(name); i++ {
		set[name[i:i+3]] = true
	}
	return set
}

// jaccard returns the size of the intersection of two sets, divided by that of
// their union.
func jaccard(a, b map[string]bool) float64 {
	both := 0
	for s := range a {
		if b[s] {
			both++
		}
	}
	return float64(both) / float64(len(a)+len(b)-both)
}
