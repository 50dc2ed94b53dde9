package readings

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// marked is what may stand between two letters that a reader sees side by side:
// emphasis, a tag.
const marked = "[*`]{1,3}|</?[A-Za-z][A-Za-z0-9]*>"

// linked is what may stand elsewhere, too: the backslash of an escape, what opens
// or closes a link, a tag with attributes.
const linked = marked + `|\\|~~|__|</?[A-Za-z][^<>\n]*>|\[\[(?:[^\]|\n]+\|)?|\[|\|[^\]|\n]+\]\]|\]\([^)\n]*\)|\]\]|\]`

// between returns an expression for what may stand behind list[i] where another
// literal character follows: inside between letters, else outside.
func between(list []token, i int, inside, outside string) string {
	switch {
	case i+1 >= len(list) || list[i+1].lit == "":
		return ""
	case list[i].inName() && list[i+1].inName():
		return inside
	}
	return outside
}

// visibly is between where markup may stand.
func visibly(list []token, i int) string {
	return between(list, i, "(?:"+marked+")*", "(?:"+linked+")*")
}

// typedMarkup is what of this was typed.
var typedMarkup = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile("^(?:[*`]+|~~|__|</?[A-Za-z][^<>]*>|\\[\\[|\\]\\]|\\\\[!-/:-@\\[-`{-~])")
})

// typedEscape is an escape that was typed, for the character that it stands for.
var typedEscape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:&(?:#\d+|#[xX][0-9A-Fa-f]+|[A-Za-z][A-Za-z0-9]+);|\\u[0-9A-Fa-f]{4}|(?:%[0-9A-Fa-f]{2})+)`)
})

// markup takes a text with markup or escapes and the same without for equal.
func markup(list []token, i int) (string, int) {
	if list[i].lit == "" {
		return "", 0
	}
	if expr, n := unescaped(list, i); n > 0 {
		return expr + visibly(list, i+n-1), n
	}
	if n := typed(typedMarkup(), list, i); n > 0 && n < len(list) {
		if lit := list[i].lit; lit == `\` && n == 2 {
			return `\\?` + quote(list[i+1].lit) + visibly(list, i+1), n
		}
		return "(?:" + quote(textOf(list[i:i+n])) + ")?" + visibly(list, i+n-1), n
	}
	expr := quote(list[i].lit)
	if forms := escapes(list[i].lit); forms != "" {
		expr = "(?:" + expr + "|" + forms + ")"
	}
	return expr + visibly(list, i), 1
}

// typed returns how many literal tokens from list[i] on re matches.
func typed(re *regexp.Regexp, list []token, i int) int {
	if r := list[i].lit[0]; r >= utf8.RuneSelf || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == ' ' {
		return 0
	}
	var b strings.Builder
	for k := i; k < len(list) && list[k].lit != "" && b.Len() < 80; k++ {
		b.WriteString(list[k].lit)
	}
	end := re.FindStringIndex(b.String())
	if end == nil {
		return 0
	}
	n := 0
	for left := end[1]; left > 0; n++ {
		left -= len(list[i+n].lit)
	}
	return n
}

// unescaped takes an escape that was typed and its character for the same.
func unescaped(list []token, i int) (string, int) {
	n := typed(typedEscape(), list, i)
	if n == 0 {
		return "", 0
	}
	text := textOf(list[i : i+n])
	plain := text
	switch text[0] {
	case '&':
		plain = html.UnescapeString(text)
	case '\\':
		code, _ := strconv.ParseUint(text[2:], 16, 32)
		plain = string(rune(code))
	case '%':
		plain, _ = url.PathUnescape(text)
	}
	if plain == text || plain == "" || !utf8.ValidString(plain) || strings.ContainsAny(plain, "\r\n\x00") {
		return "", 0
	}
	return "(?:" + quote(text) + "|" + quote(plain) + ")", n
}

// entities maps characters to their names in HTML.
var entities = sync.OnceValue(func() map[string]string {
	names := strings.Fields("amp lt gt quot apos nbsp szlig aelig AElig oelig OElig eth ETH thorn THORN euro pound yen cent sect copy reg deg micro para middot laquo raquo ndash mdash hellip lsquo rsquo ldquo rdquo bull times divide plusmn frac12 frac14 sup2 sup3 iexcl iquest")
	for _, letter := range "aeiouncysAEIOUNCYS" {
		for _, mark := range strings.Fields("acute grave circ uml tilde cedil ring slash caron") {
			names = append(names, string(letter)+mark)
		}
	}
	m := map[string]string{}
	for _, name := range names {
		if s := html.UnescapeString("&" + name + ";"); utf8.RuneCountInString(s) == 1 {
			m[s] = name
		}
	}
	return m
})

// escapes returns an expression for the ways to write a character as an escape,
// "" for letters and digits of ASCII.
func escapes(lit string) string {
	lit = norm.NFC.String(lit)
	r, n := utf8.DecodeRuneInString(lit)
	if n != len(lit) || r < '!' && r != ' ' || r == utf8.RuneError ||
		'0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || strings.ContainsRune("-_.~", r) {
		return ""
	}
	percent := strings.ReplaceAll(fmt.Sprintf("% X", lit), " ", "%")
	forms := fmt.Sprintf(`&#0*%d;|&#[xX]0*(?i:%x);|\\(?:u|x)\{?0*(?i:%x)\}?|(?i:%%%s)`, r, r, r, percent)
	if r == ' ' {
		forms += `|\+`
	}
	if name := entities()[lit]; name != "" {
		forms += "|&" + name + ";"
	}
	return forms
}
