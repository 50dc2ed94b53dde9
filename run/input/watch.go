package input

import (
	"tally/walk"
)

// watched is a file that must not change.
type watched struct {
	stamp  func() (walk.Stamp, error) // nil: a stream, which cannot change
	before walk.Stamp
	err    error // it cannot be watched
}

// watch begins to watch the file.
func (s *Source) watch() {
	w := &watched{}
	switch {
	case s.kind == fromFile && s.regular:
		w.stamp = s.handle.StampAgain
		w.before, w.err = s.handle.Stamp()
	case s.kind == fromProgram:
		file := s.call.file
		w.stamp = func() (walk.Stamp, error) { return walk.StampOfAgain(file) }
		w.before, w.err = walk.StampOf(file)
	}
	if w.stamp != nil && w.err == nil {
		s.file.Note(w.before)
	}
	s.watched = w
}

// Changed returns an error if the file is watched and has changed since it was
// opened, or may have changed unseen.
func (s *Source) Changed() *walk.Error {
	w := s.watched
	if w == nil || w.stamp == nil {
		return nil
	}
	if w.err != nil {
		return s.Failure(walk.OpWatch, w.err)
	}
	now, err := w.stamp()
	op := walk.OpStat
	if err == nil && now != w.before {
		op, err = walk.OpChange, walk.ErrChanged
	}
	if err == nil {
		return nil
	}
	s.file.Forget()
	return s.Failure(op, err)
}
