package semantic

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tally/semantic/chunk"
	"tally/semantic/llama"
	"tally/semantic/store"
)

// A fake embeds texts as directions of a plane: the angle is the number of x in
// the text, in degrees. A text that is longer than its limit is too long, one
// with "bad" breaks the batch, and an empty one has no vector.
type fake struct {
	limit int
	texts []string
}

var errBad = errors.New("bad")

func (f *fake) Embed(ctx context.Context, texts []string) ([]llama.Vector, error) {
	vectors := make([]llama.Vector, len(texts))
	var errs []error
	for i, text := range texts {
		if ctx.Err() != nil {
			return vectors, ctx.Err()
		}
		f.texts = append(f.texts, text)
		switch {
		case f.limit > 0 && len(text) > f.limit:
			errs = append(errs, &llama.TooLong{Index: i, Tokens: len(text)})
		case strings.Contains(text, "bad"):
			return vectors, errors.Join(append(errs, errBad)...)
		case strings.Contains(text, "x"):
			vectors[i] = fakeVector(strings.Count(text, "x"))
		}
	}
	return vectors, errors.Join(errs...)
}

func fakeVector(n int) llama.Vector {
	cosines := []float32{1, 0.8, 0.6, 0}
	sines := []float32{0, 0.6, 0.8, 1}
	n = min(n, len(cosines)) - 1
	return llama.Vector{cosines[n], sines[n]}
}

type memory map[store.Key][]float32

func (m memory) Get(k store.Key) []float32 { return m[k] }
func (m memory) Put(k store.Key, v []float32) error {
	m[k] = v
	return nil
}

func chunksOf(texts ...string) (list []chunk.Chunk) {
	for i, text := range texts {
		list = append(list, chunk.Chunk{Text: text, Passage: text, From: i + 1, To: i + 1})
	}
	return list
}

func asked(t *testing.T, f *fake, c Cache) *Index {
	t.Helper()
	x := New(Model{Name: "plane", Dim: 2, Prefix: "find: "}, c, f)
	if err := x.Ask(t.Context(), "x"); err != nil {
		t.Fatal(err)
	}
	return x
}

// What is missing is embedded once and then known; the best passage decides.
func TestLookAndRead(t *testing.T) {
	f, c := &fake{}, memory{}
	x := asked(t, f, c)
	if !slices.Equal(f.texts, []string{"find: x"}) {
		t.Errorf("asked for %q", f.texts)
	}
	var finished []string
	r := x.NewReader()
	r.Finish = func(n *Note) { finished = append(finished, fmt.Sprintf("%s %.1f %d", n.Path, n.Score, n.Best.From)) }
	known := 0
	r.Progress = func(n, _ int) { known += n }
	notes := []struct {
		path  string
		texts []string
	}{
		{"a", []string{"xxx", "xx", "xx"}},
		{"b", []string{"xxxx", "none"}},
		{"c", []string{"xx"}},
	}
	for _, n := range notes {
		note := &Note{Path: n.path}
		missing := x.Look(note, chunksOf(n.texts...))
		if len(missing) != len(n.texts) || note.Missing != len(n.texts) || note.Best != nil {
			t.Errorf("%s: %d missing, note %+v", n.path, len(missing), note)
		}
		if err := r.Add(t.Context(), note, missing); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	want := []string{"a 0.8 2", "b 0.0 1", "c 0.8 1"}
	if !slices.Equal(finished, want) || known != 6 || r.Unfinished() != nil {
		t.Errorf("finished %q, %d known; want %q and 6", finished, known, want)
	}
	if slices.Sort(f.texts); len(slices.Compact(slices.Clone(f.texts))) != len(f.texts) {
		t.Errorf("something was embedded twice: %q", f.texts)
	}
	// Another run over the same cache embeds nothing.
	g := &fake{}
	x = asked(t, g, c)
	for _, n := range notes {
		note := &Note{Path: n.path}
		if missing := x.Look(note, chunksOf(n.texts...)); missing != nil || note.Best == nil {
			t.Errorf("%s is not known", n.path)
		}
	}
	if g.texts != nil {
		t.Errorf("embedded %q again", g.texts)
	}
}

// A passage that is too long is known by its halves, in this run and the next.
func TestTooLong(t *testing.T) {
	f, c := &fake{limit: 12}, memory{}
	x := asked(t, f, c)
	text := "one xxx two\n\nfour x five\n\nsix xx seven"
	look := func() (*Note, []chunk.Chunk) {
		n := &Note{Path: "a"}
		return n, x.Look(n, chunk.Split("a", []byte(text)))
	}
	n, missing := look()
	r := x.NewReader()
	more := 0
	r.Progress = func(_, m int) { more += m }
	if err := errors.Join(r.Add(t.Context(), n, missing), r.Flush(t.Context())); err != nil {
		t.Fatal(err)
	}
	if n.Score != 1 || n.Missing != 0 || n.Passages != 1+more || more < 2 || !strings.Contains(n.Best.Passage, "four") || n.Best.From != 3 {
		t.Errorf("%+v, best %+v", n, n.Best)
	}
	asked := len(f.texts)
	again, missing := look()
	if missing != nil || again.Passages != n.Passages || again.Score != 1 || again.Best.Passage != n.Best.Passage || len(f.texts) != asked {
		t.Errorf("again: %+v, %d missing", again, len(missing))
	}
	x = New(Model{Dim: 2, Prefix: "a long prefix: "}, c, f)
	if err := x.Ask(t.Context(), "x"); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("a question that is too long: %v", err)
	}
}

