package glob

import (
	"path"
	"strings"
	"testing"
)

func TestOverride(t *testing.T) {
	for _, c := range []struct {
		globs, iglobs string // parted by blanks
		path          string // a directory if it ends with a slash
		glob          string
		want          Verdict
	}{
		{"*.c", "", "a/x.c", "*.c", Include},
		{"*.c", "", "a/x.h", "", Ignore},
		{"*.c", "", "a/", "", None},
		{"!*.c", "", "a/x.h", "", None},
		{"!*.c", "", "x.c", "!*.c", Ignore},
		{"*.c !x*", "", "x.c", "!x*", Ignore},
		{"!x* *.c", "", "x.c", "*.c", Include},
		{"*.c", "!*.C", "x.c", "!*.C", Ignore},
		{"/a/*.c", "", "a/x.c", "/a/*.c", Include},
		{"/a/*.c", "", "b/a/x.c", "", Ignore},
		{"a/", "", "a", "", Ignore},
		{"!a/", "", "a/", "!a/", Ignore},
		{"a/**", "", "a/b/c", "a/**", Include},
		{"a/**", "", "a/", "", None},
		{"*.{c,h}", "", "x.h", "*.{c,h}", Include},
		{"*.{c,h{,h}}", "", "x.hh", "*.{c,h{,h}}", Include},
		{"{a,b}/**/x", "", "b/1/2/x", "{a,b}/**/x", Include},
		{"a[!x]c", "", "a/c", "a[!x]c", Include},
		{"\\#x #y", "", "#x", "\\#x", Include},
		{"#y", "", "z", "", None},
		{"[é]", "", "\xc3", "[é]", Include},
		{"**", "", ".x", "**", Include},
	} {
		o, err := NewOverride(strings.Fields(c.globs), strings.Fields(c.iglobs), false)
		if err != nil {
			t.Errorf("%q: %v", c.globs, err)
			continue
		}
		p, isDir := strings.CutSuffix(c.path, "/")
		dir, name := path.Split(p)
		glob, v := o.Match(strings.TrimSuffix(dir, "/"), name, isDir)
		if glob != c.glob || v != c.want {
			t.Errorf("%q %q on %q: %q %v, want %q %v", c.globs, c.iglobs, c.path, glob, v, c.glob, c.want)
		}
	}
}

func TestOverrideErrors(t *testing.T) {
	for glob, want := range map[string]string{
		"[a":       "error parsing glob '[a': unclosed character class; missing ']'",
		"![z-a]":   "error parsing glob '![z-a]': invalid range; 'z' > 'a'",
		"{a  ":     "error parsing glob '{a': unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)",
		"a}":       "error parsing glob 'a}': unopened alternate group; missing '{' (maybe escape '}' with '[}]'?)",
		`a\`:       `error parsing glob 'a\': dangling '\'`,
		"{{a,b},c": "error parsing glob '{{a,b},c': unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)",
	} {
		_, err := NewOverride([]string{"*", glob}, nil, false)
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", glob, err, want)
		}
	}
}
