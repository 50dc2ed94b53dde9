// Package match searches one haystack: it compiles patterns, reads a file as
// it really is, finds the lines that match, and hands them with their context
// to a [Sink]. It must not know where haystacks come from (walk), how results
// look (report), or what was typed (flags).
package match

import (
	"tally/match/decode"
	"tally/match/digest"
)

// A Span is a half-open range of bytes [Start, End).
type Span struct{ Start, End int }

// A Line is one line of a haystack (in multi-line mode: all lines that one
// match touches). Its slices are valid only during the call that receives it.
type Line struct {
	// Bytes is the line with its terminator, which only the last line of a
	// haystack may lack.
	Bytes []byte
	// Number is the 1-based number of the (first) line, 0 if not counted.
	Number int64
	// Offset is the position of Bytes[0] in the decoded haystack, in bytes.
	Offset int64
	// Spans are the non-overlapping matches within Bytes, in order. They are
	// found only when the search was asked to ([Options.Spans]), and an
	// inverted search's matching lines have none.
	Spans []Span

	// around is the haystack that Spans were found in, at where Bytes[0] is
	// in it; nil if that is the line alone.
	around []byte
	at     int
}

// ContextKind says why a line that did not match is shown.
type ContextKind uint8

const (
	Before ContextKind = iota // within the before-context of the next match
	After                     // within the after-context of the last match
	Other                     // every line is shown (passthru)
)

// A Sink receives what the search of one haystack finds, in order. Each method
// reports whether the search should go on.
type Sink interface {
	// Matched receives a line that was selected.
	Matched(*Line) bool
	// Context receives a line around one that was selected.
	Context(*Line, ContextKind) bool
	// Break stands between two groups of lines that do not touch; it is
	// called only when context was asked for.
	Break() bool
}

// An Outcome is what is known about one haystack when its search has ended.
type Outcome struct {
	// Lines is the number of matching lines seen, Matches the number of
	// matches in them. Matches is a total only if MatchesKnown.
	Lines, Matches int64
	MatchesKnown   bool
	// Stopped is true if the search ended before the haystack did, because
	// it was asked to (a first match was enough, a limit was reached, the
	// sink had enough) or because of binary data. Lines and Matches are then
	// no totals.
	Stopped bool
	// Cut is true if Options.MaxCount kept at least one matching line from
	// the sink. Lines goes on counting past it if Options.CountAll is set.
	Cut bool
	// Nonmatch is true if Options.StopOnNonmatch kept at least one matching
	// line from the sink.
	Nonmatch bool
	// BinaryOffset is the position of the first NUL byte that was noticed,
	// -1 if none was.
	BinaryOffset int64
	// Facts say how the haystack was read.
	decode.Facts
	// Bytes is the number of bytes searched (decoded).
	Bytes int64
	// Digest is of the matching lines; meaningful only if !Stopped.
	Digest digest.Lines
}
