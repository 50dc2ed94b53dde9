package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"tally/walk"
)

// ledgerVersion changes when the meaning of a key does, not when one is added.
const ledgerVersion = 1

// AppendJSON appends l as a JSON object, in one line. Its keys, in this order:
//
//	version             1
//	query               stands for patterns, filters and all else that decides
//	                    what is a result: 16 hexadecimal digits, or null if
//	                    the order of the results is not that of their paths
//	roots               absolute paths without links, or "<stdin>"
//	found               true or false: there is a result
//	absent              with --absent "proven", "refuted" or "unknown", else null
//	files               {"in_scope", "searched", "matched", "binary"}: numbers or
//	                    null; of the files searched, binary ones hold a NUL byte
//	lines, matches      number or null
//	shown               {"files", "lines", "matches"}: numbers or null
//	truncated           true or false
//	truncated_by        of "limit", "offset", "max_count", "max_columns",
//	                    "stop_on_nonmatch"
//	next                the flags that show what follows, or null
//	complete            true or false
//	stopped_by          "enough", "interrupt", "time_limit", "output", or null
//	patterns            of {"pattern", "files", "lines"}: what each of several
//	                    patterns matches; or null
//	meaning             what a search by meaning has come to: {"state" ("whole", "not_asked",
//	                    "unavailable", "budget", "failed"), "reason", "model", "floor",
//	                    "files" (at or above it), "shown" (of these), "passages" (there are),
//	                    "read" (of these)}; or null
//	repeated            files searched again because roots overlap
//	guessed_utf16       files searched as UTF-16 although they have no mark
//	explain             what nearly matched: {"complete", "files" (looked at),
//	                    "kinds" (tried), "findings" of {"kind", "scope", "lines", "files",
//	                    "example" {"path", "line"}, "flags"}}; or null
//	errors              of {"path", "operation", "reason"}
//	skipped             a number of paths for each reason there is
//	skipped_directories of these, the directories, each for all below it
//	result_digest       16 hexadecimal digits, or null
//	bytes_searched      number
//	elapsed             {"secs", "nanos", "human"}
//
// null is what was not established. A path that is not UTF-8 has U+FFFD for
// each byte that is not.
func (l *Ledger) AppendJSON(b []byte) []byte {
	b = fmt.Appendf(b, `{"version":%d,"query":`, ledgerVersion)
	b = appendStringOrNull(b, l.cfg.Ledger.Query)
	b = append(b, `,"roots":[`...)
	for i, root := range l.cfg.Ledger.Roots {
		b = appendComma(b, i)
		b = appendString(b, []byte(root))
	}
	b = fmt.Appendf(b, `],"found":%t,"absent":`, l.Found)
	b = appendStringOrNull(b, l.absence())
	b = append(b, `,"files":`...)
	b = appendCounts(b, []string{"in_scope", "searched", "matched", "binary"}, l.InScope, l.Searched, l.Matched, l.Binary)
	b = append(b, `,"lines":`...)
	b = l.Lines.appendJSON(b)
	b = append(b, `,"matches":`...)
	b = l.Matches.appendJSON(b)
	b = append(b, `,"shown":`...)
	b = appendCounts(b, []string{"files", "lines", "matches"},
		l.ShownFiles, l.ShownLines, l.ShownMatches)
	b = fmt.Appendf(b, `,"truncated":%t,"truncated_by":[`, l.Truncated)
	for i, cut := range l.TruncatedBy {
		b = appendComma(b, i)
		b = appendString(b, []byte(cut.String()))
	}
	b = append(b, `],"next":`...)
	b = appendStringOrNull(b, l.nextPage())
	b = fmt.Appendf(b, `,"complete":%t,"stopped_by":`, l.Complete)
	b = appendStringOrNull(b, l.StoppedBy.String())
	b = append(b, `,"patterns":`...)
	b = appendPatterns(b, l.Patterns)
	b = append(b, `,"meaning":`...)
	b = l.Meaning.appendJSON(b)
	b = append(b, `,"explain":`...)
	b = appendExplanation(b, l.Explanation)
	b = fmt.Appendf(b, `,"repeated":%d,"guessed_utf16":%d,"errors":[`, l.Repeated, l.GuessedUTF16)
	for i, e := range l.Errors {
		b = appendComma(b, i)
		b = append(b, `{"path":`...)
		b = appendString(b, []byte(e.Path))
		b = append(b, `,"operation":`...)
		b = appendString(b, []byte(e.Op))
		b = append(b, `,"reason":`...)
		b = appendString(b, []byte(e.Err.Error()))
		b = append(b, '}')
	}
	b = append(b, `],"skipped":`...)
	b = appendSkipped(b, &l.Skipped)
	b = append(b, `,"skipped_directories":`...)
	b = appendSkipped(b, &l.SkippedDirectories)
	b = append(b, `,"result_digest":`...)
	b = appendStringOrNull(b, l.ResultDigest)
	return fmt.Appendf(b, `,"bytes_searched":%d,"elapsed":{"secs":%d,"nanos":%d,"human":"%.6fs"}}`,
		l.BytesSearched, l.Elapsed/time.Second, l.Elapsed%time.Second, l.Elapsed.Seconds())
}

// MarshalJSON is [Ledger.AppendJSON] for encoding/json.
func (l *Ledger) MarshalJSON() ([]byte, error) { return l.AppendJSON(nil), nil }

// nextPage returns the flags that show what follows, and nothing else than what
// follows: the digest makes sure of it.
func (l *Ledger) nextPage() string {
	if l.Next == "" || l.ResultDigest == "" {
		return l.Next
	}
	return l.Next + " --expect-digest " + l.ResultDigest
}

func appendExplanation(b []byte, e *Explanation) []byte {
	if e == nil {
		return append(b, "null"...)
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(e); err != nil {
		panic(err) // all of it can be encoded
	}
	return append(b, bytes.TrimRight(text.Bytes(), "\n")...)
}

func appendPatterns(b []byte, patterns []PatternCount) []byte {
	if patterns == nil {
		return append(b, "null"...)
	}
	b = append(b, '[')
	for i, p := range patterns {
		b = appendComma(b, i)
		b = append(b, `{"pattern":`...)
		b = appendString(b, []byte(p.Pattern))
		b = fmt.Appendf(b, `,"files":%d,"lines":%d}`, p.Files, p.Lines)
	}
	return append(b, ']')
}

func appendCounts(b []byte, keys []string, counts ...Number) []byte {
	b = append(b, '{')
	for i, c := range counts {
		b = appendComma(b, i)
		b = fmt.Appendf(b, `"%s":`, keys[i])
		b = c.appendJSON(b)
	}
	return append(b, '}')
}

func appendSkipped(b []byte, counts *[walk.NumReasons]int64) []byte {
	b = append(b, '{')
	for i, n := range counts {
		b = appendComma(b, i)
		b = fmt.Appendf(b, `"%s":`, walk.Reason(i))
		b = strconv.AppendInt(b, n, 10)
	}
	return append(b, '}')
}

func appendComma(b []byte, i int) []byte {
	if i > 0 {
		return append(b, ',')
	}
	return b
}

func appendStringOrNull(b []byte, s string) []byte {
	if s == "" {
		return append(b, "null"...)
	}
	return appendString(b, []byte(s))
}
