package semantic

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
)

// A File is what a model's file says of itself: a GGUF file begins with
//
//	"GGUF", version (uint32), tensors (uint64), keys (uint64)
//
// and for each key its name, the type of its value (uint32) and the value, all
// little-endian. A string is its length (uint64) and its bytes; an array the
// type of its elements, their number (uint64) and the elements. The tensors
// follow, which nobody here looks at.
type File struct {
	Name, Architecture string
	Dim                int // numbers in a vector
	Layers             int
	Context            int // tokens
	Pooling            Pooling
}

// A Pooling is how a model makes one vector of those of its tokens.
type Pooling uint8

// The numbers are those of GGUF.
const (
	NoPooling Pooling = iota
	Mean
	CLS
	Last
)

var poolingNames = [...]string{"none", "mean", "cls", "last"}

// String returns the name that users and llama-server know.
func (p Pooling) String() string {
	if int(p) < len(poolingNames) {
		return poolingNames[p]
	}
	return fmt.Sprintf("pooling %d", uint8(p))
}

// ReadFile reads what the model in a file says of itself.
func ReadFile(path string) (File, error) {
	f, err := os.Open(path)
	if err != nil {
		return File{}, err
	}
	defer f.Close()
	m, err := readGGUF(bufio.NewReaderSize(f, 64<<10))
	if err != nil {
		return File{}, fmt.Errorf("%s is no model that can be used: %w", path, err)
	}
	return m, nil
}

const (
	// No file has as many keys, or as long a name.
	maxKeys   = 1 << 16
	maxString = 1 << 16
)

var errNoGGUF = errors.New("it does not begin as a GGUF file of version 2 or 3 does")

// readGGUF reads the keys. What they say is taken by name, since the
// architecture, which some of the names begin with, may come last.
func readGGUF(r *bufio.Reader) (File, error) {
	g := &ggufReader{r: r}
	if g.number(4) != 'G'|'G'<<8|'U'<<16|'F'<<24 {
		return File{}, errNoGGUF
	}
	if v := g.number(4); v < 2 || v > 3 {
		return File{}, errNoGGUF
	}
	g.number(8)
	n := g.number(8)
	switch {
	case g.err != nil:
		return File{}, errNoGGUF
	case n > maxKeys:
		return File{}, fmt.Errorf("it claims to have %d keys", n)
	}
	texts, numbers := map[string]string{}, map[string]uint64{}
	for range n {
		key := g.text()
		switch kind := g.number(4); kind {
		case ggufString:
			texts[key] = g.text()
		case ggufArray:
			g.skipArray()
		default:
			numbers[key] = g.number(g.size(kind))
		}
		if g.err != nil {
			return File{}, fmt.Errorf("it ends, or is damaged, in the description of the model (%w)", g.err)
		}
	}
	arch := texts["general.architecture"]
	of := func(key string) int { return int(min(numbers[arch+"."+key], math.MaxInt32)) }
	return File{
		Name: texts["general.name"], Architecture: arch, Dim: of("embedding_length"), Layers: of("block_count"),
		Context: of("context_length"), Pooling: Pooling(min(of("pooling_type"), math.MaxUint8)),
	}, nil
}

// Types of values.
const (
	ggufString = 8
	ggufArray  = 9
)

// ggufSizes are the sizes of the others, in bytes.
var ggufSizes = map[uint64]int{0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}

// A ggufReader reads values until one cannot be read.
type ggufReader struct {
	r   *bufio.Reader
	err error
}

// number reads an unsigned number of n bytes; of others it returns the bits.
func (g *ggufReader) number(n int) uint64 {
	var b [8]byte
	if g.err == nil {
		_, g.err = io.ReadFull(g.r, b[:n])
	}
	if g.err != nil {
		return 0
	}
	return binary.LittleEndian.Uint64(b[:])
}

// size returns the size of a value of a type.
func (g *ggufReader) size(kind uint64) int {
	n, known := ggufSizes[kind]
	if !known && g.err == nil {
		g.err = fmt.Errorf("a value of type %d", kind)
	}
	return n
}

// text reads a string; what is beyond its limit is left out.
func (g *ggufReader) text() string {
	n := g.number(8)
	b := make([]byte, min(n, maxString))
	if g.err == nil {
		_, g.err = io.ReadFull(g.r, b)
	}
	g.skip(n - uint64(len(b)))
	return string(b)
}

func (g *ggufReader) skip(n uint64) {
	if g.err == nil && n > 0 {
		_, g.err = io.CopyN(io.Discard, g.r, int64(min(n, math.MaxInt64)))
	}
}

func (g *ggufReader) skipArray() {
	kind, n := g.number(4), g.number(8)
	if kind != ggufString {
		if size := uint64(g.size(kind)); n > math.MaxInt64/8 {
			g.err = errors.Join(g.err, fmt.Errorf("an array of %d values", n))
		} else {
			g.skip(n * size)
		}
		return
	}
	for i := uint64(0); i < n && g.err == nil; i++ {
		g.skip(g.number(8))
	}
}
