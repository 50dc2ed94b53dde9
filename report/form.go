package report

import (
	"time"

	"tally/match"
)

// A form is one way to display results. The worker counts and windows and the
// printer writes; neither knows which form there is. A form has a file of its
// own, and an entry in the table of forms.
type form struct {
	// rows: a displayed result is a path, not a line.
	rows bool
	// inverse: a result is a file without a match.
	inverse bool
	// unsearched: files are listed, and nothing is looked for in them.
	unsearched bool
	// ranked: files come in an order of their own, once all were read.
	ranked bool
	// first: a file's first match says all that is displayed.
	first bool
	// messages: the output is JSON.
	messages bool
	// gaps: two groups of lines are divided by the context separator.
	gaps bool
	// endsAtNUL: the display of a binary file ends at its first match.
	endsAtNUL bool
	// spans reports whether the display depends on where in its line each
	// match is.
	spans func(*Config) bool

	lines lineForm // renders lines; nil: none are
	row   rowForm  // renders one row for a file; nil: there is none
	// list renders files of a ranking, and similar ones; nil: they are not
	// displayed.
	list listForm
	end  ender
}

// An ender writes what comes behind all results.
type ender interface{ end(*Printer, *Ledger) }

// A lineForm renders the lines of one file after another.
type lineForm interface {
	// separator divides the results of two files.
	separator(*Config) []byte
	// head begins a file that has something to display.
	head(*Worker)
	matched(*Worker, *match.Line)
	context(*Worker, *match.Line)
	// foot renders what comes behind the lines of a file; late, once the file
	// is in the statistics.
	foot(w *Worker, o match.Outcome, quit bool)
	late(w *Worker, o match.Outcome, elapsed time.Duration)
}

// A rowForm renders what is displayed of a file in one row.
type rowForm func(*Worker, match.Outcome)

// A listForm renders files that come in an order of their own.
type listForm interface {
	// evidence appends counts; beside says that they go to standard error.
	evidence(p *Printer, b []byte, list []Evidence) (text []byte, beside bool)
	// between divides the counts from the files.
	between() string
	// claims says that all that is listed is taken for a result.
	claims() bool
	// ranked appends a file by its words, similar one that resembles; the verdict
	// is [Found], or [Unsure] of one that is offered and not claimed.
	ranked(p *Printer, b []byte, v Verdict, rank int, f *RankedFile) []byte
	similar(p *Printer, b []byte, v Verdict, rank int, f *SimilarFile) []byte
}

// forms are all forms, by mode.
var forms = [...]*form{
	Standard:          &standardForm,
	Count:             &countForm,
	CountMatches:      &matchCountForm,
	FilesWithMatches:  &matchingForm,
	FilesWithoutMatch: &unmatchedForm,
	JSON:              &jsonForm,
	Paths:             &pathForm,
}

// rankedForms are the forms of a ranking.
var rankedForms = [...]*form{
	RankedText:  &rankedTextForm,
	RankedPaths: &rankedPathForm,
	RankedJSON:  &rankedJSONForm,
}

// form returns the form in which results are displayed.
func (c *Config) form() *form {
	if c.Mode == Ranked {
		return rankedForms[c.Ranked]
	}
	return forms[c.Mode]
}
