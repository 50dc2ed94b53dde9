package store

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

const today = 20000

// space is one of few numbers, so that its files are small.
var space = Space{Model: [32]byte{1, 2, 3}, Prefix: "ask: ", Chunker: 7, Dim: 3, Name: "a model"}

func opened(t *testing.T, dir string, s Space, day uint32) *Store {
	t.Helper()
	st, err := open(dir, s, day)
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// vector is that of text i.
func vector(i, dim int) []float32 {
	v := make([]float32, dim)
	for j := range v {
		v[j] = float32(i) + float32(j)/1024
	}
	return v
}

func text(i int) string { return fmt.Sprintf("text %d", i) }

func put(t *testing.T, s *Store, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		if err := s.Put(KeyOf(text(i)), vector(i, s.space.Dim)); err != nil {
			t.Fatal(err)
		}
	}
}

// has counts those of the texts that the store has, and makes sure that it has
// no wrong ones.
func has(t *testing.T, s *Store, from, to int) (n int) {
	t.Helper()
	for i := from; i < to; i++ {
		v := s.Get(KeyOf(text(i)))
		if v == nil {
			continue
		}
		if n++; !slices.Equal(v, vector(i, s.space.Dim)) {
			t.Fatalf("text %d has the vector %v", i, v)
		}
	}
	return n
}

func closed(t *testing.T, s *Store, warnings int) {
	t.Helper()
	list := s.Warnings()
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if len(list) != warnings {
		t.Fatalf("warnings: %q, want %d", list, warnings)
	}
}

func TestKeeps(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "tally")
	// More than two blocks, and several runs.
	const all, step = 2*blockSlots + 30, 500
	for from := 0; from < all; from += step {
		s := opened(t, dir, space, today)
		if n := has(t, s, 0, all); n != from {
			t.Fatalf("%d of %d vectors", n, from)
		}
		put(t, s, from, min(from+step, all))
		if n := has(t, s, 0, all); n != min(from+step, all) {
			t.Fatalf("%d vectors after adding to %d", n, from)
		}
		put(t, s, 0, 5) // which are there
		closed(t, s, 0)
	}
	list, err := Show(dir)
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	got := list[0]
	if !got.Space.same(&space) || got.Name != space.Name || got.Vectors != all || got.Damaged != 0 || got.Problem != "" ||
		!got.Used.Equal(dateOf(today)) || !got.Created.Equal(dateOf(today)) || got.Bytes < all*60 {
		t.Errorf("%+v", got)
	}
	for path, want := range map[string]os.FileMode{dir: 0o700, got.Path: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
}

// What a vector depends on keeps it from being taken for another's.
func TestSpacesAreApart(t *testing.T) {
	dir := t.TempDir()
	others := []Space{space, space, space, space, space}
	others[1].Model[31] = 1
	others[2].Prefix = "ask:  "
	others[3].Chunker++
	others[4].Dim++
	for i, o := range others {
		s := opened(t, dir, o, today)
		if n := has(t, s, 0, 1); n != 0 {
			t.Errorf("space %d has a vector of another", i)
		}
		put(t, s, 0, 1)
		closed(t, s, 0)
	}
	renamed := space
	renamed.Name = "another name"
	s := opened(t, dir, renamed, today)
	if has(t, s, 0, 1) != 1 {
		t.Error("the name counts")
	}
	closed(t, s, 0)
}

func TestRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, bad := range []Space{{Dim: 0}, {Dim: -1}, {Dim: maxDim + 1}, {Dim: 3, Prefix: strings.Repeat("x", maxText+1)}} {
		if _, err := Open(dir, bad); err == nil {
			t.Errorf("%+v is accepted", bad)
		}
	}
	s := opened(t, dir, space, today)
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	for _, v := range [][]float32{nil, {1, 2}, {1, 2, 3, 4}, {1, nan, 2}, {inf, 1, 2}} {
		if s.Put(KeyOf("x"), v) == nil {
			t.Errorf("%v is accepted", v)
		}
	}
	closed(t, s, 0)
}

