// Package decode turns what is on disk into what is searched: it takes a
// compressed file apart and makes UTF-8 of other encodings. It must not know
// what is searched for (match), where files come from (walk), or what was typed
// (flags).
//
// A plain file passes through a [Reader] untouched: its first bytes are looked
// at in the buffer that they were read into, and that is all.
package decode

import (
	"bytes"
	"io"
)

// A Config says how haystacks are read.
type Config struct {
	// Encoding is what their bytes mean; the zero value is [Auto].
	Encoding Encoding
	// Guess recognises UTF-16 that has no byte-order mark (see guess.go). It
	// is for Auto alone.
	Guess bool
	// Unpack recognises compressed files by their content as well as by their
	// name.
	Unpack bool
	// Strict makes errors of what the usual programs pass over: bytes behind
	// the end of a bzip2 stream, and a .Z file that ends within a code.
	Strict bool
	// Inspect looks at every byte for NUL and for containers (container.go).
	Inspect bool
	// Other reads what a haystack may hold in bytes of another kind; its zero
	// value is the usual reading.
	Other Other
}

// chunkSize is how many bytes are transcoded at once. It can be seen where
// decoded text holds a NUL byte, so it is ripgrep's.
const chunkSize = 8 << 10

// markSize is the length of the longest byte-order mark.
const markSize = 3

// A Reader reads one haystack after another.
type Reader struct {
	cfg   Config
	src   io.Reader
	begun bool
	facts Facts

	dec  decoder // nil if bytes pass through
	told bool    // dec is UTF-16 because somebody said so
	// in[from:to] is still to be transcoded, limit the size of the next
	// chunk, out[pos:] transcoded and still to be read. err is what src said
	// behind them.
	in       []byte
	from, to int
	limit    int
	out      []byte
	pos      int
	err      error

	inspector inspector
	packed    packed
	unpackers [numFormats]unpacker
}

// NewReader returns a reader that has nothing to read yet.
func NewReader(cfg Config) *Reader { return &Reader{cfg: cfg} }

// Reset starts with another haystack. f is the compression that its name
// speaks of, Plain if none.
func (r *Reader) Reset(src io.Reader, f Format) {
	r.src, r.begun, r.facts, r.dec, r.told = src, false, Facts{}, nil, false
	r.from, r.to, r.limit = 0, 0, chunkSize
	r.out, r.pos, r.err = r.out[:0], 0, nil
	if f != Plain {
		r.facts.Derived = true
		r.src = r.unpack(f, src)
	}
}

// Facts are what is known about a haystack: the first five after the first
// Read, the others as far as it was read.
type Facts struct {
	Derived    bool // what is read differs from what is on disk
	Marked     bool // a byte-order mark was dropped
	Transcoded bool // its encoding is not UTF-8, or is checked
	UTF16      bool // it is UTF-16 by its mark or its look, whatever was asked for
	Guessed    bool // it is that by the look of it alone

	// Doubtful: it is UTF-16 that nobody vouches for, and not all of it is text
	// of an alphabet in that encoding. BigEndian is its byte order.
	Doubtful, BigEndian bool
	// With [Config.Inspect]: NUL says that there is a NUL byte in what was not
	// transcoded, Container which kind of container it is, "" for none.
	NUL       bool
	Container string
}

// Facts returns what is known about the haystack.
func (r *Reader) Facts() Facts {
	f := r.facts
	if d, ok := r.dec.(*utf16Decoder); ok && f.UTF16 {
		f.Doubtful, f.BigEndian = d.strays && !r.told, d.big
	}
	if r.cfg.Inspect && r.begun {
		f.NUL = r.inspector.nul && !f.Transcoded
		f.Container = r.inspector.container()
	}
	return f
}

// Read reads as an [io.Reader] does. An error of the compressed data is an
// [*Error]; all that could be decoded comes before it.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if !r.begun {
		r.begun = true
		return r.begin(p)
	}
	if r.dec == nil {
		return r.src.Read(p)
	}
	return r.transcode(p)
}

