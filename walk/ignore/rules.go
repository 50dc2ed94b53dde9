package ignore

import (
	"strings"

	"tally/walk/glob"
)

// Options say how a file of rules is read.
type Options struct {
	Fold   bool // ignore ASCII case
	Strict bool // see [glob.GitOptions]
}

// Rules are one compiled file of rules, safe for concurrent use.
type Rules struct {
	source string
	lines  []line
	root   *node
	deep   []*node // the state below the anchor in which only ** is left
	fold   bool
}

type line struct {
	number  int
	text    string
	negated bool
}

// mostParts is how many components a pattern may have that is still looked at:
// no path has as many, and nodes are built by recursion.
const mostParts = 1 << 15

// Compile reads a file of rules as git does: a byte order mark at its start is
// dropped, a carriage return before a line's end is not part of the line, and
// neither are blanks at its end, unless escaped. source is the file's name for
// [Rule] and errors, which are all of type *[LineError].
func Compile(source string, data []byte, o Options) (*Rules, []error) {
	r := &Rules{source: source, fold: o.Fold}
	b := newNodeBuilder(o.Fold)
	var errs []error
	rest := strings.TrimPrefix(string(data), "\xef\xbb\xbf")
	for number := 1; len(rest) > 0; number++ {
		var raw string
		raw, rest, _ = strings.Cut(rest, "\n")
		text := lineText(raw)
		pattern, negated := strings.CutPrefix(text, "!")
		pattern, dirOnly := strings.CutSuffix(pattern, "/")
		if pattern == "" {
			continue
		}
		paths, problem := glob.ParseGit(pattern, glob.GitOptions(o))
		if problem != "" {
			errs = append(errs, &LineError{source, number, text, problem})
		}
		for _, parts := range paths {
			if len(parts) <= mostParts {
				b.add(parts, int32(len(r.lines)), dirOnly)
			}
		}
		if len(paths) > 0 {
			r.lines = append(r.lines, line{number, text, negated})
		}
	}
	r.root = b.node()
	if r.root.deep != nil {
		r.deep = []*node{r.root.deep}
	}
	return r, errs
}

// lineText returns what git sees of a line, empty for a comment. To git a line
// ends at a NUL.
func lineText(raw string) string {
	if len(raw) > 0 && raw[0] == '#' {
		return ""
	}
	raw = strings.TrimSuffix(raw, "\r")
	raw, _, _ = strings.Cut(raw, "\x00")
	end, blanks := len(raw), -1 // blanks: where the current run of them began
	for i := 0; i < end; i++ {
		switch raw[i] {
		case ' ':
			if blanks < 0 {
				blanks = i
			}
			continue
		case '\\':
			if i++; i == end {
				return raw // a lone backslash ends the trimming, too
			}
		}
		blanks = -1
	}
	if blanks >= 0 {
		end = blanks
	}
	return raw[:end]
}

// Match looks up a path relative to the directory that anchors the rules, with
// '/' between components. It does not ask whether a directory above the path
// is ignored.
func (r *Rules) Match(path string, isDir bool) (Rule, Verdict) {
	state := r.start()
	for {
		dir, rest, more := strings.Cut(path, "/")
		if !more {
			return r.verdict(r.find(state, path, isDir))
		}
		state, path = r.enter(state, dir), rest
	}
}

// find returns the index of the last line that matches an entry of a directory
// whose state is given, -1 if none does.
func (r *Rules) find(state []*node, name string, isDir bool) int32 {
	best := int32(-1)
	for _, n := range state {
		if n.names != nil {
			best = max(best, n.names.Find(name, isDir))
		}
	}
	return best
}

func (r *Rules) verdict(i int32) (Rule, Verdict) {
	if i < 0 {
		return Rule{}, None
	}
	l := &r.lines[i]
	v := Ignore
	if l.negated {
		v = Include
	}
	return Rule{r.source, l.number, l.text, l.negated}, v
}