// A header holds any name and prefix, and no other bytes are one.
func FuzzHeader(f *testing.F) {
	f.Add("name", "prefix: ", 1, 384, []byte("x"), 7)
	f.Add(strings.Repeat("\x01", maxText), strings.Repeat("\u202e", maxText/3), -1, 1, []byte("\nsum 0"), 100)
	f.Fuzz(func(t *testing.T, name, prefix string, chunker, dim int, patch []byte, at int) {
		s := Space{Name: name, Prefix: prefix, Chunker: chunker & math.MaxInt32, Dim: 1 + (dim&math.MaxInt32)%maxDim}
		if len(prefix) > maxText || len(name) > maxText {
			return
		}
		b := s.header("2026-11-30")
		got, created, err := parseHeader(b)
		if err != nil || got != s || created.Format(time.DateOnly) != "2026-11-30" {
			t.Fatalf("%+v %v %v, want %+v", got, created, err, s)
		}
		changed := slices.Clone(b)
		copy(changed[(at&math.MaxInt32)%headerSize:], patch)
		if _, _, err := parseHeader(changed); (err == nil) != bytes.Equal(b, changed) {
			t.Fatalf("changed at %d: %v", at, err)
		}
	})
}

func TestDaysOfUse(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir, space, today)
	put(t, s, 0, 10)
	closed(t, s, 0)
	s = opened(t, dir, space, today+40)
	has(t, s, 3, 5)
	closed(t, s, 0)
	list, _ := Show(dir)
	if !list[0].Used.Equal(dateOf(today + 40)) {
		t.Errorf("%+v", list[0])
	}
	policy := Policy{Now: dateOf(today + 50), MaxAge: 24 * time.Hour * 30, MaxBytes: 1 << 30, Chunker: space.Chunker, DryRun: true}
	for range 2 {
		done, err := Prune(dir, policy)
		if err != nil || done.Vectors != 8 || done.Files != 0 || done.Bytes <= 0 {
			t.Errorf("%+v %v", done, err)
		}
		policy.DryRun = false
	}
	if done, err := Prune(dir, policy); err != nil || done != (Pruned{}) {
		t.Errorf("again: %+v %v", done, err)
	}
	s = opened(t, dir, space, today+50)
	if has(t, s, 0, 10) != 2 || has(t, s, 3, 5) != 2 {
		t.Error("others are kept than those that were used")
	}
	closed(t, s, 0)
}

