package match

import (
	"errors"

	"tally/match/decode"
	"tally/walk/opt"
)

// Case says how letters compare.
type Case uint8

const (
	Sensitive Case = iota
	Insensitive
	Smart // insensitive unless the pattern has an upper-case letter
)

// Boundary says what must surround a match.
type Boundary uint8

const (
	Anywhere Boundary = iota
	Words             // half word boundaries on both sides
	Lines             // the whole line
)

// An Engine is what compiles and runs patterns.
type Engine uint8

const (
	// DefaultEngine is the regex crate.
	DefaultEngine Engine = iota
	// PCRE2Engine knows look-around and backreferences.
	PCRE2Engine
	// AutoEngine is the default engine, or PCRE2 for patterns that only it
	// can compile.
	AutoEngine
)

// Detection says what a NUL byte does to a search.
type Detection uint8

const (
	// Text takes NUL for a byte like any other.
	Text Detection = iota
	// Quit ends the search of the file at the buffer that holds the NUL.
	Quit
	// Convert takes NUL for a line terminator and goes on.
	Convert
)

// A Syntax is what the patterns are given to [Compile] in.
type Syntax struct {
	Patterns []string
	// And are patterns that a line must match besides. The matches in a line that
	// does are those of all patterns.
	And    []string
	Engine Engine
	// Fixed takes patterns for literal text.
	Fixed    bool
	Case     Case
	Boundary Boundary
	// Unicode makes classes, case and word boundaries Unicode's.
	Unicode bool
	// MultiLine lets a match hold line terminators, DotAll lets the dot
	// match one.
	MultiLine, DotAll bool
	// CRLF lets `$` match before \r\n and keeps \r out of matches.
	CRLF bool
	// NullData ends lines with NUL instead of \n.
	NullData bool
	// BanNUL refuses patterns that can only match with a NUL byte.
	BanNUL bool
	// SizeLimit bounds the compiled pattern, DFASizeLimit the lazily built
	// automaton, in bytes; nil is ripgrep's default.
	SizeLimit, DFASizeLimit *int
}

// Options say what a search does with the lines it finds.
type Options struct {
	// Invert selects the lines that do not match.
	Invert bool
	// Before and After are numbers of context lines. Passthru shows every
	// line and takes their place.
	Before, After int
	Passthru      bool
	// MaxCount is the number of selected lines that reach the sink, if not
	// all. CountAll goes on counting behind it instead of stopping.
	MaxCount opt.Value[int64]
	CountAll bool
	// StopOnNonmatch ends what reaches the sink at the first line that is not
	// selected after one that was; without CountAll it ends the search.
	StopOnNonmatch bool
	// LineLimit is how many bytes a line may have, 0 for any number. A haystack
	// with a longer one ends in [ErrLongLine]. Where matches may span lines it
	// does not count.
	LineLimit int64
	// LongBuffer has a long line leave a longer buffer behind, as in ripgrep,
	// which decides how far ahead a NUL byte is noticed. Such a line is held
	// then, even if nothing in it matches.
	LongBuffer bool
	// FirstOnly ends the search at the first selected line.
	FirstOnly bool
	// Spans finds all matches of each selected line, Numbers numbers lines,
	// Digest sums them up.
	Spans, Numbers, Digest bool
	// Each counts for each of the patterns what it matches alone; see
	// [Searcher.Each]. It means nothing with Invert.
	Each bool
	// Detection is what a NUL byte does. SinkBinary lets lines after a
	// converted NUL reach the sink (counts and JSON) rather than end the
	// display of the file at the next of them.
	Detection  Detection
	SinkBinary bool
	// Decode says how the haystacks are read. MapDerived takes those that
	// are encoded or compressed for mapped as well, if their haystack says
	// so; ripgrep maps what it can search as it is.
	Decode     decode.Config
	MapDerived bool
	// Aside, if not nil, makes a function for a goroutine that is shown what it
	// has searched, while it is at hand: text as it is in the haystack, which
	// begins and ends with a line, its offset, and whether something was found
	// there. It is called in any order, and left out what is searched otherwise
	// than line by line.
	Aside func() Aside
	// Threads is how many goroutines may search one large haystack.
	Threads int
	// Stop, if not nil, is asked before each buffer whether to end with
	// ErrStopped.
	Stop func() bool
}

// An Aside is shown what was searched; see [Options.Aside].
type Aside func(text []byte, offset int64, found bool)

// ErrStopped is the error of a search that [Options.Stop] has ended.
var ErrStopped = errors.New("the run was ended before the file was read")

// Defaults that ripgrep documents for its two limits.
const (
	defaultSizeLimit    = 100 << 20
	defaultDFASizeLimit = 1000 << 20
)
