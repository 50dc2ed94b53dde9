package input

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"

	"tally/match"
	"tally/match/decode"
	"tally/match/preprocess"
	"tally/walk"
)

// A Source is one open file. It can be read several times, each time from its
// beginning, but for what can be read only once.
type Source struct {
	door *Door
	file *walk.File
	path []byte
	// Explicit says that the file was named, not found.
	Explicit bool
	regular  bool
	kind     kind
	format   decode.Format

	handle walk.Handle // of a file that the walk has come to,
	open   bool        // which is open
	named  *os.File    // of one that was named since
	call   *call       // of the program that reads the file

	begun   bool   // a reading has been handed out
	kept    []byte // all of the file,
	whole   bool   // if it is kept
	plain   bool   // kept is the text itself, and holds no NUL byte
	watched *watched
	hurried *hurried // nil: nothing keeps its reader waiting, or there is time
}

// A kind is where the bytes of a source come from.
type kind uint8

const (
	fromFile kind = iota
	fromStdin
	fromProgram
	fromPath
)

// errOnce is said of a pipe or a device that was read before: what it held is
// gone, and no claim can rest on it.
var errOnce = errors.New("it can be read only once; give it as standard input, with - for its name")

// Haystack returns the file from its beginning, to be searched.
func (s *Source) Haystack() (match.Haystack, error) {
	first := !s.begun
	s.begun = true
	h := match.Haystack{Mapped: s.door.in.cfg.Of(s.Explicit).Mapped, Format: s.format}
	if s.kind == fromStdin || s.kind == fromProgram {
		h.Stream, h.Mapped = true, s.door.in.cfg.Watch
	}
	var err error
	switch {
	case s.whole:
		h.Reader = bytes.NewReader(s.kept)
	case s.kind == fromStdin && s.file != nil && s.file.Repeated():
		h.Reader = bytes.NewReader(nil) // given twice: the first one has it all
	case s.kind == fromStdin && first && !s.door.Reread:
		h.Reader = &s.door.in.stdin
	case s.kind == fromStdin:
		h.Reader, err = s.door.in.stdin.reread()
	case s.kind == fromProgram && first && s.call != nil:
		h.Reader = s.call
	case s.kind == fromProgram:
		if err = s.runAgain(); err == nil {
			h.Reader = s.call
		}
	case s.kind == fromPath:
		_, err = s.named.Seek(0, io.SeekStart)
		h.Reader = s.named
	case first:
		h.Reader, h.Stream = &s.handle, !s.regular
		if s.regular {
			h.At = &s.handle
		}
	case s.regular:
		h.Reader = io.NewSectionReader(&s.handle, 0, math.MaxInt64)
	default:
		err = errOnce
	}
	if h.Stream && s.door.in.stop != nil && err == nil {
		if h.Reader == &s.handle {
			own := s.handle // the next file takes the place of this one
			h.Reader = &own
		}
		s.hurried = &hurried{r: h.Reader, stop: s.door.in.stop}
		h.Reader = s.hurried
	}
	return h, err
}

// Reader returns the file from its beginning, undecoded.
func (s *Source) Reader() (io.Reader, error) {
	h, err := s.Haystack()
	return h.Reader, err
}

// Path returns the path that is displayed.
func (s *Source) Path() string { return string(s.path) }

// Container returns the kind of container that the file was searched as, by what
// its reading has shown; "" if it is none. Brotli has nothing that shows it but a
// name.
func (s *Source) Container(f decode.Facts) string {
	byName := s.kind == fromFile && s.format == decode.Plain && decode.FormatByName(s.path) == decode.Brotli
	if f.Container == "" && byName {
		return decode.Brotli.String()
	}
	return f.Container
}

// Format returns the compression that the file's name speaks of, if it matters.
func (s *Source) Format() decode.Format { return s.format }

// keepMost is the size up to which a file is kept in memory while it is read
// several times, in bytes; a longer one is read again.
const keepMost = 4 << 20

// Keep reads the file into memory if it is not too long, or cannot be read
// twice, and finds out whether it is text as it is.
func (s *Source) Keep() *walk.Error {
	h, err := s.Haystack()
	if err != nil {
		return s.Failure(walk.OpRead, err)
	}
	most := -1
	if s.kind == fromFile && s.regular {
		most = keepMost
	}
	s.kept, s.whole, err = s.door.keep(h.Reader, most)
	if err != nil {
		return s.Failure(s.readOp(), err)
	}
	if s.kind == fromProgram {
		if err := s.endProgram(); err != nil {
			return s.Failure(walk.OpPreprocess, err)
		}
	}
	s.plain = s.whole && !hasNUL(s.kept) && s.undecoded()
	return nil
}

// undecoded reports whether what is kept is its own text.
func (s *Source) undecoded() bool {
	r := s.door.reader(match.Haystack{Reader: bytes.NewReader(s.kept), Format: s.format})
	if _, err := r.Read(s.door.room()); err != nil && err != io.EOF {
		return false
	}
	facts := r.Facts()
	return !facts.Derived && !facts.Marked && !facts.Transcoded
}

// Plain returns the file if all of it is kept and is its own text, without a
// NUL byte.
func (s *Source) Plain() (text []byte, ok bool) { return s.kept, s.plain }

// Rereadable reports whether the file can be read a second time without a
// program that is run on it again.
func (s *Source) Rereadable() bool {
	return s.kind == fromStdin || s.kind == fromFile && s.regular
}

// Again reports whether the path can be opened once more to read the same.
func (s *Source) Again() bool { return s.kind == fromProgram || s.Rereadable() }

// readOp is the operation that fails when reading does.
func (s *Source) readOp() walk.Op {
	if s.kind == fromProgram {
		return walk.OpPreprocess
	}
	return walk.OpRead
}

// Failure is an error of this file, in the form in which the ledger has it.
func (s *Source) Failure(op walk.Op, err error) *walk.Error {
	var damaged *decode.Error
	if op == walk.OpRead && errors.As(err, &damaged) {
		op = walk.OpDecompress
	}
	return &walk.Error{Path: walk.Displayed(s.path), Op: op, Err: err}
}

// Close closes the file. Its error is what the program of --pre had to say at
// the end of its first reading.
func (s *Source) Close() error {
	if s.open {
		// Whoever still reads a file keeps it.
		if s.hurried == nil || !s.hurried.left {
			s.handle.Close()
		}
		s.open = false
	}
	if s.named != nil {
		s.named.Close()
		s.named = nil
	}
	return s.endProgram()
}

// runAgain starts the program once more.
func (s *Source) runAgain() error {
	if err := s.endProgram(); err != nil {
		return err
	}
	var err error
	s.call, err = s.door.in.start(string(s.path))
	return err
}

// endProgram ends the program that reads the file, if one does.
func (s *Source) endProgram() error {
	if s.call == nil {
		return nil
	}
	call := s.call
	s.call = nil
	return call.close()
}

// A call is a program that reads one file.
type call struct {
	file *os.File
	run  *preprocess.Run
	text string // the command line, quoted
}