func TestPrune(t *testing.T) {
	dir := t.TempDir()
	write := func(s Space, from, to int, day uint32) {
		st := opened(t, dir, s, day)
		put(t, st, from, to)
		closed(t, st, 0)
	}
	policy := Policy{Now: dateOf(today), MaxAge: 24 * time.Hour * 90, MaxBytes: 1 << 30, Chunker: space.Chunker}
	older := space
	older.Chunker--
	second := space
	second.Model[0]++
	write(space, 0, 100, today-10)
	write(space, 100, 150, today)
	write(second, 0, 50, today-5)
	write(older, 0, 20, today)
	for name, text := range map[string]string{"foreign" + suffix: "no header", "left" + suffix + unfinished: "x", "else": "stays"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	done, err := Prune(dir, policy)
	if err != nil || done.Files != 2 || done.Vectors != 20 {
		t.Fatalf("%+v %v", done, err)
	}
	policy.MaxBytes = 120 * (slotSize + 12)
	done, err = Prune(dir, policy)
	if err != nil || done.Files != 0 || done.Vectors != 80 {
		t.Fatalf("%+v %v", done, err)
	}
	for _, want := range []struct {
		space       Space
		from, to, n int
	}{{space, 0, 100, 20}, {space, 100, 150, 50}, {second, 0, 50, 50}} {
		s := opened(t, dir, want.space, today)
		if n := has(t, s, want.from, want.to); n != want.n {
			t.Errorf("%d vectors of %d-%d, want %d", n, want.from, want.to, want.n)
		}
		closed(t, s, 0)
	}
	cleared, err := Clear(dir)
	if err != nil || cleared.Files != 2 || cleared.Vectors != 120 {
		t.Errorf("%+v %v", cleared, err)
	}
	entries, _ := os.ReadDir(dir)
	if len(entries) != 2 { // the lock, and what is not ours
		t.Errorf("left: %v", entries)
	}
	if list, err := Show(filepath.Join(dir, "none")); len(list) != 0 || err != nil {
		t.Error(list, err)
	}
	if done, err := Prune(filepath.Join(dir, "none"), policy); done != (Pruned{}) || err != nil {
		t.Error(done, err)
	}
}

// A store goes on when another process prunes or clears the cache.
func TestReplacedUnderneath(t *testing.T) {
	dir := t.TempDir()
	s := opened(t, dir, space, today)
	put(t, s, 0, 20)
	closed(t, s, 0)
	s = opened(t, dir, space, today)
	put(t, s, 20, 30)
	policy := Policy{Now: dateOf(today), MaxBytes: 10 * (slotSize + 12), Chunker: space.Chunker}
	if done, err := Prune(dir, policy); err != nil || done.Vectors != 20 {
		t.Fatal(done, err)
	}
	put(t, s, 30, 40)
	if _, err := Clear(dir); err != nil {
		t.Fatal(err)
	}
	put(t, s, 40, 50)
	if n := has(t, s, 0, 50); n != 50 {
		t.Errorf("%d vectors in the store", n)
	}
	closed(t, s, 0)
	s = opened(t, dir, space, today)
	if n := has(t, s, 0, 50); n != 10 || has(t, s, 40, 50) != 10 {
		t.Errorf("%d vectors in the file", n)
	}
	closed(t, s, 0)
}

func TestAtOnce(t *testing.T) {
	dir := t.TempDir()
	a, b := opened(t, dir, space, today), opened(t, dir, space, today)
	var wait sync.WaitGroup
	for worker := range 8 {
		wait.Go(func() {
			for i := worker * 50; i < worker*50+100; i++ {
				s := []*Store{a, b}[worker%2]
				s.Get(KeyOf(text(i)))
				if err := s.Put(KeyOf(text(i)), vector(i, 3)); err != nil {
					t.Error(err)
				}
				s.Warnings()
			}
		})
	}
	wait.Wait()
	closed(t, a, 0)
	closed(t, b, 0)
	s := opened(t, dir, space, today)
	if n := has(t, s, 0, 450); n != 450 {
		t.Errorf("%d vectors", n)
	}
	closed(t, s, 0)
}

func TestHashModel(t *testing.T) {
	dir := t.TempDir()
	cache := filepath.Join(dir, "cache")
	file := filepath.Join(dir, "model")
	write := func(text string, age time.Duration) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		then := time.Now().Add(-age)
		if err := os.Chtimes(file, then, then); err != nil {
			t.Fatal(err)
		}
	}
	hash := func() [32]byte {
		t.Helper()
		sum, err := HashModel(cache, file)
		if err != nil {
			t.Fatal(err)
		}
		return sum
	}
	write("one", time.Hour)
	if hash() != KeyOf("one") {
		t.Error("a wrong hash")
	}
	// The inode was changed just now, so that nothing is remembered.
	if _, err := os.Stat(filepath.Join(cache, modelsName)); !errors.Is(err, os.ErrNotExist) {
		t.Error("the hash of a new file is remembered")
	}
	f, _ := os.Open(file)
	identity, _, _ := identify(f)
	f.Close()
	wrong := KeyOf("something else")
	rememberModels(cache, []string{"1 2 3 4 5 " + strings.Repeat("00", 32), fmt.Sprintf("%s %x", identity, wrong)})
	if hash() != wrong {
		t.Error("what is remembered is not believed")
	}
	path := filepath.Join(cache, modelsName)
	text, _ := os.ReadFile(path)
	for i := range text {
		changed := slices.Clone(text)
		changed[i] ^= 1
		os.WriteFile(path, changed, 0o600)
		if sum := hash(); sum != wrong && sum != KeyOf("one") {
			t.Fatalf("byte %d changed: another hash", i)
		}
	}
	os.WriteFile(path, text, 0o600)
	write("two", time.Hour)
	if hash() != KeyOf("two") {
		t.Error("a change goes unnoticed")
	}
	for _, bad := range []string{dir, filepath.Join(dir, "none"), "/dev/null"} {
		if _, err := HashModel(cache, bad); err == nil {
			t.Errorf("%s is a model", bad)
		}
	}
}

