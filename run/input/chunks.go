package input

import (
	"bytes"
	"io"
	"sync"
	"sync/atomic"

	"tally/match"
	"tally/match/decode"
	"tally/match/mapping"
)

// A Chunk is a piece of a text with some of what is around it. It is valid until
// the next one is taken.
type Chunk struct {
	Text []byte
	// Base is the offset of Text in the file's text.
	Base int64
	// Text[From:To] is what no other chunk has in this place. Both are lines'
	// beginnings, where there is one near.
	From, To int
	// Decoded says that it is not what the file holds.
	Decoded bool
}

const (
	// chunkSize is how much is new in a chunk, in bytes; marginSize is how much
	// there is on each side of it, if there is more.
	chunkSize  = 64 << 10
	marginSize = 8 << 10
	// splitSize is the size of a file from which on its chunks are taken by
	// several goroutines.
	splitSize = 8 << 20
	// partSize is how much of such a file is new in a chunk, in bytes.
	partSize = 2 << 20
)

// edge returns the beginning of the first line at or after at, or at itself if
// there is none near. It is the same for both sides of a cut.
func edge(text []byte, at int, term byte) int {
	near := text[at:min(at+marginSize/2, len(text))]
	if i := bytes.IndexByte(near, term); i >= 0 {
		return at + i + 1
	}
	return at
}

// Chunks hands the file's text to take, decoded, as long as it returns true.
// stopped, asked between two chunks, ends it with [match.ErrStopped].
func (s *Source) Chunks(term byte, take func(*Chunk) bool, stopped func() bool) error {
	h, err := s.Haystack()
	if err != nil {
		return err
	}
	return s.door.chunks(s.door.reader(h), term, take, stopped)
}

func (d *Door) chunks(r *decode.Reader, term byte, take func(*Chunk) bool, stopped func() bool) error {
	if d.overlap == nil {
		d.overlap = make([]byte, chunkSize+2*marginSize)
	}
	room, c, n := d.overlap, Chunk{}, 0
	for {
		m, err := r.Read(room[n:])
		n += m
		if err != nil && err != io.EOF {
			return err
		}
		if err == nil && n < len(room) {
			continue
		}
		if stopped() {
			return match.ErrStopped
		}
		c.Text, c.To = room[:n], n
		facts := r.Facts()
		c.Decoded = facts.Derived || facts.Transcoded || facts.UTF16
		if err == nil {
			c.To = edge(c.Text, n-marginSize, term)
		}
		if !take(&c) || err == io.EOF {
			return nil
		}
		drop := max(0, c.To-marginSize)
		c.Base += int64(drop)
		c.From = c.To - drop
		n = copy(room, room[drop:n])
	}
}

// Splittable returns the file for reading anywhere and its size, if it is so
// large that it pays, and is its own text.
func (s *Source) Splittable() (at match.RandomReader, size int64, ok bool) {
	if s.kind != fromFile || !s.regular || s.begun {
		return nil, 0, false
	}
	size, err := s.handle.Size()
	if err != nil || size < splitSize {
		return nil, 0, false
	}
	r := s.door.reader(match.Haystack{Reader: io.NewSectionReader(&s.handle, 0, size), Format: s.format})
	if _, err := r.Read(s.door.room()); err != nil {
		return nil, 0, false
	}
	facts := r.Facts()
	return &s.handle, size, !facts.Derived && !facts.Marked && !facts.Transcoded
}

// SplitChunks is Chunks of a file that is splittable: each of the goroutines
// that take returns a function for takes them in any order.
func SplitChunks(at match.RandomReader, size int64, term byte, workers int, take func() func(*Chunk) bool, stopped func() bool) error {
	var next atomic.Int64
	var failed atomic.Pointer[error]
	fail := func(err error) { failed.CompareAndSwap(nil, &err) }
	var wg sync.WaitGroup
	for range workers {
		one := take()
		wg.Go(func() {
			var room []byte // where a part cannot be mapped
			for failed.Load() == nil {
				start := (next.Add(1) - 1) * partSize
				if start >= size {
					return
				}
				if stopped() {
					fail(match.ErrStopped)
					return
				}
				base := max(0, start-marginSize)
				end := min(start+partSize+marginSize, size)
				m := mapping.Map(at.Descriptor(), base, int(end-base))
				c := Chunk{Base: base, To: int(end - base)}
				if m != nil {
					c.Text = m.Bytes()
				} else {
					if room == nil {
						room = make([]byte, partSize+2*marginSize)
					}
					n, err := at.ReadAt(room[:end-base], base)
					if err != nil && err != io.EOF {
						fail(err)
						return
					}
					c.Text, c.To = room[:n], n
				}
				if from := int(start - base); from > 0 && from <= len(c.Text) {
					c.From = edge(c.Text, from, term)
				}
				if start+partSize < size {
					c.To = edge(c.Text, min(int(start+partSize-base), len(c.Text)), term)
				}
				if c.From < c.To && !one(&c) {
					fail(match.ErrStopped)
				}
				if m != nil {
					if m.Damaged() {
						fail(io.ErrUnexpectedEOF)
					}
					m.Unmap()
				}
			}
		})
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

// HoldsNUL reports whether the file, which is its own text, holds a NUL byte.
func (s *Source) HoldsNUL(stopped func() bool) bool {
	h, err := s.Haystack()
	if err != nil {
		return false
	}
	r := s.door.reader(h)
	room, found := s.door.room(), false
	for !found && !stopped() {
		n, err := r.Read(room)
		if f := r.Facts(); f.Derived || f.Transcoded {
			return false
		}
		found = hasNUL(room[:n])
		if err != nil {
			break
		}
	}
	return found
}
