package escape

import (
	"os/exec"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

var names = []struct{ name, want string }{
	{"", ""},
	{"a b'c\\d.txt", "a b'c\\d.txt"},
	{"größe-文件-שלום-🙂", "größe-文件-שלום-🙂"},
	{"a\nb", `$'a\nb'`},
	{"it's\\\t\r", `$'it\'s\\\t\r'`},
	{"\x1b[31mred", `$'\x1b[31mred'`},
	{"\x1b0", `$'\x1b0'`}, // a shell reads two digits, no more
	{"caf\xe9\x00\x7f", `$'caf\xe9\x00\x7f'`},
	{"\u009b2J\u0085", `$'\xc2\x9b2J\xc2\x85'`},
	{"\u202etxt.exe\u2066", `$'\xe2\x80\xaetxt.exe\xe2\x81\xa6'`},
	{"\u2028tally: absent", `$'\xe2\x80\xa8tally: absent'`},
	{"\xed\xa0\x80", `$'\xed\xa0\x80'`}, // half of a surrogate pair
	{"$'a\\nb'", `$'$\'a\\nb\''`},
	{"\u200f\u00a0\ufffd", "\u200f\u00a0\ufffd"},
}

func TestName(t *testing.T) {
	for _, c := range names {
		if got := Name(c.name); got != c.want {
			t.Errorf("%q: %s, want %s", c.name, got, c.want)
		}
	}
}

// A shell makes of what is shown the name again.
func TestShell(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash")
	}
	for _, locale := range []string{"C", "C.UTF-8"} {
		for _, c := range names {
			if !strings.HasPrefix(c.want, "$") || strings.Contains(c.name, "\x00") {
				continue
			}
			cmd := exec.Command(bash, "-c", "printf %s "+Name(c.name))
			cmd.Env = []string{"LC_ALL=" + locale}
			if out, err := cmd.Output(); err != nil || string(out) != c.name {
				t.Errorf("%s: %s is read as %q (%v), want %q", locale, c.want, out, err, c.name)
			}
		}
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct{ text, want, line string }{
		{"a\tb\nc\n", "a\tb\nc\n", `a	b\nc\n`},
		{"crlf\r\nlast\r", "crlf\r\nlast\r", `crlf\r\nlast\r`},
		{"taken\rback\r\r\n", `taken\rback\r` + "\r\n", `taken\rback\r\r\n`},
		{"\x1b]0;title\a", `\x1b]0;title\x07`, `\x1b]0;title\x07`},
		{"caf\xe9 'x' \\", `caf\xe9 'x' \`, `caf\xe9 'x' \`},
	} {
		if got := string(AppendText(nil, []byte(c.text))); got != c.want {
			t.Errorf("%q: text %q, want %q", c.text, got, c.want)
		}
		if got := Line(c.text); got != c.line {
			t.Errorf("%q: line %q, want %q", c.text, got, c.line)
		}
	}
}

// dangerous says the same of a character as harmful, by Unicode's own tables.
func dangerous(r rune) bool {
	return unicode.Is(unicode.Cc, r) || unicode.In(r, unicode.Zl, unicode.Zp) ||
		unicode.Is(unicode.Bidi_Control, r) && !strings.ContainsRune("\u061c\u200e\u200f", r)
}

func TestHarmful(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if got, want := harmful(r, 2), dangerous(r); got != want {
			t.Errorf("%U: %v, want %v", r, got, want)
		}
	}
}

// FuzzEscape holds that nothing dangerous is left, that no two names look alike,
// and that what was safe is left as it is.
func FuzzEscape(f *testing.F) {
	for _, c := range names {
		f.Add(c.name)
	}
	f.Fuzz(func(t *testing.T, s string) {
		safe := !strings.HasPrefix(s, "$'") && utf8.ValidString(s) && !strings.ContainsFunc(s, dangerous)
		name := Name(s)
		if !utf8.ValidString(name) || strings.ContainsFunc(name, dangerous) {
			t.Errorf("%q is shown as %q", s, name)
		}
		if safe != (name == s) {
			t.Errorf("%q is shown as %q", s, name)
		}
		if !safe && unescaped(name) != s {
			t.Errorf("%q is shown as %q, which stands for %q", s, name, unescaped(name))
		}
		line := Line(s)
		if !utf8.ValidString(line) || strings.ContainsFunc(strings.ReplaceAll(line, "\t", ""), dangerous) {
			t.Errorf("%q becomes the line %q", s, line)
		}
	})
}

// unescaped reads $'...' as POSIX describes it.
func unescaped(s string) string {
	s = strings.TrimSuffix(strings.TrimPrefix(s, "$'"), "'")
	var b []byte
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b = append(b, s[i])
			continue
		}
		i++
		switch s[i] {
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 't':
			b = append(b, '\t')
		case 'x':
			const digits = "0123456789abcdef"
			b = append(b, byte(strings.IndexByte(digits, s[i+1])<<4|strings.IndexByte(digits, s[i+2])))
			i += 2
		default:
			b = append(b, s[i])
		}
	}
	return string(b)
}
