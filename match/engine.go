package match

// #cgo CFLAGS: -I${SRCDIR}/librure
// #cgo noescape tally_scan
// #cgo nocallback tally_scan
// #cgo noescape tally_scanner_may
// #cgo nocallback tally_scanner_may
// #cgo noescape tally_scanner_find
// #cgo nocallback tally_scanner_find
// #cgo noescape tally_scanner_groups
// #cgo nocallback tally_scanner_groups
// #include "tally.h"
import "C"

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"unsafe"

	rure "github.com/BurntSushi/rure-go"

	"tally/match/digest"
)

// This file is the border to librure: rure-go compiles patterns of the default
// engine, our wrapper crate those of PCRE2, and its batched scan runs them all
// (librure/src/scan.rs says why).

// planFlags say how patterns are to be read, in both engines.
type planFlags uint32

const (
	planInsensitive    planFlags = C.TALLY_CASE_INSENSITIVE
	planSmartCase      planFlags = C.TALLY_SMART_CASE
	planUnicode        planFlags = C.TALLY_UNICODE
	planCRLF           planFlags = C.TALLY_CRLF
	planDotAll         planFlags = C.TALLY_DOT_ALL
	planWord           planFlags = C.TALLY_WORD
	planWholeLine      planFlags = C.TALLY_WHOLE_LINE
	planMultiLine      planFlags = C.TALLY_MULTI_LINE
	planBanNUL         planFlags = C.TALLY_BAN_NUL
	planNULTerminated  planFlags = C.TALLY_NUL_TERMINATED
	planFixed          planFlags = C.TALLY_FIXED
	scanRows                     = C.TALLY_SCAN_ROWS
	scanSpans                    = C.TALLY_SCAN_SPANS
	scanDigest                   = C.TALLY_SCAN_DIGEST
	scanLinewise                 = C.TALLY_SCAN_LINEWISE
	scanCRLF                     = C.TALLY_SCAN_CRLF
	scanNumber                   = C.TALLY_SCAN_NUMBER
	factHaystackAnchor           = C.TALLY_FACT_HAYSTACK_ANCHOR
	factWithinLine               = C.TALLY_FACT_WITHIN_LINE
	factInsensitive              = C.TALLY_FACT_INSENSITIVE
)

// A pattern is compiled, and shared by all scanners.
type pattern struct {
	c        *C.tally_pattern
	fallible bool // PCRE2 may give up in the middle of a match
	facts    uint32
	reach    int      // how much of a line tells that it does not match; 0 for all of it
	names    []string // of the groups, the whole match first; "" for none
}

// textOf copies a text that belongs to Rust, of any length: C.GoStringN takes no
// more than an int of C's, and a plan may be the pattern itself.
func textOf(t C.tally_text) string {
	if t.len == 0 {
		return ""
	}
	return string(unsafe.Slice((*byte)(unsafe.Pointer(t.ptr)), t.len))
}

// A list is patterns laid out for C: one after the other, and where each ends.
type list struct {
	text []byte
	ends []C.size_t
}

func newList(patterns []string) list {
	var l list
	for _, p := range patterns {
		l.text = append(l.text, p...)
		l.ends = append(l.ends, C.size_t(len(l.text)))
	}
	if len(l.text) == 0 {
		l.text = emptyHaystack[:] // an address, of which nothing is read
	}
	return l
}

func (l *list) parts() (*C.uint8_t, *C.size_t, C.size_t) {
	return (*C.uint8_t)(unsafe.SliceData(l.text)), unsafe.SliceData(l.ends), C.size_t(len(l.ends))
}

// A plan is patterns in the syntax of the regex crate, read as a search in
// lines must read them.
type plan struct{ c *C.tally_plan }

// newPlan reads at least one pattern. An error is in ripgrep's words.
func newPlan(patterns []string, flags planFlags) (plan, error) {
	l := newList(patterns)
	text, ends, n := l.parts()
	p := plan{C.tally_plan_new(text, ends, n, C.uint32_t(flags))}
	if err := textOf(C.tally_plan_error(p.c)); err != "" {
		p.free()
		return plan{}, errors.New(err)
	}
	return p, nil
}

func (p plan) free() { C.tally_plan_free(p.c) }

// text is what rure is to compile; empty if it would be slow to.
func (p plan) text() string { return textOf(C.tally_plan_text(p.c)) }

// compile compiles the plan; the limits are in bytes. An error is in ripgrep's
// words.
func (p plan) compile(sizeLimit, dfaLimit int) (*pattern, error) {
	if text := p.text(); text != "" {
		opts := rure.NewOptions()
		opts.SetSizeLimit(sizeLimit)
		opts.SetDFASizeLimit(dfaLimit)
		if re, err := rure.CompileOptions(text, rure.FlagUnicode, opts); err == nil {
			c := C.tally_pattern_of_rure(p.c, pointerOf(re))
			runtime.KeepAlive(re)
			return newPattern(c)
		}
		// The plan's own way knows what to say. It also has the last word
		// about what is nested too deeply, since the text is wrapped.
	}
	return newPattern(C.tally_pattern_of_plan(p.c, C.size_t(sizeLimit), C.size_t(dfaLimit)))
}

// pointerOf returns the C value of re, which rure-go keeps to itself;
// TestRurePointer notices if a new version of rure-go moves it.
func pointerOf(re *rure.Regex) *C.rure {
	return (*C.rure)(reflect.ValueOf(re).Elem().FieldByName("p").UnsafePointer())
}

// compilePCRE2 compiles at least one pattern in PCRE2's syntax.
func compilePCRE2(patterns []string, flags planFlags) (*pattern, error) {
	l := newList(patterns)
	text, ends, n := l.parts()
	p, err := newPattern(C.tally_pattern_of_pcre2(text, ends, n, C.uint32_t(flags)))
	if err != nil {
		return nil, err
	}
	p.fallible = true
	return p, nil
}

