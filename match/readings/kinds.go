package readings

import "fmt"

// A Kind is a way in which what is there differs from what was asked for. The
// likelier of two comes first: a line that both explain is counted for it.
type Kind uint8

const (
	AsTyped Kind = iota
	Case
	LineEnd
	Part
	Regex
	Literal
	Dialect
	WhiteSpace
	Spaces
	Quotes
	Dashes
	Ellipses
	UnicodeForm
	Compatibility
	Letters
	Accents
	ZeroWidth
	Markup
	Hyphenation
	LineBreak
	NameStyle
	Encoding
	UTF16
	UTF32
	Combined
	Order
	Near
	Spelling
	NumKinds
)

// kinds is the one table of kinds: what each is called in JSON and, behind a
// number of lines, in words; what it does, as docs/absence.md has it; how the
// query is read so; and a pattern with a text that are told to differ so, which
// the tests try.
var kinds = [NumKinds]struct {
	name, text, doc string
	read            func(*query) []Reading
	pattern, found  string
}{
	AsTyped: {
		name: "as_typed", text: "as typed",
		doc:  "the query itself, in files out of scope (`ignored`, `hidden`, `type`, `glob`, `too_large`, `max_depth`, `too_old`, `too_new`, `nested`), `binary`, or `compressed`",
		read: asTyped, pattern: "word", found: "word",
	},
	Case: {
		name: "case", text: "in another case",
		doc:  "upper and lower case are equal",
		read: anyCase, pattern: "budget", found: "Budget",
	},
	LineEnd: {
		name: "line_end", text: "with CR at the end of the line",
		doc:  "with `--line-regexp`, `^` or `$`: lines that end in CR and LF, or in CR alone",
		read: lineEnd, pattern: "foo$", found: "foo\r",
	},
	Part: {
		name: "part", text: "as a part of a word or line",
		doc:  "with `--word-regexp` or `--line-regexp`: as a part of a word or line",
		read: part, pattern: "foo", found: "foobar",
	},
	Regex: {
		name: "regex", text: "read as a regular expression",
		doc:  "literal text as a regular expression (`4\\.2`)",
		read: asRegex, pattern: `4\.2`, found: "4.2",
	},
	Literal: {
		name: "literal", text: "read as literal text",
		doc:  "a regular expression as literal text, also an invalid one",
		read: asLiteral, pattern: "f(x)", found: "f(x)",
	},
	Dialect: {
		name: "dialect", text: "matched by the pattern as grep, a glob or a shell reads it",
		doc:  "basic regular expressions (`foo\\|bar`), alternatives with brackets that make no expression (`f(|g(`), globs (`*.md`), quotes or slashes around the pattern, `()` or `/` at its end",
		read: dialects, pattern: `foo\|bar`, found: "a bar",
	},
	WhiteSpace: {
		name: "white_space", text: "with other white space",
		doc:  "the pattern without blanks at its ends; tabs and runs of blanks for those inside",
		read: otherSpace, pattern: "\tkey", found: "key",
	},
	Spaces: {
		name: "spaces", text: "with no-break or other spaces",
		doc:  "the typographic forms of a blank",
		read: rewritten(likeness(spaceSets)), pattern: "no break", found: "no\u00a0break",
	},
	Quotes: {
		name: "quotes", text: "with other quotation marks",
		doc:  "the typographic forms of `'` and `\"`",
		read: rewritten(likeness(quoteSets)), pattern: "don't", found: "don’t",
	},
	Dashes: {
		name: "dashes", text: "with other dashes",
		doc:  "the typographic forms of `-` and `--`",
		read: rewritten(dashes), pattern: "a--b", found: "a—b",
	},
	Ellipses: {
		name: "ellipses", text: "with another ellipsis",
		doc:  "three dots, spaced or not, and the one character for them",
		read: rewritten(ellipses), pattern: "so…", found: "so...",
	},
	UnicodeForm: {
		name: "unicode_form", text: "in another Unicode form",
		doc:  "composed and decomposed characters (NFC, NFD)",
		read: rewritten(unicodeForm), pattern: "café", found: "cafe\u0301",
	},
	Compatibility: {
		name: "compatibility", text: "in compatibility characters",
		doc:  "ligatures (`ﬁ`), wide and narrow forms (`ＡＢＣ`), raised, lowered and circled ones (`x²`, `①`)",
		read: rewritten(compatibility), pattern: "file x2", found: "ﬁle x²",
	},
	Letters: {
		name: "letters", text: "with letters written as others",
		doc:  "one letter for several: `ß` and `ss`, `æ` and `ae`, `œ` and `oe`, `ü` and `ue`, `İ` and `i`",
		read: foldedLetters, pattern: "strasse", found: "Straße",
	},
	Accents: {
		name: "accents", text: "with other accents",
		doc:  "letters with other marks, or without",
		read: rewritten(accents), pattern: "naive", found: "naïve",
	},
	ZeroWidth: {
		name: "zero_width", text: "with invisible characters",
		doc:  "characters that are not shown (Default_Ignorable_Code_Point: soft hyphens, joiners, direction marks, variation selectors), in the text or in the pattern",
		read: rewritten(zeroWidth), pattern: "zerowidth", found: "zero\u200bwidth",
	},
	Markup: {
		name: "markup", text: "with markup or escapes",
		doc:  "emphasis, links, tags and escapes of Markdown, wikis and HTML, in the text or in the pattern: `ag**en**t`, `snake\\_case`, `[[target|alias]]`, `&amp;`, `%20`, `\\u00e9`",
		read: rewritten(markup), pattern: "agent", found: "ag**en**t",
	},
	Hyphenation: {
		name: "hyphenation", text: "hyphenated over two lines",
		doc:  "a hyphen and a line break inside a word",
		read: hyphenated, pattern: "example", found: "exam-\nple",
	},
	LineBreak: {
		name: "line_break", text: "broken over two lines",
		doc:  "a line break for a blank of the pattern, also in a comment or quotation",
		read: broken, pattern: "end of line", found: "end\n// of line",
	},
	NameStyle: {
		name: "name_style", text: "as a name in another style",
		doc:  "`foo_bar`, `foo-bar`, `fooBar`, `FooBar`, `foo bar`",
		read: nameStyles, pattern: "foo_bar", found: "fooBar",
	},
	Encoding: {
		name: "encoding", text: "in another encoding",
		doc:  "text that is neither UTF-8 nor UTF-16: Windows-1252 (Latin-1), Windows-1251, KOI8-R, Shift-JIS, EUC-JP, GB18030, Big5, EUC-KR; where the pattern is more than ASCII, the number of files that are not UTF-8 is said",
		read: encoded, pattern: "café", found: "caf\xe9",
	},
	UTF16: {
		name: "utf16", text: "in UTF-16 without a mark",
		doc:  "UTF-16 without a byte-order mark that was not recognised",
		read: inUTF16, pattern: "utf le", found: "u\x00t\x00f\x00 \x00l\x00e\x00",
	},
	UTF32: {
		name: "utf32", text: "in UTF-32",
		doc:  "UTF-32, with a byte-order mark or without",
		read: inUTF32, pattern: "four", found: "f\x00\x00\x00o\x00\x00\x00u\x00\x00\x00r\x00\x00\x00",
	},
	Combined: {
		name: "combined", text: "in several of these ways at once",
		doc:  "all of the above at once, where one alone does not match, also broken over lines",
		read: atOnce, pattern: "\"Ho tel\"", found: "“ho\u00a0tel”",
	},
	Order: {
		name: "order", text: "with its words apart or in another order",
		doc:  "all words of the pattern in one line, but not in a row",
		read: anyOrder, pattern: "bar foo", found: "foo and bar",
	},
	Near: {
		name: "near", text: "with its words in lines close by",
		doc:  "all words of the pattern within five lines",
		read: closeBy, pattern: "bar foo", found: "foo\nand\nbar",
	},
	Spelling: {
		name: "spelling", text: "with a word spelled otherwise",
		doc:  "a letter other than the first put in, left out, replaced or changed with its neighbour; from eight letters on one in each half, where it may also be the first; the most frequent words are named with their lines",
		read: misspelt, pattern: "vacatoin", found: "vacation",
	},
}

// String returns the kind as JSON names it.
func (k Kind) String() string { return kinds[k].name }

// Text returns the words for a kind, behind a number of lines.
func (k Kind) Text() string { return kinds[k].text }

// MarshalText returns the name of a kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads the name of a kind.
func (k *Kind) UnmarshalText(text []byte) error {
	for i := range kinds {
		if kinds[i].name == string(text) {
			*k = Kind(i)
			return nil
		}
	}
	return fmt.Errorf("unknown kind of finding %q", text)
}
