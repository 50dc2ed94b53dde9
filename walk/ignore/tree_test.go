package ignore

import (
	"math/rand/v2"
	"path"
	"slices"
	"strings"
)

// A randomTree is a directory tree of names that patterns trip over, with
// ignore files in some of its directories. Paths are relative to its top.
type randomTree struct {
	dirs  []string // parents first, without the top
	files []string
	rules map[string]string // .gitignore files, by directory ("" is the top)
}

var treeNames = []string{
	"a", "b", "ab", "aab", "foo", "foobar", "foo1", "bar", "baz", "x.o", "a.o", "b.c", "A", "Foo", "FOO.O",
	"a b", "a ", " ", "#a", "!b", "[a]", "a-b", "-", "]", "^", "\\", "a\\", "*", "**", "a*b", "?", "{a,b}", "a,b",
	".h", ".hidden", "\xff", "é", "ü.o", "a\tb", "a\t", "a\r", "0", "9", "a1", "z", "_", "..a", "a.", "~",
}

func newTree(r *rand.Rand) *randomTree {
	t := &randomTree{rules: map[string]string{}}
	dirs := []string{""}
	used := map[string]bool{}
	for range 3 + r.IntN(8) {
		p := path.Join(pick(r, dirs), pick(r, treeNames))
		if strings.Count(p, "/") < 4 && !used[p] {
			used[p] = true
			dirs = append(dirs, p)
		}
	}
	t.dirs = dirs[1:]
	slices.Sort(t.dirs)
	for range 10 + r.IntN(15) {
		p := path.Join(pick(r, dirs), pick(r, treeNames))
		if !used[p] {
			used[p] = true
			t.files = append(t.files, p)
		}
	}
	t.rules[""] = randomRules(r, t.below(""))
	for _, d := range t.dirs {
		if r.IntN(3) == 0 {
			t.rules[d] = randomRules(r, t.below(d))
		}
	}
	return t
}

// below lists what lies in a directory, relative to it.
func (t *randomTree) below(dir string) []string {
	var paths []string
	for _, p := range append(slices.Clone(t.dirs), t.files...) {
		if rest, ok := strings.CutPrefix(p, dir+"/"); dir == "" || ok {
			if dir == "" {
				rest = p
			}
			paths = append(paths, rest)
		}
	}
	if paths == nil {
		return []string{"a"}
	}
	return paths
}

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

var lineEnds = []string{"\n", "\n", "\n", "\n", "\n", "\r\n", " \n", "  \r\n", "\t\n", "\\ \n", "\r \n", "\n\n"}

// randomRules writes an ignore file, mostly of patterns that were made from
// paths that exist, so that they have something to match.
func randomRules(r *rand.Rand, paths []string) string {
	var b strings.Builder
	if r.IntN(10) == 0 {
		b.WriteString("\xef\xbb\xbf")
	}
	for range 1 + r.IntN(6) {
		line := randomPattern(r, pick(r, paths))
		if r.IntN(4) == 0 {
			line = "!" + line
		}
		b.WriteString(line + pick(r, lineEnds))
	}
	s := b.String()
	if r.IntN(5) == 0 {
		s = strings.TrimSuffix(s, "\n")
	}
	return s
}

// randomPattern takes a path and blurs it.
func randomPattern(r *rand.Rand, p string) string {
	if r.IntN(12) == 0 {
		return randomNoise(r)
	}
	parts := strings.Split(p, "/")
	if r.IntN(2) == 0 {
		parts = parts[len(parts)-1:]
	} else if r.IntN(4) == 0 {
		parts = parts[:1+r.IntN(len(parts))]
	}
	for i := range parts {
		switch r.IntN(8) {
		case 0, 1, 2:
			parts[i] = blur(r, parts[i])
		case 3:
			parts[i] = pick(r, []string{"*", "**", "?*", "***", "*?"})
		}
	}
	s := strings.Join(parts, pick(r, []string{"/", "/", "/", "/", "/**/", "**/", "/**", `\/`, "/***/"}))
	switch r.IntN(8) {
	case 0:
		s = "/" + s
	case 1:
		s = "**/" + s
	case 2:
		s += "/**"
	case 3:
		s = pick(r, []string{"**" + s, s + "**", `\` + s, "//" + s, s + "//", "/**/" + s, s + "/*"})
	}
	if r.IntN(4) == 0 {
		s += "/"
	}
	return s
}

// blur puts wildcards in place of some of a name.
func blur(r *rand.Rand, name string) string {
	if name == "" {
		return "*"
	}
	i := r.IntN(len(name))
	j := i + 1 + r.IntN(len(name)-i)
	var in string
	switch r.IntN(11) {
	case 0, 1:
		in = "*"
	case 2:
		in = strings.Repeat("?", j-i)
	case 3:
		in = "**"
	case 4:
		in, j = `\`+name[i:i+1], i+1
	case 5, 6:
		in, j = randomClass(r, name[i]), i+1
	case 7:
		in = "[[:" + pick(r, []string{"alpha", "digit", "alnum", "upper", "lower", "punct", "space", "blank", "xdigit", "print", "graph", "cntrl"}) + ":]]"
	case 8:
		in = name[i:j] + "*"
	case 9:
		in = "*" + name[i:j]
	case 10:
		in, j = "{"+name[i:j]+",x}", len(name)
	}
	return name[:i] + in + name[j:]
}

// randomClass writes a bracket expression that often holds c.
func randomClass(r *rand.Rand, c byte) string {
	s := string([]byte{c})
	lo, hi := string([]byte{max(c, 3) - 2}), string([]byte{min(c, 252) + 2})
	return pick(r, []string{
		"[" + s + "]", "[!" + s + "]", "[^" + s + "]", "[" + lo + "-" + hi + "]", "[!" + lo + "-" + hi + "]",
		"[]" + s + "]", "[!]" + s + "]", `[\` + s + "]", `[\]` + s + "]", "[" + s + "-]", "[-" + s + "]", "[a-" + s + "-z]",
		"[" + hi + "-" + lo + "]", "[" + hi + "-" + lo + s + "]", "[[:alpha:]" + s + "]", "[![:digit:]]", "[[:nope:]" + s + "]",
		"[[:alpha]" + s + "]", "[" + s, "[[:" + s + "]", "[/" + s + "]", "[" + s + "/]", `[` + lo + `-\` + hi + "]", "[[.a.]" + s + "]", "[[:digit:]-" + s + "]", `[\\-\]]`, "[" + s + "-[:alpha:]]",
	})
}

// randomNoise strings characters together that mean something to a pattern.
func randomNoise(r *rand.Rand) string {
	atoms := []string{"a", "b", "o", ".", "*", "**", "?", "/", "[", "]", "!", "^", "-", `\`, "#", " ", "{", "}", ",", "foo", "bar", "[a-z]", "[:alpha:]", "\xff"}
	var b strings.Builder
	for range 1 + r.IntN(6) {
		b.WriteString(pick(r, atoms))
	}
	return b.String()
}
