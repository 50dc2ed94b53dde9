package rank

import "unicode/utf8"

// A lookup tells which terms an atom of a text is, and how closely.
type lookup struct {
	terms  []term
	filter *filter
	// byFirst holds the terms by their first byte.
	byFirst [256][]int
	fuzzy   *fuzzy // nil: no slips are forgiven
}

// A found term is one that an atom may stand for.
type foundTerm struct {
	term    int
	variant variant
	// quality says how easily a slip of the fingers leads from the term to the
	// word: 1 for the word itself, 0 if that is out of the question.
	quality float32
}

func newLookup(q *Query, forgive bool) *lookup {
	l := &lookup{terms: q.terms, filter: newFilter(q.terms)}
	for i, t := range q.terms {
		l.byFirst[t.text[0]] = append(l.byFirst[t.text[0]], i)
	}
	if forgive {
		l.fuzzy = newFuzzy(q.terms)
	}
	return l
}

// find appends the terms that atom stands for.
func (l *lookup) find(dst []foundTerm, atom []byte) []foundTerm {
	if l.fuzzy != nil {
		return append(dst, l.fuzzy.find(atom)...)
	}
	return l.closely(dst, atom)
}

// closely is find without forgiveness.
func (l *lookup) closely(dst []foundTerm, atom []byte) []foundTerm {
	for _, t := range l.byFirst[atom[0]] {
		text := l.terms[t].text
		if string(atom) == text {
			dst = append(dst, foundTerm{t, same, 1})
		} else if !l.terms[t].joined && len(atom) >= formStem && isForm(text, atom) {
			dst = append(dst, foundTerm{t, form, 0})
		}
	}
	return dst
}

// What two forms of one word have in common at least, in letters, and by how
// many each may be longer than that.
const (
	formStem   = 4
	formEnding = 3
)

// isForm reports whether two words differ in their endings only. That is a
// guess which needs no knowledge of a language, so it weighs less than the
// word itself.
func isForm(a string, b []byte) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	if n < formStem {
		return false
	}
	for n < len(a) && !utf8.RuneStart(a[n]) || n < len(b) && !utf8.RuneStart(b[n]) {
		n--
	}
	longest := max(utf8.RuneCountInString(a), utf8.RuneCount(b))
	n = utf8.RuneCountInString(a[:n])
	return n >= formStem && longest-n <= formEnding && 5*n >= 3*longest && !isDigit(a[0])
}

// shortestForm is the least number of letters of a form of a word of n letters.
func shortestForm(n int) int { return max(formStem, n-formEnding) }

func isDigit(b byte) bool { return '0' <= b && b <= '9' }
