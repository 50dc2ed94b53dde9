// Package inflate reads DEFLATE streams (RFC 1951), which is what gzip files
// are made of; the crate zlib-rs inside librure decodes them. It must not know what stands around a
// stream.
package inflate

// #cgo CFLAGS: -I${SRCDIR}/../librure
// #cgo LDFLAGS: -lrure
// #cgo noescape tally_inflate
// #cgo nocallback tally_inflate
// #include "tally.h"
import "C"

import (
	"bufio"
	"errors"
	"io"
	"runtime"
	"unsafe"
)

// ErrCorrupt says that a stream is none, from some place on.
var ErrCorrupt = errors.New("the data is corrupt")

// A Reader reads one stream after another.
type Reader struct {
	c   *C.tally_inflater
	src *bufio.Reader
}

// Reset starts with the stream that src begins with.
func (r *Reader) Reset(src *bufio.Reader) {
	if r.c == nil {
		r.c = C.tally_inflater_new()
		runtime.AddCleanup(r, func(c *C.tally_inflater) { C.tally_inflater_free(c) }, r.c)
	}
	C.tally_inflater_reset(r.c)
	r.src = src
}

// Read reads as an [io.Reader] does. At the end the source stands behind the
// last byte of the stream. The error is [ErrCorrupt], [io.ErrUnexpectedEOF] if
// the source ends before the stream, or what the source failed with; all that
// could be decoded comes before it.
func (r *Reader) Read(p []byte) (n int, err error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		input, _ := r.src.Peek(r.src.Buffered())
		done := C.tally_inflate(
			r.c, (*C.uint8_t)(unsafe.SliceData(input)), C.size_t(len(input)),
			(*C.uint8_t)(unsafe.SliceData(p)), C.size_t(len(p)),
		)
		runtime.KeepAlive(r)
		if _, err := r.src.Discard(int(done.taken)); err != nil {
			return 0, err
		}
		n := int(done.given)
		switch done.stop {
		case C.TALLY_INFLATE_DONE:
			return n, io.EOF
		case C.TALLY_INFLATE_CORRUPT:
			return n, ErrCorrupt
		}
		if n > 0 {
			return n, nil
		}
		if done.stop == C.TALLY_INFLATE_INPUT {
			if _, err := r.src.Peek(1); err == io.EOF {
				return 0, io.ErrUnexpectedEOF
			} else if err != nil {
				return 0, err
			}
		}
	}
}
