package run

import (
	"cmp"
	"hash/maphash"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"tally/match"
	"tally/match/decode"
	"tally/match/readings"
	"tally/run/input"
	"tally/walk"
)

// This file sifts for near misses what a search has just read, once so much was
// searched in vain that nothing may be there. To open and read the files once more
// costs more than to look for more in what is at hand; docs/bench.md has what both
// come to.

// sieves find where a reading of a query may match; nil: that may be anywhere.
// Where there are also others, they find something close by, too.
type sieves struct {
	needle *match.Sieve
	also   []*match.Sieve
}

func newSieves(q readings.Query) (s sieves) {
	if readings.Reduced(q) != readings.NotReduced {
		return s
	}
	f, ok := readings.FilterOf(q)
	if !ok {
		return s
	}
	s.needle, _ = match.NewSieve(f.Needle)
	for _, also := range f.Also {
		if sieve, err := match.NewSieve(also); err == nil {
			s.also = append(s.also, sieve)
		}
	}
	return s
}

// sifters are one goroutine's way to use sieves.
type sifters struct {
	needle *match.Sifter
	also   []*match.Sifter
}

func (s *sieves) sifters() (f sifters) {
	if s.needle == nil {
		return f
	}
	f.needle = s.needle.Sifter()
	for _, also := range s.also {
		f.also = append(f.also, also.Sifter())
	}
	return f
}

// holdsAlso reports whether a text holds what must be close by. goesOn says that it
// is not all of what is close by.
func (f *sifters) holdsAlso(text []byte, goesOn bool) bool {
	for _, also := range f.also {
		if also.First(text, goesOn) < 0 {
			return false
		}
	}
	return true
}

// sifting is what the workers of a search know together.
type sifting struct {
	query       readings.Query
	beyondASCII bool
	after       int64 // bytes that are searched in vain before it begins
	seed        maphash.Seed

	over    atomic.Bool // something was found, or sifting does not pay
	read    atomic.Int64
	claimed atomic.Bool // somebody makes the sieves
	made    atomic.Pointer[sieves]

	mu      sync.Mutex
	workers []*siftingWorker
}

// siftAfter is how many bytes are searched in vain before they are sifted as
// well. Most searches find something before.
const siftAfter = 64 << 20

// newSifting returns nil if a zero is not to be explained.
func (s *Session) newSifting() *sifting {
	if !s.NearMisses.Wanted {
		return nil
	}
	q := s.zeroQuery()
	return &sifting{query: q, beyondASCII: readings.BeyondASCII(q), after: s.siftAfter, seed: maphash.MakeSeed()}
}

// begun returns the sieves if so many more bytes are to be sifted, else nil.
func (s *sifting) begun(bytes int) *sieves {
	if s.over.Load() || s.read.Add(int64(bytes)) < s.after {
		return nil
	}
	made := s.made.Load()
	if made == nil && s.claimed.CompareAndSwap(false, true) {
		list := newSieves(s.query)
		made = &list
		s.made.Store(made)
		s.over.Store(made.needle == nil)
	}
	return made
}

// sieves returns those of the search, or makes them.
func (s *sifting) sieves(q readings.Query) sieves {
	if s != nil {
		if made := s.made.Load(); made != nil {
			return *made
		}
	}
	return newSieves(q)
}

// A siftingWorker notes what was sifted in the files that one worker comes to.
type siftingWorker struct {
	*sifting
	goroutines []*siftingGoroutine
	clean      []uint64                 // files in which no reading can match, by the hash of their paths
	rest       map[string][]input.Range // where one may match, of large files
}

// worker returns a new one; nil if nothing is sifted.
func (s *sifting) worker() *siftingWorker {
	if s == nil {
		return nil
	}
	w := &siftingWorker{sifting: s, rest: map[string][]input.Range{}}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.workers = append(s.workers, w)
	return w
}

// aside returns what sifts for one goroutine; see [match.Options].
func (w *siftingWorker) aside() match.Aside {
	g := &siftingGoroutine{sifting: w.sifting}
	w.goroutines = append(w.goroutines, g)
	return g.take
}

// A siftingGoroutine sifts texts of one file after another.
type siftingGoroutine struct {
	*sifting
	sifters
	tried, kept int
	clean       []input.Range
	began       time.Time     // of the first text
	spent       time.Duration // on sifting since then
}

// fewTexts is how many texts show whether sifting pays, and leastClean how many of
// them, as a part of all, must be clean.
const fewTexts, leastClean = 500, 0.2

// mostSpent is how long a goroutine sifts before it asks whether that takes longer than
// its search does. It does where a text is full of what a reading needs.
const mostSpent = 30 * time.Millisecond

