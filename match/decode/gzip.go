package decode

import (
	"bufio"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"tally/match/inflate"
)

// Flags of a gzip header (RFC 1952, 2.3.1). FTEXT says nothing to us.
const (
	gzipHeaderSum = 1 << (iota + 1)
	gzipExtra
	gzipName
	gzipComment
	gzipReserved // and what is above it
)

// gzipHeaderSize is what every header has, in bytes.
const gzipHeaderSize = 10

var (
	errHeader   = errors.New("invalid header")
	errChecksum = errors.New("invalid checksum")
)

type gzipUnpacker struct {
	r     inflate.Reader
	src   *bufio.Reader
	ended bool // the contents of the member

	// Of the header that is being read, or of the contents of the member.
	sum  uint32
	size uint32 // modulo 2^32, as the format has it
	buf  [gzipHeaderSize]byte
}

func (u *gzipUnpacker) reset(src *bufio.Reader) error {
	u.src = src
	return u.member()
}

// member starts with the next of the files that were compressed one by one.
func (u *gzipUnpacker) member() error {
	if head, _ := u.src.Peek(2); len(head) == 2 && string(head) != "\x1F\x8B" {
		return errStart
	}
	if err := u.header(); err != nil {
		return tooSoon(err)
	}
	u.r.Reset(u.src)
	u.sum, u.size, u.ended = 0, 0, false
	return nil
}

// header reads a header up to its end.
func (u *gzipUnpacker) header() error {
	u.sum = 0
	head, err := u.field(gzipHeaderSize)
	if err != nil {
		return err
	}
	if string(head[:3]) != "\x1F\x8B\x08" {
		return errHeader
	}
	flags := head[3]
	if flags&gzipExtra != 0 {
		size, err := u.field(2)
		if err != nil {
			return err
		}
		for n := binary.LittleEndian.Uint16(size); n > 0; n-- {
			if _, err := u.field(1); err != nil {
				return err
			}
		}
	}
	for _, text := range []byte{gzipName, gzipComment} {
		for more := flags&text != 0; more; {
			b, err := u.field(1)
			if err != nil {
				return err
			}
			more = b[0] != 0
		}
	}
	if sum := uint16(u.sum); flags&gzipHeaderSum != 0 {
		b, err := u.field(2)
		if err != nil {
			return err
		}
		if binary.LittleEndian.Uint16(b) != sum {
			return errHeader
		}
	}
	if flags >= gzipReserved {
		return errHeader
	}
	return nil
}

// field reads the next n bytes, which are valid until the next call, and adds
// them to the sum.
func (u *gzipUnpacker) field(n int) ([]byte, error) {
	_, err := io.ReadFull(u.src, u.buf[:n])
	u.sum = crc32.Update(u.sum, crc32.IEEETable, u.buf[:n])
	return u.buf[:n], err
}

func (u *gzipUnpacker) Read(b []byte) (int, error) {
	for {
		if u.ended {
			if err := u.next(); err != nil {
				return 0, err
			}
		}
		n, err := u.r.Read(b)
		u.sum = crc32.Update(u.sum, crc32.IEEETable, b[:n])
		u.size += uint32(n)
		if err != io.EOF {
			return n, err
		}
		u.ended = true
		if n > 0 {
			return n, nil
		}
	}
}

// next goes from the end of a member's contents to the next member; without
// one the error is io.EOF.
func (u *gzipUnpacker) next() error {
	sum, size := u.sum, u.size
	end, err := u.field(8)
	if err != nil {
		return tooSoon(err)
	}
	if binary.LittleEndian.Uint32(end) != sum || binary.LittleEndian.Uint32(end[4:]) != size {
		return errChecksum
	}
	if end, err := skipZeros(u.src); end || err != nil {
		return orEOF(err)
	}
	err = u.member()
	if err == errStart {
		err = errGarbage
	}
	return err
}

// tooSoon makes of the end of a file what it is within a member.
func tooSoon(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
