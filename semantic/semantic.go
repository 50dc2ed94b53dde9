// Package semantic tells how similar texts are to a question, by what a model
// of language makes of both. It knows models ([Identify]), compares the passages of
// a text with the question as far as their vectors are known ([Index.Look]),
// has the others embedded ([Reader]), and joins two rankings ([Fuse]).
//
// It must not know where texts come from (walk), how they are decoded (match),
// where a server or a cache lies, how results look (report), or what was typed
// (flags).
package semantic

import (
	"context"

	"tally/semantic/llama"
	"tally/semantic/store"
)

// An Embedder turns texts into vectors, see [llama.Server.Embed].
type Embedder interface {
	Embed(ctx context.Context, texts []string) ([]llama.Vector, error)
}

// A Cache remembers vectors, see [store.Store].
type Cache interface {
	// Get returns a vector that must not be changed, nil if there is none.
	Get(store.Key) []float32
	// Put keeps a vector, at least for as long as the program runs.
	Put(store.Key, []float32) error
}