// A sentence counts nine tenths, and what it stands under one. That is embedded
// once, and left out if it is too long.
func TestUnder(t *testing.T) {
	f, c := &fake{limit: 20}, memory{}
	x := asked(t, f, c)
	chunks := []chunk.Chunk{
		{Text: "xxxx", Under: "xx under", From: 1, To: 1},
		{Text: "xx", Under: "xx under", From: 2, To: 2},
		{Text: "xxx", Under: "x under what is too long", From: 3, To: 3},
	}
	n := &Note{Path: "a"}
	r := x.NewReader()
	if err := errors.Join(r.Add(t.Context(), n, x.Look(n, chunks)), r.Flush(t.Context())); err != nil {
		t.Fatal(err)
	}
	if n.Missing != 0 || n.Passages != 3 || n.Best.From != 2 || math.Abs(n.Score-0.8) > 1e-6 {
		t.Errorf("%+v", n)
	}
	if want := []string{"find: x", "xxxx", "xx under", "xx", "xxx", "x under what is too long"}; !slices.Equal(f.texts, want) {
		t.Errorf("embedded %q, want %q", f.texts, want)
	}
	for i, want := range []float64{0.08, 0.8, 0.6} {
		again := &Note{}
		if missing := x.Look(again, chunks[i:i+1]); missing != nil || math.Abs(again.Score-want) > 1e-6 {
			t.Errorf("%q: %d missing, score %v, want %v", chunks[i].Text, len(missing), again.Score, want)
		}
	}
	// What is too long is not asked for again.
	known := len(f.texts)
	other := []chunk.Chunk{{Text: "x other", Under: "x under what is too long", From: 1, To: 1}}
	if err := errors.Join(r.Add(t.Context(), n, x.Look(n, other)), r.Flush(t.Context())); err != nil || len(f.texts) != known+1 || n.Score != 1 {
		t.Errorf("%v, asked for %q, %+v", err, f.texts[known:], n)
	}
	delete(c, store.KeyOf("xx under"))
	if missing := x.Look(&Note{}, chunks); len(missing) != 2 || missing[0].From != 1 || missing[1].From != 2 {
		t.Errorf("missing: %+v", missing)
	}
}

