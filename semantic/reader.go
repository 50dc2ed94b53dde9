package semantic

import (
	"context"
	"errors"

	"tally/semantic/chunk"
	"tally/semantic/llama"
	"tally/semantic/store"
)

// A batch is complete with that many bytes or passages, what they stand under not
// counted: few enough that an interruption loses little, enough that the time
// between two batches is none.
const (
	batchBytes    = 8 << 10
	batchPassages = 64
)

// A Reader embeds passages that are missing, in batches that may hold those of
// several texts. It is for one goroutine at a time.
type Reader struct {
	// Progress is told how many more passages are known now, and how many more
	// there are than was thought, since some had to be cut in two.
	Progress func(known, more int)
	// Refused is told why a passage can be read in no form.
	Refused func(why error)
	// Finish receives each note of which no passage is missing any more.
	Finish func(*Note)

	x       *Index
	waiting []waiting
	fatal   error
	why     error // the server refused a text
}

// A waiting passage is not embedded yet.
type waiting struct {
	note  *Note
	chunk *chunk.Chunk
}

// NewReader returns a reader for what is missing of x.
func (x *Index) NewReader() *Reader {
	return &Reader{x: x, Progress: func(int, int) {}, Refused: func(error) {}, Finish: func(*Note) {}}
}

// Add has what is missing of a note embedded, now or with what comes next.
func (r *Reader) Add(ctx context.Context, n *Note, missing []chunk.Chunk) error {
	if n.Missing == 0 {
		r.Finish(n)
	}
	for i := range missing {
		r.waiting = append(r.waiting, waiting{n, &missing[i]})
	}
	for r.fatal == nil {
		n, complete := r.fill()
		if !complete {
			break
		}
		r.batch(ctx, n)
	}
	return r.fatal
}

// Flush embeds all that is left. After an error notes may be left unfinished.
func (r *Reader) Flush(ctx context.Context) error {
	for len(r.waiting) > 0 && r.fatal == nil {
		n, _ := r.fill()
		r.batch(ctx, n)
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

// batch embeds the n passages that have waited longest, and what they stand under.
// Equal texts are embedded once.
func (r *Reader) batch(ctx context.Context, n int) {
	work := r.waiting[:n:n]
	r.embed(ctx, work)
	var rest []waiting
	for _, w := range work {
		v, fate := r.x.find(w.chunk.Text)
		under, known := r.x.findUnder(w.chunk)
		switch {
		case fate == long:
			rest = append(rest, r.cut(w)...)
		case fate == refused:
			r.drop(w.note, r.why)
		case v != nil && known:
			w.note.offer(r.x.score(v, under), w.chunk)
			r.known(w.note)
		default:
			rest = append(rest, w)
			r.fail(errForgotten) // unless there is another reason
		}
	}
	r.waiting = append(rest, r.waiting[n:]...)
}

// errForgotten keeps a cache that loses what it was given from being asked for
// ever.
var errForgotten = errors.New("what the model said of a passage was lost")

// fill returns how many of the passages that wait go into a batch, and whether
// that is complete with them.
func (r *Reader) fill() (n int, complete bool) {
	for size := 0; n < len(r.waiting); {
		size += len(r.waiting[n].chunk.Text)
		if n++; n == batchPassages || size >= batchBytes {
			return n, true
		}
	}
	return n, false
}

// embed has the texts of passages embedded that have no vector yet.
func (r *Reader) embed(ctx context.Context, work []waiting) {
	var texts []string
	asked := map[string]bool{}
	for _, w := range work {
		list := []string{w.chunk.Text, w.chunk.Under}
		if w.chunk.Under == "" {
			list = list[:1]
		}
		for _, text := range list {
			if _, fate := r.x.find(text); fate == unknown && !asked[text] {
				asked[text] = true
				texts = append(texts, text)
			}
		}
	}
	if len(texts) == 0 {
		return
	}
	vectors, err := r.x.embedder.Embed(ctx, texts)
	list, only := llama.Single(err)
	if !only {
		r.fail(err)
	}
	without := map[int]bool{}
	for _, err := range list {
		switch err := err.(type) {
		case *llama.TooLong:
			without[err.Index] = true
			r.fail(r.x.cache.Put(tooLong(texts[err.Index]), make([]float32, r.x.model.Dim)))
		case *llama.Refused:
			without[err.Index] = true
			r.x.refused.Store(store.KeyOf(texts[err.Index]), true)
			r.why = err.Reason
		}
	}
	for i, text := range texts {
		if !without[i] && i < len(vectors) && (vectors[i] != nil || only) {
			v, err := r.x.checked(vectors[i])
			if err == nil {
				err = r.x.cache.Put(store.KeyOf(text), v)
			}
			r.fail(err)
		}
	}
}

// fail keeps the first error, which ends the reading.
func (r *Reader) fail(err error) {
	if r.fatal == nil {
		r.fatal = err
	}
}

// ErrTooLong is said of a passage that the model's window does not hold however
// small it is cut.
var ErrTooLong = errors.New("too long for the model, however small they are cut")

// drop gives a passage up.
func (r *Reader) drop(n *Note, why error) {
	n.Refused++
	r.Refused(why)
	r.known(n)
}

// known counts a passage that is not missing any more.
func (r *Reader) known(n *Note) {
	n.Missing--
	r.Progress(1, 0)
	if n.Missing == 0 {
		r.Finish(n)
	}
}

// cut puts halves in the place of a passage that is too long.
func (r *Reader) cut(w waiting) []waiting {
	halves := w.chunk.Halve()
	if halves == nil {
		r.drop(w.note, ErrTooLong)
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
