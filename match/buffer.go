package match

import (
	"bytes"
	"io"
)

// bufferSize is how much of a haystack is read at once. It is also what
// decides how far before a NUL byte a binary file is still searched, so it is
// ripgrep's value.
const bufferSize = 64 << 10

// A lineBuffer reads a haystack as a row of buffers that hold whole lines.
type lineBuffer struct {
	h      Haystack
	term   byte
	detect Detection

	data  []byte // the room for bytes; data[:end] is filled
	end   int
	lines int   // data[:lines] are whole lines, or all there is at the end
	base  int64 // offset of data[0] in the haystack
	eof   bool
	nul   int64 // offset of the first NUL noticed, -1 if none
}

// reset prepares for another haystack, keeping the room.
func (b *lineBuffer) reset(h Haystack, term byte, detect Detection) {
	if len(b.data) != bufferSize {
		b.data = make([]byte, bufferSize) // a long line may have left more
	}
	*b = lineBuffer{h: h, term: term, detect: detect, data: b.data, nul: -1}
}

// fill drops the first keep bytes and reads on until at least one more line
// is whole or the haystack ends. With detection Quit it pretends an end at
// the first NUL.
func (b *lineBuffer) fill(drop int) error {
	copy(b.data, b.data[drop:b.end])
	b.end -= drop
	b.lines = b.end
	b.base += int64(drop)
	if b.eof || b.detect == Quit && b.nul >= 0 {
		b.eof = true
		return nil
	}
	whole := false
	for {
		if b.end == len(b.data) {
			if whole {
				return nil
			}
			b.data = append(b.data, make([]byte, len(b.data))...)
		}
		n, err := b.h.Read(b.data[b.end:])
		fresh := b.data[b.end : b.end+n]
		if b.detect != Text && b.nul < 0 || b.detect == Convert {
			if i := bytes.IndexByte(fresh, 0); i >= 0 {
				if b.nul < 0 {
					b.nul = b.base + int64(b.end+i)
				}
				if b.detect == Quit {
					b.end += i
					b.lines = b.end
					return nil
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
			return nil
		}
		if err != nil {
			return err
		}
		// What a stream has sent is searched at once; a file is read until
		// the buffer is full.
		if whole && b.h.Stream {
			return nil
		}
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
