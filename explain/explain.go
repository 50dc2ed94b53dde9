// Package explain knows what a search that found nothing may have missed: it
// widens a query into probes, each of which is the query read in another way,
// and it words what they found. The query is expanded, never the text that is
// searched. It must not know how files are found (walk) or searched (match),
// nor what was typed (flags).
package explain

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
	UTF16                   // in UTF-16 without a byte-order mark
	Combined                // several of these at once
	numKinds
)

// kinds says how each kind is named in JSON and described in a line.
var kinds = [numKinds]struct{ name, text string }{
	AsTyped:     {"as_typed", "as typed"},
	Case:        {"case", "in another case"},
	Regex:       {"regex", "read as a regular expression"},
	Literal:     {"literal", "read as literal text"},
	UnicodeForm: {"unicode_form", "in another Unicode form"},
	Accents:     {"accents", "with other accents"},
	Quotes:      {"quotes", "with other quotation marks"},
	Dashes:      {"dashes", "with other dashes"},
	Ellipses:    {"ellipses", "with another ellipsis"},
	Spaces:      {"spaces", "with no-break or other spaces"},
	ZeroWidth:   {"zero_width", "with invisible characters"},
	WhiteSpace:  {"white_space", "with other white space"},
	LineBreak:   {"line_break", "broken over two lines"},
	UTF16:       {"utf16", "in UTF-16 without a mark"},
	Combined:    {"combined", "in several of these ways at once"},
}

// String returns the kind as JSON names it.
func (k Kind) String() string { return kinds[k].name }

// A Query is what found nothing.
type Query struct {
	Patterns []string
	// Fixed says that they are literal text; otherwise they are in the syntax
	// of Rust's regex crate.
	Fixed bool
	// Insensitive says that case is ignored already.
	Insensitive bool
}

// A Probe is a query read in another way.
type Probe struct {
	Kind Kind
	// Patterns are regular expressions, any of which may match.
	Patterns []string
	// AnyCase ignores case whatever the query does.
	AnyCase bool
	// MultiLine lets a match span lines; only matches that do count.
	MultiLine bool
	// Bytes says that what is searched is not UTF-8 but units of two bytes:
	// word and line boundaries mean nothing, and only what begins at an even
	// offset counts.
	Bytes bool
	// Flags are what would have found it; "" if that depends on what is found
	// (see [Suggest]).
	Flags string
}

// manyPatterns is from how many patterns on a query is read only in the ways
// that cost little.
const manyPatterns = 50

// Reduced reports whether a query has so many patterns that [Probes] leaves
// most ways out.
func Reduced(q Query) bool { return len(q.Patterns) > manyPatterns }

// Probes returns the query as typed, which comes first, and all other ways to
// read it in which it could match something else.
func Probes(q Query) []Probe {
	parsed := make([][]token, len(q.Patterns))
	for i, p := range q.Patterns {
		parsed[i] = tokens(p, q.Fixed)
	}
	probes := []Probe{{Kind: AsTyped, Patterns: rewrite(parsed, nil)}}
	add := func(p Probe) {
		if p.Patterns != nil {
			probes = append(probes, p)
		}
	}
	if !q.Insensitive {
		add(Probe{Kind: Case, Patterns: probes[0].Patterns, AnyCase: true, Flags: "-i"})
	}
	if Reduced(q) {
		add(Probe{Kind: UnicodeForm, Patterns: changed(parsed, unicodeForm)})
		return probes
	}
	if q.Fixed {
		add(Probe{Kind: Regex, Patterns: asRegex(q.Patterns), Flags: "--regex"})
	} else {
		add(Probe{Kind: Literal, Patterns: asLiteral(q.Patterns), Flags: "-F"})
	}
	for _, e := range expansions {
		add(Probe{Kind: e.kind, Patterns: changed(parsed, e.rewrite)})
	}
	white := changed(parsed, whiteSpace(`[ \t]+`))
	add(Probe{Kind: WhiteSpace, Patterns: white, Flags: flagsOf(white, "--regex")})
	if spaced := spaced(parsed); spaced != nil {
		broken := rewrite(spaced, whiteSpace(`\s+(?:[#/*>|;%-]+\s+)?`))
		short := rewrite(spaced, whiteSpace(`\s+`))
		add(Probe{Kind: LineBreak, Patterns: broken, MultiLine: true, Flags: flagsOf(short, "--multiline --regex")})
	}
	for _, order := range byteOrders {
		add(Probe{Kind: UTF16, Patterns: utf16Patterns(parsed, order.append), Bytes: true, Flags: "--encoding " + order.name})
	}
	add(Probe{Kind: Combined, Patterns: changed(parsed, combined), AnyCase: true})
	return probes
}

// LiteralProbe reads patterns that are no regular expressions as literal text.
func LiteralProbe(patterns []string) Probe {
	return Probe{Kind: Literal, Patterns: asLiteral(patterns), Flags: "-F"}
}

// Hints returns patterns of which one matches a single line of every text that
// the probe for a [LineBreak] finds a match in: the longest word of a pattern,
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
