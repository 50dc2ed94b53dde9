package match

// #cgo noescape tally_sift
// #cgo nocallback tally_sift
// #include "tally.h"
import "C"

import (
	"errors"
	"runtime"
	"unsafe"
)

// A Sieve finds where in a text a match of a large expression may begin, as
// fast as the text is read (librure/src/sieve.rs says how). It may be shared by
// goroutines, each of which has a [Sifter] of its own.
type Sieve struct{ c *C.tally_sieve }

// NewSieve compiles an expression in the syntax of the regex crate. It is an
// error if so many places would be kept that a sieve does not pay.
func NewSieve(pattern string) (*Sieve, error) {
	if pattern == "" {
		return nil, errors.New("an empty expression begins everywhere")
	}
	c := C.tally_sieve_new((*C.uint8_t)(unsafe.StringData(pattern)), C.size_t(len(pattern)))
	if err := textOf(C.tally_sieve_error(c)); err != "" {
		C.tally_sieve_free(c)
		return nil, errors.New(err)
	}
	s := &Sieve{c}
	runtime.SetFinalizer(s, func(s *Sieve) { C.tally_sieve_free(s.c) })
	return s, nil
}

// A Sifter is one goroutine's way to use a sieve.
type Sifter struct{ c *C.tally_sifter }

// Sifter returns a new one.
func (s *Sieve) Sifter() *Sifter {
	f := &Sifter{C.tally_sifter_new(s.c)}
	runtime.KeepAlive(s)
	runtime.SetFinalizer(f, func(f *Sifter) { C.tally_sifter_free(f.c) })
	return f
}

// Sift returns at most so many places where a match begins, in ascending order,
// and where to go on, which is len(text) if there are no more. Of a line, or of
// two kilobytes of one, one place is enough. They are valid until the next call.
func (f *Sifter) Sift(text []byte, at, most int) (places []int, next int) {
	return f.sift(text, at, most, false)
}

// SiftOpen is Sift of a text that goes on: where a match may have begun, there is a
// place.
func (f *Sifter) SiftOpen(text []byte, at, most int) (places []int, next int) {
	return f.sift(text, at, most, true)
}

// First returns the first place where a match begins or, if the text goes on, may
// have begun; -1 if there is none.
func (f *Sifter) First(text []byte, goesOn bool) int {
	places, _ := f.sift(text, 0, 1, goesOn)
	if len(places) == 0 {
		return -1
	}
	return places[0]
}

func (f *Sifter) sift(text []byte, at, most int, goesOn bool) (places []int, next int) {
	from := C.size_t(at)
	var found *C.size_t
	n := C.tally_sift(f.c, address(text), C.size_t(len(text)), &from, C.size_t(most), C.bool(goesOn), &found)
	runtime.KeepAlive(f)
	return unsafe.Slice((*int)(unsafe.Pointer(found)), int(n)), int(from)
}
