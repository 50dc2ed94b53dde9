package readings

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// separators are what stands between the words of a name, if anything does.
const separators = `[-_ ]?`

func (t token) letter() bool {
	r, _ := utf8.DecodeRuneInString(t.lit)
	return unicode.IsLetter(r)
}

func (t token) upper() bool {
	r, _ := utf8.DecodeRuneInString(t.lit)
	return unicode.IsUpper(r)
}

func (t token) separator() bool { return t.lit == "_" || t.lit == "-" || t.lit == " " }

func (t token) inName() bool {
	r, _ := utf8.DecodeRuneInString(t.lit)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

// hump reports whether a word of a name begins at list[i], inside of a run of
// letters: fooBar, and the last capital of HTTPServer.
func hump(list []token, i int) bool {
	if i == 0 || !list[i].upper() || !list[i-1].inName() {
		return false
	}
	return !list[i-1].upper() || i+1 < len(list) && list[i+1].letter() && !list[i+1].upper()
}

// nameStyle takes the ways to join the words of a name for the same.
func nameStyle(list []token, i int) (string, int) {
	switch {
	case list[i].separator() && i > 0 && i+1 < len(list) && list[i-1].inName() && list[i+1].inName():
		return separators, 1
	case hump(list, i):
		return separators + quote(list[i].lit), 1
	}
	return "", 0
}

// nameStyles reads patterns that are names of at least two words.
func nameStyles(q *query) []Reading {
	for _, list := range q.parsed {
		for _, t := range list {
			if t.lit == "" || !t.inName() && !t.separator() {
				return nil
			}
		}
	}
	return []Reading{{Patterns: changed(q.parsed, nameStyle), AnyCase: true}}
}

// A word is a part of a pattern.
type word struct {
	start, end int // tokens
	text       string
}

// wordsOf returns the words of a pattern that white space divides, without the
// punctuation around them; ok says that the pattern is literal text.
func wordsOf(list []token) (words []word, ok bool) {
	fields, ok := partsOf(list, func(t token) bool { return !t.space() })
	for _, w := range fields {
		for w.start < w.end && !list[w.start].inName() {
			w.start++
		}
		for w.start < w.end && !list[w.end-1].inName() {
			w.end--
		}
		if w.start < w.end {
			w.text = textOf(list[w.start:w.end])
			words = append(words, w)
		}
	}
	return words, ok
}

// lettersOf returns the runs of letters in a pattern.
func lettersOf(list []token) []word {
	words, _ := partsOf(list, token.letter)
	return words
}

func partsOf(list []token, in func(token) bool) (words []word, ok bool) {
	start := -1
	for i := 0; i <= len(list); i++ {
		if i < len(list) && list[i].lit == "" {
			return nil, false
		}
		inside := i < len(list) && in(list[i])
		switch {
		case inside && start < 0:
			start = i
		case !inside && start >= 0:
			words = append(words, word{start, i, textOf(list[start:i])})
			start = -1
		}
	}
	return words, true
}

// nearWithin is the number of lines that are close by.
const nearWithin = 5

// mostWords is the number of words up to which a pattern is taken for words
// that may stand apart.
const mostWords = 8

// anyOrder looks for the words of a pattern in one line.
func anyOrder(q *query) []Reading { return apart(q, 1) }

// closeBy looks for the words of a pattern in lines close by.
func closeBy(q *query) []Reading { return apart(q, nearWithin) }

func apart(q *query, within int) []Reading {
	if q.Boundary == Lines {
		return nil
	}
	var list []Reading
	for _, parsed := range q.parsed {
		words, ok := wordsOf(parsed)
		if !ok || len(words) < 2 || len(words) > mostWords {
			continue
		}
		r := Reading{Within: within}
		for _, w := range words {
			r.All = append(r.All, boundary(w.text, true)+quote(w.text)+boundary(w.text, false))
		}
		list = append(list, r)
	}
	return list
}

// boundary is a word boundary where an alphabet has them.
func boundary(text string, before bool) string {
	r, _ := utf8.DecodeLastRuneInString(text)
	if before {
		r, _ = utf8.DecodeRuneInString(text)
	}
	if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) {
		return ""
	}
	return `\b`
}

