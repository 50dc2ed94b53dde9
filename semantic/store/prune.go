package store

import (
	"cmp"
	"errors"
	"os"
	"slices"
	"time"

	"github.com/cespare/xxhash/v2"
)

// A Policy says what Prune removes.
type Policy struct {
	Now      time.Time
	MaxAge   time.Duration // what was not used for longer
	MaxBytes int64         // what was used longest ago, until no more is left
	Chunker  int           // what belongs to texts that were cut in another way
	DryRun   bool          // nothing: only say what it would be
}

// A Pruned is what was removed.
type Pruned struct {
	Files   int // of spaces of which nothing is left
	Vectors int
	Bytes   int64 // of vectors and damaged entries, and of files
}

// Prune removes from a cache what is of no use any more: by the policy, what is
// damaged, what is there twice, and what interrupted runs have left. Other runs
// may go on meanwhile. A file that fails stays as it is. A dry run needs neither
// a lock nor a directory that can be written to.
func Prune(dir string, p Policy) (Pruned, error) {
	var done Pruned
	prune := func() error {
		paths, err := files(dir, suffix)
		if err != nil {
			return err
		}
		var list []*pruning
		var errs []error
		for _, path := range paths {
			one, err := p.inspect(path)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			list = append(list, one)
		}
		p.bound(list)
		for _, one := range list {
			errs = append(errs, one.apply(p.DryRun, &done))
		}
		if !p.DryRun {
			errs = append(errs, sweep(dir))
		}
		return errors.Join(errs...)
	}
	var err error
	if p.DryRun {
		err = prune()
	} else {
		err = locked(dir, prune)
	}
	return done, err
}

// A pruning is what is to be done with a file.
type pruning struct {
	path   string
	info   Info
	slots  []slot
	keep   []int // slots, in their order; none: the file goes
	remade bool  // something is not kept
}

func (one *pruning) entrySize() int64 { return slotSize + layout{one.info.Dim}.vectorSize() }

// inspect decides what to keep of a file, but for its size.
func (p *Policy) inspect(path string) (*pruning, error) {
	one := &pruning{path: path, info: Info{Path: path}, remade: true}
	if err := one.info.inspect(); errors.Is(err, errHeader) {
		return one, nil
	} else if err != nil {
		return nil, err
	}
	if one.info.Chunker != p.Chunker {
		return one, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	slots, bad, _, err := readSlots(file, layout{one.info.Dim})
	if err != nil {
		return nil, err
	}
	oldest := dayOf(p.Now.Add(-p.MaxAge))
	last := make(map[Key]int, len(slots))
	for i := range slots {
		last[slots[i].key] = i
	}
	one.slots, one.remade = slots, len(bad) > 0
	for i, s := range slots {
		if s.free || s.day < oldest || last[s.key] != i {
			one.remade = true
			continue
		}
		one.keep = append(one.keep, i)
	}
	return one, nil
}

// bound leaves out what was used longest ago, until all of it together is no
// larger than it may be.
func (p *Policy) bound(list []*pruning) {
	type entry struct {
		of   *pruning
		slot int
	}
	var all []entry
	for _, one := range list {
		for _, i := range one.keep {
			all = append(all, entry{one, i})
		}
		one.keep = nil
	}
	slices.SortStableFunc(all, func(a, b entry) int { return cmp.Compare(b.of.slots[b.slot].day, a.of.slots[a.slot].day) })
	room := p.MaxBytes
	for _, e := range all {
		if room -= e.of.entrySize(); room < 0 {
			e.of.remade = true
			continue
		}
		e.of.keep = append(e.of.keep, e.slot)
	}
	for _, one := range list {
		slices.Sort(one.keep)
	}
}

// apply does what was decided, and adds it to what was done.
func (one *pruning) apply(dry bool, done *Pruned) error {
	if !one.remade && len(one.keep) > 0 {
		return nil
	}
	left := Info{}
	if len(one.keep) > 0 {
		left.Vectors = len(one.keep)
		left.Bytes = headerSize + int64(len(one.keep))*one.entrySize()
	}
	if !dry {
		if err := one.replace(&left); err != nil {
			return err
		}
	}
	if len(one.keep) == 0 {
		done.Files++
	}
	done.Vectors += one.info.Vectors - left.Vectors
	done.Bytes += max(one.info.Bytes-left.Bytes, 0)
	return nil
}

// replace puts a file with what is kept in the place of the old one.
func (one *pruning) replace(left *Info) error {
	if len(one.keep) == 0 {
		return os.Remove(one.path)
	}
	old, err := os.Open(one.path)
	if err != nil {
		return err
	}
	defer old.Close()
	name := one.path + unfinished
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer file.Close()
	left.Vectors, err = one.copy(file, old)
	if err == nil {
		err = file.Sync()
	}
	if err == nil {
		err = os.Rename(name, one.path)
	}
	if err != nil {
		os.Remove(name)
	}
	return err
}

// copy writes a file with what is kept of an old one and is whole there, and
// says how many vectors that are.
func (one *pruning) copy(file, old *os.File) (int, error) {
	l := layout{one.info.Dim}
	if _, err := file.Write(one.info.header(one.info.Created.Format(time.DateOnly))); err != nil {
		return 0, err
	}
	n := 0
	b := make([]byte, l.vectorSize())
	for _, i := range one.keep {
		if _, err := old.ReadAt(b, l.vector(i)); err != nil {
			return 0, err
		}
		if xxhash.Sum64(b) != one.slots[i].sum {
			continue
		}
		if _, err := file.WriteAt(b, l.vector(n)); err != nil {
			return 0, err
		}
		if _, err := file.WriteAt(one.slots[i].encode(), l.slot(n)); err != nil {
			return 0, err
		}
		n++
	}
	return n, nil
}
