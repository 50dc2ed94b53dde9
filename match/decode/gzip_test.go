package decode

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"tally/match/inflate"
)

// plainGzip reads a gzip file member by member with the standard library, and
// names errors as we do.
func plainGzip(data []byte) ([]byte, error) {
	src := bufio.NewReader(bytes.NewReader(data))
	var all []byte
	for first := true; ; first = false {
		head, _ := src.Peek(4)
		reserved := len(head) == 4 && head[3] >= gzipReserved // the library lets them pass
		if len(head) >= 2 && string(head[:2]) != "\x1F\x8B" {
			if first {
				return all, errStart
			}
			return all, errGarbage
		}
		r, err := gzip.NewReader(src)
		if err == nil && reserved {
			err = gzip.ErrHeader
		}
		if err == nil {
			r.Multistream(false)
			var text []byte
			text, err = io.ReadAll(io.LimitReader(r, most-int64(len(all))))
			all = append(all, text...)
		}
		var corrupt flate.CorruptInputError
		switch {
		case err == io.EOF:
			return all, io.ErrUnexpectedEOF
		case err == gzip.ErrHeader:
			return all, errHeader
		case err == gzip.ErrChecksum:
			return all, errChecksum
		case errors.As(err, &corrupt):
			return all, inflate.ErrCorrupt
		case err != nil || len(all) == most:
			return all, err
		}
		if end, err := skipZeros(src); end || err != nil {
			return all, err
		}
	}
}

// agreeOnGzip compares what is read of a file with what the standard library
// reads, and with what is read of it byte by byte.
func agreeOnGzip(t *testing.T, r *Reader, data []byte) {
	t.Helper()
	if FormatOf(data) == Compress {
		return
	}
	want, wantErr := plainGzip(data)
	if len(want) == most {
		return
	}
	got, err := unpackAll(r, "a.gz", bytes.NewReader(data))
	pieces, again := unpackAll(r, "a.gz", iotest.OneByteReader(bytes.NewReader(data)))
	if !bytes.Equal(got, pieces) || errors.Unwrap(err) != errors.Unwrap(again) {
		t.Fatalf("%x\nas a whole: %d bytes, %v; byte by byte: %d bytes, %v", data, len(got), err, len(pieces), again)
	}
	err = errors.Unwrap(err)
	switch {
	case wantErr == errHeader && len(data) > 512:
		return // it takes no name that is longer
	case wantErr == io.ErrUnexpectedEOF && err != nil && bytes.HasPrefix(got, want):
		return // it may lose the last symbols
	case wantErr == inflate.ErrCorrupt && err != nil && bytes.HasPrefix(want, got):
		return // it may notice earlier or later
	}
	if !bytes.Equal(got, want) || err != wantErr {
		t.Fatalf("%x\n%d bytes, %v; want %d bytes, %v", data, len(got), err, len(want), wantErr)
	}
}

// member is a member of a gzip file, with the parts of a header that the bits
// of parts ask for.
func member(t testing.TB, text []byte, parts byte) []byte {
	data := pack(t, Gzip, text)
	head := append([]byte(nil), data[:gzipHeaderSize]...)
	head[3] = parts
	if parts&gzipExtra != 0 {
		head = append(head, "\x03\x00abc"...)
	}
	if parts&gzipName != 0 {
		head = append(head, "name \xe4\x00"...)
	}
	if parts&gzipComment != 0 {
		head = append(head, "comment\x00"...)
	}
	if parts&gzipHeaderSum != 0 {
		head = binary.LittleEndian.AppendUint16(head, uint16(crc32.ChecksumIEEE(head)))
	}
	return append(head, data[gzipHeaderSize:]...)
}

// TestGzipHeaders reads members with all kinds of headers.
func TestGzipHeaders(t *testing.T) {
	r := NewReader(Config{})
	var data []byte
	var want string
	for parts := range byte(gzipReserved) {
		data = append(data, member(t, []byte("hello\n"), parts)...)
		want += "hello\n"
	}
	got, err := unpackAll(r, "a.gz", bytes.NewReader(data))
	if string(got) != want || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	agreeOnGzip(t, r, data)
	long := member(t, []byte("hello\n"), gzipName)
	long = bytes.Replace(long, []byte("name"), []byte(strings.Repeat("name", 1000)), 1)
	if got, err := unpackAll(r, "a.gz", bytes.NewReader(long)); string(got) != "hello\n" || err != nil {
		t.Errorf("a long name: %q, %v", got, err)
	}
	for bit := byte(gzipReserved); bit > 0; bit <<= 1 {
		if _, err := unpackAll(r, "a.gz", bytes.NewReader(member(t, nil, bit))); errors.Unwrap(err) != errHeader {
			t.Errorf("with a reserved bit: %v", err)
		}
	}
}

// TestGzipMutations compares what is made of files that something has happened
// to.
func TestGzipMutations(t *testing.T) {
	r := NewReader(Config{})
	random := rand.New(rand.NewPCG(4, 9))
	lines := samples()[2]
	for i := range 1_500 {
		var data []byte
		for range 1 + i%3 {
			text := lines[:random.IntN(200)]
			data = append(data, member(t, text, byte(random.IntN(gzipReserved)))...)
			data = append(data, make([]byte, max(0, random.IntN(8)-4))...)
		}
		for range random.IntN(3) {
			at := random.IntN(len(data))
			switch random.IntN(4) {
			case 0:
				data = data[:at+1]
			case 1:
				data = append(data[:at], data[at+1:]...)
			default:
				data[at] ^= 1 << random.IntN(8)
			}
			if len(data) == 0 {
				data = []byte{0}
			}
		}
		agreeOnGzip(t, r, data)
	}
}

// FuzzGzip does the same with what a fuzzer finds.
func FuzzGzip(f *testing.F) {
	for parts := range byte(gzipReserved + 1) {
		f.Add(append(member(f, []byte("hello\n"), parts), member(f, nil, parts)...))
	}
	f.Add([]byte{})
	r := NewReader(Config{})
	f.Fuzz(func(t *testing.T, data []byte) { agreeOnGzip(t, r, data) })
}
