package glob

import (
	"fmt"
	"strings"
)

// A Part is one step of a path pattern: a segment that one component must
// match, or (Deep) any number of directories, zero included. A pattern never
// ends with a deep part.
type Part struct {
	Segment *Segment
	Deep    bool
}

// GitOptions choose between variants of git's dialect.
type GitOptions struct {
	Fold bool // ignore ASCII case
	// Strict reads ** beside other characters as two ordinary asterisks, as
	// git's manual says and git does since version 2.52. Until then, if literal
	// text stands before a pattern's first wildcard and that is ** followed by
	// a slash or the end, git cut the text off before it looked at the
	// asterisks, so that foo**/bar also meant foobar and foo1/x/bar.
	Strict bool
}

// ParseGit reads a pattern of git's ignore files, without a leading ! and
// without the trailing slash that asks for directories. It returns the paths
// that the pattern stands for, relative to the directory of the ignore file;
// a pattern without a slash may match at any depth. There are no paths if the
// pattern can match nothing. problem is set if the pattern is malformed; what
// paths there are, are still what git makes of it.
func ParseGit(pattern string, o GitOptions) (paths [][]Part, problem string) {
	if !strings.Contains(pattern, "/") {
		p := gitParser{src: pattern, fold: o.Fold}
		if s := p.segment(); s != nil && pattern != "" {
			paths = [][]Part{{{Deep: true}, {Segment: s}}}
		}
		return paths, p.problem
	}
	for _, variant := range gitVariants(strings.TrimPrefix(pattern, "/"), o.Strict) {
		p := gitParser{src: variant, fold: o.Fold, slashes: true}
		if parts := p.path(); parts != nil {
			paths = append(paths, parts)
		}
		problem = p.problem
	}
	return paths, problem
}

// gitVariants writes a pattern that git before 2.52 misreads (see
// [GitOptions]) as the patterns that say what it took it for.
func gitVariants(pattern string, strict bool) []string {
	n := strings.IndexAny(pattern, `*?[\`)
	if strict || n <= 0 || pattern[n-1] == '/' || !strings.HasPrefix(pattern[n:], "**") {
		return []string{pattern}
	}
	text, rest := pattern[:n], strings.TrimLeft(pattern[n:], "*")
	switch {
	case rest == "":
		return []string{text + "*", text + "*/**"}
	case rest[0] == '/':
		without := []string{text + rest[1:]}
		if strings.HasPrefix(rest, "/**") {
			without = gitVariants(without[0], strict)
		}
		return append(without, text+"*/**"+rest)
	case strings.HasPrefix(rest, `\/`):
		return []string{text + "*/**" + rest[1:]}
	}
	return []string{pattern}
}

// A gitParser reads one pattern from left to right, following the rules of
// git's wildmatch.
type gitParser struct {
	src     string
	i       int
	fold    bool
	slashes bool // a slash separates components, and ** may be deep
	problem string
}

// path reads a whole pattern that holds slashes; nil if it can match nothing.
func (p *gitParser) path() []Part {
	var parts []Part
	for {
		if deep, least := p.deep(); deep {
			if least > 0 {
				parts = append(parts, Part{Segment: anySegment(p.fold)})
			}
			if len(parts) == 0 || !parts[len(parts)-1].Deep {
				parts = append(parts, Part{Deep: true})
			}
			if p.i < len(p.src) {
				continue
			}
			if p.src[p.i-1] == '/' {
				return nil
			}
			return append(parts, Part{Segment: anySegment(p.fold)})
		}
		start := p.i
		s := p.segment()
		if s == nil || p.i == start {
			return nil
		}
		parts = append(parts, Part{Segment: s})
		if p.i == len(p.src) {
			return parts
		}
		p.slash()
		if p.i == len(p.src) {
			return nil
		}
	}
}

// slash steps over a separator, which may be escaped.
func (p *gitParser) slash() {
	if p.src[p.i] == '\\' {
		p.i++
	}
	p.i++
}

// deep reads ** (or more asterisks) if it makes up a whole component, with the
// separator after it. least is the number of directories it stands for at the
// least: none, but one if the separator is escaped.
func (p *gitParser) deep() (deep bool, least int) {
	rest := strings.TrimLeft(p.src[p.i:], "*")
	end := len(p.src) - len(rest)
	if end-p.i < 2 {
		return false, 0
	}
	switch {
	case rest == "":
		p.i = end
	case rest[0] == '/':
		p.i = end + 1
	case strings.HasPrefix(rest, `\/`):
		p.i, least = end+2, 1
	default:
		return false, 0
	}
	return true, least
}

func anySegment(fold bool) *Segment {
	return newSegment([]token{{kind: anyRun}}, fold)
}

// segment reads up to the next separator; nil if nothing can match.
func (p *gitParser) segment() *Segment {
	rest := p.src[p.i:]
	if p.slashes {
		rest, _, _ = strings.Cut(rest, "/")
	}
	if !strings.ContainsAny(rest, `*?[\`) {
		p.i += len(rest)
		return newLiteral(rest, p.fold)
	}
	tokens := make([]token, 0, len(rest))
	for p.i < len(p.src) {
		c := p.src[p.i]
		switch c {
		case '/':
			if p.slashes {
				return newSegment(tokens, p.fold)
			}
		case '\\':
			if p.i+1 == len(p.src) {
				p.problem = `dangling '\'`
				return nil
			}
			if p.src[p.i+1] == '/' {
				return newSegment(tokens, p.fold)
			}
			p.i++
			c = p.src[p.i]
		case '?':
			p.i++
			tokens = append(tokens, token{kind: anyByte})
			continue
		case '*':
			p.i++
			if n := len(tokens); n == 0 || tokens[n-1].kind != anyRun {
				tokens = append(tokens, token{kind: anyRun})
			}
			continue
		case '[':
			set, ok := p.class()
			if !ok {
				return nil
			}
			tokens = append(tokens, token{kind: oneOf, set: set})
			continue
		}
		p.i++
		tokens = append(tokens, token{kind: literal, b: c})
	}
	return newSegment(tokens, p.fold)
}