// Lengths in letters from which a word may be misspelt, once and twice, and up to
// which.
const (
	misspeltOnce    = 4
	misspeltTwice   = 8
	longestMisspelt = 40
)

// misspelt replaces one word after the other by those that differ little.
func misspelt(q *query) []Reading {
	var patterns []string
	for _, list := range q.parsed {
		words := lettersOf(list)
		if len(words) > mostWords {
			continue
		}
		for _, w := range words {
			near := nearWord(w.text, true)
			if near == "" {
				continue
			}
			// Words are whole where the pattern does not go on.
			before, after := textOf(list[:w.start]), textOf(list[w.end:])
			if w.start == 0 || !joins(list[w.start-1]) {
				near = `\b` + near
			}
			if w.end == len(list) || !joins(list[w.end]) {
				near += `\b`
			}
			patterns = append(patterns, quote(before)+near+quote(after))
		}
	}
	return []Reading{{Patterns: patterns, AnyCase: true, Reported: true}}
}

// joins reports whether a character is one of a word to an engine.
func joins(t token) bool { return t.inName() || t.lit == "_" }

// nearWord returns an expression for a word that is spelled otherwise: with one
// edit, or with one in each half where it is long. It is "" for what is too
// short, and for scripts without letters of two cases. Of a long word the first
// letter may be another, or missing; what is found begins with it if that is asked
// for, else with what is right behind: this is faster to look for.
func nearWord(text string, whole bool) string {
	letters := []rune(text)
	cased := strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLower(r) || unicode.IsUpper(r) })
	switch n := len(letters); {
	case !cased || n < misspeltOnce || n > longestMisspelt:
		return ""
	case n < misspeltTwice:
		return "(?:" + oneEdit(letters, true) + ")"
	default:
		h := n / 2
		swapped := string(letters[:h-1]) + string([]rune{letters[h], letters[h-1]}) + string(letters[h+1:])
		first := oneEdit(letters[:h], true) + "|"
		if whole {
			first += otherLetter(letters) + "?"
		}
		first += quote(string(letters[1:h]))
		return "(?:(?:" + first + ")(?:" + oneEdit(letters[h:], false) + ")|" + quote(swapped) + ")"
	}
}

// oneEdit returns alternatives for letters with at most one of them put in, left
// out, replaced, or changed with its neighbour. The first letter is kept where
// it begins a word: few slips are there.
func oneEdit(letters []rune, begins bool) string {
	other := otherLetter(letters)
	forms := []string{quote(string(letters))}
	for i := range letters {
		before, after := quote(string(letters[:i])), quote(string(letters[i+1:]))
		if i > 0 || !begins {
			forms = append(forms, before+other+after, before+after, before+other+quote(string(letters[i:])))
		}
		if i+1 < len(letters) {
			forms = append(forms, before+quote(string([]rune{letters[i+1], letters[i]}))+quote(string(letters[i+2:])))
		}
	}
	forms = append(forms, quote(string(letters))+other)
	return strings.Join(forms, "|")
}

// otherLetter is a class of letters that may stand for one of a word by mistake:
// those of its script.
func otherLetter(letters []rune) string {
	ascii := true
	for _, r := range letters {
		ascii = ascii && r < utf8.RuneSelf
		switch {
		case unicode.Is(unicode.Latin, r):
		case unicode.Is(unicode.Cyrillic, r):
			return `[\x{400}-\x{4ff}]`
		case unicode.Is(unicode.Greek, r):
			return `[\x{370}-\x{3ff}]`
		default:
			return `\pL`
		}
	}
	if ascii {
		return `[a-z]`
	}
	return `[a-z\x{e0}-\x{24f}]`
}
