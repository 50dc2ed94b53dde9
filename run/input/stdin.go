package input

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"time"
)

// patience is how long standard input may be silent before a person is told
// what is being waited for.
const patience = time.Second

// stdinMost is how much of standard input is kept for a second reading, in
// bytes.
const stdinMost = 16 << 20

// stdin is standard input. A pipe that a caller has left open looks like a
// search that hangs, so it says what it waits for. What was read is kept, as far
// as it is not too long, since it cannot be read twice.
type stdin struct {
	r     io.Reader // nil: nothing is there
	say   func(string)
	keeps bool // something is said and kept
	once  sync.Once
	begun bool // it has been read
	kept  bytes.Buffer
	lost  bool // there was more than is kept
}

func (s *stdin) Read(p []byte) (int, error) {
	s.begun = true
	if s.r == nil {
		return 0, io.EOF
	}
	if !s.keeps {
		return s.r.Read(p)
	}
	var timer *time.Timer
	s.once.Do(func() {
		timer = time.AfterFunc(patience, func() {
			s.say("waiting for standard input; to search files, give a path such as ./")
		})
	})
	n, err := s.r.Read(p)
	if timer != nil {
		timer.Stop()
	}
	s.keep(p[:n])
	return n, err
}

func (s *stdin) keep(p []byte) {
	if s.lost = s.lost || s.kept.Len()+len(p) > stdinMost; s.lost {
		s.kept = bytes.Buffer{}
		return
	}
	s.kept.Write(p)
}

var errStdinLost = errors.New("standard input was too long to be kept for a second reading")

// reread returns what was read of standard input.
func (s *stdin) reread() (io.Reader, error) {
	if s.lost || !s.keeps {
		return nil, errStdinLost
	}
	return bytes.NewReader(s.kept.Bytes()), nil
}
