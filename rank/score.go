package rank

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
)

// # The score
//
// A word's weight w is its rarity: the inverse document frequency over the
// universe, divided by that of a word which no file holds, so that it lies in
// [0,1] however many files there are. A word's presence in a note is
//
//	s = tf / (k1 + tf),  tf = sum over fields of weight * count / length norm
//
// with lengths measured against fixed pivots rather than averages, so that one
// file more or less never changes how two others compare but through rarity.
// From these come four parts, each in [0,1]:
//
//	words       sum of w*s over sum of w
//	closeness   the weight of the words that stand within windowAtoms of each
//	            other, at the best place
//	neighbours  the weight of the query's neighbours that are neighbours there
//	title       how much of a title or file name the query says, times how
//	            much of the query that is
//
// They are added up twice ([mixes]): once with weights nearer to one another,
// which orders well, and once with weights further apart and missing words counted
// in full, which tells well whether the note has what the query is about. The
// score is the weighted geometric mean of both.

// fieldWeight is what an occurrence in a field counts, and how the field's
// length in atoms damps it: by (1-slope) + slope * length / pivot.
type fieldWeight struct{ weight, slope, pivot float64 }

var fieldWeights = [NumFields]fieldWeight{
	Name:     {3, 0, 1},
	Folders:  {1, 0, 1},
	Title:    {4, 0, 1},
	Headings: {1.5, 0.3, 30},
	Aliases:  {2, 0, 1},
	Body:     {1, 0.45, 300},
}

// variantWeights are what a word counts that only resembles the query's. Of a
// near word that is multiplied by its quality, and by nearBesideExact if the
// word itself occurs somewhere.
var variantWeights = [numVariants]float64{same: 1, form: 0.85, near: 0.9}

const (
	nearBesideExact = 0.25
	saturation      = 1.1 // k1
	minNorm         = 0.3 // of a field's length
	// What a part of a word weighs beside a word, and a word of several parts
	// beside these.
	shareOfPart, shareOfTwo, shareOfWhole = 0.7, 0.6, 0.3
)

// A part is one of the sums that make the score.
type part uint8

const (
	words part = iota
	closeness
	neighbours
	title
	numParts
)

// A mix says how the parts are added up.
type mix struct {
	parts [numParts]float64 // their sum is 1
	// missing is what a word weighs that occurs nowhere, beside the rarest
	// that does, and power the exponent of all weights.
	missing, power float64
	exponent       float64 // in the geometric mean
}

// mixes were chosen on the labelled questions of scripts/eval in round steps, so
// that no set of these loses a question among the first three.
var mixes = [...]mix{
	{[numParts]float64{words: 0.7, closeness: 0.1, neighbours: 0.15, title: 0.05}, 0.5, 0.8, 0.5},
	{[numParts]float64{words: 0.5, closeness: 0.2, neighbours: 0.05, title: 0.25}, 1, 1.6, 0.5},
}

// Floor is the score below which nothing is claimed of a note. It was chosen on the
// labelled questions of scripts/eval, with docs/rank.md for what it claims on each
// set: of natural questions nearly all, and of those that nothing answers few.
// Vague questions look like the latter: words alone do not tell these two apart, so
// what is below the floor is offered.
const Floor = 0.28

// A Collection is what the scan of a universe has found.
type Collection struct {
	Query *Query
	// Files is the number of files that were scanned, with notes or without.
	Files int
	Notes []*Note
	// Forgiving says that slips were forgiven, so that what is there word for
	// word comes first.
	Forgiving bool
}

// A Result is a note with its score.
type Result struct {
	*Note
	// Score lies in [0,1]; Weighted is the score with the note's prior, by
	// which results are ordered.
	Score, Weighted float64
	// Near says that the note would not pass the floor by exact words alone.
	Near  bool
	parts [numParts]float64
}

// Rank returns the notes that score at least floor, the best first: those that
// do so by the very words of the query before those that need others in their
// place, then by score, then by path. Those below come second; they are in the
// same order.
func (c *Collection) Rank(floor float64) (above, below []Result) {
	w := c.weights()
	w.forgiving = c.Forgiving
	for _, n := range c.Notes {
		r := w.score(n, true)
		if len(n.nears) > 0 {
			r.Near = w.forgiving && w.score(n, false).Score < floor
		}
		r.Weighted = weighted(r.Score, n.Prior)
		if r.Score >= floor && r.Score > 0 && n.holds(c.Query.required) {
			above = append(above, r)
		} else {
			below = append(below, r)
		}
	}
	slices.SortFunc(above, Result.compare)
	slices.SortFunc(below, Result.compare)
	return above, below
}

func (r Result) compare(o Result) int {
	if r.Near != o.Near {
		if o.Near {
			return -1
		}
		return 1
	}
	return cmp.Or(cmp.Compare(o.Weighted, r.Weighted), cmp.Compare(r.Path, o.Path))
}

// holds reports whether all of some sequences occur in n.
func (n *Note) holds(sequences []int) bool {
	for _, s := range sequences {
		if n.whole>>s&1 == 0 {
			return false
		}
	}
	return true
}

// weighted applies a prior so that the result stays in [0,1].
func weighted(score, prior float64) float64 {
	if prior <= 1 {
		return score * prior
	}
	return 1 - math.Pow(1-score, prior)
}

// weights are those of a query's terms in a collection, for each mix.
type weights struct {
	q         *Query
	forgiving bool
	exact     []bool // the term itself, or a form of it, occurs
	mixes     [len(mixes)]mixWeights
	tf        []float64
	has       []float64
	named     [2]uint64 // terms in the name, in the title
}

type mixWeights struct {
	terms, sequences []float64
	total            float64
	pairs            float64
}

