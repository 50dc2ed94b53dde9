package input

import (
	"errors"
	"io"

	"tally/walk"
)

// ErrChanged is said of a file that was not the same before and after it was
// read.
var ErrChanged = errors.New("changed while being read")

// watched reads a file and watches it meanwhile.
type watched struct {
	r      io.Reader
	stamp  func() (walk.Stamp, error) // nil: a stream, which cannot change
	before walk.Stamp
	nul    bool
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

func (w *watched) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	w.nul = w.nul || hasNUL(p[:n])
	return n, err
}

// SawNUL reports whether a NUL byte has been read of a file that is watched.
func (s *Source) SawNUL() bool { return s.watched != nil && s.watched.nul }

// Changed returns an error if the file is watched and has changed since it was
// opened, or if that cannot be told.
func (s *Source) Changed() *walk.Error {
	if s.watched == nil || s.watched.stamp == nil {
		return nil
	}
	now, err := s.watched.stamp()
	switch {
	case err != nil:
		return s.Failure(walk.OpStat, err)
	case now != s.watched.before:
		return s.Failure(walk.OpChange, ErrChanged)
	}
	return nil
}
