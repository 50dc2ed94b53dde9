package decode

import (
	"bytes"
	"encoding/binary"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A container is a file that holds text which its bytes do not show: it is
// compressed, or written as a page is drawn. A search of the bytes says nothing
// of that text. Containers are known by their content:
//
//   - by what they begin with (signatures, and what [FormatOf] knows),
//   - a zip archive within something else by the directory of its files,
//   - a disk image by its end,
//   - an archive of tar by those of its members that are containers.
//
// Pictures, sounds, fonts and executables are none: what a person wrote stands in
// their bytes as it is, or not at all. Nor are databases.

// A signature is what a kind of container has at a fixed place.
type signature struct {
	at   int
	text string
	kind string
}

var signatures = []signature{
	{0, "PK\x03\x04", "zip"},
	{0, zipEnd, "zip"},
	{0, "PK\x07\x08", "zip"},
	{0, "PK00PK\x03\x04", "zip"},
	{0, "7z\xBC\xAF\x27\x1C", "7z"},
	{0, "Rar!\x1A\x07", "rar"},
	{0, "MSCF\x00\x00\x00\x00", "cab"},
	{0, "LZIP\x01", "lzip"},
	{0, "\x89LZO\x00\r\n\x1A\n", "lzop"},
	{0, "\x1F\x1E", "pack"},
	{0, "\x1F\xA0", "compress"},
	{0, "\x1F\x8B", "gzip"},
	{0, "\x78\x01", "zlib"},
	{0, "\x78\x9C", "zlib"},
	{0, "\x78\xDA", "zlib"},
	{0, "\xFF\x06\x00\x00sNaPpY", "snappy"},
	{0, "xar!\x00", "xar"},
	{0, "MSWIM\x00\x00\x00", "wim"},
	{0, "hsqs", "squashfs"},
	{0, "\xED\xAB\xEE\xDB", "rpm"},
	{0, "!<arch>\ndebian-binary", "deb"},
	{0, "ITSF\x03\x00\x00\x00", "chm"},
	{0, "AT&TFORM", "djvu"},
	{0, "PACK\x00\x00\x00\x02", "git pack"},
	{0, pdfMark, "pdf"},
	{0, "\xEF\xBB\xBF" + pdfMark, "pdf"},
	{0, "Obj\x01", "avro"},
	{2, "-lh5-", "lha"},
	{2, "-lh6-", "lha"},
	{2, "-lh7-", "lha"},
	{7, "**ACE**", "ace"},
	{20, "\xDC\xA7\xC4\xFD", "zoo"},
	{60, "BOOKMOBI", "mobi"},
	{60, "TEXtREAd", "mobi"},
}

const (
	// headSize is how much of a beginning is looked at. pdfMark may stand
	// anywhere in it, as readers have it; elsewhere than at its start it may as
	// well be a text about PDF, so that the end decides.
	headSize = 1024
	pdfMark  = "%PDF-"
	// tailSize is how much of an end.
	tailSize = 512
	// tarBlock is what headers and members of a tar archive are padded to.
	tarBlock = 512
	// zipDirectory begins the entry of each file in the directory of a zip
	// archive, zipEnd what stands behind that.
	zipDirectory = "PK\x01\x02"
	zipEnd       = "PK\x05\x06"
	// zipEntry is how much of an entry tells it from bytes that happen to begin
	// like one: a version of the format, and a method. Programs that know zip
	// have the signature itself.
	zipEntry   = 12
	oldestZip  = 10
	newestZip  = 63
	lastMethod = 99
)

// ContainerOf returns the kind of container that begins with head, "" if none
// does.
func ContainerOf(head []byte) string {
	if f := FormatOf(head); f != Plain {
		return f.String()
	}
	for i := range signatures {
		s := &signatures[i]
		if len(head) > s.at && bytes.HasPrefix(head[s.at:], []byte(s.text)) {
			return s.kind
		}
	}
	switch {
	case len(head) >= 4 && binary.LittleEndian.Uint32(head)&^0xF == 0x184D2A50:
		return "zstd" // or lz4; a frame that is skipped
	case bytes.HasPrefix(head, []byte("x^")) && !isUTF8(head):
		return "zlib"
	}
	return ""
}

// isUTF8 reports whether b is the beginning of text in UTF-8.
func isUTF8(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if r == utf8.RuneError && n == 1 {
			return !utf8.FullRune(b)
		}
		b = b[n:]
	}
	return true
}

// hasZip reports whether b holds an entry of the directory of a zip archive.
func hasZip(b []byte) bool {
	for {
		i := bytes.Index(b, []byte(zipDirectory))
		if i < 0 || len(b)-i < zipEntry {
			return false
		}
		b = b[i:]
		if oldestZip <= b[6] && b[6] <= newestZip && binary.LittleEndian.Uint16(b[10:]) <= lastMethod {
			return true
		}
		b = b[1:]
	}
}

