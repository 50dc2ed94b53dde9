// Package outline tells what the lines of a text with light markup are: front
// matter, headings, the title, and blocks of code between fences. Ranking and
// passages both ask it, so that a note has one title.
//
// The rules are those of CommonMark 0.31.2, which GitHub's dialect shares: ATX
// headings (4.2), setext headings (4.3), indented code (4.4), fenced code (4.5),
// thematic breaks (4.1), and as far as a heading depends on them block quotes
// (5.1), list items (5.2), HTML (4.6) and tables (GFM 4.10). Blocks are not
// nested here, so that these are read otherwise:
//
//   - A heading in an entry of a list, or in a quotation, is one if it is
//     indented by three columns at most and no mark of the container stands
//     before it.
//   - A fence may be indented by any number of columns, as it is in an entry of a
//     list. It then ends, too, where a line is indented by less than the fence
//     minus three columns, since that line has left the entry.
//   - The paragraph of a setext heading has [maxSetext] bytes at most: above a
//     longer one a blank line was forgotten. It follows a blank line, a heading, a
//     fence or a break. Its underline is not indented less than the paragraph,
//     which would stand in an entry of a list then, and is no single dash, which
//     is an entry that was begun.
//   - A heading in a comment or another block of HTML is one.
//
// The other languages are Org ("* Heading"), AsciiDoc ("== Heading") and
// MediaWiki ("== Heading =="); of AsciiDoc also the fences of three backticks
// that it has from Markdown.
//
// [Reader] goes from line to line and is the reference. [Finder] finds the
// headings alone, at the speed at which a text can be searched; FuzzFind holds
// the two equal.
//
// It must not know what a word is, what is done with a heading, or where a text
// comes from.
package outline

import (
	"bytes"
	"path"
	"strings"
	"sync"

	"tally/match/masks"
)

// A Syntax is a language in which texts are marked up.
type Syntax struct {
	mark byte // begins a heading
	// fences begin and end blocks of code.
	fences string
	// markdown says that headings may be indented, underlined and empty.
	markdown bool
	// closed says that a heading also ends with its mark.
	closed bool
	heads  func() *masks.Heads
}

var (
	markdown  = &Syntax{mark: '#', fences: "`~", markdown: true, heads: headsOf("#", "``", "~~", "=", "--", " ", "\t")}
	org       = &Syntax{mark: '*', heads: headsOf("*")}
	asciidoc  = &Syntax{mark: '=', fences: "`", heads: headsOf("=", "``", " ", "\t")}
	mediawiki = &Syntax{mark: '=', closed: true, heads: headsOf("=")}
)

// syntaxes are known by the extension of a file. Other files have no headings,
// so that a comment is not taken for one.
var syntaxes = map[string]*Syntax{
	".md": markdown, ".markdown": markdown, ".mdown": markdown, ".mdwn": markdown, ".mkd": markdown, ".mkdn": markdown,
	".mdx": markdown, ".qmd": markdown, ".rmd": markdown,
	".org": org, ".adoc": asciidoc, ".asciidoc": asciidoc, ".wiki": mediawiki, ".mediawiki": mediawiki,
}

// Of returns the syntax of a file of some name, nil if it has none.
func Of(name string) *Syntax { return syntaxes[strings.ToLower(path.Ext(name))] }

// Markdown reports whether it is Markdown; nil is not.
func (s *Syntax) Markdown() bool { return s != nil && s.markdown }

// headsOf are lines that begin with one of some texts, with the end of the line
// before.
func headsOf(begin ...string) func() *masks.Heads {
	return sync.OnceValue(func() *masks.Heads {
		h := new(masks.Heads)
		for _, b := range begin {
			h.Add("\n"+b, false)
		}
		return h
	})
}

// A Heading is one or more lines of a text.
type Heading struct {
	Start, End int // in the text; the last line with its terminator
	Level      int // from 1, the highest
	// Title says that it is the text's title: the first heading that is not
	// empty, unless front matter names a title.
	Title bool

	underlined bool
}

// Text returns what a heading says, without marks and on one line.
func (s *Syntax) Text(text []byte, h Heading) string {
	if !h.underlined {
		return string(s.bare(text, h))
	}
	return string(h.Line(text))
}

// Line returns a heading as it stands in the text, but on one line and without
// its underline.
func (h Heading) Line(text []byte) []byte {
	lines := bytes.TrimSpace(text[h.Start:h.End])
	if !h.underlined {
		return lines
	}
	return bytes.Join(bytes.Fields(lines[:bytes.LastIndexByte(lines, '\n')]), []byte(" "))
}

// bare is a heading of one line without the marks before and behind it.
func (s *Syntax) bare(text []byte, h Heading) []byte {
	title := bytes.TrimLeft(text[h.Start:h.End], " \t")
	title = bytes.TrimSpace(bytes.TrimLeft(title, string(rune(s.mark))))
	if s.mark == '*' {
		return title // which has marks of emphasis at its end, if any
	}
	bare := bytes.TrimRight(title, string(rune(s.mark)))
	if len(bare) == 0 || s.closed || bare[len(bare)-1] == ' ' || bare[len(bare)-1] == '\t' {
		return bytes.TrimSpace(bare)
	}
	return title
}

// maxLevel is the number of marks from which on a line is no heading.
const maxLevel = 6

// level returns the level of the heading that a line is, without indentation and
// without white space at its end; 0 if it is none.
func (s *Syntax) level(line []byte) int {
	n := 0
	for n < len(line) && line[n] == s.mark {
		n++
	}
	switch rest := line[n:]; {
	case n == 0 || n > maxLevel:
		return 0
	case s.closed:
		if len(rest) <= n || string(rest[len(rest)-n:]) != string(line[:n]) {
			return 0
		}
	case len(rest) == 0:
		if !s.markdown {
			return 0
		}
	case rest[0] != ' ' && rest[0] != '\t':
		return 0
	}
	return n
}
