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
	// LargeSize is the size of a file from which on several goroutines read it,
	// in bytes.
	LargeSize = 8 << 20
	// partSize is how much of such a file is new in a chunk, in bytes, at most.
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
		c.Decoded = facts.Derived || facts.Transcoded || facts.UTF16 || facts.Marked
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

// Large reports whether it pays to let several goroutines read the file, which
// is its own text.
func (s *Source) Large() bool {
	if s.kind != fromFile || !s.regular {
		return false
	}
	size, err := s.handle.Size()
	return err == nil && size >= LargeSize
}

// A Range is a piece [From, To) of a file, in bytes.
type Range struct{ From, To int64 }

// Parts is Chunks of a file that is large, or of the lines that begin in some
// ranges of it, in ascending order: each of the goroutines hands what it reads to
// a function that take returns, in any order.
func (s *Source) Parts(ranges []Range, term byte, workers int, take func() func(*Chunk) bool, stopped func() bool) error {
	size, err := s.handle.Size()
	if err != nil {
		return err
	}
	p := &parts{at: &s.handle, size: size, list: cut(ranges, size), term: term, stopped: stopped}
	var wg sync.WaitGroup
	for range workers {
		one := take()
		wg.Go(func() {
			if err := p.work(one); err != nil {
				p.failed.CompareAndSwap(nil, &err)
			}
		})
	}
	wg.Wait()
	if end := p.failed.Load(); end != nil {
		return *end
	}
	return nil
}

// cut cuts ranges of a file at multiples of partSize.
func cut(ranges []Range, size int64) (list []Range) {
	for _, r := range ranges {
		for from := r.From; from < min(r.To, size); {
			to := min((from/partSize+1)*partSize, r.To, size)
			list = append(list, Range{from, to})
			from = to
		}
	}
	return list
}

// parts is a large file being read by several goroutines.
type parts struct {
	at      match.RandomReader
	size    int64
	list    []Range
	term    byte
	stopped func() bool
	next    atomic.Int64
	failed  atomic.Pointer[error]
}

// work hands over parts until none is left.
func (p *parts) work(take func(*Chunk) bool) error {
	var room []byte // where a part is not mapped
	for p.failed.Load() == nil {
		i := int(p.next.Add(1) - 1)
		if i >= len(p.list) {
			return nil
		}
		if p.stopped() {
			return match.ErrStopped
		}
		r := p.list[i]
		base := max(0, r.From-marginSize)
		n := int(min(r.To+marginSize, p.size) - base)
		if n > mapped {
			if m := mapping.Map(p.at.Descriptor(), base, n); m != nil {
				ok := take(p.chunk(m.Bytes(), base, r))
				damaged := m.Damaged()
				m.Unmap()
				if !ok || damaged {
					return match.ErrStopped
				}
				continue
			}
		}
		if len(room) < n {
			room = make([]byte, n)
		}
		n, err := p.at.ReadAt(room[:n], base)
		if err != nil && err != io.EOF {
			return err
		}
		if !take(p.chunk(room[:n], base, r)) {
			return match.ErrStopped
		}
	}
	return nil
}

// mapped is how much must be read to be mapped instead, in bytes.
const mapped = 256 << 10

// chunk is a part with what is around it: text lies at base.
func (p *parts) chunk(text []byte, base int64, r Range) *Chunk {
	c := &Chunk{Text: text, Base: base, To: len(text)}
	if r.From > 0 {
		c.From = edge(text, min(int(r.From-base), len(text)), p.term)
	}
	if r.To < p.size {
		c.To = edge(text, min(int(r.To-base), len(text)), p.term)
	}
	c.To = max(c.From, c.To)
	return c
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
