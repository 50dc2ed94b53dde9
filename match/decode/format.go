package decode

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A Format is a way to compress a file.
type Format uint8

const (
	Plain Format = iota // not compressed
	Gzip
	Bzip2
	Xz
	LZ4
	LZMA
	Brotli
	Zstd
	Compress
	numFormats
)

var formatNames = [numFormats]string{"plain", "gzip", "bzip2", "xz", "lz4", "lzma", "brotli", "zstd", "compress"}

// String returns the name of the program that made the format known.
func (f Format) String() string { return formatNames[f] }

// suffixes are the ends of file names that ripgrep takes for compressed.
var suffixes = []struct {
	text   string
	format Format
}{
	{".gz", Gzip},
	{".tgz", Gzip},
	{".bz2", Bzip2},
	{".tbz2", Bzip2},
	{".xz", Xz},
	{".txz", Xz},
	{".lz4", LZ4},
	{".lzma", LZMA},
	{".br", Brotli},
	{".zst", Zstd},
	{".zstd", Zstd},
	{".Z", Compress},
}

// FormatByName returns the compression that the name of a file speaks of.
func FormatByName(path []byte) Format {
	for _, s := range suffixes {
		if len(path) >= len(s.text) && string(path[len(path)-len(s.text):]) == s.text {
			return s.format
		}
	}
	return Plain
}

// magics are what compressed files begin with. Brotli has nothing of the kind.
var magics = []struct {
	text   string
	format Format
}{
	{"\x1F\x8B\x08", Gzip},
	{"BZh", Bzip2},
	{"\xFD7zXZ\x00", Xz},
	{"\x04\x22\x4D\x18", LZ4},
	{"\x02\x21\x4C\x18", LZ4}, // before it had frames
	{"\x5D\x00\x00", LZMA},
	{"\x28\xB5\x2F\xFD", Zstd},
	{"\x1F\x9D", Compress},
}

// magicSize is how many bytes formatOf needs at most.
const magicSize = 13

// FormatOf returns the compression that the first bytes of a file show.
func FormatOf(head []byte) Format {
	for _, m := range magics {
		if bytes.HasPrefix(head, []byte(m.text)) && plausible(m.format, head) {
			return m.format
		}
	}
	return Plain
}

// plausible looks closer where the magic bytes are few, or are text.
func plausible(f Format, head []byte) bool {
	switch f {
	case Bzip2:
		// A level, then the magic number of a block or of the end.
		return len(head) >= 10 && between(head[3], '1', '9') &&
			(string(head[4:10]) == "1AY&SY" || string(head[4:10]) == "\x17\x72\x45\x38\x50\x90")
	case LZMA:
		// The size of the contents: unknown, or less than 256 GiB.
		if len(head) < 13 {
			return false
		}
		size := binary.LittleEndian.Uint64(head[5:])
		return size == 1<<64-1 || size < 1<<38
	case Compress:
		return len(head) >= 3 && head[2]&0x60 == 0 && between(head[2]&0x1F, 9, 16)
	}
	return true
}

// understood are the formats that the program ripgrep would start for a name
// recognises by itself, besides its own.
var understood = [numFormats][]Format{
	Gzip:     {Compress},
	Xz:       {LZMA},
	Zstd:     {Gzip, Xz, LZMA, LZ4},
	Compress: {Gzip},
}

// settle decides between the format of a file's name and that of its content.
func settle(named, found Format, any bool) Format {
	if found == Plain || any {
		if found != Plain {
			return found
		}
		return named
	}
	for _, f := range understood[named] {
		if f == found {
			return f
		}
	}
	return named
}

// An Error says what is wrong with compressed data.
type Error struct {
	Format Format
	Err    error
}

var (
	errStart   = errors.New("the data does not begin as it should")
	errGarbage = errors.New("something else follows the end of the data")
	errTooBig  = fmt.Errorf("the data needs more than %d MiB of memory", maxWindow>>20)
)

// Error returns the name of the format and what happened.
func (e *Error) Error() string {
	text := e.Err.Error()
	for _, prefix := range []string{": ", " data invalid: "} {
		text = strings.TrimPrefix(text, e.Format.String()+prefix)
	}
	if errors.Is(e.Err, io.ErrUnexpectedEOF) {
		text = "the data ends too soon"
	}
	return "decompressing " + e.Format.String() + ": " + text
}

func (e *Error) Unwrap() error { return e.Err }
