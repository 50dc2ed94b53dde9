package run

import (
	"tally/match"
	"tally/run/input"
)

// This file is what --absent adds to the search of a file: every byte is looked
// at for NUL, the file must be the same before and after, and of several
// patterns each gets counts of its own.

// checkWatch tells the worker, at the end of a search, what was seen while the
// file was read, and reports whether the search counts. That of a file that has
// changed does only if it found something: this was there.
func (v *visitor) checkWatch(src *input.Source, o *match.Outcome) bool {
	if !v.s.Absent {
		return true
	}
	if src.SawNUL() && !o.Derived || o.BinaryOffset >= 0 {
		v.w.Binary()
	}
	err := src.Changed()
	if err == nil || o.Lines > 0 {
		return true
	}
	v.w.Abort(*err, *o)
	return false
}

// afterMatch follows the search of a file that matches.
func (v *visitor) afterMatch(src *input.Source, repeated bool) {
	if v.breakdown != nil && !repeated {
		if err := v.breakDown(src); err != nil {
			v.breakdown.partial.Store(true)
		}
	}
	if err := src.Changed(); err != nil {
		v.w.Fail(*err)
	}
}