// containerAtEnd returns the kind of container that ends with tail, "" if none
// does.
func containerAtEnd(tail []byte) string {
	switch {
	case len(tail) == tailSize && bytes.HasPrefix(tail, []byte("koly")):
		return "dmg"
	case bytes.HasSuffix(tail, []byte("PAR1")) && bytes.IndexByte(tail, 0) >= 0:
		return "parquet"
	}
	const size = 22 // of the record that ends a zip archive, a comment behind it
	i := bytes.LastIndex(tail, []byte(zipEnd))
	if i >= 0 && len(tail)-i >= size && int(binary.LittleEndian.Uint16(tail[i+size-2:])) == len(tail)-i-size {
		return "zip"
	}
	return ""
}

// isTar reports whether a block is the header of a member. Before POSIX it was
// told by its checksum alone.
func isTar(block []byte) bool {
	if len(block) < tarBlock {
		return false
	}
	if string(block[257:262]) == "ustar" {
		return true
	}
	const from, to = 148, 156
	stated, err := strconv.ParseInt(strings.Trim(string(block[from:to]), " \x00"), 8, 64)
	if err != nil {
		return false
	}
	sum := int64((to - from) * ' ')
	for i, b := range block[:tarBlock] {
		if i < from || i >= to {
			sum += int64(b)
		}
	}
	return sum == stated
}

// An inspector passes bytes through and looks at them.
type inspector struct {
	src   io.Reader
	nul   bool
	kind  string // of the container, as far as its beginning shows
	begun bool   // the beginning has been looked at,
	head  []byte // which came in several pieces, or has not come whole
	pdf   bool   // the beginning speaks of PDF, but not at once
	zip   bool   // there is an entry of a zip archive
	tail  []byte
	tar   bool
	// block is the part of a block of a tar archive that has come, member says
	// that the one before was a header.
	block  []byte
	member bool
}

// reset starts with another haystack, keeping the room.
func (s *inspector) reset(src io.Reader) {
	*s = inspector{src: src, head: s.head[:0], tail: s.tail[:0], block: s.block[:0]}
}

// Read reads on.
func (s *inspector) Read(p []byte) (int, error) {
	n, err := s.src.Read(p)
	s.see(p[:n])
	return n, err
}

// see looks at the bytes that come next.
func (s *inspector) see(p []byte) {
	nul := bytes.IndexByte(p, 0) >= 0
	s.seeZip(p, nul)
	s.nul = s.nul || nul
	s.seeEnd(p)
	if !s.begun {
		if len(s.head) > 0 || len(p) < headSize {
			s.head = append(s.head, p...)
			p = s.head
		}
		if len(p) < headSize {
			return
		}
		s.begun = true
		s.kind, s.tar = ContainerOf(p), isTar(p)
		s.pdf = bytes.Contains(p[:headSize], []byte(pdfMark))
	}
	if s.tar && s.kind == "" {
		s.seeTar(p)
	}
}

// seeTar looks at the first block of each member.
func (s *inspector) seeTar(p []byte) {
	for len(p) > 0 && s.kind == "" {
		n := min(len(p), tarBlock-len(s.block))
		s.block, p = append(s.block, p[:n]...), p[n:]
		if len(s.block) < tarBlock {
			return
		}
		if s.member {
			if kind := ContainerOf(s.block); kind != "" {
				s.kind = kind + " in tar"
			}
		}
		s.member = isTar(s.block)
		s.block = s.block[:0]
	}
}

// seeZip looks for an entry of a zip archive, also across the border to what came
// before. Each has a NUL byte.
func (s *inspector) seeZip(p []byte, nul bool) {
	if s.zip || !nul && !s.nul {
		return
	}
	var border [2 * (zipEntry - 1)]byte
	n := copy(border[:], s.tail[max(0, len(s.tail)-zipEntry+1):])
	n += copy(border[n:n+min(zipEntry-1, len(p))], p)
	s.zip = hasZip(border[:n]) || nul && hasZip(p)
}

// seeEnd keeps the last bytes.
func (s *inspector) seeEnd(p []byte) {
	if n := len(p); n >= tailSize {
		s.tail = append(s.tail[:0], p[n-tailSize:]...)
		return
	}
	if n := len(s.tail) + len(p) - tailSize; n > 0 {
		s.tail = s.tail[:copy(s.tail, s.tail[n:])]
	}
	s.tail = append(s.tail, p...)
}

// container returns the kind of container that has been read, "" for none.
func (s *inspector) container() string {
	kind, pdf := s.kind, s.pdf
	if !s.begun {
		kind, pdf = ContainerOf(s.head), bytes.Contains(s.head, []byte(pdfMark))
	}
	switch {
	case kind != "":
		return kind
	case s.zip && s.tar:
		return "zip in tar"
	case s.zip:
		return "zip"
	case pdf && bytes.Contains(s.tail, []byte("%%EOF")):
		return "pdf"
	}
	return containerAtEnd(s.tail)
}