func newPattern(c *C.tally_pattern) (*pattern, error) {
	if err := textOf(C.tally_pattern_error(c)); err != "" {
		C.tally_pattern_free(c)
		return nil, errors.New(err)
	}
	p := &pattern{c: c, facts: uint32(C.tally_pattern_facts(c)), reach: int(C.tally_pattern_reach(c))}
	for i := range C.tally_pattern_groups(c) {
		p.names = append(p.names, textOf(C.tally_pattern_group_name(c, i)))
	}
	runtime.SetFinalizer(p, func(p *pattern) { C.tally_pattern_free(p.c) })
	return p, nil
}

// PCRE2 returns the version of PCRE2 that is built in, and whether it compiles
// patterns to machine code on this platform.
func PCRE2() (version string, jit bool) {
	n := C.tally_pcre2_version()
	return fmt.Sprintf("%d.%d", n/1000, n%1000), bool(C.tally_pcre2_jit())
}

// A scanner is one goroutine's way to run a pattern.
type scanner struct {
	c        *C.tally_scanner
	fallible bool
	// err is why a call came to its end too early, nil if none did. It stays
	// until it is set to nil.
	err error
	narrowing
}

func newScanner(p *pattern) *scanner {
	s := &scanner{c: C.tally_scanner_new(p.c), fallible: p.fallible}
	runtime.KeepAlive(p)
	if s.c != nil {
		runtime.SetFinalizer(s, func(s *scanner) { C.tally_scanner_free(s.c) })
	}
	return s
}

// broken reports, and says in err, that there is no engine.
func (s *scanner) broken() bool {
	if s.c == nil {
		s.err = errNoScanner
	}
	return s.c == nil
}

var errNoScanner = errors.New("there is not enough memory to run the pattern")

// check sets err after a call that has failed, or that has met a fault.
func (s *scanner) check(fault bool) {
	if !s.fallible && !fault {
		return
	}
	if text := textOf(C.tally_scanner_error(s.c)); text != "" {
		s.err = errors.New(text)
	}
}

// row is one matching line of a buffer, laid out as tally_row.
type row struct {
	start, end int
	number     int64
	spansEnd   int
}

// scanState is laid out as tally_state; see there.
type scanState struct {
	pos, counted   int
	number         int64
	lines, matches int64
	digest         digest.Lines
}

// scan finds at most max matching lines in hay from st.pos on. The rows and
// spans are valid until the next scan. If it fails (see err), these are the
// lines before the one at st.pos, about which nothing is known.
func (s *scanner) scan(hay []byte, term byte, flags uint32, max int64, st *scanState) ([]row, []Span) {
	if s.narrows() {
		return s.scanNarrowed(hay, term, flags, max, st)
	}
	return s.scanPattern(hay, term, flags, max, st)
}

// scanPattern is a scan for the pattern alone.
func (s *scanner) scanPattern(hay []byte, term byte, flags uint32, max int64, st *scanState) ([]row, []Span) {
	if len(hay) == 0 {
		return nil, nil
	}
	if s.broken() {
		return nil, nil
	}
	n := C.tally_scan(s.c, (*C.uint8_t)(unsafe.SliceData(hay)), C.size_t(len(hay)),
		C.uint8_t(term), C.uint32_t(flags), C.uint64_t(max), (*C.tally_state)(unsafe.Pointer(st)))
	s.check(n == failedScan)
	if n == 0 || n == failedScan {
		return nil, nil
	}
	rows := unsafe.Slice((*row)(unsafe.Pointer(C.tally_scan_rows(s.c))), int(n))
	var spans []Span
	if total := rows[n-1].spansEnd; total > 0 {
		spans = unsafe.Slice((*Span)(unsafe.Pointer(C.tally_scan_spans(s.c))), total)
	}
	return rows, spans
}

// may reports whether a line may match that holds this part of it. Parts must
// overlap by the pattern's reach. If it fails (see err), the line may.
func (s *scanner) may(part []byte) bool {
	if s.broken() {
		return true
	}
	may := C.tally_scanner_may(s.c, address(part), C.size_t(len(part)))
	s.check(may < 0)
	return may != 0
}

// find finds the first match in hay at or after at. If it fails (see err),
// nothing is found.
func (s *scanner) find(hay []byte, at int) (Span, bool) {
	var sp Span
	if s.broken() {
		return sp, false
	}
	found := C.tally_scanner_find(s.c, address(hay), C.size_t(len(hay)), C.size_t(at), (*C.tally_span)(unsafe.Pointer(&sp)))
	s.check(found < 0)
	return sp, found > 0
}

// groups finds the groups of the first match in hay at or after at; to has
// room for all of them. A group that took no part in the match is noGroup.
func (s *scanner) groups(hay []byte, at int, to []Span) bool {
	if s.broken() {
		return false
	}
	found := C.tally_scanner_groups(s.c, address(hay), C.size_t(len(hay)), C.size_t(at),
		(*C.tally_span)(unsafe.Pointer(unsafe.SliceData(to))))
	s.check(found < 0)
	return found > 0
}

// failedScan is what a scan returns that has met a fault.
const failedScan = C.size_t(1<<(8*unsafe.Sizeof(C.size_t(0))) - 1)

var noGroup = Span{-1, -1}

// address returns where hay begins; Rust demands that of no bytes, too.
func address(hay []byte) *C.uint8_t {
	if len(hay) == 0 {
		hay = emptyHaystack[:]
	}
	return (*C.uint8_t)(unsafe.SliceData(hay))
}

var emptyHaystack [1]byte
