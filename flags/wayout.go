package flags

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// This file adds to ripgrep's words about a wrong command line what to write instead.
// It is for our own name alone: as rg the words are ripgrep's.

// An unknownFlag is a flag that there is none of.
type unknownFlag struct {
	name    string // with dashes
	similar string // what ripgrep appends
}

func (e *unknownFlag) Error() string { return "unrecognized flag " + e.name + e.similar }

// A missingValue is a flag at the end of the line that lacks its value.
type missingValue struct {
	flag  spelling
	typed string
}

func (e *missingValue) Error() string {
	return fmt.Sprintf("missing value for flag %s: missing argument for option '%s'", e.flag, e.typed)
}

// A refusedValue is a value that a flag does not take.
type refusedValue struct {
	flag  spelling
	value string
	why   error
}

func (e *refusedValue) Error() string {
	return fmt.Sprintf("error parsing flag %s: %v", e.flag, e.why)
}

func (e *refusedValue) Unwrap() error { return e.why }

// withWayOut appends to an error what to write instead, if that is known.
func withWayOut(err error) error {
	var unknown *unknownFlag
	var missing *missingValue
	var refused *refusedValue
	way := ""
	switch {
	case errors.As(err, &unknown):
		if way = elsewhere[unknown.name]; way != "" {
			unknown.similar = ""
		} else {
			way = unknown.wayOut()
		}
	case errors.As(err, &missing):
		way = "it takes a value: " + missing.flag.example()
	case errors.As(err, &refused):
		way = refused.wayOut()
	}
	if way == "" {
		return err
	}
	return fmt.Errorf("%w; %s", err, way)
}

// elsewhere says what flags of other searches, GNU grep's above all, are here.
var elsewhere = map[string]string{
	"-G": "a pattern is literal text; a regular expression takes --regex", "--basic-regexp": "a pattern is literal text; a regular expression takes --regex",
	"--extended-regexp": "write --regex", "--perl-regexp": "write -P",
	"-R": everywhere, "--recursive": everywhere, "--dereference-recursive": everywhere + "; -L follows links",
	"-y": "write -i", "-Z": "write -0",
	"--include": "write -g 'GLOB'", "--exclude": "write -g '!GLOB'", "--exclude-dir": "write -g '!DIR/'",
	"--exclude-from":          "write --ignore-file=FILE",
	"--no-recurse":            "write -d 1",
	"--files-without-matches": "write --files-without-match", "--only-files": "write -l", "--print0": "write -0",
	"--lines": "write --limit=NUM for a shorter display", "--head": "write --limit=NUM", "--max-results": "write --limit=NUM",
	"--case-insensitive": "write -i", "--literal": "a pattern is literal text anyway", "--exact": "a pattern is literal text anyway",
	"--semantic": "write --meaning", "--since": "write --changed-within=TIME", "--newer": "write --changed-within=TIME",
	"--near-misses": "write --explain-zero",
}

const everywhere = "directories are searched anyway, with everything below them; leave it out"

func (e *unknownFlag) wayOut() string {
	if e.similar != "" {
		return ""
	}
	if s := closest(strings.TrimLeft(e.name, "-")); s != "" && len(e.name) > 2 {
		return "perhaps --" + s + " is meant"
	}
	return "tally --help lists all flags; a pattern that begins with a dash goes behind -e"
}

// closest returns the spelling that one or two slips of the fingers turn into a word,
// "" if there is none.
func closest(word string) string {
	best, name := 3, ""
	for i := range rows {
		for _, long := range append([]string{rows[i].long, rows[i].negation}, rows[i].aliases...) {
			if d := slips(word, long); d < best {
				best, name = d, long
			}
		}
	}
	if 3*best > len(word) {
		return ""
	}
	return name
}

// slips is the number of letters to leave out, to add, to replace or to exchange with
// the next that turns a into b (the optimal string alignment distance).
func slips(a, b string) int {
	var before, last, row []int
	for j := range len(b) + 1 {
		last = append(last, j)
	}
	for i := range len(a) {
		row = append(make([]int, 0, len(b)+1), i+1)
		for j := range len(b) {
			d := last[j]
			if a[i] != b[j] {
				d++
			}
			d = min(d, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				d = min(d, before[j-1]+1)
			}
			row = append(row, d)
		}
		before, last = last, row
	}
	return last[len(b)]
}

// example is a flag with a value as it may be.
func (s spelling) example() string {
	value := s.value
	switch {
	case len(s.choices) > 0:
		value = s.choices[0]
	case value == "NUM":
		value = "20"
	case value == "NUM+SUFFIX?":
		value = "20M"
	}
	if s.short {
		return "-" + s.name + " " + value
	}
	return "--" + s.name + "=" + value
}

func (e *refusedValue) wayOut() string {
	s := e.flag
	switch {
	case len(s.choices) > 0 && s.long != "hyperlink-format":
		return "it takes one of: " + strings.Join(s.choices, ", ")
	case s.value == "NUM":
		return "it takes a whole number: " + s.example()
	case s.value == "ENCODING" && utf8.ValidString(e.value):
		way := "it takes auto, none or a name of the Encoding Standard, such as utf-16le, windows-1252 or shift_jis"
		if s.short {
			way += "; a regular expression, for which grep has -E, takes --regex here"
		}
		return way
	}
	return ""
}