// begin reads the first bytes and settles how to go on.
func (r *Reader) begin(p []byte) (int, error) {
	head := p
	if len(head) < guessWindow {
		head = make([]byte, guessWindow)
	}
	n, err := readAtLeast(r.src, head, 0, markSize)
	if r.cfg.Unpack && !r.facts.Derived {
		n, err = r.more(head, n, err, magicSize)
		if f := FormatOf(head[:n]); f != Plain {
			r.facts.Derived = true
			r.src = r.unpack(f, &replay{head: bytes.Clone(head[:n]), err: err, r: r.src})
			n, err = readAtLeast(r.src, head, 0, markSize)
		}
	}
	if r.cfg.Inspect {
		r.inspector.reset(r.src)
		r.inspector.see(head[:n])
		r.src = &r.inspector
	}
	skip := 0
	switch {
	case r.cfg.Other != (Other{}):
		r.dec = r.cfg.Other.decoder()
	case r.cfg.Encoding.sniffs():
		skip = r.sniff(head[:n])
		if skip == 0 && r.cfg.Guess && r.dec == nil && bytes.IndexByte(head[:min(n, guessWindow)], 0) >= 0 {
			n, err = r.more(head, n, err, guessWindow)
			r.dec = guess(head[:min(n, guessWindow)])
			r.facts.Guessed = r.dec != nil
			r.facts.UTF16 = r.facts.Guessed
		}
	}
	if r.dec != nil {
		r.facts.Derived, r.facts.Transcoded = true, true
		if skip < markSize {
			r.limit = markSize - skip // a chunk of its own in ripgrep
		}
		r.src = &replay{head: bytes.Clone(head[skip:n]), err: err, r: r.src}
		return r.transcode(p)
	}
	if skip == 0 && len(p) == len(head) {
		return n, err
	}
	r.src = &replay{head: bytes.Clone(head[skip:n]), err: err, r: r.src}
	return r.src.Read(p)
}

// sniff decides by the byte-order mark, whose length it returns. A mark of
// UTF-16 outranks the encoding that was asked for; one of UTF-8 does not, as in
// ripgrep, but is dropped.
func (r *Reader) sniff(head []byte) int {
	r.dec = r.cfg.Encoding.decoder()
	asked, _ := r.dec.(*utf16Decoder)
	skip := 0
	switch {
	case bytes.HasPrefix(head, []byte("\xEF\xBB\xBF")):
		skip = 3
	case bytes.HasPrefix(head, []byte("\xFF\xFE")):
		skip, r.dec, r.facts.UTF16 = 2, &utf16Decoder{}, true
	case bytes.HasPrefix(head, []byte("\xFE\xFF")):
		skip, r.dec, r.facts.UTF16 = 2, &utf16Decoder{big: true}, true
	}
	r.told = asked != nil && *asked == utf16Decoder{big: r.dec.(*utf16Decoder).big}
	r.facts.Marked = skip > 0
	r.facts.Derived = r.facts.Derived || skip > 0
	return skip
}

// more reads on until at least want bytes are there.
func (r *Reader) more(head []byte, n int, err error, want int) (int, error) {
	if err != nil || n >= want {
		return n, err
	}
	return readAtLeast(r.src, head, n, want)
}

// transcode reads and decodes a chunk, if no decoded text is left.
func (r *Reader) transcode(p []byte) (int, error) {
	for r.pos == len(r.out) {
		if r.err != nil && r.from == r.to {
			return 0, r.err
		}
		r.chunk()
	}
	n := copy(p, r.out[r.pos:])
	r.pos += n
	return n, nil
}

// chunk decodes the next chunk behind what the last one has left of a
// character.
func (r *Reader) chunk() {
	if r.in == nil {
		r.in = make([]byte, chunkSize+maxPending)
	}
	r.to = copy(r.in, r.in[r.from:r.to])
	r.from = 0
	if r.err == nil {
		var n int
		n, r.err = r.src.Read(r.in[r.to : r.to+r.limit])
		r.to += n
		if n > 0 {
			r.limit = chunkSize
		}
	}
	// Whatever ends the haystack, there will be nothing behind it.
	var n int
	r.out, n = r.dec.decode(r.out[:0], r.in[:r.to], r.err != nil)
	r.from, r.pos = n, 0
}

// readAtLeast reads into p[n:] until p holds at least want bytes.
func readAtLeast(r io.Reader, p []byte, n, want int) (int, error) {
	for n < want {
		m, err := r.Read(p[n:])
		n += m
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// A replay reads head once more, then err or else r.
type replay struct {
	head []byte
	err  error
	r    io.Reader
}

func (r *replay) Read(p []byte) (int, error) {
	if len(r.head) > 0 {
		n := copy(p, r.head)
		r.head = r.head[n:]
		return n, nil
	}
	if r.err != nil {
		return 0, r.err
	}
	return r.r.Read(p)
}
