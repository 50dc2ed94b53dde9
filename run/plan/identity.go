package plan

import (
	"bytes"
	"fmt"
	"path/filepath"
	"reflect"

	"tally/match"
	"tally/match/digest"
	"tally/report"
	"tally/run/input"
	"tally/walk"
	"tally/walk/ignore"
)

// The identity of a search stands for all that decides what is in scope and
// what is a result of it, apart from the roots: ledgers with one identity may be
// added up. It is computed from the resolved configurations, field by field, so
// that a field that is added to one of them counts unless it is excepted here.

// excepted are the fields that decide no result, with the reason.
var excepted = map[reflect.Type]map[string]string{
	reflect.TypeFor[walk.Config](): {
		"Roots": "ledgers are added up because these differ", "Implied": "a matter of display",
		"Dir": "a part of the roots", "Cwd": "likewise; globs are relative to it, and their roots are absolute",
		"Threads": "speed", "Output": "the file that results are written to is never one of them",
		"Stdin": "it follows from the mode", "Ignore": "made from the ignore configuration",
		"Beyond": "near misses only", "Watch": "as in input.Config", "Failures": "they make the ledger partial",
	},
	reflect.TypeFor[ignore.Config](): {
		"LookupEnv": "which files it leads to depends on the machine", "Loaded": "messages",
		"Cwd": "as in walk.Config",
	},
	reflect.TypeFor[match.Options](): {
		"Before": "a matter of display", "After": "likewise", "Passthru": "likewise",
		"MaxCount": "a matter of display: totals go on behind it", "StopOnNonmatch": "likewise", "CountAll": "totals that are no totals are unknown",
		"LineLimit": "a file with a longer line makes the ledger partial",
		"FirstOnly": "likewise", "Each": "what is told besides", "Spans": "whether matches are known", "Numbers": "a matter of display",
		"Digest": "an unknown digest is no digest", "Threads": "speed", "Stop": "what ended early is partial", "Aside": "it changes nothing",
		"SinkBinary": "a matter of display", "Detection": "set for each file, by input.Config",
	},
	reflect.TypeFor[input.Config](): {
		"Cwd": "as in walk.Config", "KeepStdin": "a second reading reads the same",
		"Encoding": "the label of Decode.Encoding",
	},
}

// An identified value says itself what stands for it.
type identified interface{ Identity() string }

// planIdentity computes the identity where a ledger carries it.
func (p *planner) planIdentity() {
	l := &p.Report.Ledger
	if !l.JSON || !p.JSON || !p.Matches {
		return
	}
	l.Roots = p.realRoots()
	if p.Report.Resorted || p.Meaning != nil {
		return // an order, and what only resembles, are no property of one file
	}
	l.Query = p.identity()
}

// identity is the search's identity in 16 hexadecimal digits.
func (p *planner) identity() string {
	var h bytes.Buffer
	for _, part := range []any{p.Walk, p.Ignore, p.Syntax, p.Search, p.Input, p.Mode, p.AllOf, p.Report.Mode == report.FilesWithoutMatch} {
		identify(&h, reflect.ValueOf(part))
	}
	return fmt.Sprintf("%016x", digest.Of(h.Bytes())[0])
}

// identify writes a value in a form that no other value has.
func identify(h *bytes.Buffer, v reflect.Value) {
	if v.CanInterface() {
		if i, ok := v.Interface().(identified); ok {
			fmt.Fprintf(h, "%q;", i.Identity())
			return
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if _, out := excepted[v.Type()][v.Type().Field(i).Name]; !out {
				fmt.Fprintf(h, "%s:", v.Type().Field(i).Name)
				identify(h, v.Field(i))
			}
		}
	case reflect.Pointer:
		if v.IsNil() {
			fmt.Fprint(h, "nil;")
			return
		}
		identify(h, v.Elem())
	case reflect.Slice:
		fmt.Fprintf(h, "%d[", v.Len())
		for i := range v.Len() {
			identify(h, v.Index(i))
		}
	case reflect.String:
		fmt.Fprintf(h, "%q;", v.String())
	case reflect.Bool, reflect.Int, reflect.Int64, reflect.Uint8:
		fmt.Fprintf(h, "%v;", v)
	default:
		panic(fmt.Sprintf("no identity for a %s; give it an Identity method or except its field", v.Type()))
	}
}

// realRoots are the roots as absolute paths without links, so that ledgers of
// several runs can be told to overlap.
func (p *planner) realRoots() []string {
	roots := make([]string, len(p.Walk.Roots))
	for i, path := range p.Walk.Roots {
		if path == "-" && p.Walk.Stdin {
			roots[i] = input.StdinPath
			continue
		}
		roots[i] = filepath.Join(p.Walk.Cwd, path)
		if filepath.IsAbs(path) {
			roots[i] = filepath.Clean(path)
		}
		if real, err := filepath.EvalSymlinks(roots[i]); err == nil {
			roots[i] = real
		}
	}
	return roots
}