func TestDir(t *testing.T) {
	for _, test := range []struct{ xdg, home, want string }{
		{"/x", "/h", "/x/tally"},
		{"", "/h", "/h/.cache/tally"},
		{"relative", "/h", "/h/.cache/tally"},
		{"", "", ""},
		{"", "relative", ""},
	} {
		got, err := Dir(func(name string) string {
			return map[string]string{"XDG_CACHE_HOME": test.xdg, "HOME": test.home}[name]
		})
		if got != test.want || (err != nil) != (test.want == "") {
			t.Errorf("%+v: %q %v", test, got, err)
		}
	}
}

func TestDot(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 400 {
		a, b := make([]float32, n), make([]float32, n)
		want := 0.0
		for i := range a {
			a[i], b[i] = r.Float32()-0.5, r.Float32()-0.5
			want += float64(a[i]) * float64(b[i])
		}
		if got, plain := Dot(a, b), dotPlain(a, b); got != plain {
			t.Errorf("%d numbers: %v, and %v by the plain way", n, got, plain)
		}
		if got := Dot(a, b); math.Abs(float64(got)-want) > 1e-5 {
			t.Errorf("%d numbers: %v, want %v", n, got, want)
		}
	}
}

// BenchmarkDot scans 100,000 vectors of 384 numbers, in the order of memory.
func BenchmarkDot(b *testing.B) {
	const n, dim = 100_000, 384
	all := make([]float32, n*dim)
	for i := range all {
		all[i] = float32(i%1000) / 1000
	}
	query := slices.Clone(all[:dim])
	for _, way := range []struct {
		name string
		dot  func(a, b []float32) float32
	}{{"eights", Dot}, {"plain", dotPlain}} {
		b.Run(way.name, func(b *testing.B) {
			b.SetBytes(4 * n * dim)
			for b.Loop() {
				best := float32(0)
				for i := range n {
					best = max(best, way.dot(query, all[i*dim:(i+1)*dim]))
				}
			}
		})
	}
}

// BenchmarkOpen opens a cache of 100,000 vectors, and asks for 10,000.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	large := space
	large.Dim = 384
	const n = 100_000
	s, err := Open(dir, large)
	if err != nil {
		b.Fatal(err)
	}
	keys := make([]Key, n)
	for i := range keys {
		keys[i] = KeyOf(text(i))
		s.Put(keys[i], vector(i, 384))
	}
	if err := s.Close(); err != nil {
		b.Fatal(err)
	}
	for _, asked := range []int{0, 10_000, n} {
		b.Run(fmt.Sprint(asked), func(b *testing.B) {
			for b.Loop() {
				s, _ := Open(dir, large)
				for _, key := range keys[:asked] {
					if s.Get(key) == nil {
						b.Fatal("not there")
					}
				}
				s.Close()
			}
		})
	}
}

func BenchmarkPut(b *testing.B) {
	large := space
	large.Dim = 384
	s, _ := Open(b.TempDir(), large)
	defer s.Close()
	v := vector(1, 384)
	for i := 0; b.Loop(); i++ {
		s.Put(KeyOf(text(i)), v)
	}
}
