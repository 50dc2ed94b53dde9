package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// A kind is what a parameter's value is.
type kind uint8

const (
	text   kind = iota // a string
	texts              // strings; one alone is taken, too
	number             // a whole number, between least and most
	toggle             // true or false
)

// A parameter is an argument that a tool takes. What a client writes reaches a command
// line as the value behind a flag's equals sign, or behind "--", and so can never be
// taken for a flag.
type parameter struct {
	name        string
	kind        kind
	required    bool
	least, most int
	otherwise   int // the value of a number that is not given; none if it is below least
	doc         string
	// flag is what the argument stands for, "" where the tool sees to it. A toggle
	// stands for the flag alone, a text for the flag, an equals sign and the text.
	flag string
}

var (
	onePattern = parameter{
		name: "pattern", kind: text, required: true, flag: "--regexp",
		doc: "What to look for. Literal text unless regex is true: dots, brackets and backslashes mean themselves.",
	}
	manyPatterns = parameter{
		name: "patterns", kind: texts, required: true, flag: "--regexp",
		doc: "The texts whose absence is claimed, each on its own. Literal text unless regex is true.",
	}
	question = parameter{
		name: "query", kind: text, required: true, flag: "--regexp",
		doc: "A question or some words, in any language; no pattern.",
	}
	matching = []parameter{
		{name: "regex", kind: toggle, flag: "--regex", doc: "Take the pattern as a regular expression (Rust's syntax: no look-around, no back-references)."},
		{name: "ignore_case", kind: toggle, flag: "--ignore-case", doc: "Match in any case."},
		{name: "word", kind: toggle, flag: "--word-regexp", doc: "Match whole words only."},
		{name: "multiline", kind: toggle, flag: "--multiline", doc: "Let a match go over several lines. Without it a line end in the pattern matches nothing."},
		{name: "binary_as_text", kind: toggle, flag: "--text", doc: "Search binary files as if they were text. In a search they are else left at the first NUL byte, and counted as skipped.binary."},
		{name: "decompress", kind: toggle, flag: "--search-zip", doc: "Search what is in gzip, bzip2, xz, lz4, lzma, brotli, zstd and compress files."},
	}
	scope = []parameter{
		{name: "paths", kind: texts, doc: "Search these files and directories alone. Default: everything that is served."},
		{name: "globs", kind: texts, flag: "--glob", doc: "Search only files that a glob fits, as '*.md' or 'src/**'; one that begins with ! leaves files out. As in an ignore file, the last that fits decides."},
		{name: "types", kind: texts, flag: "--type", doc: "Search only files of these types, as rust, py or md."},
		{name: "not_types", kind: texts, flag: "--type-not", doc: "Leave files of these types out."},
	}
	universe = []parameter{
		{name: "hidden", kind: toggle, flag: "--hidden", doc: "Take in files and directories whose name begins with a dot."},
		{name: "no_ignore", kind: toggle, flag: "--no-ignore", doc: "Take in what ignore files such as .gitignore leave out."},
	}
	windowBytes = parameter{
		name: "window", kind: number, least: 40, most: 2_000, otherwise: 400, flag: "--window",
		doc: "How many bytes of a longer line to show around each match.",
	}
	contextLines = parameter{
		name: "context", kind: number, most: 50, flag: "--context",
		doc: "How many lines to show before and after each matching line.",
	}
	pageCursor = parameter{
		name: "cursor", kind: text,
		doc: "The next_cursor of an earlier answer, with all other arguments as they were: shows what follows it. Refused if the results have changed meanwhile.",
	}
	mostBytes = parameter{
		name: "limit_bytes", kind: number, least: 4_000, most: 1_000_000, otherwise: 64_000, flag: "--limit-bytes",
		doc: "How many bytes of results to show at most. Whole results are shown, and totals cover all.",
	}
	mostSeconds = parameter{
		name: "time_limit", kind: number, least: 1, most: 600, otherwise: 60,
		doc: "Stop after this many seconds, with a partial result.",
	}
	filePath  = parameter{name: "path", kind: text, required: true, doc: "The file."}
	firstLine = parameter{name: "from", kind: number, least: 1, most: math.MaxInt32, otherwise: 1, doc: "The first line to show."}
)

// limit is how many results are shown at most.
func limit(otherwise int) parameter {
	return parameter{
		name: "limit", kind: number, least: 1, most: 1_000, otherwise: otherwise, flag: "--limit",
		doc: "How many results to show at most. The totals always cover all results.",
	}
}

