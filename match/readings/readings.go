// Package readings reads a query in other ways than it was meant: in another
// case, with other quotation marks, broken over lines. A search that found
// nothing may have missed what one of these readings finds. The query is
// expanded, never the text that is searched. The package must not know how
// files are found or searched, nor how findings are worded.
package readings

// A Boundary says what must surround a match.
type Boundary uint8

const (
	Anywhere Boundary = iota
	Words
	Lines
)

// A Query is what found nothing.
type Query struct {
	Patterns []string
	// Fixed says that they are literal text; otherwise they are in the syntax
	// of Rust's regex crate.
	Fixed bool
	// Insensitive says that case is ignored already.
	Insensitive bool
	// CRLF says that CR before a line's end is no part of the line.
	CRLF     bool
	Boundary Boundary
}

// A Reading is a query read in another way.
type Reading struct {
	Kind Kind
	// Patterns are regular expressions, any of which may match.
	Patterns []string
	// All are regular expressions that must all match within so many lines.
	// Either Patterns or All is set.
	All    []string
	Within int
	// AnyCase ignores case whatever the query does.
	AnyCase bool
	// Unbounded lets a match be a part of a word or line.
	Unbounded bool
	// MultiLine lets a match span lines; only matches that do count.
	MultiLine bool
	// Unit is the number of bytes of a character where what is searched is not
	// UTF-8, else 0: word and line boundaries mean nothing then, and only what
	// begins at a multiple of it counts. It is 1 for UTF-32 that was decoded as
	// UTF-16 for its mark; the others are bytes as they are.
	Unit int
	// Encoding is how what is searched is decoded, if it is not UTF-8.
	Encoding string
	// Reported says that the texts that match are counted by themselves.
	Reported bool
	// Hints are how a user would search for it, the best first. Where none of
	// them works, the text that has matched does ([Suggest]).
	Hints []Hint
}

// A Hint is flags and patterns that find what a reading has found. Patterns
// take the place of those that were typed, which stay if it has none.
type Hint struct {
	Flags    []string
	Patterns []string
}

// Limits up to which a query is read in all ways, and in those that cost least:
// the number of patterns, and the length of all of them in bytes.
const (
	manyPatterns, longPatterns = 10, 2 << 10
	mostPatterns, mostLength   = 2_000, 64 << 10
)

// A Reduction says which readings the size of a query leaves.
type Reduction uint8

const (
	NotReduced Reduction = iota
	FewKinds             // case, parts and Unicode forms
	NoKinds              // none
)

// Reduced says which ways of reading a query [Of] leaves out.
func Reduced(q Query) Reduction {
	length := 0
	for _, p := range q.Patterns {
		length += len(p)
	}
	switch {
	case len(q.Patterns) > mostPatterns, length > mostLength:
		return NoKinds
	case len(q.Patterns) > manyPatterns, length > longPatterns:
		return FewKinds
	}
	return NotReduced
}

// query is a query with its patterns taken apart.
type query struct {
	Query
	parsed [][]token
}

func parse(q Query) *query {
	p := &query{Query: q, parsed: make([][]token, len(q.Patterns))}
	for i, pattern := range q.Patterns {
		p.parsed[i] = tokens(pattern, q.Fixed)
	}
	return p
}

// cheap are the kinds that are tried with any number of patterns that is not
// beyond all bounds.
var cheap = map[Kind]bool{AsTyped: true, Case: true, Part: true, UnicodeForm: true}

// Of returns the query as typed, and after it all other ways to read it in
// which it could match something else, in the order of their kinds. There are
// none if it is too large.
func Of(q Query) []Reading {
	p, reduced := parse(q), Reduced(q)
	var list []Reading
	for k := range kinds {
		if kind := Kind(k); reduced == NotReduced || reduced == FewKinds && cheap[kind] {
			list = append(list, of(p, kind)...)
		}
	}
	return list
}

// OfKind returns the readings of one kind.
func OfKind(q Query, k Kind) []Reading { return of(parse(q), k) }

func of(p *query, k Kind) []Reading {
	list := kinds[k].read(p)
	out := list[:0]
	for _, r := range list {
		if r.Kind = k; r.Patterns != nil || r.All != nil {
			out = append(out, r)
		}
	}
	return out
}

func asTyped(q *query) []Reading { return []Reading{{Patterns: rewrite(q.parsed, nil)}} }

func anyCase(q *query) []Reading {
	if q.Insensitive {
		return nil
	}
	return []Reading{{Patterns: rewrite(q.parsed, nil), AnyCase: true, Hints: []Hint{{Flags: []string{"-i"}}}}}
}

// rewritten is a kind that replaces characters of the pattern by classes.
func rewritten(f rewriter) func(*query) []Reading {
	return func(q *query) []Reading { return []Reading{{Patterns: changed(q.parsed, f)}} }
}

func asRegex(q *query) []Reading {
	if !q.Fixed {
		return nil
	}
	return []Reading{{Patterns: regexOf(q.Patterns), Hints: []Hint{{Flags: []string{"--regex"}}}}}
}

func asLiteral(q *query) []Reading {
	if q.Fixed {
		return nil
	}
	return []Reading{{Patterns: literalOf(q.Patterns), Hints: []Hint{{Flags: []string{"-F"}}}}}
}

func otherSpace(q *query) []Reading {
	patterns := changed(q.parsed, whiteSpace(`[ \t]+`))
	return []Reading{{Patterns: patterns, Hints: []Hint{regexHint(patterns)}}}
}

// regexHint suggests patterns as regular expressions.
func regexHint(patterns []string, flags ...string) Hint {
	return Hint{Flags: append(flags, "--regex"), Patterns: patterns}
}
