//go:build unix

package llama

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
)

// The most that is sent at once. More would not be faster, the server computes
// one text after the other; less is at stake when a batch has to be repeated,
// and an interruption is obeyed sooner.
const (
	batchTexts = 32
	batchBytes = 64 << 10
)

// A Vector is an embedding. Its length as a vector is 1.
type Vector []float32

// A TooLong says that a text has more tokens than the model takes.
type TooLong struct {
	Index  int // among the texts of the call
	Tokens int // how many it has
}

func (t *TooLong) Error() string {
	return fmt.Sprintf("text %d is too long for the model: it has %d tokens", t.Index, t.Tokens)
}

// A Refused says that the server has no vector for a text, and took others.
type Refused struct {
	Index  int // among the texts of the call
	Reason error
}

func (r *Refused) Error() string { return r.Reason.Error() }

func (r *Refused) Unwrap() error { return r.Reason }

// Single returns what an error of [Server.Embed] says of single texts, a
// [*TooLong] or [*Refused] each, and whether it says nothing else.
func Single(err error) (texts []error, only bool) {
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		only = true
		for _, err := range several.Unwrap() {
			more, alone := Single(err)
			texts, only = append(texts, more...), only && alone
		}
		return texts, only
	}
	switch err.(type) {
	case *TooLong, *Refused:
		return []error{err}, true
	}
	return nil, err == nil
}

// Embed returns the texts' vectors, in order, and starts a server if none runs.
// Bytes that are no UTF-8 are replaced.
//
// Texts that are too long are found out one by one, and so are those that the
// server refuses for another reason. The others' vectors are still returned: the
// error is a [*TooLong] or a [*Refused] then, or several joined (see [Single]).
// With such an error or none, nil stands for every other text that the model has
// no vector for: the one that comes out is of length zero. After any other error
// what has been computed is returned, and nil says nothing; the caller had better
// not go on. A server that refuses every text is such an error.
func (s *Server) Embed(ctx context.Context, texts []string) ([]Vector, error) {
	clean := make([]string, len(texts))
	for i, text := range texts {
		clean[i] = strings.ToValidUTF8(text, "\uFFFD")
	}
	b := batch{s: s, vectors: make([]Vector, len(texts))}
	for from := 0; from < len(clean); {
		to, size := from+1, len(clean[from])
		for to < len(clean) && to-from < batchTexts && size+len(clean[to]) <= batchBytes {
			size += len(clean[to])
			to++
		}
		if err := b.embed(ctx, clean, from, to); err != nil {
			return b.vectors, joined(append(b.single, err))
		}
		from = to
	}
	if b.refused == len(texts) && b.refused > 0 {
		return b.vectors, b.single[0].(*Refused).Reason
	}
	return b.vectors, joined(b.single)
}

// joined joins errors, and leaves one alone as it is.
func joined(errs []error) error {
	if len(errs) == 1 {
		return errs[0]
	}
	return errors.Join(errs...)
}

// Tokens returns how many tokens a text has, those that the model wants at both
// ends included.
func (s *Server) Tokens(ctx context.Context, text string) (int, error) {
	question := struct {
		Content    string `json:"content"`
		AddSpecial bool   `json:"add_special"`
	}{strings.ToValidUTF8(text, "\uFFFD"), true}
	var answer struct {
		Tokens []int `json:"tokens"`
	}
	err := s.ask(ctx, "/tokenize", question, &answer)
	return len(answer.Tokens), err
}

// A batch is what becomes of the texts of one call.
type batch struct {
	s       *Server
	vectors []Vector
	single  []error // *TooLong or *Refused each
	refused int     // how many of the latter
}

// embed asks for the vectors of texts[from:to]. The server computes all or, when
// one is too long, none; so what it refuses is cut in two, until the culprit
// stands alone.
func (b *batch) embed(ctx context.Context, texts []string, from, to int) error {
	question := struct {
		Input  []string `json:"input"`
		Format string   `json:"encoding_format"`
	}{texts[from:to], "base64"}
	var answer struct {
		Data []struct {
			Index     int    `json:"index"`
			Embedding []byte `json:"embedding"` // of little-endian float32
		} `json:"data"`
	}
	err := b.s.ask(ctx, "/v1/embeddings", question, &answer)
	var no *refusal
	switch {
	case errors.As(err, &no) && to-from > 1:
		middle := from + (to-from)/2
		if err := b.embed(ctx, texts, from, middle); err != nil {
			return err
		}
		return b.embed(ctx, texts, middle, to)
	case no != nil:
		return b.blame(ctx, texts[from], from, no)
	case err != nil:
		return err
	case len(answer.Data) != to-from:
		return fmt.Errorf("llama-server gave %d vectors for %d texts", len(answer.Data), to-from)
	}
	// Of an answer that makes no sense in one place nothing is believed.
	vectors, seen := make([]Vector, to-from), make([]bool, to-from)
	for _, d := range answer.Data {
		if d.Index < 0 || d.Index >= to-from || seen[d.Index] {
			return fmt.Errorf("llama-server numbered a vector %d of %d", d.Index, to-from)
		}
		seen[d.Index] = true
		if vectors[d.Index], err = decode(d.Embedding); err != nil {
			return err
		}
	}
	copy(b.vectors[from:to], vectors)
	return nil
}

// blame finds out why a text was refused.
func (b *batch) blame(ctx context.Context, text string, i int, no *refusal) error {
	tokens, err := b.s.Tokens(ctx, text)
	switch {
	case err != nil:
		return err
	case tokens <= b.s.cfg.Context:
		b.single = append(b.single, &Refused{i, no})
		b.refused++
	default:
		b.single = append(b.single, &TooLong{i, tokens})
	}
	return nil
}

// decode reads a vector and makes its length 1. It returns nil for one of zeros,
// which has no direction. One with a number that is none is an error: it tells of
// a model or a machine that computes wrongly, not of the text.
func decode(data []byte) (Vector, error) {
	if len(data) == 0 || len(data)%4 != 0 {
		return nil, fmt.Errorf("llama-server gave a vector of %d bytes", len(data))
	}
	v := make(Vector, len(data)/4)
	var sum float64
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
		sum += float64(v[i]) * float64(v[i])
	}
	switch {
	case math.IsNaN(sum) || math.IsInf(sum, 0):
		return nil, errors.New("llama-server gave a vector with numbers that are none (NaN or infinite); try another build of it or another file of the model")
	case sum == 0:
		return nil, nil
	}
	norm := math.Sqrt(sum)
	for i := range v {
		v[i] = float32(float64(v[i]) / norm)
	}
	return v, nil
}