func (c *Collection) weights() *weights {
	q := c.Query
	w := &weights{
		q: q, exact: make([]bool, len(q.terms)),
		tf: make([]float64, len(q.terms)), has: make([]float64, len(q.terms)),
	}
	inExact, inAny := c.holders()
	inWhole := make([]int, len(q.sequences))
	for _, n := range c.Notes {
		for s := range q.sequences {
			inWhole[s] += int(n.whole >> s & 1)
		}
	}
	rarity := func(files int) float64 {
		n := float64(c.Files)
		return math.Log(1+(n-float64(files)+0.5)/(float64(files)+0.5)) / math.Log(1+(n+0.5)/0.5)
	}
	for m, mix := range mixes {
		x := &w.mixes[m]
		for t, term := range q.terms {
			files := inExact[t]
			w.exact[t] = files > 0
			if files == 0 {
				files = inAny[t]
			}
			r := rarity(files)
			if files == 0 {
				r *= mix.missing
			}
			x.terms = append(x.terms, math.Pow(r*term.share, mix.power))
			x.total += x.terms[t]
		}
		for s := range q.sequences {
			weight := 0.0
			if inWhole[s] > 0 {
				weight = rarity(inWhole[s]) * shareOfWhole
			}
			x.sequences = append(x.sequences, weight)
			x.total += weight
		}
		for _, p := range q.pairs {
			x.pairs += min(x.terms[p.left], x.terms[p.right])
		}
	}
	return w
}

// score scores a note, by all its words or by exact ones only.
func (w *weights) score(n *Note, nears bool) Result {
	w.present(n, nears)
	r := Result{Note: n, Score: 1}
	for m, mix := range mixes {
		parts := w.parts(&w.mixes[m], n)
		sum := 0.0
		for p, v := range parts {
			sum += mix.parts[p] * v
		}
		r.Score *= math.Pow(sum, mix.exponent)
		if m == 0 {
			r.parts = parts
		}
	}
	return r
}

// present finds out how much of each term is in a note.
func (w *weights) present(n *Note, nears bool) {
	clear(w.tf)
	clear(w.has)
	w.named = [2]uint64{}
	for _, h := range n.hits {
		weight := variantWeights[h.variant]
		if h.variant != same && !nears {
			continue
		}
		if h.variant == near {
			weight *= n.quality(int(h.term))
			if w.exact[h.term] {
				weight *= nearBesideExact
			}
		}
		w.tf[h.term] += weight * float64(h.count) * n.fieldScale(h.field)
		w.has[h.term] = max(w.has[h.term], weight)
		if weight >= 0.3 && w.q.terms[h.term].parts == nil { // of others the parts count
			switch h.field {
			case Name:
				w.named[0] |= 1 << h.term
			case Title:
				w.named[1] |= 1 << h.term
			}
		}
	}
}

// fieldScale is what an occurrence in a field of n counts.
func (n *Note) fieldScale(f Field) float64 {
	fw := fieldWeights[f]
	return fw.weight / max(minNorm, 1-fw.slope+fw.slope*float64(n.length[f])/fw.pivot)
}

// quality is that of the best word in the place of a term.
func (n *Note) quality(t int) float64 {
	best := 0.0
	for _, x := range n.nears {
		if x.term == t {
			best = max(best, float64(x.quality))
		}
	}
	return best
}

func (w *weights) parts(x *mixWeights, n *Note) (p [numParts]float64) {
	if x.total == 0 {
		return p
	}
	for t, tf := range w.tf {
		p[words] += x.terms[t] * tf / (saturation + tf)
	}
	for s, weight := range x.sequences {
		if n.whole>>s&1 != 0 {
			p[words] += weight
		}
	}
	for _, set := range n.windows {
		p[closeness] = max(p[closeness], w.sum(x, set))
	}
	for i, pair := range w.q.pairs {
		if n.pairs>>i&1 != 0 {
			p[neighbours] += min(x.terms[pair.left], x.terms[pair.right])
		}
	}
	for i, f := range []Field{Name, Title} {
		if n.length[f] > 0 {
			said := min(1, float64(bits.OnesCount64(w.named[i]))/float64(n.length[f]))
			p[title] = max(p[title], said*math.Sqrt(w.sum(x, w.named[i])/x.total))
		}
	}
	p[words] /= x.total
	p[closeness] /= x.total
	if x.pairs > 0 {
		p[neighbours] /= x.pairs
	}
	return p
}

// sum adds up the weights of a set of terms, as far as they are present.
func (w *weights) sum(x *mixWeights, set uint64) (sum float64) {
	for t, weight := range x.terms {
		if set>>t&1 != 0 {
			sum += weight * min(1, w.has[t])
		}
	}
	return sum
}

// Explain returns what each field and each part adds to the score's ordering
// sum, all in [0,1] before their weights; the fields share out the words.
func (c *Collection) Explain(r *Result) Explanation {
	w := c.weights()
	w.present(r.Note, true)
	x := &w.mixes[0]
	e := Explanation{Words: r.parts[words], Closeness: r.parts[closeness], Neighbours: r.parts[neighbours], Title: r.parts[title]}
	if x.total == 0 {
		return e
	}
	for _, h := range r.hits {
		weight := variantWeights[h.variant]
		if h.variant == near {
			weight *= r.quality(int(h.term))
			if w.exact[h.term] {
				weight *= nearBesideExact
			}
		}
		tf := w.tf[h.term]
		e.Fields[h.field] += x.terms[h.term] * weight * float64(h.count) * r.fieldScale(h.field) / (saturation + tf) / x.total
	}
	return e
}

// An Explanation says where a score comes from.
type Explanation struct {
	Words, Closeness, Neighbours, Title float64
	// Fields share out Words; what is left is owed to words of several parts.
	Fields [NumFields]float64
}