// What has no text has no vector, and a cache that forgets ends the reading.
func TestEmptyAndForgotten(t *testing.T) {
	f, c := &fake{}, memory{}
	x := asked(t, f, c)
	n := &Note{Path: "a"}
	r := x.NewReader()
	chunks := append(chunksOf("xx", "", "xxx"), chunk.Split("a.md", []byte("#\n"))...)
	if err := errors.Join(r.Add(t.Context(), n, x.Look(n, chunks)), r.Flush(t.Context())); err != nil || n.Missing != 0 || math.Abs(n.Score-0.8) > 1e-6 {
		t.Errorf("%v, %+v", err, n)
	}
	x = asked(t, f, c)
	x.cache = forgetful{}
	r = x.NewReader()
	n = &Note{Path: "a"}
	if err := errors.Join(r.Add(t.Context(), n, x.Look(n, chunks)), r.Flush(t.Context())); !errors.Is(err, errForgotten) || n.Missing != len(chunks) {
		t.Errorf("%v, %+v", err, n)
	}
}

type forgetful struct{ memory }

func (forgetful) Put(store.Key, []float32) error { return nil }

// A batch is complete when it has enough text, or enough texts.
func TestBatches(t *testing.T) {
	for _, test := range []struct{ size, want int }{{1, batchPassages}, {batchBytes / 4, 4}, {2 * batchBytes, 1}} {
		f := &fake{}
		x := asked(t, f, memory{})
		r := x.NewReader()
		for i := range 2*batchPassages + 1 {
			text := fmt.Sprint("x", i, strings.Repeat(" ", test.size))
			n := &Note{}
			if err := r.Add(t.Context(), n, x.Look(n, chunksOf(text))); err != nil {
				t.Fatal(err)
			}
			if got, want := len(f.texts)-1, (i+1)/test.want*test.want; got != want {
				t.Fatalf("after %d texts of %d bytes %d were embedded, want %d", i+1, test.size, got, want)
			}
		}
		if err := r.Flush(t.Context()); err != nil || len(f.texts) != 2*batchPassages+2 {
			t.Errorf("%v, %d embedded", err, len(f.texts)-1)
		}
	}
}

// An error keeps what was there before it, and says which notes are unfinished.
func TestFailure(t *testing.T) {
	f, c := &fake{}, memory{}
	x := asked(t, f, c)
	r := x.NewReader()
	var finished []*Note
	r.Finish = func(n *Note) { finished = append(finished, n) }
	var err error
	for _, text := range []string{"x", "bad", "xx"} {
		n := &Note{Path: text}
		err = errors.Join(err, r.Add(t.Context(), n, x.Look(n, chunksOf(text))))
	}
	err = errors.Join(err, r.Flush(t.Context()))
	if !errors.Is(err, errBad) || len(finished) != 1 || finished[0].Path != "x" || len(r.Unfinished()) != 2 {
		t.Errorf("%v, finished %v, unfinished %v", err, finished, r.Unfinished())
	}
	if c[store.KeyOf("x")] == nil {
		t.Error("what was embedded is not kept")
	}
	if c[store.KeyOf("bad")] != nil {
		t.Error("what was not embedded is")
	}
	x = New(Model{Dim: 3}, memory{}, f)
	if err := x.Ask(t.Context(), "x"); err == nil || !strings.Contains(err.Error(), "vectors of 2 numbers") {
		t.Errorf("a vector of another size: %v", err)
	}
	if err := asked(t, f, c).Ask(t.Context(), "nothing"); err == nil {
		t.Error("a question without a vector is taken")
	}
}

func TestFuse(t *testing.T) {
	rare := func(paths ...string) func(string) bool {
		return func(p string) bool { return slices.Contains(paths, p) }
	}
	paths := func(list []Fused) (s string) {
		for _, f := range list {
			s += f.Path
		}
		return s
	}
	for _, c := range []struct {
		first, second string
		firm          func(string) bool
		want          string
	}{
		{"", "", rare(), ""},
		{"ab", "", rare(), "ab"},
		{"ab", "ba", rare(), "ab"},
		{"abc", "cd", rare(), "cabd"}, // 1/63+1/61 is more than 1/61
		{"a", "b", rare(), "ab"},
		{"b", "a", rare(), "ab"},
		{"xa", "bc", rare("a"), "abxc"},
		{"a", "bcde", rare("e"), "eabcd"},
	} {
		list := Fuse(strings.Split(c.first, "")[:], strings.Split(c.second, "")[:], c.firm)
		if got := paths(list); got != c.want {
			t.Errorf("%s and %s: %s, want %s", c.first, c.second, got, c.want)
		}
	}
	list := Fuse([]string{"a", "b"}, []string{"b"}, rare())
	second, first := 1/62.0, 1/61.0
	if list[0] != (Fused{"b", [2]int{2, 1}, second + first}) || list[1] != (Fused{"a", [2]int{1, 0}, first}) {
		t.Errorf("%+v", list)
	}
}

