package ignore

import "strings"

// The twin is the plain algorithm that the tables and the trie replace: line
// after line, character after character, as git's manual and its wildmatch
// describe it. The tests hold it against git, and the fast path against it.

type twinLine struct {
	number                   int
	pattern                  string
	negated, dirOnly, noDirs bool
}

func twinParse(data string) []twinLine {
	var lines []twinLine
	data = strings.TrimPrefix(data, "\xef\xbb\xbf")
	for i, text := range strings.Split(data, "\n") {
		text = strings.TrimSuffix(text, "\r")
		if strings.HasPrefix(text, "#") {
			continue
		}
		text, _, _ = strings.Cut(text, "\x00")
		text = twinTrim(text)
		l := twinLine{number: i + 1}
		text, l.negated = strings.CutPrefix(text, "!")
		text, l.dirOnly = strings.CutSuffix(text, "/")
		l.noDirs = !strings.Contains(text, "/")
		l.pattern = strings.TrimPrefix(text, "/")
		lines = append(lines, l)
	}
	return lines
}

// twinTrim cuts blanks from the end, of which none may be escaped: the number
// of backslashes before them tells.
func twinTrim(s string) string {
	t := strings.TrimRight(s, " ")
	slashes := len(t) - len(strings.TrimRight(t, `\`))
	if slashes%2 == 1 && len(t) < len(s) {
		return t + " "
	}
	return t
}

// twinMatch returns the number of the last line that matches, with its effect.
func twinMatch(lines []twinLine, path string, isDir bool, o Options) (int, Verdict) {
	number, v := 0, None
	for _, l := range lines {
		name := path
		if l.noDirs {
			name = path[strings.LastIndexByte(path, '/')+1:]
		}
		if (isDir || !l.dirOnly) && twinPattern(l, name, o) {
			if number, v = l.number, Ignore; l.negated {
				v = Include
			}
		}
	}
	return number, v
}

func twinPattern(l twinLine, name string, o Options) bool {
	p := l.pattern
	if p == "" {
		return false
	}
	w := twinWild{fold: o.Fold, deep: !l.noDirs}
	if n := strings.IndexAny(p, `*?[\`); n > 0 && !l.noDirs && !o.Strict {
		// Before 2.52 git compared the text before the first wildcard apart.
		if len(name) < n || !w.equal(p[:n], name[:n]) {
			return false
		}
		p, name = p[n:], name[n:]
	}
	return w.match(p, 0, name)
}

type twinWild struct {
	fold bool
	deep bool // ** may cross slashes
}

func (w twinWild) equal(a, b string) bool {
	if w.fold {
		return asciiLower(a) == asciiLower(b)
	}
	return a == b
}

func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 32
		}
	}
	return string(b)
}

// match holds p[i:] against t. The whole p is needed to see what stands before
// an asterisk.
func (w twinWild) match(p string, i int, t string) bool {
	if i == len(p) {
		return t == ""
	}
	switch p[i] {
	case '*':
		return w.stars(p, i, t)
	case '?':
		return t != "" && t[0] != '/' && w.match(p, i+1, t[1:])
	case '[':
		if t == "" {
			return false
		}
		end, in := w.class(p, i, t[0])
		return end > 0 && in && t[0] != '/' && w.match(p, end, t[1:])
	case '\\':
		if i++; i == len(p) {
			return false
		}
	}
	return t != "" && w.equal(p[i:i+1], t[:1]) && w.match(p, i+1, t[1:])
}

func (w twinWild) stars(p string, i int, t string) bool {
	end := i
	for end < len(p) && p[end] == '*' {
		end++
	}
	rest := p[end:]
	deep := w.deep && end-i >= 2 && (i == 0 || p[i-1] == '/') &&
		(rest == "" || rest[0] == '/' || strings.HasPrefix(rest, `\/`))
	if deep && rest != "" && rest[0] == '/' && w.match(p, end+1, t) {
		return true
	}
	for k := 0; ; k++ {
		if w.match(p, end, t[k:]) {
			return true
		}
		if k == len(t) || !deep && t[k] == '/' {
			return false
		}
	}
}

// class tells whether c is in the bracket expression at p[i], and where that
// ends; 0 if it is malformed, with which nothing matches.
func (w twinWild) class(p string, i int, c byte) (end int, in bool) {
	if w.fold {
		// Either case may be meant.
		if up := strings.ToUpper(string(rune(c))); c < 128 && up != string(rune(c)) || 'A' <= c && c <= 'Z' {
			return w.classEither(p, i, c)
		}
	}
	return twinClass(p, i, c, c)
}

func (w twinWild) classEither(p string, i int, c byte) (end int, in bool) {
	low := asciiLower(string(c))[0]
	return twinClass(p, i, low, low-32)
}

// twinClass asks for one of two bytes.
func twinClass(p string, i int, c1, c2 byte) (end int, in bool) {
	i++
	negated := i < len(p) && (p[i] == '!' || p[i] == '^')
	if negated {
		i++
	}
	var members []string // ranges of two bytes, or names
	first, open := true, false
	for ; ; first = false {
		if i >= len(p) {
			return 0, false
		}
		rest := p[i:]
		if rest[0] == ']' && !first {
			break
		}
		if open && rest[0] == '-' && len(rest) > 1 && rest[1] != ']' {
			i++
			if p[i] == '\\' {
				if i++; i == len(p) {
					return 0, false
				}
			}
			last := members[len(members)-1]
			members = append(members, last[:1]+p[i:i+1])
			i++
			open = false
			continue
		}
		if strings.HasPrefix(rest, "[:") {
			k := strings.IndexByte(rest[2:], ']')
			if k < 0 {
				return 0, false
			}
			if body := rest[2 : 2+k]; strings.HasSuffix(body, ":") {
				if twinNamed[body[:k-1]] == nil {
					return 0, false
				}
				members = append(members, body[:k-1])
				i += k + 3
				open = false
				continue
			}
		}
		if rest[0] == '\\' {
			if i++; i == len(p) {
				return 0, false
			}
		}
		members = append(members, p[i:i+1]+p[i:i+1])
		i++
		open = true
	}
	for _, m := range members {
		for _, c := range []byte{c1, c2} {
			if test := twinNamed[m]; test != nil && test(c) || test == nil && m[0] <= c && c <= m[1] {
				in = true
			}
		}
	}
	return i + 1, in != negated
}

func oneIn(set string) func(byte) bool {
	return func(c byte) bool { return strings.IndexByte(set, c) >= 0 }
}

const (
	twinLower = "abcdefghijklmnopqrstuvwxyz"
	twinUpper = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	twinDigit = "0123456789"
	twinPunct = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
)

var twinNamed = map[string]func(byte) bool{
	"alnum":  oneIn(twinLower + twinUpper + twinDigit),
	"alpha":  oneIn(twinLower + twinUpper),
	"blank":  oneIn(" \t"),
	"cntrl":  func(c byte) bool { return c < 32 || c == 127 },
	"digit":  oneIn(twinDigit),
	"graph":  oneIn(twinLower + twinUpper + twinDigit + twinPunct),
	"lower":  oneIn(twinLower),
	"print":  oneIn(twinLower + twinUpper + twinDigit + twinPunct + " "),
	"punct":  oneIn(twinPunct),
	"space":  oneIn(" \t\n\v\f\r"),
	"upper":  oneIn(twinUpper),
	"xdigit": oneIn(twinDigit + "abcdefABCDEF"),
}
