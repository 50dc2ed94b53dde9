package decode

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"
	"github.com/mikelolasagasti/xz"
	"github.com/pierrec/lz4/v4"
	"github.com/ulikunitz/xz/lzma"
)

// maxWindow bounds how far back compressed data may refer, which is what
// decompression needs memory for. It is the limit of the zstd program; xz -9
// needs half of it. The other formats cannot ask for more than 16 MiB.
const maxWindow = 128 << 20

// An unpacker decompresses one file after another.
type unpacker interface {
	// reset starts with another file. An error of its header may come here
	// or from Read.
	reset(src *bufio.Reader) error
	// Read reads what all members of the file hold, one behind the other.
	io.Reader
}

// newUnpacker makes the unpacker of a format; with strict it is an error if
// data has an end that the usual program would not object to.
func newUnpacker(f Format, strict bool) unpacker {
	switch f {
	case Gzip:
		return &gzipUnpacker{}
	case Bzip2:
		return &bzip2Unpacker{strict: strict}
	case Xz:
		return &xzUnpacker{}
	case LZ4:
		return &lz4Unpacker{r: lz4.NewReader(nil)}
	case LZMA:
		return &lzmaUnpacker{}
	case Brotli:
		return &brotliUnpacker{r: brotli.NewReader(nil)}
	case Zstd:
		return &zstdUnpacker{}
	}
	return &lzwUnpacker{strict: strict}
}

// packed is a compressed file that is being read. It keeps the errors of the
// file apart from those of its contents.
type packed struct {
	file   io.Reader
	failed error // what reading the file failed with
	buf    *bufio.Reader
	format Format
	u      unpacker
	err    error // ends the contents
}

// Read reads the compressed bytes.
func (p *packed) Read(b []byte) (int, error) {
	n, err := p.file.Read(b)
	if err != nil && err != io.EOF {
		p.failed = err
	}
	return n, err
}

// unpack returns a reader of what the file src holds, which its name says to
// be compressed as f.
func (r *Reader) unpack(f Format, src io.Reader) io.Reader {
	p := &r.packed
	*p = packed{file: src, buf: p.buf}
	if p.buf == nil {
		p.buf = bufio.NewReaderSize(nil, 32<<10)
	}
	p.buf.Reset(p)
	head, err := p.buf.Peek(magicSize)
	p.format = settle(f, FormatOf(head), r.cfg.Unpack)
	switch {
	case p.failed != nil:
		p.err = p.failed
	case len(head) == 0 && p.format == LZ4:
		p.err = io.EOF // no frames
	case len(head) == 0 && err == io.EOF:
		p.err = &Error{p.format, io.ErrUnexpectedEOF}
	default:
		if r.unpackers[p.format] == nil {
			r.unpackers[p.format] = newUnpacker(p.format, r.cfg.Strict)
		}
		p.u = r.unpackers[p.format]
		p.err = p.explain(p.u.reset(p.buf))
	}
	return (*contents)(p)
}

// explain tells whose error err is.
func (p *packed) explain(err error) error {
	switch {
	case err == nil || err == io.EOF:
		return err
	case p.failed != nil:
		return p.failed
	}
	return &Error{p.format, err}
}

// contents reads what is in a packed file.
type contents packed

// Read turns a panic into an error, since a search of many files must not end
// with one of them, whatever a decompressor did not expect in it.
func (c *contents) Read(b []byte) (n int, err error) {
	if c.err != nil {
		return 0, c.err
	}
	defer func() {
		if p := recover(); p != nil {
			c.err = &Error{c.format, fmt.Errorf("%v", p)}
			n, err = 0, c.err
		}
	}()
	n, err = c.u.Read(b)
	if err == io.EOF && c.failed != nil {
		err = c.failed
	}
	c.err = (*packed)(c).explain(err)
	return n, c.err
}

// skipZeros reads the zero bytes that pad a file to a whole number of blocks,
// and reports whether that is its end.
func skipZeros(src *bufio.Reader) (end bool, err error) {
	for {
		p, err := src.Peek(1)
		if len(p) == 0 {
			return err == io.EOF, noEOF(err)
		}
		p, _ = src.Peek(src.Buffered())
		n := len(p) - len(bytes.TrimLeft(p, "\x00"))
		if n == 0 {
			return false, nil
		}
		if _, err := src.Discard(n); err != nil {
			return false, err
		}
	}
}

