package readings

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Filter says what a text must hold for a reading to find something there. It
// is made for speed: one run of characters of each pattern, the rarest, in all
// forms that any reading gives it.
type Filter struct {
	// Needle is a regular expression that matches in, or right at, each place
	// that a reading finds.
	Needle string
	// Also are expressions that match close by as well.
	Also []string
}

// FilterOf returns the filter for the readings of a query. It is false if there
// is a reading for which nothing is needed.
func FilterOf(q Query) (Filter, bool) {
	p := parse(q)
	lists := p.parsed
	own := len(lists) == 1
	for _, k := range []Kind{Regex, Literal, Dialect} {
		for _, r := range of(p, k) {
			own = false
			for _, pattern := range r.Patterns {
				lists = append(lists, tokens(pattern, false))
			}
		}
	}
	var f Filter
	var needles []string
	for _, list := range lists {
		for _, one := range alternativesOf(list) {
			runs := runsOf(one)
			if len(runs) == 0 {
				return f, false
			}
			needles = append(needles, forms(runs[0]))
			if own && len(lists) == 1 {
				for _, run := range runs[1:min(len(runs), mostAlso+1)] {
					f.Also = append(f.Also, forms(run))
				}
			}
		}
	}
	slices.Sort(needles)
	f.Needle = strings.Join(slices.Compact(needles), "|")
	if len(f.Needle) > mostNeedle {
		return f, false
	}
	return f, true
}

const (
	// mostAlso is how many runs besides the rarest are looked for.
	mostAlso = 2
	// mostNeedle is the length of a needle, in bytes.
	mostNeedle = 128 << 10
	// longestRun is how much of a run is looked for, in characters.
	longestRun = 8
	// longestBytes is that where its bytes in other encodings are looked for.
	longestBytes = 40
	// shortestTail is how much of it there must be to begin elsewhere than at
	// its beginning.
	shortestTail = 5
)

// forms returns an expression for a run in all forms.
func forms(run []token) string {
	all := styled(everything(overLines))
	parts := []string{tail(run, all)}
	words := slices.DeleteFunc(lettersOf(run), func(w word) bool { return nearWord(w.text, false) == "" })
	for _, w := range words[:min(len(words), 2)] {
		if len(words) == 1 {
			parts = append(parts, "(?i:"+nearWord(w.text, false)+")")
		} else { // one at a time is misspelt, which leaves the other as it is
			parts = append(parts, tail(run[w.start:w.end], all))
		}
	}
	short := run[:min(len(run), longestRun)]
	for order := range byteOrders {
		for _, size := range []int{2, 4} {
			if p := units(short, order, size); p != "" {
				parts = append(parts, p)
			}
		}
	}
	parts = append(parts, rewrite([][]token{short}, func(list []token, i int) (string, int) {
		return quote(list[i].lit) + between(list, i, `\x00`, `\x00`), 1
	})[0])
	if text := textOf(run[:min(len(run), longestBytes)]); utf8.ValidString(text) {
		for _, e := range likely {
			if b := bytesIn(e.Encoding, text); b != "" {
				parts = append(parts, byBytes(b))
			}
		}
	}
	return strings.Join(parts, "|")
}

// styled lets a name be in another style, too.
func styled(f rewriter) rewriter {
	return func(list []token, i int) (string, int) {
		expr, n := f(list, i)
		switch {
		case list[i].separator():
			if n == 0 {
				expr, n = quote(list[i].lit), 1
			}
			expr = `(?:` + expr + `|` + separators + `)`
		case hump(list, i):
			expr = separators + expr
		}
		return expr, n
	}
}

// tail returns an expression for the part of a run that begins with its rarest
// characters, and does not begin or end within what is rewritten as a whole.
func tail(run []token, f rewriter) string {
	var exprs []string
	var starts []int
	for i := 0; i < len(run); {
		expr, n := f(run, i)
		if n == 0 {
			expr, n = quote(run[i].lit), 1
		}
		exprs, starts = append(exprs, expr), append(starts, i)
		i += n
	}
	best, least := 0, math.Inf(1)
	for k, i := range starts {
		if i > 0 && len(run)-i < shortestTail {
			break
		}
		share := 1.0
		for _, t := range run[i:min(i+3, len(run))] {
			share *= shareOf(t)
		}
		if share < least {
			best, least = k, share
		}
	}
	return "(?i:" + strings.Join(exprs[best:min(best+longestRun, len(exprs))], "") + ")"
}

// shareOf is how often a character occurs, roughly.
func shareOf(t token) float64 {
	r, n := utf8.DecodeRuneInString(t.lit)
	switch r = unicode.ToLower(r); {
	case n < len(t.lit), r >= utf8.RuneSelf:
		return 0.002
	case r < 'a' || r > 'z':
		return 0.02
	}
	return [...]float64{
		.065, .015, .03, .035, .1, .02, .015, .04, .065, .003, .008, .035, .025,
		.065, .06, .025, .003, .06, .065, .08, .03, .01, .012, .006, .012, .003,
	}[r-'a']
}

// alternativesOf cuts a pattern at the bars outside of groups.
func alternativesOf(list []token) [][]token {
	var out [][]token
	depth, start := 0, 0
	for i, t := range list {
		depth += nesting(t)
		if depth == 0 && t.raw == "|" {
			out = append(out, list[start:i])
			start = i + 1
		}
	}
	return append(out, list[start:])
}

// nesting is how a token changes the depth of groups.
func nesting(t token) int {
	switch {
	case strings.HasPrefix(t.raw, "(") && !strings.HasSuffix(t.raw, ")"):
		return 1
	case t.raw == ")":
		return -1
	}
	return 0
}

// runsOf returns the runs of literal characters that are no white space, outside
// of anything that a regular expression groups or repeats: the rarest first.
func runsOf(list []token) [][]token {
	var runs [][]token
	depth, start := 0, -1
	end := func(i int) {
		if start < 0 {
			return
		}
		// Words may stand apart, without what is around them.
		run := list[start:i]
		for len(run) > 0 && !run[0].inName() {
			run = run[1:]
		}
		for len(run) > 0 && !run[len(run)-1].inName() {
			run = run[:len(run)-1]
		}
		if len(run) >= shortestRun {
			runs = append(runs, run)
		}
		start = -1
	}
	for i, t := range list {
		depth += nesting(t)
		repeated := i+1 < len(list) && strings.IndexAny(list[i+1].raw, "*?{+") == 0
		if t.lit == "" || t.space() || depth > 0 || repeated || visible(t.lit) == "" {
			end(i)
			continue
		}
		if start < 0 {
			start = i
		}
	}
	end(len(list))
	slices.SortStableFunc(runs, func(a, b []token) int {
		switch x, y := rarity(a), rarity(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	return runs
}

// shortestRun is the length of a run that is worth looking for.
const shortestRun = 2

// rarity grows with how seldom a run occurs.
func rarity(run []token) (bits float64) {
	for _, t := range run[:min(len(run), longestRun)] {
		bits -= math.Log2(shareOf(t))
	}
	return bits
}