// class reads a bracket expression; !ok if it is not closed or names an
// unknown class, with which git matches nothing.
func (p *gitParser) class() (set *class, ok bool) {
	set = &class{}
	p.i++
	negated := p.i < len(p.src) && (p.src[p.i] == '!' || p.src[p.i] == '^')
	if negated {
		p.i++
	}
	prev, hasPrev := byte(0), false // what a range may begin with
	for first := true; ; first = false {
		if p.i >= len(p.src) {
			return nil, false
		}
		c := p.src[p.i]
		switch {
		case c == ']' && !first:
			p.i++
			if p.fold {
				set.foldCase()
			}
			if negated {
				set.negate()
			}
			set.remove('/')
			return set, true
		case c == '-' && hasPrev && p.i+1 < len(p.src) && p.src[p.i+1] != ']':
			p.i++
			hi, ok := p.classByte()
			if !ok {
				return nil, false
			}
			if hi < prev {
				p.problem = fmt.Sprintf("invalid range; '%c' > '%c'", prev, hi)
			}
			set.addRange(prev, hi)
			hasPrev = false
		case strings.HasPrefix(p.src[p.i:], "[:"):
			name, found := p.posixName()
			if !found {
				set.add('[')
				prev, hasPrev = '[', true
				p.i++
				continue
			}
			if !set.addPosix(name) {
				return nil, false
			}
			hasPrev = false
		default:
			b, ok := p.classByte()
			if !ok {
				return nil, false
			}
			set.add(b)
			prev, hasPrev = b, true
		}
	}
}

// classByte reads one member of a bracket expression, which may be escaped.
func (p *gitParser) classByte() (byte, bool) {
	if p.src[p.i] == '\\' {
		p.i++
		if p.i == len(p.src) {
			return 0, false
		}
	}
	p.i++
	return p.src[p.i-1], true
}

// posixName reads [:name:]; !found if the next bracket does not close a name.
// Without any closing bracket it moves to the end of the pattern.
func (p *gitParser) posixName() (name string, found bool) {
	start := p.i + 2
	n := strings.IndexByte(p.src[start:], ']')
	if n < 0 {
		p.i = len(p.src)
		return "", true
	}
	if n == 0 || p.src[start+n-1] != ':' {
		return "", false
	}
	p.i = start + n + 1
	return p.src[start : start+n-1], true
}
