package digest

// #cgo CFLAGS: -I${SRCDIR}/../librure
// #cgo LDFLAGS: -lrure
// #cgo noescape tally_hash_of
// #cgo nocallback tally_hash_of
// #include "tally.h"
import "C"

import "unsafe"

// Of is xxh3-128 of a text. The crate that hashes matching lines within a scan works
// it out: to have a Go module for it as well made every start take longer.
func Of(text []byte) File {
	if len(text) == 0 {
		text = []byte{0}[:0] // Rust has no empty slice at a null pointer
	}
	h := C.tally_hash_of((*C.uint8_t)(unsafe.SliceData(text)), C.size_t(len(text)))
	return File{uint64(h.lower), uint64(h.upper)}
}
