package run

import (
	"fmt"

	"tally/match"
	"tally/run/input"
	"tally/walk"
)

// This file is what --absent adds to the search of a file: every byte is looked
// at for NUL, the file must be the same before and after, and must not hold text
// that its bytes do not show.

// checkWatch tells the worker, at the end of a search, what was seen while the
// file was read, and reports whether the search counts. That of a file that has
// changed does only if it found something: this was there.
func (v *visitor) checkWatch(src *input.Source, o *match.Outcome) bool {
	if !v.s.Absent {
		return true
	}
	if o.NUL || o.BinaryOffset >= 0 {
		v.w.Binary()
	}
	if src.Container(o.Facts) != "" {
		v.w.Compressed()
	}
	e := src.Changed()
	if e == nil || o.Lines > 0 {
		return true
	}
	v.w.Abort(*e, *o)
	return false
}

// afterMiss follows the search of a file that does not match. The file fails if it
// holds compressed text, which was not searched, unless --as-stored was given.
func (v *visitor) afterMiss(src *input.Source, o *match.Outcome, repeated bool) {
	if kind := src.Container(o.Facts); kind != "" && !v.s.AsStored {
		e := src.Failure(walk.OpUnpack, fmt.Errorf("holds compressed text (%s), searched as stored", kind))
		e.Repeated = repeated
		v.w.Fail(*e)
	}
}

// afterMatch follows the search of a file that matches.
func (v *visitor) afterMatch(src *input.Source) {
	if e := src.Changed(); e != nil && e.Op != walk.OpWatch {
		v.w.Fail(*e)
	}
}
