// Package ignore knows what the ignore files of a directory tree say about its
// entries: git's rules as git applies them, in the sources and with the
// precedence that ripgrep gives them. It follows the tree from above: each
// directory has a [Dir], made from its parent's. It must not know how the tree
// is read, nor which other reasons there are to leave an entry out.
//
// From the strongest to the weakest, the sources are .rgignore, .ignore,
// .gitignore, .git/info/exclude, git's global excludes file, and the files of
// --ignore-file, later ones first. A stronger source decides before a weaker
// one, however deep they lie; within one source the deepest directory decides,
// and within a file its last matching line.
package ignore

import (
	"fmt"

	"tally/walk/glob"
)

// A Verdict is what the rules say about an entry.
type Verdict = glob.Verdict

const (
	None    = glob.None    // no rule matched
	Ignore  = glob.Ignore  // leave it out; a directory is not entered
	Include = glob.Include // a rule with ! matched
)

// A Rule names the line that decided.
type Rule struct {
	Source  string // the file it stands in, as displayed
	Line    int    // counted from 1
	Pattern string // the line as it counts, without the blanks cut from its end
	Negated bool   // it begins with !
}

// A LineError is a line that is malformed. It never takes other lines with it.
type LineError struct {
	Source  string
	Line    int
	Glob    string
	Problem string // in ripgrep's words
}

func (e *LineError) Error() string {
	return fmt.Sprintf("%s: line %d: error parsing glob '%s': %s", e.Source, e.Line, e.Glob, e.Problem)
}

// A ReadError is a file of rules that is there, or was asked for by name, and could
// not be read. Which entries are meant to be in the universe is then not known.
type ReadError struct {
	Source string // as displayed
	Err    error
	// Asked says that the file was asked for by name, so that it matters even
	// where no directory is searched.
	Asked bool
	// Common says that ripgrep complains of it, too. It passes over most files of
	// rules that it cannot read.
	Common bool
}

// Error returns what is wrong with the file, without its name.
func (e *ReadError) Error() string { return e.Err.Error() }
func (e *ReadError) Unwrap() error { return e.Err }
