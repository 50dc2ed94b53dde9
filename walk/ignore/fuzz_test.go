package ignore

import (
	"strings"
	"testing"
)

// checkTwin compares the compiled rules with the twin for one path.
func checkTwin(t *testing.T, data, path string, isDir bool, o Options) {
	t.Helper()
	r, _ := Compile("x", []byte(data), o)
	rule, v := r.Match(path, isDir)
	number, want := twinMatch(twinParse(data), path, isDir, o)
	if v != want || rule.Line != number {
		t.Errorf("%q on %q (dir %v, %+v): line %d, %v; the twin says line %d, %v",
			data, path, isDir, o, rule.Line, v, number, want)
	}
}

// cleanPath makes a path that a walk can meet of arbitrary text.
func cleanPath(s string) string {
	s = strings.ReplaceAll(s, "\x00", "")
	parts := strings.FieldsFunc(s, func(r rune) bool { return r == '/' })
	return strings.Join(parts, "/")
}

func FuzzMatch(f *testing.F) {
	for _, s := range [][2]string{
		{"*.o\n!a.o", "x/a.o"},
		{"a/**/b", "a/x/y/b"},
		{"foo**/bar", "foobar"},
		{"[[:alpha:]-]x", "-x"},
		{"a\\ \nb  ", "a "},
		{"/**", "a/b"},
		{"**b", "ab"},
		{"[!a-c]/", "d"},
		{"x/[]-a]", "x/]"},
		{"\xef\xbb\xbf#x\r\n\\#x\r", "#x"},
		{"**\\/b", "a/b"},
		{"a/**/**/b/**", "a/b/c"},
		{"[a\\]b]", "]"},
		{"[[:x:]a]", "a"},
		{"[z-a]\n[--0]", "-"},
		{"*a*b*c", "aabbcc"},
		{"a/*/", "a/b"},
		{"[Mm]ake?ile*", "makefile.x"},
	} {
		f.Add(s[0], s[1], true, uint8(0))
		f.Add(s[0], s[1], false, uint8(3))
	}
	f.Fuzz(func(t *testing.T, data, path string, isDir bool, options uint8) {
		path = cleanPath(path)
		if path == "" || len(data) > 200 || len(path) > 60 || strings.Count(data, "*") > 8 {
			t.Skip("the twin takes exponential time")
		}
		checkTwin(t, data, path, isDir, Options{Fold: options&1 != 0, Strict: options&2 != 0})
	})
}
