package match

import (
	"bytes"
	"errors"
	"io"

	"tally/match/decode"
	"tally/match/mapping"
)

// bufferSize is how much of a haystack is read at once. It is also what
// decides how far before a NUL byte a binary file is still searched, so it is
// ripgrep's value.
const bufferSize = 64 << 10

// peekSize is how much ripgrep reads, and searches if it holds a line, before
// anything else: what it needs to recognise a byte-order mark.
const peekSize = 3

// A lineBuffer reads a haystack as a row of buffers that hold whole lines.
type lineBuffer struct {
	in     *decode.Reader
	stop   func() bool // asked within a long line whether to end; nil: never
	stream bool        // what has come is searched at once
	term   byte
	detect Detection

	room  mapping.Room
	most  int64  // bytes that a line may have, 0 for any number
	part  int    // an unfinished line is handed over from this size on, 0 for never
	data  []byte // all of room; data[:end] is filled
	end   int
	lines int   // data[:lines] are whole lines, or all there is at the end
	base  int64 // offset of data[0] in the haystack
	eof   bool
	err   error // why it ended, if not because the haystack did
	nul   int64 // offset of the first NUL noticed, -1 if none

	// ahead bytes behind data[:end] have been read but not looked at;
	// aheadErr came with them. peek says that they are the first ones.
	ahead    int
	aheadErr error
	peek     bool

	// again is read before what follows: what was dropped of a line.
	again *io.SectionReader
	then  error // follows again, if anything does not
}

// open prepares for another haystack, keeping the room, and reads its first
// bytes. What a NUL byte does may be decided when it is known what they are.
func (b *lineBuffer) open(h Haystack, term byte) {
	if len(b.data) == 0 {
		_ = b.room.Grow(bufferSize) // from the heap, which gives it
		b.data = b.room.Bytes()
	}
	b.stream, b.term, b.detect = h.Stream, term, Text
	b.end, b.lines, b.base = 0, 0, 0
	b.eof, b.err, b.nul = false, nil, -1
	b.part, b.again, b.then = 0, nil, nil
	b.in.Reset(h.Reader, h.Format)
	b.ahead, b.aheadErr = b.in.Read(b.data)
	facts := b.in.Facts()
	b.peek = !facts.Marked
	b.stream = b.stream || facts.Transcoded
}

// read reads behind data[:end].
func (b *lineBuffer) read() (n int, err error) {
	if b.again != nil {
		return b.readAgain()
	}
	if b.ahead == 0 && b.aheadErr == nil {
		return b.in.Read(b.data[b.end:])
	}
	n = b.ahead
	if b.peek && b.detect != Text {
		n = min(n, peekSize)
	}
	b.ahead -= n
	if b.ahead == 0 {
		err, b.aheadErr = b.aheadErr, nil
	}
	return n, err
}

// asStored reports whether what was read is in the haystack, at the same offset.
func (b *lineBuffer) asStored() bool {
	f := b.in.Facts()
	return b.nul < 0 && !f.Derived && !f.Marked && !f.Transcoded && !f.UTF16
}

// fill drops the first bytes and reads on until at least one more line is
// whole or the haystack ends, by an error if err is set; an unfinished line
// before an error is none. With detection Quit it pretends an end at the first
// NUL. Of a line that is longer than part it returns, without whole lines, what
// there is.
func (b *lineBuffer) fill(drop int) {
	copy(b.data, b.data[drop:b.end+b.ahead])
	b.end -= drop
	b.lines = max(0, b.lines-drop)
	b.base += int64(drop)
	if b.eof || b.detect == Quit && b.nul >= 0 {
		b.eof = true
		return
	}
	whole := false
	for {
		if b.end >= bufferSize && !whole && b.stop != nil && b.stop() {
			b.eof, b.err = true, ErrStopped // within a long line
			return
		}
		if b.part > 0 && b.end >= b.part && !whole && b.ahead == 0 {
			return
		}
		if b.end == len(b.data) {
			if whole {
				return
			}
			if b.err = b.grow(); b.err != nil {
				b.eof = true
				return
			}
		}
		n, err := b.read()
		fresh := b.data[b.end : b.end+n]
		if b.detect != Text && b.nul < 0 || b.detect == Convert {
			if i := bytes.IndexByte(fresh, 0); i >= 0 {
				if b.nul < 0 {
					b.nul = b.base + int64(b.end+i)
				}
				if b.detect == Quit {
					b.end += i
					b.lines = b.end
					b.ahead = 0
					return
				}
				convert(fresh[i:], b.term)
			}
		}
		if i := bytes.LastIndexByte(fresh, b.term); i >= 0 {
			b.lines = b.end + i + 1
			whole = true
		}
		b.end += n
		if err == io.EOF {
			b.eof = true
			b.lines = b.end
			return
		}
		if err != nil {
			b.eof, b.err = true, err
			return
		}
		// What a stream has sent is searched at once; a file is read until
		// the buffer is full.
		if whole && (b.stream || b.peek && b.ahead > 0) {
			b.peek = false
			return
		}
		b.peek = false
	}
}

// ErrLongLine is the error of a haystack with a line that is longer than
// [Options.LineLimit].
var ErrLongLine = errors.New("a line is too long; --line-size-limit raises the limit")

// grow makes more room for a line, unless it is too long.
func (b *lineBuffer) grow() error {
	if b.most > 0 && int64(b.end-b.lines) >= b.most {
		return ErrLongLine
	}
	err := b.room.Grow(len(b.data) + 1)
	b.data = b.room.Bytes()
	return err
}

// rewind goes back to an offset in the haystack, which can be read again there.
func (b *lineBuffer) rewind(at io.ReaderAt, offset int64) {
	b.again = io.NewSectionReader(at, offset, b.base+int64(b.end)-offset)
	b.then = nil
	if b.eof {
		b.then = io.EOF
	}
	b.base, b.end, b.lines, b.eof = offset, 0, 0, false
}

func (b *lineBuffer) readAgain() (n int, err error) {
	n, err = b.again.Read(b.data[b.end:])
	at, _ := b.again.Seek(0, io.SeekCurrent)
	switch {
	case at == b.again.Size():
		b.again, err = nil, b.then
	case err == io.EOF:
		err = errShrunk
	}
	return n, err
}

// release gives back what a long line has left.
func (b *lineBuffer) release() {
	if len(b.data) > bufferSize {
		b.room.Release()
		b.data = nil
	}
}

// convert replaces NUL bytes by line terminators.
func convert(p []byte, term byte) {
	for {
		i := bytes.IndexByte(p, 0)
		if i < 0 || term == 0 {
			return
		}
		p[i] = term
		p = p[i+1:]
	}
}
