package walk

import (
	"path/filepath"
	"strings"
	"sync"
)

// A census remembers files that lie below more than one root. It exists only
// where roots overlap.
type census struct {
	mu    sync.Mutex
	files map[string]struct{} // real paths
}

// newCensus returns a census if any two roots overlap, else nil. It notes each
// root's real path.
func newCensus(roots []*root) *census {
	overlap := false
	for i, r := range roots {
		if r.stdin || r.err != nil {
			continue
		}
		real, err := filepath.Abs(r.path)
		if err == nil {
			real, err = filepath.EvalSymlinks(real)
		}
		if err != nil {
			continue
		}
		r.real = real
		for _, other := range roots[:i] {
			overlap = overlap || other.real != "" && (within(real, other.real) || within(other.real, real))
		}
	}
	if !overlap {
		return nil
	}
	return &census{files: map[string]struct{}{}}
}

// within reports whether path is dir or lies below it.
func within(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == '/' || dir == "/")
}

// appendBelow appends the path of d below its root.
func appendBelow(dst []byte, d *dir) []byte {
	if d.parent == nil {
		return dst
	}
	return appendName(appendBelow(dst, d.parent), d.name)
}

// Repeated reports whether the file has been visited before, below another
// root or the same one given twice. It must be asked once for each file.
func (f *File) Repeated() bool {
	if f.root.census == nil {
		return false
	}
	path := []byte(f.root.real)
	switch {
	case f.listed != nil && f.root.isDir():
		path = appendName(path, f.listed.names())
	case f.dir != nil:
		path = appendName(appendBelow(path, f.dir), f.dir.entryName(f.entry))
	}
	key := filepath.Clean(string(path))
	c := f.root.census
	c.mu.Lock()
	defer c.mu.Unlock()
	_, again := c.files[key]
	c.files[key] = struct{}{}
	return again
}
