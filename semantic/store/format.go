package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/cespare/xxhash/v2"
)

// The file of a space, NAME.vectors, where NAME is the beginning of the hash of
// what the space is:
//
//	offset 0      the header: 4096 bytes of text, as below
//	offset 4096   block 0
//	then          block 1, 2, and so on
//
// A block holds 1024 entries: first their slots, of 48 bytes each, and then
// their vectors, each of dimension × 4 bytes. So an entry has a place that never
// changes, slots can be read without vectors, and vectors lie side by side.
//
//	a slot:  key              32 bytes   SHA-256 of the text
//	         sum of the vector 8 bytes   xxHash64 of its bytes
//	         day of last use   4 bytes   since 1970, UTC; protected by no sum
//	         check             4 bytes   lower half of the xxHash64 of key and sum
//
// A slot of zeros is free; one of ones (0xff) is void: its entry was damaged.
// Integers are little-endian. The header of a space, its lines ended by \n and
// filled up with \n:
//
//	tally vectors 1
//	model 7f3a…        SHA-256 of the model's file
//	name "bge-small-en-v1.5"
//	prefix "Represent this sentence: "
//	chunker 1
//	dimension 384
//	floats little-endian
//	created 2026-11-30
//	sum 9c35e00dc2d36cc7    xxHash64 of the lines above
//
// A file is made whole under another name and moved to its place. An entry is
// added under the lock of the directory: the vector is written, then the slot,
// in the first free slot after all others. Whoever is killed in between leaves a
// free slot. A file is never cut: a process that has it mapped would be ended by
// that. Nothing waits for the disk; what a failure of power mixes up, the sums
// tell.

const (
	version    = 1
	headerSize = 4096
	blockSlots = 1024
	slotSize   = 48
	maxDim     = 1 << 16
	maxText    = 400 // of a prefix or a name: both fit the header, however they are quoted
	suffix     = ".vectors"
	unfinished = ".new" // what a file is called until it is whole
)

// A layout is where things are in a file.
type layout struct{ dim int }

func (l layout) vectorSize() int64 { return 4 * int64(l.dim) }
func (l layout) block(i int) int64 {
	return headerSize + int64(i/blockSlots)*blockSlots*(slotSize+l.vectorSize())
}
func (l layout) slot(i int) int64 { return l.block(i) + int64(i%blockSlots)*slotSize }
func (l layout) vector(i int) int64 {
	return l.block(i) + blockSlots*slotSize + int64(i%blockSlots)*l.vectorSize()
}

// blocks is how many blocks a file of a size has begun.
func (l layout) blocks(size int64) int {
	block := l.block(blockSlots) - l.block(0)
	return int(max(size-headerSize+block-1, 0) / block)
}

// vectorIn is the bytes of a vector in a whole file.
func (l layout) vectorIn(data []byte, i int) []byte {
	at := l.vector(i)
	return data[at : at+l.vectorSize() : at+l.vectorSize()]
}

// A slot is an entry without its vector.
type slot struct {
	key  Key
	sum  uint64
	day  uint32
	free bool // nothing is there, or nothing any more
}

// encode is the slot as it is written.
func (s *slot) encode() []byte {
	b := make([]byte, 0, slotSize)
	b = append(b, s.key[:]...)
	b = binary.LittleEndian.AppendUint64(b, s.sum)
	check := uint32(xxhash.Sum64(b))
	b = binary.LittleEndian.AppendUint32(b, s.day)
	return binary.LittleEndian.AppendUint32(b, check)
}

// Where the day is in a slot.
const dayAt = 40

var (
	freeSlot = make([]byte, slotSize)
	voidSlot = bytes.Repeat([]byte{0xff}, slotSize)
)

// decodeSlot reads a slot; ok is false if it is damaged.
func decodeSlot(b []byte) (s slot, ok bool) {
	if bytes.Equal(b, freeSlot) || bytes.Equal(b, voidSlot) {
		return slot{free: true}, true
	}
	copy(s.key[:], b)
	s.sum = binary.LittleEndian.Uint64(b[32:])
	s.day = binary.LittleEndian.Uint32(b[dayAt:])
	return s, binary.LittleEndian.Uint32(b[44:]) == uint32(xxhash.Sum64(b[:dayAt]))
}

// fileName is that of the space's file.
func (s *Space) fileName() string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %x %q %d %d", version, s.Model, s.Prefix, s.Chunker, s.Dim)
	return hex.EncodeToString(h.Sum(nil)[:8]) + suffix
}

// same reports whether vectors of one space are those of the other.
func (s *Space) same(o *Space) bool {
	return s.Model == o.Model && s.Prefix == o.Prefix && s.Chunker == o.Chunker && s.Dim == o.Dim
}

// byteOrder is the machine's, in which vectors are written.
func byteOrder() string {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return "little-endian"
	}
	return "big-endian"
}

// header is the space as its file begins.
func (s *Space) header(created string) []byte {
	name := s.Name
	if len(name) > maxText {
		name = name[:maxText]
	}
	text := fmt.Sprintf("tally vectors %d\nmodel %x\nname %s\nprefix %s\nchunker %d\ndimension %d\nfloats %s\ncreated %s\n",
		version, s.Model, strconv.Quote(name), strconv.Quote(s.Prefix), s.Chunker, s.Dim, byteOrder(), created)
	text += fmt.Sprintf("sum %016x\n", xxhash.Sum64String(text))
	return append([]byte(text), bytes.Repeat([]byte{'\n'}, headerSize-len(text))...)
}

var errHeader = errors.New("its header is not one of tally's, or damaged")

// parseHeader reads a header. It accepts what header writes and nothing else.
func parseHeader(b []byte) (s Space, created time.Time, err error) {
	if len(b) != headerSize {
		return s, created, errHeader
	}
	text, _, _ := strings.Cut(string(b), "\nsum ")
	values := map[string]string{}
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		values[key] = value
	}
	model, err1 := hex.DecodeString(values["model"])
	name, err2 := strconv.Unquote(values["name"])
	prefix, err3 := strconv.Unquote(values["prefix"])
	chunker, err4 := strconv.Atoi(values["chunker"])
	dim, err5 := strconv.Atoi(values["dimension"])
	created, err6 := time.Parse(time.DateOnly, values["created"])
	if errors.Join(err1, err2, err3, err4, err5, err6) != nil || len(model) != len(s.Model) || dim < 1 || dim > maxDim || chunker > math.MaxInt32 {
		return s, created, errHeader
	}
	s = Space{Model: [32]byte(model), Prefix: prefix, Chunker: chunker, Dim: dim, Name: name}
	if !bytes.Equal(s.header(values["created"]), b) {
		return s, created, errHeader
	}
	return s, created, nil
}
