package semantic

import (
	"context"

	"tally/semantic/chunk"
	"tally/semantic/llama"
	"tally/semantic/store"
)

// batchSize is how many passages are embedded at once: few enough that an
// interruption loses little, enough that the time between two batches is none.
const batchSize = 8

// A Reader embeds passages that are missing, in batches that may hold those of
// several texts. It is for one goroutine at a time.
type Reader struct {
	// Progress is told how many more passages are known now, and how many more
	// there are than was thought, since some had to be cut in two.
	Progress func(known, more int)
	// Finish receives each note of which every passage is known.
	Finish func(*Note)

	x       *Index
	waiting []waiting
	fatal   error
}

// A waiting passage is not embedded yet.
type waiting struct {
	note  *Note
	chunk *chunk.Chunk
}

// NewReader returns a reader for what is missing of x.
func (x *Index) NewReader() *Reader {
	return &Reader{x: x, Progress: func(int, int) {}, Finish: func(*Note) {}}
}

// Add has what is missing of a note embedded, now or with what comes next.
func (r *Reader) Add(ctx context.Context, n *Note, missing []chunk.Chunk) error {
	if n.Missing == 0 {
		r.Finish(n)
	}
	for i := range missing {
		r.waiting = append(r.waiting, waiting{n, &missing[i]})
	}
	for len(r.waiting) >= batchSize && r.fatal == nil {
		r.batch(ctx)
	}
	return r.fatal
}

// Flush embeds all that is left. After an error notes may be left unfinished.
func (r *Reader) Flush(ctx context.Context) error {
	for len(r.waiting) > 0 && r.fatal == nil {
		r.batch(ctx)
	}
	return r.fatal
}

// Unfinished returns the notes of which passages are still missing.
func (r *Reader) Unfinished() []*Note {
	var list []*Note
	for _, w := range r.waiting {
		if len(list) == 0 || list[len(list)-1] != w.note {
			list = append(list, w.note)
		}
	}
	return list
}

// batch embeds the passages that have waited longest. Equal ones are embedded
// once.
func (r *Reader) batch(ctx context.Context) {
	n := min(batchSize, len(r.waiting))
	work := r.waiting[:n:n]
	var texts []string
	place := map[store.Key]int{}
	for _, w := range work {
		key := store.KeyOf(w.chunk.Text)
		if _, twice := place[key]; !twice && r.x.cache.Get(key) == nil {
			place[key] = len(texts)
			texts = append(texts, w.chunk.Text)
		}
	}
	var vectors []llama.Vector
	long := map[int]bool{}
	if len(texts) > 0 {
		var err error
		vectors, err = r.x.embedder.Embed(ctx, texts)
		list, only := llama.AllTooLong(err)
		for _, l := range list {
			long[l.Index] = true
		}
		if !only {
			r.fatal = err
		}
	}
	var rest []waiting
	for _, w := range work {
		key := store.KeyOf(w.chunk.Text)
		i, asked := place[key]
		switch {
		case !asked:
			r.read(w, r.x.cache.Get(key))
		case long[i]:
			rest = append(rest, r.cut(w)...)
		case i < len(vectors) && vectors[i] != nil || r.fatal == nil:
			v, err := r.x.checked(vectors[i])
			if err == nil {
				err = r.x.cache.Put(key, v)
			}
			if err != nil {
				r.fatal = err
				rest = append(rest, w)
				continue
			}
			r.read(w, v)
		default:
			rest = append(rest, w)
		}
	}
	r.waiting = append(rest, r.waiting[n:]...)
}

// read compares a passage that has become known.
func (r *Reader) read(w waiting, v []float32) {
	w.note.offer(r.x.score(v), w.chunk)
	r.known(w.note)
}

func (r *Reader) known(n *Note) {
	n.Missing--
	r.Progress(1, 0)
	if n.Missing == 0 {
		r.Finish(n)
	}
}

// cut puts halves in the place of a passage that is too long.
func (r *Reader) cut(w waiting) []waiting {
	if err := r.x.cache.Put(tooLong(w.chunk), make([]float32, r.x.model.Dim)); err != nil {
		r.fatal = err
	}
	halves := w.chunk.Halve()
	if halves == nil {
		r.known(w.note) // there is nothing in it
		return nil
	}
	var rest []waiting
	for i := range halves {
		rest = append(rest, waiting{w.note, &halves[i]})
	}
	w.note.Passages += len(halves) - 1
	w.note.Missing += len(halves) - 1
	r.Progress(0, len(halves)-1)
	return rest
}