func TestParseModel(t *testing.T) {
	sum := strings.Repeat("0a", 32)
	m, err := ParseModel(`name=my model,dim=768,pooling=mean,floor=0.5,sha256=` + sum + `,prefix=a, b=c: `)
	want := Model{Name: "my model", Dim: 768, Pooling: Mean, Floor: 0.5, Sum: bytes.Repeat([]byte{10}, 32), Prefix: "a, b=c: "}
	if err != nil || !reflect.DeepEqual(m, want) {
		t.Errorf("%+v, %v; want %+v", m, err, want)
	}
	if m, err = ParseModel(`name=m,prefix="q: "`); err != nil || m.Prefix != "q: " {
		t.Errorf("%+v, %v", m, err)
	}
	for _, text := range []string{
		"", "floor=0.5", "name=", "name=m,floor=0", "name=m,floor=1", "name=m,floor=NaN", "name=m,floor=x", "name=m,dim=0", "name=m,dim=-1",
		"name=m,dim=99999999", "name=m,pooling=none", "name=m,pooling=sum", "name=m,sha256=00", "name=m,color=red", `name=m,prefix="q`,
	} {
		if m, err := ParseModel(text); err == nil {
			t.Errorf("%q is taken: %+v", text, m)
		}
	}
}

func TestIdentify(t *testing.T) {
	bge := File{Name: "bge small en v1.5", Architecture: "bert", Dim: 384, Layers: 12, Context: 512, Pooling: CLS}
	mini := File{Name: "all-MiniLM-L6-v2", Architecture: "bert", Dim: 384, Layers: 6, Context: 512, Pooling: Mean}
	other := File{Name: "other", Architecture: "bert", Dim: 4, Layers: 1, Pooling: Last}
	sum := []byte("sum")
	mine := Model{Name: "mine", Floor: 0.3}
	exact := Model{Name: "exact", Sum: sum, Floor: 0.4}
	for _, c := range []struct {
		file      File
		described []Model
		floorless bool
		want      string // the name, or a part of the error
	}{
		{bge, nil, false, "bge-small-en-v1.5"},
		{mini, nil, false, "all-MiniLM-L6-v2"},
		{other, nil, false, `"other" (bert, 1 layers, vectors of 4 numbers) is not known`},
		{other, nil, true, "is not known"},
		{other, []Model{mine}, false, "mine"},
		{other, []Model{exact, mine}, false, "exact"},
		{other, []Model{{Name: "elsewhere", Sum: []byte("else"), Floor: 1}}, false, "is not known"},
		{other, []Model{{Name: "first", Floor: 0.1}, {Name: "second", Floor: 0.1}}, false, "second"},
		{other, []Model{{Name: "bare"}}, false, "has no floor"},
		{other, []Model{{Name: "bare"}}, true, "bare"},
		{other, []Model{{Name: "mean", Floor: 0.1, Pooling: Mean}}, false, "its file says last"},
		{other, []Model{{Name: "wide", Floor: 0.1, Dim: 5}}, false, "its file says 4"},
		{bge, []Model{mine}, false, "mine"},
		{File{Name: "bge-small-en-v1.5", Architecture: "bert", Dim: 384, Layers: 6, Pooling: CLS}, nil, false, "is not known"},
		{File{Name: "bge-small-en-v1.5", Architecture: "bert", Dim: 384, Layers: 12}, nil, false, "makes no vector of a text"},
		{File{Name: "bge-small-en-v1.5", Architecture: "bert", Dim: 384, Layers: 12, Pooling: Mean}, nil, false, "its file says mean"},
	} {
		m, err := Identify(c.file, sum, c.described, c.floorless)
		if got := m.Name; err == nil && (got != c.want || m.Dim != c.file.Dim || m.Pooling != c.file.Pooling) ||
			err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v with %+v: %+v, %v; want %s", c.file, c.described, m, err, c.want)
		}
	}
}

