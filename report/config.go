package report

import (
	"io"
	"math"

	"tally/match"
	"tally/walk/opt"
)

// A Mode is the kind of result a run displays.
type Mode uint8

const (
	Standard          Mode = iota // the matching lines themselves
	Count                         // matching lines per file (-c)
	CountMatches                  // matches per file (--count-matches)
	FilesWithMatches              // paths of files that match (-l)
	FilesWithoutMatch             // paths of files that do not
	JSON                          // one JSON message per line
	Paths                         // every path in the universe (--files)
	Ranked                        // the files that a question is about (--rank)
)

// A Config says how results look. Every value is resolved: nothing in it means
// "decide later".
type Config struct {
	Mode Mode
	// Ranked is how mode [Ranked] shows files.
	Ranked RankedForm
	// Quiet displays nothing and lets a file's search end at its first match
	// (unless Stats). CountOnly displays nothing but counts everything, and
	// has the ledger written to standard output.
	Quiet, CountOnly bool

	WithPath     bool // put the path before lines and counts
	Heading      bool // the path on a line of its own above its lines
	LineNumber   bool
	Column       bool
	ByteOffset   bool
	OnlyMatching bool // a line for each match, holding only the match
	PerMatch     bool // a line for each match, holding the first line it touches
	Null         bool // a NUL byte after each path
	Trim         bool // leave out leading ASCII white space
	IncludeZero  bool // counts of 0 are shown too
	// Replacement, if not nil, takes the place of each match; the worker
	// then needs an [Expander].
	Replacement *[]byte
	// PathSep is shown instead of '/' in paths; 0 leaves them as they are.
	PathSep byte
	// MaxColumns is the length in bytes, terminator included, up to which a
	// line is shown; 0 means any. Preview shows the beginning of a longer one.
	MaxColumns int64
	Preview    bool
	// Window, if not 0, is how many bytes are shown around each match of a longer
	// line, and of a longer line without one.
	Window int64

	// Context says that lines around the matching ones were asked for.
	Context bool
	// ContextSeparator stands between groups of lines, nil for none.
	ContextSeparator         *[]byte
	FieldMatch, FieldContext []byte // separators after path, line, column

	// LineTerm ends a line of a haystack, and of the output. With CRLF (and
	// a LineTerm of '\n') lines may end in both, and written ones do.
	LineTerm byte
	CRLF     bool

	// Color permits escape sequences: styles, and hyperlinks if a format is
	// set.
	Color     bool
	Colors    Colors
	Hyperlink Hyperlink

	// Terminal says that results go to a terminal, so that names and text of files
	// are escaped where they would drive it. ValidText puts U+FFFD in the place of
	// what is not UTF-8 in them.
	Terminal, ValidText bool

	// Ripgrep keeps to what ripgrep says where that is less than the truth.
	Ripgrep bool

	Invert    bool // selected lines are those that do not match
	MultiLine bool // a match may really span lines
	Stats     bool // print the statistics block

	// Limit and Offset cut a window out of the display: lines, or paths where
	// a path is the result. Without a Limit it has no end.
	Limit  opt.Value[int64]
	Offset int64
	// LimitBytes ends the display before the result with which it would be longer
	// than that many bytes.
	LimitBytes opt.Value[int64]

	// Resorted says that files come in another order than that of their paths.
	Resorted bool
	// Twice says that a file may come twice, as one that has been accounted
	// for ([Worker.Supplement]).
	Twice bool

	// SumPaths asks for [Printer.PathSum].
	SumPaths bool
	// Matched says of each match in JSON that it is exact, beside others that
	// are not.
	Matched bool

	// JSONText sends bytes that are not UTF-8 as text with replacement
	// characters instead of base64; offsets then count the bytes of that text.
	JSONText bool
	// LineBuffered writes every result at once.
	LineBuffered bool

	Ledger LedgerConfig
}

// A LedgerMode says when the ledger line is printed, and where.
type LedgerMode uint8

