package digest

import (
	"encoding/binary"
	"encoding/hex"
	"math/bits"
)

// A File is the digest of one file's results.
type File [2]uint64 // lower and upper half

// OfPath is the digest of a file of which the path alone is a result.
func OfPath(path []byte) File { return Of(path) }

// OfLines is the digest of a file of which n lines are results.
func OfLines(path []byte, n int64, lines Lines) File {
	b := make([]byte, len(path), len(path)+25)
	copy(b, path)
	b = append(b, 0) // no path goes on so
	b = binary.LittleEndian.AppendUint64(b, uint64(n))
	b = binary.LittleEndian.AppendUint64(b, lines[0])
	return Of(binary.LittleEndian.AppendUint64(b, lines[1]))
}

// With is the digest of what d stands for and of further numbers in this order.
func (d File) With(more ...uint64) File {
	b := make([]byte, 0, 64)
	for _, n := range append(d[:], more...) {
		b = binary.LittleEndian.AppendUint64(b, n)
	}
	return Of(b)
}

// Results is the digest of all results: the sum modulo 2^128 of those of the
// files, so that the digests of disjoint parts add up to that of the whole.
// Where the order of files is a result ([Results.Ordered]), each file's digest
// is hashed behind that of all before it.
type Results struct {
	Ordered bool
	sum     File
}

// Add adds a file.
func (r *Results) Add(f File) {
	if r.Ordered {
		r.sum = r.sum.With(f[0], f[1])
		return
	}
	var carry uint64
	r.sum[0], carry = bits.Add64(r.sum[0], f[0], 0)
	r.sum[1], _ = bits.Add64(r.sum[1], f[1], carry)
}

// String returns 32 hexadecimal digits, all 0 for no results.
func (d File) String() string { return hex.EncodeToString(d.bytes()) }

// bytes are the halves, the upper one first.
func (d File) bytes() []byte {
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, d[1]), d[0])
}

// Digest returns the digest of all that was added.
func (r *Results) Digest() File { return r.sum }

// Parse reads the text of a digest.
func Parse(text string) (File, bool) {
	b, err := hex.DecodeString(text)
	if err != nil || len(b) != 16 {
		return File{}, false
	}
	return File{binary.BigEndian.Uint64(b[8:]), binary.BigEndian.Uint64(b[:8])}, true
}
