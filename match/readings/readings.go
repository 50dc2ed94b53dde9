// Package readings reads a query in other ways than it was meant: in another
// case, with other quotation marks, broken over lines. A search that found
// nothing may have missed what one of these readings finds. The query is
// expanded, never the text that is searched. The package must not know how
// files are found or searched, nor how findings are worded.
package readings

import "fmt"

// A Kind is a way in which what is there differs from what was asked for.
type Kind uint8

const (
	AsTyped     Kind = iota // as it was asked for, in a file that was not searched
	Case                    // in another case
	Regex                   // literal text read as a regular expression
	Literal                 // a regular expression read as literal text
	UnicodeForm             // composed or decomposed characters (NFC, NFD)
	Accents                 // letters with other marks or none
	Quotes                  // typographic quotation marks and apostrophes
	Dashes                  // typographic dashes and minus signs
	Ellipses                // three dots or one character
	Spaces                  // no-break and other spaces
	ZeroWidth               // invisible characters inside
	WhiteSpace              // spaces at the ends, doubled, or tabs
	LineBreak               // broken over lines
	Part                    // as a part of a word or line
	UTF16                   // in UTF-16 without a byte-order mark
	Combined                // several of these at once
	NumKinds
)

var kindNames = [NumKinds]string{
	AsTyped:     "as_typed",
	Case:        "case",
	Regex:       "regex",
	Literal:     "literal",
	UnicodeForm: "unicode_form",
	Accents:     "accents",
	Quotes:      "quotes",
	Dashes:      "dashes",
	Ellipses:    "ellipses",
	Spaces:      "spaces",
	ZeroWidth:   "zero_width",
	WhiteSpace:  "white_space",
	LineBreak:   "line_break",
	Part:        "part",
	UTF16:       "utf16",
	Combined:    "combined",
}

// String returns the kind as JSON names it.
func (k Kind) String() string { return kindNames[k] }

// MarshalText returns the name of a kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the name of a kind.
func (k *Kind) UnmarshalText(text []byte) error {
	for i, name := range kindNames {
		if name == string(text) {
			*k = Kind(i)
			return nil
		}
	}
	return fmt.Errorf("unknown kind of finding %q", text)
}

// A Query is what found nothing.
type Query struct {
	Patterns []string
	// Fixed says that they are literal text; otherwise they are in the syntax
	// of Rust's regex crate.
	Fixed bool
	// Insensitive says that case is ignored already.
	Insensitive bool
	// Bounded says that a match must be a whole word or line.
	Bounded bool
}

// A Reading is a query read in another way.
type Reading struct {
	Kind Kind
	// Patterns are regular expressions, any of which may match.
	Patterns []string
	// AnyCase ignores case whatever the query does.
	AnyCase bool
	// Unbounded lets a match be a part of a word or line.
	Unbounded bool
	// MultiLine lets a match span lines; only matches that do count.
	MultiLine bool
	// Bytes says that what is searched is not UTF-8 but units of two bytes:
	// word and line boundaries mean nothing, and only what begins at an even
	// offset counts.
	Bytes bool
	// Flags would have found it; "" if they depend on what is found ([Suggest]).
	Flags string
}

// manyPatterns is from how many patterns on a query is read only in the ways
// that cost little.
const manyPatterns = 50

// Reduced reports whether a query has so many patterns that [Of] leaves most
// ways out.
func Reduced(q Query) bool { return len(q.Patterns) > manyPatterns }

// Of returns the query as typed, and after it all other ways to read it in
// which it could match something else.
func Of(q Query) []Reading {
	parsed := make([][]token, len(q.Patterns))
	for i, p := range q.Patterns {
		parsed[i] = tokens(p, q.Fixed)
	}
	list := []Reading{{Kind: AsTyped, Patterns: rewrite(parsed, nil)}}
	add := func(r Reading) {
		if r.Patterns != nil {
			list = append(list, r)
		}
	}
	if !q.Insensitive {
		add(Reading{Kind: Case, Patterns: list[0].Patterns, AnyCase: true, Flags: "-i"})
	}
	if q.Bounded {
		add(Reading{Kind: Part, Patterns: list[0].Patterns, Unbounded: true, Flags: "no --word-regexp or --line-regexp"})
	}
	if Reduced(q) {
		add(Reading{Kind: UnicodeForm, Patterns: changed(parsed, unicodeForm)})
		return list
	}
	if q.Fixed {
		add(Reading{Kind: Regex, Patterns: asRegex(q.Patterns), Flags: "--regex"})
	} else {
		add(Reading{Kind: Literal, Patterns: asLiteral(q.Patterns), Flags: "-F"})
	}
	for _, e := range expansions {
		add(Reading{Kind: e.kind, Patterns: changed(parsed, e.rewrite)})
	}
	white := changed(parsed, whiteSpace(`[ \t]+`))
	add(Reading{Kind: WhiteSpace, Patterns: white, Flags: flagsOf(white, "--regex")})
	if spaced := spaced(parsed); spaced != nil {
		broken := rewrite(spaced, whiteSpace(`\s+(?:[#/*>|;%-]+\s+)?`))
		short := rewrite(spaced, whiteSpace(`\s+`))
		add(Reading{Kind: LineBreak, Patterns: broken, MultiLine: true, Flags: flagsOf(short, "--multiline --regex")})
	}
	for _, order := range byteOrders {
		add(Reading{Kind: UTF16, Patterns: utf16Patterns(parsed, order.append), Bytes: true, Flags: "--encoding " + order.name})
	}
	add(Reading{Kind: Combined, Patterns: changed(parsed, combined), AnyCase: true})
	return list
}

// AsLiteral reads patterns that are no regular expressions as literal text.
func AsLiteral(patterns []string) Reading {
	return Reading{Kind: Literal, Patterns: asLiteral(patterns), Flags: "-F"}
}

// Hints returns patterns of which one matches a single line of every text that
// the reading of kind [LineBreak] finds a match in: the longest word of a pattern,
// or, where all are short, what its first line can end in.
func Hints(q Query) []string {
	var hints []string
	for _, pattern := range q.Patterns {
		list := tokens(pattern, q.Fixed)
		if len(breaks(list)) == 0 {
			continue
		}
		if word := longestWord(list); len(word) >= goodHint {
			hints = append(hints, quote(word))
		} else {
			hints = append(hints, lineHeads(list)...)
		}
	}
	return hints
}

// goodHint is the length, in bytes, of a word that is not in every other file.
const goodHint = 6
