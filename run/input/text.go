package input

import (
	"bytes"
	"io"
	"unicode"
	"unicode/utf8"

	"tally/match"
	"tally/match/decode"
)

// pieceSize is how much text is handed over at once, in bytes.
const pieceSize = 256 << 10

// room is the memory for pieces of text.
func (d *Door) room() []byte {
	if d.chunk == nil {
		d.chunk = make([]byte, pieceSize)
	}
	return d.chunk
}

// Pieces hands the file's text to take, decoded, in pieces of whole lines (of a
// longer line: of whole words), as long as it returns true. stopped, asked
// between two pieces, ends it with [match.ErrStopped].
func (s *Source) Pieces(take func([]byte) bool, stopped func() bool) error {
	if s.plain {
		take(s.kept)
		return nil
	}
	h, err := s.Haystack()
	if err != nil {
		return err
	}
	return pieces(s.door.reader(h), s.door.room(), take, stopped)
}

// PiecesAsBytes is Pieces of a file that Pieces takes for UTF-16 by its look,
// read as it is.
func (s *Source) PiecesAsBytes(take func([]byte) bool, stopped func() bool) error {
	h, err := s.Haystack()
	if err != nil {
		return err
	}
	return pieces(s.door.in.AsBytes(h), s.door.room(), take, stopped)
}

// Guessed reports whether the text that was handed over last was taken for
// UTF-16 by its look.
func (s *Source) Guessed() bool { return s.door.text != nil && s.door.text.Facts().Guessed }

// AsBytes reads a haystack whatever it looks like.
func (in *Input) AsBytes(h match.Haystack) *decode.Reader {
	cfg := in.cfg.Decode
	cfg.Guess = false
	r := decode.NewReader(cfg)
	r.Reset(h.Reader, h.Format)
	return r
}

func pieces(r *decode.Reader, room []byte, take func([]byte) bool, stopped func() bool) error {
	n := 0
	for {
		m, err := r.Read(room[n:])
		n += m
		if err == io.EOF {
			take(room[:n])
			return nil
		}
		if err != nil {
			return err
		}
		if n < len(room) {
			continue
		}
		if stopped() {
			return match.ErrStopped
		}
		end := bytes.LastIndexByte(room, '\n') + 1
		if end == 0 {
			end = betweenWords(room)
		}
		if !take(room[:end]) {
			return nil
		}
		n = copy(room, room[end:n])
	}
}

// betweenWords is where a piece of a line without end is cut: behind the last
// character that is in no word, or at its end if there is none.
func betweenWords(text []byte) int {
	i := bytes.LastIndexFunc(text, func(r rune) bool {
		return r != utf8.RuneError && (unicode.IsSpace(r) || unicode.IsPunct(r) || unicode.IsSymbol(r))
	})
	if i < 0 {
		return len(text)
	}
	_, size := utf8.DecodeRune(text[i:])
	return i + size
}

// Head reads up to most bytes of the file's text, decoded.
func (s *Source) Head(most int64) ([]byte, decode.Facts, error) {
	h, err := s.Haystack()
	if err != nil {
		return nil, decode.Facts{}, err
	}
	r := s.door.reader(h)
	text, err := io.ReadAll(io.LimitReader(r, most))
	return text, r.Facts(), err
}

// UnpackedChunks is [Source.Chunks] of what is in a compressed file, whether or
// not the run takes such files apart.
func (s *Source) UnpackedChunks(term byte, take func(*Chunk) bool, stopped func() bool) error {
	h, err := s.Haystack()
	if err != nil {
		return err
	}
	r := decode.NewReader(decode.Config{Encoding: decode.None, Unpack: true})
	r.Reset(h.Reader, decode.FormatByName(s.path))
	return s.door.chunks(r, term, take, stopped)
}

// Raw returns the first bytes of the file, at most so many, as they are.
func (s *Source) Raw(most int64) ([]byte, error) {
	h, err := s.Haystack()
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(h.Reader, most))
}
