package report

import (
	"slices"
	"time"

	"tally/match/digest"
	"tally/walk"
)

// flushAt is the size, in bytes, from which a worker hands on what it has
// rendered of a file whose search goes on.
const flushAt = 64 << 10

// A Part is what one worker has rendered and counted since its last one. Parts
// are printed in path order.
type Part struct {
	buf []byte
	// separator is the number of bytes at the start of buf that stand between
	// two files, and are left out if nothing was written before.
	separator int
	// blocks and marks say where the results are in buf. They are kept only
	// if a window of them is to be displayed.
	blocks []block
	marks  []mark
	delta  delta
	dirty  bool
}

// A block is what was rendered of one file:
//
//	separator | head | regions, one for each mark | tail
//
// The head (heading, JSON begin) and the tail (JSON end, binary message) stay
// with any region that is displayed.
type block struct {
	start, separatorEnd, headEnd, tail, end int
	marks                                   int    // end in Part.marks
	continued                               bool   // the file began in an earlier part
	repeated                                bool   // it was displayed before, by another path
	path                                    uint64 // its hash, if it may come twice
}

// PathSum is what the part adds to [Printer.PathSum].
func (p *Part) PathSum() uint64 { return p.delta.pathSum }

// Searched returns how many files the part is about, and Matched how many of them
// match.
func (p *Part) Searched() int64 { return p.delta.searched }
func (p *Part) Matched() int64  { return p.delta.matched }

// A mark ends the region of one result: a line with the context around it, or
// a path.
type mark struct {
	end       int   // in Part.buf
	separator int32 // bytes of the region that divide it from the one before
	lines     int32 // lines of the haystack that the result holds
	matches   int32
	elided    bool // -M kept some of it from the display
}

// A delta is what a part adds to the ledger.
type delta struct {
	inScope, searched, matched int64
	scopeUnknown               bool
	repeated                   int64
	lines, matches             int64
	bytes, binary, guessed     int64
	compressed                 int64
	linesUnknown               bool
	matchesUnknown             bool
	each                       eachCounts // what each pattern matches alone,
	eachUnknown                bool       // unless that is not known
	torn                       bool       // lines were shown of a file that failed
	found, foundRG             bool
	cut, elided, nonmatch      bool
	// units are results of the kind that is displayed, shown or not; blanks
	// are files that have something to display but no result.
	units, blanks int64
	shownFiles    int64
	shownMatches  int64
	shownRepeated shown
	skipped       [walk.NumReasons]skipped
	errors        []walk.Error
	digests       []digest.File
	pathSum       uint64
	binaries      []uint64 // the paths of files that were left as binary, hashed, with pathSum
	stats         stats
}

// failed reports whether something could not be read. Errors of files that were
// counted before, by another path, do not matter.
func (d *delta) failed() bool {
	return slices.ContainsFunc(d.errors, func(e walk.Error) bool { return !e.Repeated && e.Op != walk.OpUnpack })
}

// shown counts what is displayed of files that were counted before, by another path:
// the display holds it, and the totals do not.
type shown struct{ files, lines, matches int64 }

func (s *shown) add(o shown) {
	s.files += o.files
	s.lines += o.lines
	s.matches += o.matches
}

// skipped counts the paths that were left out for one reason.
type skipped struct{ paths, directories int64 }

// stats are ripgrep's statistics, which count what was seen rather than what
// is there.
type stats struct {
	searches, withMatch   int64
	matchedLines, matches int64
	searched, printed     int64 // bytes
	elapsed               time.Duration
}

func (s *stats) add(o *stats) {
	s.searches += o.searches
	s.withMatch += o.withMatch
	s.matchedLines += o.matchedLines
	s.matches += o.matches
	s.searched += o.searched
	s.printed += o.printed
	s.elapsed += o.elapsed
}

// Size is the number of bytes that p holds in memory.
func (p *Part) Size() int {
	return cap(p.buf) + 64*cap(p.blocks) + 32*cap(p.marks) + 16*cap(p.delta.digests)
}

// Errors are the paths that could not be read, in path order; they are valid
// until p is printed.
func (p *Part) Errors() []walk.Error { return p.delta.errors }

// Found reports whether p holds a result.
func (p *Part) Found() bool { return p.delta.found }

// reset makes p empty, keeping its memory unless that is unusually much.
func (p *Part) reset() {
	buf, blocks, marks, digests := p.buf[:0], p.blocks[:0], p.marks[:0], p.delta.digests[:0]
	if cap(buf) > 16*flushAt {
		buf = nil
	}
	*p = Part{buf: buf, blocks: blocks, marks: marks}
	p.delta.digests = digests
}
