package match

// #cgo CFLAGS: -I${SRCDIR}/librure
// #cgo noescape tally_scan
// #cgo nocallback tally_scan
// #cgo noescape tally_scanner_find
// #cgo nocallback tally_scanner_find
// #include "tally.h"
import "C"

import (
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"unsafe"

	rure "github.com/BurntSushi/rure-go"
)

// This file is the border to librure: rure-go compiles patterns, and the
// batched scan of our wrapper crate runs them (librure/src/scan.rs says why).

// planFlags are the bits of tally_plan_new.
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
	scanRows                     = C.TALLY_SCAN_ROWS
	scanSpans                    = C.TALLY_SCAN_SPANS
	scanDigest                   = C.TALLY_SCAN_DIGEST
	scanLinewise                 = C.TALLY_SCAN_LINEWISE
	scanCRLF                     = C.TALLY_SCAN_CRLF
	scanNumber                   = C.TALLY_SCAN_NUMBER
	factInsensitive              = C.TALLY_FACT_CASE_INSENSITIVE
	factHaystackAnchor           = C.TALLY_FACT_HAYSTACK_ANCHOR
	factWithinLine               = C.TALLY_FACT_WITHIN_LINE
)

// A plan is a pattern as a search in lines reads it.
type plan struct {
	pattern string // to be compiled by rure
	facts   uint32
}

// makePlan reads a pattern in the syntax of the regex crate.
func makePlan(pattern string, flags planFlags) (plan, error) {
	var p *C.uint8_t
	if pattern == "" {
		pattern = "(?:)"
	}
	p = (*C.uint8_t)(unsafe.Pointer(unsafe.StringData(pattern)))
	h := C.tally_plan_new(p, C.size_t(len(pattern)), C.uint32_t(flags))
	runtime.KeepAlive(pattern)
	defer C.tally_plan_free(h)
	text := func(t C.tally_text) string {
		return C.GoStringN((*C.char)(unsafe.Pointer(t.ptr)), C.int(t.len))
	}
	switch C.tally_plan_error_kind(h) {
	case C.TALLY_PLAN_SYNTAX:
		return plan{}, errors.New(text(C.tally_plan_error(h)))
	case C.TALLY_PLAN_TERMINATOR:
		return plan{}, fmt.Errorf("the literal %s is not allowed in a regex", quoteByte(text(C.tally_plan_error(h))))
	case C.TALLY_PLAN_NUL:
		return plan{}, errors.New(`pattern contains "\0" but it is impossible to match`)
	}
	return plan{text(C.tally_plan_pattern(h)), uint32(C.tally_plan_facts(h))}, nil
}

// quoteByte spells a terminator as ripgrep does in its messages.
func quoteByte(s string) string {
	switch s {
	case "\x00":
		return `"\0"`
	default:
		return fmt.Sprintf("%q", s)
	}
}

// compile compiles a plan's pattern with rure-go.
func (p plan) compile(sizeLimit, dfaLimit int) (*rure.Regex, error) {
	opts := rure.NewOptions()
	opts.SetSizeLimit(sizeLimit)
	opts.SetDFASizeLimit(dfaLimit)
	return rure.CompileOptions(p.pattern, rure.FlagUnicode, opts)
}

// A scanner is one goroutine's way to run a compiled pattern.
type scanner struct {
	c *C.tally_scanner
}

// newScanner copies re, whose only way to its C value is rure-go's unexported
// pointer; TestRurePointer notices if a new version of rure-go moves it.
func newScanner(re *rure.Regex) *scanner {
	p := reflect.ValueOf(re).Elem().FieldByName("p").UnsafePointer()
	s := &scanner{C.tally_scanner_new((*C.rure)(p))}
	runtime.KeepAlive(re)
	runtime.SetFinalizer(s, func(s *scanner) { C.tally_scanner_free(s.c) })
	return s
}

// row is one matching line of a buffer, laid out as tally_row.
type row struct {
	start, end int
	number     int64
	spansEnd   int
}

// scanState is laid out as tally_state; see there.
type scanState struct {
	pos, counted              int
	number                    int64
	lines, matches            int64
	digestSum, digestWeighted uint64
}

// scan finds at most max matching lines in hay from st.pos on. The rows and
// spans are valid until the next scan.
func (s *scanner) scan(hay []byte, term byte, flags uint32, max int64, st *scanState) ([]row, []Span) {
	if len(hay) == 0 {
		return nil, nil
	}
	n := C.tally_scan(s.c, (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(hay))), C.size_t(len(hay)),
		C.uint8_t(term), C.uint32_t(flags), C.uint64_t(max), (*C.tally_state)(unsafe.Pointer(st)))
	if n == 0 {
		return nil, nil
	}
	rows := unsafe.Slice((*row)(unsafe.Pointer(C.tally_scan_rows(s.c))), int(n))
	var spans []Span
	if total := rows[n-1].spansEnd; total > 0 {
		spans = unsafe.Slice((*Span)(unsafe.Pointer(C.tally_scan_spans(s.c))), total)
	}
	return rows, spans
}

// find finds the first match in hay at or after at.
func (s *scanner) find(hay []byte, at int) (Span, bool) {
	var sp Span
	p := unsafe.SliceData(hay)
	if len(hay) == 0 {
		p = &emptyHaystack[0]
	}
	ok := C.tally_scanner_find(s.c, (*C.uint8_t)(unsafe.Pointer(p)), C.size_t(len(hay)), C.size_t(at),
		(*C.tally_span)(unsafe.Pointer(&sp)))
	return sp, bool(ok)
}

// emptyHaystack gives a haystack without bytes an address, which Rust demands.
var emptyHaystack [1]byte
