package match

import (
	"sync"

	"tally/match/mapping"
)

// windowSize and windowPieces bound how many pieces share one mapping: making
// and ending one interrupts all threads, and what is mapped counts as memory
// of the process.
const (
	windowSize   = 4 << 20
	windowPieces = 16
)

// windowSlack is how much of a window lies behind its last piece, for the line
// that a cut goes through, in bytes.
const windowSlack = 64 << 10

// A window is a run of pieces that are mapped together.
type window struct {
	number  int64
	start   int64 // offset of the mapping
	size    int   // of the mapping, in bytes
	once    sync.Once
	mapping *mapping.Mapping // nil: the file is to be read
	left    int              // pieces that may still be looked at, guarded by windows.mu
}

// damaged reports whether bytes that were looked at were not the file's.
func (w *window) damaged() bool { return w.mapping.Damaged() }

// windows are the mappings in use. The zero value with fd negative has none.
type windows struct {
	fd  int
	end int64 // of the file, when the search began

	mu     sync.Mutex
	open   map[int64]*window
	failed bool // one could not be mapped; no other is tried
}

// pieces is how many pieces of the splitter a window has.
func (sp *splitter) pieces() int64 { return max(1, min(windowPieces, windowSize/sp.size)) }

// window returns the window of the n-th piece, mapping it if need be; nil if it
// cannot be mapped. Each piece may be looked at once, the last one not at all.
func (ws *windows) window(sp *splitter, n int64) *window {
	w := ws.place(sp, n/sp.pieces())
	if w == nil {
		return nil
	}
	// Mapping takes as long as searching a piece, so nobody else waits for it.
	w.once.Do(func() { w.mapping = mapping.Map(ws.fd, w.start, w.size) })
	if w.mapping == nil {
		ws.mu.Lock()
		ws.failed = true
		ws.mu.Unlock()
		return nil
	}
	return w
}

// place returns a window that may not have been mapped yet; nil if there is no
// use in trying.
func (ws *windows) place(sp *splitter, number int64) *window {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if w := ws.open[number]; w != nil {
		return w
	}
	if ws.fd < 0 || ws.failed {
		return nil
	}
	first := number * sp.pieces()
	start := max(sp.from+first*sp.size-1, 0)
	end := min(start+1+sp.pieces()*sp.size+windowSlack, ws.end)
	if ws.open == nil {
		ws.open = make(map[int64]*window)
	}
	w := &window{
		number: number, start: start, size: int(end - start),
		left: int(min(sp.pieces(), sp.count-1-first)),
	}
	ws.open[number] = w
	return w
}

// release says that a piece of w is done with.
func (ws *windows) release(w *window) {
	ws.mu.Lock()
	defer ws.mu.Unlock()
	if w.left--; w.left == 0 {
		w.mapping.Unmap()
		delete(ws.open, w.number)
	}
}

// clear ends all mappings, when nobody looks at them any more.
func (ws *windows) clear() {
	for _, w := range ws.open {
		if w.mapping != nil {
			w.mapping.Unmap()
		}
	}
	ws.open = nil
}
