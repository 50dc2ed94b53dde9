package decode

import (
	"bufio"
	"errors"
	"io"
)

// The format of compress(1), of which there is no specification but the
// program:
//
//	1F 9D flags codes...
//
// The low five bits of flags are the largest width of a code, 9 to 16, bit 7
// says that code 256 empties the table. Codes are packed from the lowest bit
// up, 9 bits wide at first and one bit wider whenever the table has outgrown
// the width. They are written in groups of eight: where the width changes and
// where the table is emptied, the rest of the group is padding.
//
// A code below 256 is a byte, any other an earlier string with one more byte.

const (
	lzwMinWidth = 9
	lzwMaxWidth = 16
	lzwClear    = 256
)

var errLZW = errors.New("a code refers to nothing")

// lzwUnpacker decompresses that.
type lzwUnpacker struct {
	src    *bufio.Reader
	strict bool

	maxWidth uint
	block    bool // there is a code that empties the table

	width uint
	group uint   // codes read of the current group
	bits  uint32 // read but not used, the next one lowest
	have  uint   // how many
	next  int    // the code that the next string gets

	last  int  // the code before, -1 at the beginning
	first byte // the first byte of its string

	prefix [1 << lzwMaxWidth]uint16
	suffix [1 << lzwMaxWidth]byte
	buf    [1 << lzwMaxWidth]byte // a string, at its end
	pos    int                    // buf[pos:] is still to be read
}

func (u *lzwUnpacker) reset(src *bufio.Reader) error {
	var head [3]byte
	if _, err := io.ReadFull(src, head[:]); err != nil {
		return io.ErrUnexpectedEOF
	}
	if head[0] != 0x1F || head[1] != 0x9D {
		return errStart
	}
	flags := head[2]
	u.maxWidth, u.block = uint(flags&0x1F), flags&0x80 != 0
	if flags&0x60 != 0 || u.maxWidth < lzwMinWidth || u.maxWidth > lzwMaxWidth {
		return errStart
	}
	u.src = src
	u.width, u.group, u.bits, u.have = lzwMinWidth, 0, 0, 0
	u.next, u.last, u.pos = 256, -1, len(u.buf)
	if u.block {
		u.next++
	}
	return nil
}

func (u *lzwUnpacker) Read(b []byte) (n int, err error) {
	for n < len(b) {
		if u.pos == len(u.buf) {
			if err = u.expand(); err != nil {
				break
			}
		}
		m := copy(b[n:], u.buf[u.pos:])
		u.pos += m
		n += m
	}
	return n, err
}

// expand reads a code and puts its string into buf.
func (u *lzwUnpacker) expand() error {
	code, err := u.code()
	for err == nil && code == lzwClear && u.block && u.last >= 0 {
		// The string that the next code completes is never referred to, and
		// takes this place.
		u.next = lzwClear
		if err = u.align(lzwMinWidth); err == nil {
			code, err = u.code()
		}
	}
	if err != nil {
		return err
	}
	if code > u.next || u.last < 0 && code > 255 {
		return errLZW
	}
	s, at := code, len(u.buf)
	if code == u.next {
		// The string that this code completes: the one before and its own
		// first byte.
		at--
		u.buf[at] = u.first
		s = u.last
	}
	for ; s > 255; s = int(u.prefix[s]) {
		at--
		u.buf[at] = u.suffix[s]
	}
	at--
	u.buf[at] = byte(s)
	u.pos, u.first = at, byte(s)
	if u.last >= 0 && u.next < 1<<u.maxWidth {
		u.prefix[u.next], u.suffix[u.next] = uint16(u.last), u.first
		u.next++
	}
	u.last = code
	return nil
}

// code reads the next code.
func (u *lzwUnpacker) code() (int, error) {
	if u.next >= 1<<u.width && u.width < u.maxWidth {
		if err := u.align(u.width + 1); err != nil {
			return 0, err
		}
	}
	for u.have < u.width {
		c, err := u.src.ReadByte()
		if err == io.EOF {
			return 0, u.end()
		}
		if err != nil {
			return 0, err
		}
		u.bits |= uint32(c) << u.have
		u.have += 8
	}
	code := u.bits & (1<<u.width - 1)
	u.bits >>= u.width
	u.have -= u.width
	u.group = (u.group + 1) % 8
	return int(code), nil
}

// end judges the bits behind the last code: less than a byte, all zero, unless
// the file was cut.
func (u *lzwUnpacker) end() error {
	if u.strict && (u.have >= 8 || u.bits != 0) {
		return io.ErrUnexpectedEOF
	}
	return io.EOF
}

// align drops the rest of the group and changes the width.
func (u *lzwUnpacker) align(width uint) error {
	if u.group > 0 {
		// A group is width bytes long, of which these have been read.
		read := (u.group*u.width + u.have) / 8
		if _, err := u.src.Discard(int(u.width - read)); err != nil {
			if err == io.EOF && !u.strict {
				return io.EOF
			}
			return io.ErrUnexpectedEOF
		}
	}
	u.width, u.group, u.bits, u.have = width, 0, 0, 0
	return nil
}
