package glob

import (
	"path"
	"regexp"
	"strings"
	"testing"
)

// twinRegexp writes a parsed glob as a regular expression over Latin-1, in
// which every byte is a character, as ripgrep's glob library does over bytes.
// Case is folded beforehand, in ASCII only. It holds tables, written-out alternatives and programs to account.
func twinRegexp(nodes []node) *regexp.Regexp {
	body := twinSequence(nodes)
	if len(nodes) == 1 && nodes[0].kind == deepPrefix {
		body = ".*"
	}
	return regexp.MustCompile("(?s)^(?:" + body + ")$")
}

func twinSequence(nodes []node) string {
	var b strings.Builder
	for _, n := range nodes {
		switch n.kind {
		case char:
			b.WriteString(regexp.QuoteMeta(latin1(n.text)))
		case any1:
			b.WriteString("[^/]")
		case anyN:
			b.WriteString("[^/]*")
		case set:
			b.WriteString(twinClass(n.set))
		case deepPrefix:
			b.WriteString("(?:/?|.*/)")
		case deepSuffix:
			b.WriteString("/.*")
		case deepMiddle:
			b.WriteString("(?:/|/.*/)")
		case alternates:
			var choices []string
			for _, branch := range n.branches {
				if s := twinSequence(branch); s != "" {
					choices = append(choices, s)
				}
			}
			if choices != nil {
				b.WriteString("(?:" + strings.Join(choices, "|") + ")")
			}
		}
	}
	return b.String()
}

func twinClass(c *class) string {
	var b strings.Builder
	for _, m := range c.members() {
		b.WriteString("|" + regexp.QuoteMeta(latin1(string([]byte{m}))))
	}
	if b.Len() == 0 {
		return `[^\x00-\x{10FFFF}]`
	}
	return "(?:" + b.String()[1:] + ")"
}

func lowered(nodes []node) []node {
	var out []node
	for _, n := range nodes {
		n.text = Lower(n.text)
		branches := n.branches
		n.branches = nil
		for _, b := range branches {
			n.branches = append(n.branches, lowered(b))
		}
		out = append(out, n)
	}
	return out
}

func latin1(s string) string {
	r := make([]rune, len(s))
	for i := range len(s) {
		r[i] = rune(s[i])
	}
	return string(r)
}

func FuzzSet(f *testing.F) {
	for _, s := range [][2]string{
		{"**/*.c", "a/b.c"},
		{"a/**/b", "a/x/b"},
		{"{a,b/**}/c", "b/x/c"},
		{"[!a]b", "/b"},
		{"**/*.{c,{h,}}", "x.h"},
		{"a/**", "a/b"},
		{"**", "x"},
		{"**/a/**/**", "b/a/c"},
		{"[a-é]", "\xc3"},
		{"{a,b}{c,d}{e,f}{g,h}{i,j}{k,l}{m,n}", "acegikm"},
		{"**/[Mm]ake*", "x/Makefile"},
		{"K", "k"},
	} {
		f.Add(s[0], s[1], false)
		f.Add(s[0], s[1], true)
	}
	f.Fuzz(func(t *testing.T, glob, p string, fold bool) {
		if len(glob) > 100 || len(p) > 100 {
			t.Skip("too long to tell more")
		}
		nodes, err := parseGlobset(glob, fold)
		if err != nil {
			t.Skip("not a glob")
		}
		p = strings.Trim(path.Clean("/"+p), "/")
		dir, name := path.Split(p)
		if name == "" {
			t.Skip("an entry has a name")
		}
		twin := twinRegexp(nodes)
		if fold {
			twin = twinRegexp(lowered(nodes))
		}
		for _, namesOnly := range []bool{false, true} {
			b := SetBuilder{NamesOnly: namesOnly}
			if err := b.Add(glob, fold, false); err != nil {
				t.Fatal(err)
			}
			in, whole := strings.TrimSuffix(dir, "/"), p
			if namesOnly {
				in, whole = "", name
			}
			got := b.Set().Last(in, name, false) == 0
			asked := whole
			if fold {
				asked = Lower(whole)
			}
			if want := twin.MatchString(latin1(asked)); got != want {
				t.Errorf("%q on %q (fold %v, names only %v): %v, the twin says %v", glob, whole, fold, namesOnly, got, want)
			}
		}
	})
}