// schema is what a client is told of a parameter.
func (p *parameter) schema() map[string]any {
	s := map[string]any{"description": p.doc}
	switch p.kind {
	case text:
		s["type"] = "string"
	case texts:
		s["type"], s["items"] = "array", map[string]any{"type": "string"}
		if p.required {
			s["minItems"] = 1
		}
	case number:
		s["type"], s["minimum"], s["maximum"] = "integer", p.least, p.most
		if p.otherwise >= p.least {
			s["default"] = p.otherwise
		}
	case toggle:
		s["type"], s["default"] = "boolean", false
	}
	return s
}

// value reads a parameter's value: a string, strings, an int or a bool.
func (p *parameter) value(raw json.RawMessage) (any, error) {
	var err error
	switch p.kind {
	case text:
		var v string
		if err = json.Unmarshal(raw, &v); err == nil {
			return v, nil
		}
	case texts:
		var v []string
		if err = json.Unmarshal(raw, &v); err != nil {
			v = []string{""}
			err = json.Unmarshal(raw, &v[0])
		}
		if err == nil && (len(v) > 0 || !p.required) {
			return v, nil
		}
	case number:
		var v float64
		if err = json.Unmarshal(raw, &v); err == nil && v == math.Trunc(v) && float64(p.least) <= v && v <= float64(p.most) {
			return int(v), nil
		}
	case toggle:
		var v bool
		if err = json.Unmarshal(raw, &v); err == nil {
			return v, nil
		}
	}
	return nil, fmt.Errorf("%s takes %s", p.name, p.takes())
}

// takes says what a parameter's value must be.
func (p *parameter) takes() string {
	switch p.kind {
	case text:
		return "a string"
	case texts:
		return "an array of strings"
	case number:
		return fmt.Sprintf("a whole number from %d to %d", p.least, p.most)
	}
	return "true or false"
}

// values are the arguments of a request, by name, and what holds for those that were
// not given.
type values map[string]any

func (v values) text(name string) string { s, _ := v[name].(string); return s }
func (v values) texts(name string) []string {
	list, _ := v[name].([]string)
	return list
}
func (v values) number(name string) int { n, _ := v[name].(int); return n }

// read reads the arguments of a request. An argument that the tool does not know is an
// error, since it would else be thought to have had an effect.
func (t *tool) read(arguments json.RawMessage) (values, error) {
	given := map[string]json.RawMessage{}
	if len(arguments) > 0 {
		if err := json.Unmarshal(arguments, &given); err != nil {
			return nil, errors.New("arguments must be an object")
		}
	}
	v := values{}
	for i := range t.parameters {
		p := &t.parameters[i]
		raw, present := given[p.name]
		delete(given, p.name)
		switch {
		case present && !bytes.Equal(raw, []byte("null")):
			value, err := p.value(raw)
			if err != nil {
				return nil, err
			}
			v[p.name] = value
		case p.required:
			return nil, fmt.Errorf("%s is missing; it takes %s", p.name, p.takes())
		case p.kind == number && p.otherwise >= p.least:
			v[p.name] = p.otherwise
		}
	}
	for name := range given {
		return nil, fmt.Errorf("%s has no argument %q; it takes %s", t.name, name, strings.Join(t.names(), ", "))
	}
	return v, nil
}

// names are the names of a tool's parameters.
func (t *tool) names() []string {
	var names []string
	for _, p := range t.parameters {
		names = append(names, p.name)
	}
	return names
}

// inputSchema is what a client is told of a tool's parameters.
func (t *tool) inputSchema() map[string]any {
	properties, required := map[string]any{}, []string{}
	for i := range t.parameters {
		p := &t.parameters[i]
		properties[p.name] = p.schema()
		if p.required {
			required = append(required, p.name)
		}
	}
	return map[string]any{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// words are the words of a command line that arguments stand for, without the paths.
func (t *tool) words(v values) []string {
	var words []string
	for i := range t.parameters {
		p := &t.parameters[i]
		value, present := v[p.name]
		if p.flag == "" || !present {
			continue
		}
		switch value := value.(type) {
		case string:
			words = append(words, p.flag+"="+value)
		case []string:
			for _, text := range value {
				words = append(words, p.flag+"="+text)
			}
		case int:
			if value != 0 {
				words = append(words, fmt.Sprintf("%s=%d", p.flag, value))
			}
		case bool:
			if value {
				words = append(words, p.flag)
			}
		}
	}
	return words
}

// with joins parameters.
func with(lists ...[]parameter) []parameter { return slices.Concat(lists...) }