func noEOF(err error) error {
	if err == io.EOF {
		return nil
	}
	return err
}

func orEOF(err error) error {
	if err == nil {
		return io.EOF
	}
	return err
}

type bzip2Unpacker struct {
	io.Reader
	src    *bufio.Reader
	strict bool
}

func (u *bzip2Unpacker) reset(src *bufio.Reader) error {
	u.src, u.Reader = src, bzip2.NewReader(src)
	return nil
}

// Read relies on the text of an error, since the package has no other name for
// what stands behind a complete stream and is not the next.
func (u *bzip2Unpacker) Read(b []byte) (int, error) {
	n, err := u.Reader.Read(b)
	if err == bzip2.StructuralError("bad magic value in continuation file") {
		end, readErr := skipZeros(u.src)
		switch {
		case readErr != nil:
			err = readErr
		case end || !u.strict:
			err = io.EOF
		default:
			err = errGarbage
		}
	}
	return n, err
}

type xzUnpacker struct{ *xz.Reader }

func (u *xzUnpacker) reset(src *bufio.Reader) (err error) {
	if u.Reader == nil {
		u.Reader, err = xz.NewReader(src, maxWindow)
		return err
	}
	return u.Reset(src)
}

// xzPiece is how much is asked of an xz.Reader at once. Of a piece in which
// something is wrong it delivers nothing.
const xzPiece = 1 << 10

func (u *xzUnpacker) Read(b []byte) (n int, err error) {
	for n < len(b) && err == nil {
		var m int
		m, err = u.Reader.Read(b[n:min(n+xzPiece, len(b))])
		n += m
	}
	switch err {
	case xz.ErrMemlimit:
		err = errTooBig
	case xz.ErrBuf:
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

type lz4Unpacker struct{ r *lz4.Reader }

func (u *lz4Unpacker) reset(src *bufio.Reader) error {
	u.r.Reset(src)
	return nil
}

func (u *lz4Unpacker) Read(b []byte) (int, error) { return u.r.Read(b) }

type lzmaUnpacker struct {
	r      *lzma.Reader
	src    *bufio.Reader
	failed error
}

func (u *lzmaUnpacker) reset(src *bufio.Reader) (err error) {
	// The format has no magic number, but a size of the dictionary that xz
	// accepts is 2^n or 2^n + 2^(n-1).
	head, _ := src.Peek(5)
	if len(head) == 5 {
		size := binary.LittleEndian.Uint32(head[1:])
		if n := bits.OnesCount32(size); n > 2 || n == 2 && bits.TrailingZeros32(size) != bits.Len32(size)-2 {
			return errStart
		}
	}
	u.src, u.failed = src, nil
	u.r, err = lzma.ReaderConfig{DictCap: maxWindow}.NewReader(src)
	var dict *lzma.ErrDictSize
	if errors.As(err, &dict) {
		err = errTooBig
	}
	return err
}

// Read goes on once behind an error, which the package reports before what it
// decoded until then.
func (u *lzmaUnpacker) Read(b []byte) (int, error) {
	n, err := u.r.Read(b)
	switch {
	case err == nil:
	case err == io.EOF && u.failed == nil:
		err = nothingBehind(u.src)
	case u.failed != nil:
		err = u.failed
	default:
		u.failed = err
		if n == 0 {
			return u.Read(b)
		}
		err = nil
	}
	return n, err
}

// nothingBehind returns io.EOF if src has nothing more.
func nothingBehind(src *bufio.Reader) error {
	p, err := src.Peek(1)
	if len(p) > 0 {
		return errGarbage
	}
	return err
}

type brotliUnpacker struct{ r *brotli.Reader }

func (u *brotliUnpacker) reset(src *bufio.Reader) error { return u.r.Reset(src) }

func (u *brotliUnpacker) Read(b []byte) (int, error) { return u.r.Read(b) }

type zstdUnpacker struct{ r *zstd.Decoder }

func (u *zstdUnpacker) reset(src *bufio.Reader) (err error) {
	if u.r == nil {
		u.r, err = zstd.NewReader(src, zstd.WithDecoderConcurrency(1),
			zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxWindow))
		return err
	}
	return u.r.Reset(src)
}

func (u *zstdUnpacker) Read(b []byte) (int, error) {
	n, err := u.r.Read(b)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		err = errTooBig
	}
	return n, err
}
