// Package store keeps vectors from one run to the next, so that a text is
// embedded once, in whatever file it stands.
//
// It knows keys, vectors and what they depend on ([Space]). It must not know
// how a vector comes about, where texts come from or what is searched. A cache
// that is damaged, full, locked or in a place that cannot be written to costs
// time, never the run: what it cannot keep it holds in memory, and
// [Store.Warnings] says so.
//
// format.go describes the file.
package store

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/cespare/xxhash/v2"
)

// A Space is what vectors depend on besides their texts. Each has a file of its
// own.
type Space struct {
	Model   [32]byte // SHA-256 of the model's file
	Prefix  string   // what is put before a query
	Chunker int      // the version of the function that cuts texts
	Dim     int      // how many numbers a vector has
	Name    string   // what [Show] calls the model; vectors do not depend on it
}

// A Key stands for a text.
type Key [sha256.Size]byte

// KeyOf returns the key of a text as it is embedded: with whatever is put
// before it.
func KeyOf(text string) Key { return sha256.Sum256([]byte(text)) }

// A Store is an open cache. Its methods may be called at once.
type Store struct {
	space  Space
	layout layout
	path   string
	today  uint32
	lock   *lock // nil: nothing is written

	// As the file was when it was opened; only read from then on.
	data  []byte // the file, mapped
	index index
	slots []slot
	state []atomic.Uint32 // of each slot

	mu        sync.RWMutex
	file      *os.File // nil: there is none, or nothing can be written
	moved     bool     // file is another than data
	next      int      // the first slot that may be free
	own       map[Key][]float32
	unwritten int   // vectors that are in own alone
	refused   error // why
	lost      atomic.Int64
	notes     []string
}

// States of a slot. A vector is looked at when it is first asked for, so that
// what a run does not need it does not read.
const (
	unseen uint32 = iota
	intact
	damaged
)

// Open opens the cache of a space in a directory, which it makes if need be. It
// fails only for a space that cannot be; a cache that cannot be had is empty and
// has a warning. So is one without a directory, or with one that is not absolute:
// nothing is ever written where a search happens to be.
func Open(dir string, s Space) (*Store, error) { return open(dir, s, dayOf(time.Now())) }

func open(dir string, space Space, today uint32) (*Store, error) {
	if space.Dim < 1 || space.Dim > maxDim {
		return nil, fmt.Errorf("vectors of %d numbers cannot be kept: 1 to %d are possible", space.Dim, maxDim)
	}
	if len(space.Prefix) > maxText {
		return nil, fmt.Errorf("a prefix of %d bytes cannot be kept: %d are possible", len(space.Prefix), maxText)
	}
	s := &Store{
		space:  space,
		layout: layout{space.Dim},
		path:   filepath.Join(dir, space.fileName()),
		today:  today,
		own:    map[Key][]float32{},
	}
	s.load(dir)
	return s, nil
}

// Get returns the vector of a text, or nil. It may lie in the file itself: it
// must not be changed, nor be used after Close.
func (s *Store) Get(key Key) []float32 {
	s.mu.RLock()
	v := s.own[key]
	s.mu.RUnlock()
	if v != nil {
		return v
	}
	i, ok := s.index.find(key)
	if !ok || !s.good(i) {
		return nil
	}
	return floats(s.layout.vectorIn(s.data, i))
}

// good reports whether the vector in a slot is what was written.
func (s *Store) good(i int) bool {
	switch s.state[i].Load() {
	case intact:
		return true
	case damaged:
		return false
	}
	if s.sum(i) == s.slots[i].sum {
		s.state[i].Store(intact)
		return true
	}
	if s.state[i].CompareAndSwap(unseen, damaged) {
		s.lost.Add(1)
	}
	return false
}

// sum adds up the vector in a slot. A page of a mapped file that cannot be read
// is a fault, which is taken for a wrong sum here.
func (s *Store) sum(i int) (sum uint64) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() != nil {
			sum = ^s.slots[i].sum
		}
	}()
	return xxhash.Sum64(s.layout.vectorIn(s.data, i))
}

// floats is a view of bytes as numbers. The header has made sure of the order
// of their bytes, and the layout that they are aligned.
func floats(b []byte) []float32 {
	return unsafe.Slice((*float32)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
}

// Put keeps a vector. It is in the file when Put returns, and then outlives the
// process, however that ends. If it cannot be written it is kept for this run,
// and Warnings says so. Put fails if the vector is not one of this space.
func (s *Store) Put(key Key, vector []float32) error {
	if len(vector) != s.space.Dim {
		return fmt.Errorf("a vector of %d numbers where %d are meant", len(vector), s.space.Dim)
	}
	for _, x := range vector {
		if x != x || math.IsInf(float64(x), 0) {
			return errors.New("a vector with a number that is none")
		}
	}
	if s.Get(key) != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	vector = append([]float32(nil), vector...)
	s.own[key] = vector
	if s.refused == nil {
		s.refused = s.append(key, vector)
	}
	if s.refused != nil {
		s.unwritten++
	}
	return nil
}

// Warnings says what is wrong with the cache: what was found to be damaged, and
// what could not be kept.
func (s *Store) Warnings() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	list := append([]string(nil), s.notes...)
	if n := s.lost.Load(); n > 0 {
		list = append(list, fmt.Sprintf("%s: %d of its vectors were damaged and are not used", s.path, n))
	}
	if s.unwritten > 0 {
		list = append(list, fmt.Sprintf("%s: %d new vectors could not be kept for the next run: %v", s.path, s.unwritten, s.refused))
	}
	return list
}

// Close notes which vectors were used, and gives up the file. Vectors that Get
// returned are gone.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	var err error
	s.settle()
	if s.data != nil {
		err = errors.Join(err, unmap(s.data))
		s.data, s.index = nil, index{}
	}
	if s.file != nil {
		err = errors.Join(err, s.file.Close())
		s.file = nil
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.close())
		s.lock = nil
	}
	return err
}

// dayOf is how the day of the last use is written: in days since 1970, UTC.
func dayOf(t time.Time) uint32 { return uint32(max(t.Unix()/(24*60*60), 0)) }

// dateOf is the beginning of a day.
func dateOf(day uint32) time.Time { return time.Unix(int64(day)*24*60*60, 0).UTC() }

// bytesOf is a vector as it is written.
func bytesOf(vector []float32) []byte {
	b := make([]byte, 4*len(vector))
	for i, x := range vector {
		binary.NativeEndian.PutUint32(b[4*i:], math.Float32bits(x))
	}
	return b
}