func (g *siftingGoroutine) take(text []byte, offset int64, found bool) {
	if found {
		g.over.Store(true)
		return
	}
	all := g.begun(len(text))
	if all == nil || all.needle == nil {
		return
	}
	if g.needle == nil {
		g.sifters = all.sifters()
		g.began = time.Now()
	}
	defer g.spend(time.Now())
	if offset == 0 {
		var head [headSize]byte
		copy(head[:], text)
		if decode.FormatOf(head[:]) != decode.Plain || decode.ContainerOf(head[:]) != "" {
			return
		}
	}
	if g.beyondASCII && !validUTF8(text) {
		return
	}
	from := 0
	g.tried++
	for at := 0; at < len(text); {
		var places []int
		places, at = g.needle.SiftOpen(text, at, atOnce)
		for _, p := range places {
			if g.near(text, p) {
				g.note(offset+int64(from), offset+int64(p))
				from = p + 1
			}
		}
	}
	g.note(offset+int64(from), offset+int64(len(text)))
	if from > 0 {
		g.kept++
	}
	if g.tried == fewTexts {
		g.over.Store(float64(g.tried-g.kept) < leastClean*fewTexts)
	}
}

// spend counts the time since a start, and ends sifting if it takes too much.
func (g *siftingGoroutine) spend(start time.Time) {
	now := time.Now()
	g.spent += now.Sub(start)
	if g.spent > mostSpent && 2*g.spent > now.Sub(g.began) {
		g.over.Store(true)
	}
}

// near reports whether what must be close to a place may be there.
func (g *siftingGoroutine) near(text []byte, place int) bool {
	low, high := place-farthest, place+farthest
	return len(g.also) == 0 || low < 0 || high > len(text) || g.holdsAlso(text[low:high], true)
}

// note notes that a piece of the file is clean.
func (g *siftingGoroutine) note(from, to int64) {
	if n := len(g.clean); n > 0 && g.clean[n-1].To == from {
		g.clean[n-1].To = to
	} else if from < to {
		g.clean = append(g.clean, input.Range{From: from, To: to})
	}
}

// end ends a file of which all was searched, or not.
func (w *siftingWorker) end(path []byte, o *match.Outcome, all bool) {
	if w == nil {
		return
	}
	var clean []input.Range
	for _, g := range w.goroutines {
		if len(g.clean) > 0 {
			clean = append(clean, g.clean...)
			g.clean = g.clean[:0]
		}
	}
	if clean == nil || !all || o.Stopped || o.BinaryOffset >= 0 {
		return
	}
	rest := restOf(clean, o.Bytes)
	switch {
	case len(rest) == 1 && rest[0].From == o.Bytes:
		if decode.FormatByName(path) == decode.Plain {
			w.clean = append(w.clean, maphash.Bytes(w.seed, path))
		}
	case o.Bytes >= input.LargeSize:
		w.rest[string(path)] = rest
	}
}

// restOf returns what is left of a file, without the pieces that are clean, and with
// the lines around. It goes on behind the file's end, since this may have moved.
func restOf(clean []input.Range, end int64) (rest []input.Range) {
	slices.SortFunc(clean, func(a, b input.Range) int { return cmp.Compare(a.From, b.From) })
	at := int64(0)
	add := func(from, to int64) {
		if n := len(rest); n > 0 && rest[n-1].To >= from {
			rest[n-1].To = to
		} else {
			rest = append(rest, input.Range{From: from, To: to})
		}
	}
	for _, c := range clean {
		if at < c.From {
			add(max(0, at-farthest), c.From+farthest)
		}
		at = max(at, c.To)
	}
	if at == end {
		add(end, math.MaxInt64)
	} else {
		add(max(0, at-farthest), math.MaxInt64)
	}
	return rest
}

// sifted is what is known of the files of a run.
type sifted struct {
	seed  maphash.Seed
	clean map[uint64]struct{}
	rest  map[string][]input.Range
}

// known returns what was sifted.
func (s *sifting) known() (k sifted) {
	if s == nil {
		return k
	}
	k = sifted{seed: s.seed, clean: map[uint64]struct{}{}, rest: map[string][]input.Range{}}
	for _, w := range s.workers {
		for _, hash := range w.clean {
			k.clean[hash] = struct{}{}
		}
		for path, rest := range w.rest {
			k.rest[path] = rest
		}
	}
	return k
}

// isClean reports whether no reading can match in a file.
func (k *sifted) isClean(f *walk.File, path []byte) bool {
	if len(k.clean) == 0 || !f.Regular() {
		return false
	}
	_, clean := k.clean[maphash.Bytes(k.seed, path)]
	return clean
}