// ggufValue writes a value with its type.
func ggufValue(b *bytes.Buffer, v any) {
	le := func(x any) { binary.Write(b, binary.LittleEndian, x) }
	text := func(s string) {
		le(uint64(len(s)))
		b.WriteString(s)
	}
	switch v := v.(type) {
	case uint8:
		le(uint32(0))
		le(v)
	case uint32:
		le(uint32(4))
		le(v)
	case float32:
		le(uint32(6))
		le(v)
	case uint64:
		le(uint32(10))
		le(v)
	case string:
		le(uint32(8))
		text(v)
	case []string:
		le(uint32(9))
		le(uint32(8))
		le(uint64(len(v)))
		for _, s := range v {
			text(s)
		}
	case []float32:
		le(uint32(9))
		le(uint32(6))
		le(uint64(len(v)))
		le(v)
	default:
		panic(fmt.Sprintf("%T", v))
	}
}

type ggufKey struct {
	name  string
	value any
}

func ggufFile(keys []ggufKey) []byte {
	var b bytes.Buffer
	b.WriteString("GGUF")
	binary.Write(&b, binary.LittleEndian, uint32(3))
	binary.Write(&b, binary.LittleEndian, uint64(1))
	binary.Write(&b, binary.LittleEndian, uint64(len(keys)))
	for _, k := range keys {
		binary.Write(&b, binary.LittleEndian, uint64(len(k.name)))
		b.WriteString(k.name)
		ggufValue(&b, k.value)
	}
	return b.Bytes()
}

var ggufKeys = []ggufKey{
	{"general.architecture", "bert"},
	{"general.name", "A Model"},
	{"bert.embedding_length", uint32(384)},
	{"bert.block_count", uint64(12)},
	{"bert.context_length", uint32(512)},
	{"bert.pooling_type", uint8(2)},
	{"bert.eps", float32(1e-12)},
	{"other.block_count", uint32(7)},
	{"tokenizer.ggml.tokens", []string{"a", "", "bc"}},
	{"tokenizer.ggml.scores", []float32{1, 2, 3}},
}

// The keys may come in any order; what is cut off anywhere is noticed.
func TestReadGGUF(t *testing.T) {
	want := File{Name: "A Model", Architecture: "bert", Dim: 384, Layers: 12, Context: 512, Pooling: CLS}
	read := func(b []byte) (File, error) { return readGGUF(bufio.NewReader(bytes.NewReader(b))) }
	r := rand.New(rand.NewPCG(1, 2))
	keys := slices.Clone(ggufKeys)
	for range 20 {
		r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		file := ggufFile(keys)
		if got, err := read(append(file, "tensors"...)); err != nil || got != want {
			t.Errorf("%+v, %v", got, err)
		}
		for n := range file {
			if got, err := read(file[:n]); err == nil {
				t.Fatalf("of %d bytes %d are enough: %+v", len(file), n, got)
			}
		}
	}
	for _, b := range []string{"", "GGML", "GGUF\x01\x00\x00\x00", "GGUF\x03\x00\x00\x00" + strings.Repeat("\xff", 100)} {
		if _, err := read([]byte(b)); err == nil {
			t.Errorf("%q is taken for a model", b)
		}
	}
}

// Whatever a file holds, reading it ends, and does not take memory that the file
// has not.
func FuzzReadGGUF(f *testing.F) {
	f.Add(ggufFile(ggufKeys))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := readGGUF(bufio.NewReader(bytes.NewReader(b)))
		if err == nil && (len(m.Name) > len(b) || len(m.Architecture) > len(b) || m.Dim < 0 || m.Layers < 0 || m.Context < 0) {
			t.Errorf("%+v from %d bytes", m, len(b))
		}
	})
}
