package input

import (
	"errors"

	"tally/walk"
)

// ErrChanged is said of a file that was not the same before and after it was
// read.
var ErrChanged = errors.New("changed while being read")

// watched is a file that must not change.
type watched struct {
	stamp  func() (walk.Stamp, error) // nil: a stream, which cannot change
	before walk.Stamp
}

// watch begins to watch the file.
func (s *Source) watch() (err error) {
	w := &watched{}
	switch {
	case s.kind == fromFile && s.regular:
		w.stamp = s.handle.Stamp
	case s.kind == fromProgram:
		file := s.call.file
		w.stamp = func() (walk.Stamp, error) { return walk.StampOf(file) }
	}
	if w.stamp != nil {
		w.before, err = w.stamp()
	}
	s.watched = w
	return err
}

// Changed returns an error if the file is watched and has changed since it was
// opened.
func (s *Source) Changed() error {
	if s.watched == nil || s.watched.stamp == nil {
		return nil
	}
	now, err := s.watched.stamp()
	if err == nil && now != s.watched.before {
		err = ErrChanged
	}
	return err
}