const (
	LedgerAuto   LedgerMode = iota // when there is something to say, on stderr
	LedgerAlways                   // on stderr
	LedgerNever
	LedgerStdout // on standard output, after the results
	LedgerFirst  // on standard output, before them
	LedgerApart  // on [LedgerConfig.Apart]
)

// A LedgerConfig says in which form the ledger reaches the reader.
type LedgerConfig struct {
	Mode LedgerMode
	// Apart is where [LedgerApart] writes.
	Apart io.Writer
	// JSON adds the ledger to the JSON summary message.
	JSON bool
	// Digest says that somebody reads the digest of the results: it is worked out
	// at a cost for each line.
	Digest bool
	// Name is the name the program was called by; it begins the line.
	Name string
	// Terminal says that the line's reader sits at a terminal, so that
	// [LedgerAuto] always prints it.
	Terminal bool
	// Stdin says that standard input is the only haystack.
	Stdin bool
	// Piped says of Stdin that nobody named it: it was taken because no path
	// was given.
	Piped bool
	// Absent says that the run asserts absence, whose verdict is always
	// printed, and that every byte is looked at for NUL.
	Absent bool
	// Patterns is the number of patterns that were given, 0 if that is unknown.
	Patterns int
	// Each says of which of them it is told what they match alone.
	Each EachConfig
	// Roots are the absolute paths without links of what is searched, and
	// Query stands for all that decides what matches and what is in scope:
	// ledgers with one Query and disjoint Roots may be added up.
	Roots []string
	Query string
	// Pinned are flags, each after a blank, that the command of a next page needs
	// for that page to be cut from the same files.
	Pinned string
}

// Messages reports whether the output is JSON.
func (c *Config) Messages() bool { return c.form().messages }

// NeedsSpans reports whether the display depends on where in its line each
// match is, so that the search has to find that out.
func (c *Config) NeedsSpans() bool {
	f := c.form()
	switch {
	case f.unsearched, f.ranked:
		return false
	case c.CountOnly:
		return true
	case c.Quiet:
		return c.Stats || f.messages
	}
	return f.spans(c)
}

// granular reports whether lines are shown match by match. It decides more
// than speed: a line that is too long is described by its matches only then.
func (c *Config) granular() bool {
	return c.Color && !c.Colors.match.empty() || c.Column || c.Replacement != nil ||
		c.PerMatch || c.OnlyMatching || c.Stats || c.Window > 0
}

// silent reports whether no result is displayed.
func (c *Config) silent() bool { return c.Quiet || c.CountOnly }

// windowed reports whether only a part of the results is displayed.
func (c *Config) windowed() bool {
	return c.limit() < math.MaxInt64 || c.Offset > 0 || c.limitBytes() < math.MaxInt64
}

// limit is how many results are displayed at most.
func (c *Config) limit() int64 { return c.Limit.Or(math.MaxInt64) }

// limitBytes is how many bytes of results are displayed at most.
func (c *Config) limitBytes() int64 { return c.LimitBytes.Or(math.MaxInt64) }

// end is the number of results after which the display is full.
func (c *Config) end() int64 {
	if end := c.Offset + c.limit(); end >= c.Offset {
		return end
	}
	return math.MaxInt64
}

// fileSeparator is what stands between the results of two files, nil for
// nothing.
func (c *Config) fileSeparator() []byte {
	if lines := c.form().lines; lines != nil && !c.silent() {
		return lines.separator(c)
	}
	return nil
}

// terminator is what ends a line that is written.
func (c *Config) terminator() []byte {
	if c.CRLF {
		return []byte("\r\n")
	}
	return []byte{c.LineTerm}
}

// An Expander writes a line with each of its matches replaced. A worker has
// one of its own.
type Expander interface {
	// Expand appends line to dst with template, its references to groups
	// resolved, in the place of each of its spans. It returns the places of the
	// replacements, relative to where dst ended; they are valid until the
	// next call.
	Expand(dst, template []byte, line *match.Line) ([]byte, []match.Span)
}
