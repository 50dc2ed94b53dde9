package semantic

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"tally/semantic/chunk"
	"tally/semantic/llama"
	"tally/semantic/store"
)

// An Index compares passages with one question. Its methods may be called from
// several goroutines once [Index.Ask] has returned.
type Index struct {
	model    Model
	cache    Cache
	embedder Embedder
	question []float32
	refused  sync.Map // keys of texts that the server has no vector for, in this run
}

// New returns an index without a question.
func New(m Model, c Cache, e Embedder) *Index { return &Index{model: m, cache: c, embedder: e} }

// Model returns the model that decides.
func (x *Index) Model() Model { return x.model }

// Ask sets the question. It embeds it unless that was done before.
func (x *Index) Ask(ctx context.Context, text string) error {
	text = x.model.Prefix + text
	key := store.KeyOf(text)
	if v := x.cache.Get(key); v != nil {
		x.question = v
		return nil
	}
	vectors, err := x.embedder.Embed(ctx, []string{text})
	var long *llama.TooLong
	switch {
	case errors.As(err, &long):
		return fmt.Errorf("the text to search for is too long for the model, with %d tokens; shorten it", long.Tokens)
	case err != nil:
		return err
	case vectors[0] == nil:
		return errors.New("the model makes nothing of the text to search for")
	}
	if x.question, err = x.checked(vectors[0]); err != nil {
		return err
	}
	return x.cache.Put(key, x.question)
}

// checked returns a vector as the cache keeps it, zeros for none.
func (x *Index) checked(v llama.Vector) ([]float32, error) {
	switch len(v) {
	case x.model.Dim:
		return v, nil
	case 0:
		return make([]float32, x.model.Dim), nil
	}
	return nil, fmt.Errorf("the model %q gives vectors of %d numbers, and its file says %d", x.model.Name, len(v), x.model.Dim)
}

// A Note is a text as far as it was compared with the question.
type Note struct {
	Path string
	// Score is that of the most similar passage known, between -1 and 1, and Best
	// that passage; nil if none is known.
	Score float64
	Best  *chunk.Chunk
	// Passages is how many there are, Missing how many of these are not known.
	Passages, Missing int
	// Refused is how many of the others the model takes in no form.
	Refused int
}

// offer makes a passage the best one if it is; of equals the first is.
func (n *Note) offer(score float64, c *chunk.Chunk) {
	if n.Best == nil || score > n.Score || score == n.Score && c.From < n.Best.From {
		n.Score, n.Best = score, c
	}
}

// Look compares the passages of a text with the question, as far as they are
// known, and returns the others. It may be called for a text in parts.
func (x *Index) Look(n *Note, chunks []chunk.Chunk) (missing []chunk.Chunk) {
	for i := range chunks {
		missing = x.weigh(n, &chunks[i], missing)
	}
	n.Passages += len(chunks)
	n.Missing += len(missing)
	return missing
}

// weigh compares a passage. One that was found to be too long for the model is
// known by its halves, as far as they are.
func (x *Index) weigh(n *Note, c *chunk.Chunk, missing []chunk.Chunk) []chunk.Chunk {
	v, fate := x.find(c.Text)
	if fate == long {
		halves := c.Halve()
		for i := range halves {
			missing = x.weigh(n, &halves[i], missing)
		}
		if halves == nil {
			n.Refused++
		}
		n.Passages += max(0, len(halves)-1)
		return missing
	}
	under, known := x.findUnder(c)
	if v == nil || !known {
		return append(missing, *c)
	}
	n.offer(x.score(v, under), c)
	return missing
}

// A fate is what has become of a text.
type fate uint8

const (
	unknown fate = iota
	embedded
	long    // too long for the model
	refused // by the server, for another reason
)

// find returns the vector of a text, if it has one, and what became of the text.
func (x *Index) find(text string) ([]float32, fate) {
	key := store.KeyOf(text)
	if v := x.cache.Get(key); v != nil {
		return v, embedded
	}
	if _, is := x.refused.Load(key); is {
		return nil, refused
	}
	if x.cache.Get(tooLong(text)) != nil {
		return nil, long
	}
	return nil, unknown
}

// findUnder returns the vector of what a sentence stands under, nil if that is
// nothing or has none. It may also be not known yet.
func (x *Index) findUnder(c *chunk.Chunk) (v []float32, known bool) {
	if c.Under == "" {
		return nil, true
	}
	v, fate := x.find(c.Under)
	return v, fate != unknown
}

// tooLong is the key under which is remembered that a text is too long for the
// model. No text has a key like it: a NUL byte is none.
func tooLong(text string) store.Key { return store.KeyOf(text + "\x00 is too long") }

// underShare is how much of a sentence's score is that of what it stands under:
// any share from 0.05 to 0.15 does about as well (docs/decisions.md).
const underShare = 0.1

// score is that of a vector and of what its sentence stands under, if anything.
func (x *Index) score(v, under []float32) float64 {
	own := float64(store.Dot(x.question, v))
	if under == nil {
		return own
	}
	// The conversions keep the compiler from rounding once where others round twice.
	return float64((1-underShare)*own) + float64(underShare*float64(store.Dot(x.question, under)))
}
