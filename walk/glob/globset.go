package glob

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// The errors of ripgrep's dialect, in ripgrep's words.
var (
	errUnclosedClass = errors.New("unclosed character class; missing ']'")
	errUnopened      = errors.New("unopened alternate group; missing '{' (maybe escape '}' with '[}]'?)")
	errUnclosed      = errors.New("unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)")
	errDangling      = errors.New(`dangling '\'`)
)

// A node is an element of a parsed glob of ripgrep's dialect. Beyond the kinds
// of a token it knows three forms of ** and {alternatives}.
type node struct {
	kind     nodeKind
	text     string // char: its bytes
	set      *class // set
	branches [][]node
}

type nodeKind uint8

const (
	char       nodeKind = iota
	any1                // ?
	anyN                // *
	set                 // [...]
	deepPrefix          // **/ at the beginning: nothing, or directories
	deepSuffix          // /** at the end: everything below
	deepMiddle          // /**/: a slash, or directories
	alternates          // {a,b}
)

// globsetParser reads a glob as ripgrep does. Unlike git's dialect it has
// alternatives, its classes have no escapes and no names, and ** is decided by
// what surrounds it within its alternative.
type globsetParser struct {
	src   string
	i     int
	fold  bool
	stack [][][]node // for each open group, its branches; the last grows
}

func parseGlobset(src string, fold bool) ([]node, error) {
	p := globsetParser{src: src, fold: fold, stack: [][][]node{{nil}}}
	for p.i < len(src) {
		if err := p.step(); err != nil {
			return nil, err
		}
	}
	if len(p.stack) > 1 {
		return nil, errUnclosed
	}
	return p.stack[0][0], nil
}

func (p *globsetParser) step() error {
	c := p.src[p.i]
	switch c {
	case '?':
		p.push(node{kind: any1})
	case '*':
		p.stars()
		return nil
	case '[':
		return p.class()
	case '{':
		p.stack = append(p.stack, [][]node{nil})
	case '}':
		return p.closeGroup()
	case ',':
		if len(p.stack) == 1 {
			p.push(node{kind: char, text: ","})
			break
		}
		top := len(p.stack) - 1
		p.stack[top] = append(p.stack[top], nil)
	case '\\':
		if p.i++; p.i == len(p.src) {
			return errDangling
		}
		p.push(node{kind: char, text: p.next()})
		return nil
	default:
		p.push(node{kind: char, text: p.next()})
		return nil
	}
	p.i++
	return nil
}

// next takes one character, or one byte of what is not UTF-8.
func (p *globsetParser) next() string {
	_, n := utf8.DecodeRuneInString(p.src[p.i:])
	p.i += n
	return p.src[p.i-n : p.i]
}

// branch is where nodes go: the newest branch of the innermost open group.
func (p *globsetParser) branch() *[]node {
	group := p.stack[len(p.stack)-1]
	return &group[len(group)-1]
}

func (p *globsetParser) push(n node) {
	b := p.branch()
	*b = append(*b, n)
}

func (p *globsetParser) closeGroup() error {
	top := len(p.stack) - 1
	if top == 0 {
		return errUnopened
	}
	n := node{kind: alternates, branches: p.stack[top]}
	p.stack = p.stack[:top]
	p.push(n)
	p.i++
	return nil
}

// stars reads * or **. Two asterisks reach across directories only as a whole
// component; elsewhere they are two single ones.
func (p *globsetParser) stars() {
	start := p.i
	if !strings.HasPrefix(p.src[p.i:], "**") {
		p.i++
		p.push(node{kind: anyN})
		return
	}
	p.i += 2
	rest := p.src[p.i:]
	b := p.branch()
	switch {
	case len(*b) == 0 && rest == "":
		p.push(node{kind: deepPrefix})
	case len(*b) == 0 && rest[0] == '/':
		p.i++
		p.push(node{kind: deepPrefix})
	case len(*b) == 0 || p.src[start-1] != '/':
		p.push(node{kind: anyN})
	case rest == "" || len(p.stack) > 1 && (rest[0] == ',' || rest[0] == '}'):
		p.deepAfterSlash(deepSuffix)
	case rest[0] == '/':
		p.i++
		p.deepAfterSlash(deepMiddle)
	default:
		p.push(node{kind: anyN})
	}
}

// deepAfterSlash puts a deep node in place of the slash before it. Where that
// slash already belongs to a deep node, the node covers both.
func (p *globsetParser) deepAfterSlash(kind nodeKind) {
	b := *p.branch()
	last := &b[len(b)-1]
	if last.kind != deepPrefix && last.kind != deepSuffix {
		*last = node{kind: kind}
	}
}

// class reads [...]. A range is taken between bytes, since ripgrep matches
// names bytewise: of a longer character, each byte is a member by itself.
func (p *globsetParser) class() error {
	p.i++
	s := &class{}
	negated := p.i < len(p.src) && (p.src[p.i] == '!' || p.src[p.i] == '^')
	if negated {
		p.i++
	}
	var ranges [][2]string
	inRange := false
	for first := true; ; first = false {
		if p.i == len(p.src) {
			return errUnclosedClass
		}
		c := p.next()
		switch {
		case c == "]" && !first:
			if inRange {
				ranges = append(ranges, [2]string{"-", "-"})
			}
			for _, r := range ranges {
				s.addCharRange(r[0], r[1])
			}
			if p.fold {
				s.foldCase()
			}
			if negated {
				s.negate()
			}
			p.push(node{kind: set, set: s})
			return nil
		case c == "-" && !first && !inRange:
			inRange = true
		case inRange:
			r := &ranges[len(ranges)-1]
			r[1] = c
			if r[1] < r[0] {
				return fmt.Errorf("invalid range; '%s' > '%s'", r[0], r[1])
			}
			inRange = false
		default:
			ranges = append(ranges, [2]string{c, c})
		}
	}
}

func (s *class) addCharRange(lo, hi string) {
	for i := 0; i < len(lo); i++ {
		s.add(lo[i])
	}
	if lo == hi {
		return
	}
	for i := 0; i < len(hi); i++ {
		s.add(hi[i])
	}
	s.addRange(lo[len(lo)-1], hi[0])
}

// maxAlternatives bounds how many globs without groups one with groups may be
// written out as.
const maxAlternatives = 64

// writeOut lists the globs without groups that nodes stand for, and reports
// whether they are few enough. An empty alternative counts for nothing.
func writeOut(nodes []node) (lists [][]node, ok bool) {
	lists = [][]node{nil}
	for _, n := range nodes {
		choices := [][]node{{n}}
		if n.kind == alternates {
			choices = nil
			for _, b := range n.branches {
				inner, ok := writeOut(b)
				if !ok {
					return nil, false
				}
				if len(inner) > 1 || len(inner[0]) > 0 {
					choices = append(choices, inner...)
				}
			}
			if choices == nil {
				continue
			}
		}
		var next [][]node
		for _, head := range lists {
			for _, c := range choices {
				next = append(next, append(head[:len(head):len(head)], c...))
			}
		}
		if lists = next; len(lists) > maxAlternatives {
			return nil, false
		}
	}
	return lists, true
}
