package glob

import (
	"math/bits"
	"strings"
)

// A program matches a whole path against any glob of ripgrep's dialect, by
// following all the positions in the glob that a byte may be at (Glushkov's
// automaton). It takes the path in two pieces, so that nothing is joined.
type program struct {
	words    int      // length of a set of positions
	follow   []uint64 // for each position, the set of positions after it
	accepts  []uint64 // for each byte, the set of positions that take it
	start    []uint64 // positions that may take the first byte
	last     []uint64 // positions that may take the last byte
	nullable bool
	ending   string // what a name must end with; only a shortcut
	fold     bool
}

// match runs over dir, a slash, and name; over name alone if dir is empty.
func (p *program) match(dir, name string) bool {
	if p.fold {
		dir, name = Lower(dir), Lower(name)
	}
	if !strings.HasSuffix(name, p.ending) {
		return false
	}
	var a, b [8]uint64
	cur, next := a[:0], b[:0]
	if p.words > len(a) {
		cur, next = make([]uint64, 0, p.words), make([]uint64, 0, p.words)
	}
	cur, next = append(cur, p.start...), next[:p.words]
	taken := p.nullable
	if dir != "" {
		for i := 0; i < len(dir); i++ {
			p.step(dir[i], cur, next)
			cur, next = next, cur
		}
		p.step('/', cur, next)
		cur, next = next, cur
	}
	for i := 0; i < len(name); i++ {
		taken = p.step(name[i], cur, next)
		cur, next = next, cur
	}
	return taken
}

// step computes the positions after one byte, and reports whether the glob may
// end here.
func (p *program) step(c byte, cur, next []uint64) (taken bool) {
	clear(next)
	accepts := p.accepts[int(c)*p.words:]
	for w := range cur {
		hit := cur[w] & accepts[w]
		taken = taken || hit&p.last[w] != 0
		for ; hit != 0; hit &= hit - 1 {
			pos := w<<6 + bits.TrailingZeros64(hit)
			for i, f := range p.follow[pos*p.words : (pos+1)*p.words] {
				next[i] |= f
			}
		}
	}
	return taken
}

// A piece is a part of an automaton under construction.
type piece struct {
	nullable    bool
	first, last []int
}

type programBuilder struct {
	sets   []class
	follow [][]int
	fold   bool
}

func compile(nodes []node, fold bool) *program {
	b := &programBuilder{fold: fold}
	var whole piece
	if len(nodes) == 1 && nodes[0].kind == deepPrefix {
		whole = b.repeat(b.one(allBytes()))
	} else {
		whole = b.sequence(nodes)
	}
	n := len(b.sets)
	p := &program{words: max(1, (n+63)/64), nullable: whole.nullable, fold: fold}
	p.start, p.last = make([]uint64, p.words), make([]uint64, p.words)
	p.follow = make([]uint64, n*p.words)
	p.accepts = make([]uint64, 256*p.words)
	mark := func(set []uint64, positions []int) {
		for _, i := range positions {
			set[i>>6] |= 1 << (i & 63)
		}
	}
	mark(p.start, whole.first)
	mark(p.last, whole.last)
	for i := range n {
		mark(p.follow[i*p.words:(i+1)*p.words], b.follow[i])
		for c := range 256 {
			if b.sets[i].has(byte(c)) {
				mark(p.accepts[c*p.words:], []int{i})
			}
		}
	}
	p.ending = ending(nodes, fold)
	return p
}

// ending returns the literal text that a name must end with.
func ending(nodes []node, fold bool) string {
	text := ""
	for i := len(nodes) - 1; i >= 0 && nodes[i].kind == char && nodes[i].text != "/"; i-- {
		text = nodes[i].text + text
	}
	if fold {
		text = Lower(text)
	}
	return text
}

func allBytes() class {
	var c class
	c.negate()
	return c
}

func (b *programBuilder) one(c class) piece {
	i := len(b.sets)
	b.sets = append(b.sets, c)
	b.follow = append(b.follow, nil)
	return piece{first: []int{i}, last: []int{i}}
}

func (b *programBuilder) slash() piece {
	var c class
	c.add('/')
	return b.one(c)
}

func (b *programBuilder) concat(x, y piece) piece {
	for _, i := range x.last {
		b.follow[i] = append(b.follow[i], y.first...)
	}
	z := piece{nullable: x.nullable && y.nullable, first: x.first, last: y.last}
	if x.nullable {
		z.first = append(append([]int(nil), x.first...), y.first...)
	}
	if y.nullable {
		z.last = append(append([]int(nil), x.last...), y.last...)
	}
	return z
}

func (b *programBuilder) either(x, y piece) piece {
	return piece{
		nullable: x.nullable || y.nullable,
		first:    append(append([]int(nil), x.first...), y.first...),
		last:     append(append([]int(nil), x.last...), y.last...),
	}
}

func (b *programBuilder) repeat(x piece) piece {
	for _, i := range x.last {
		b.follow[i] = append(b.follow[i], x.first...)
	}
	x.nullable = true
	return x
}

func (b *programBuilder) sequence(nodes []node) piece {
	whole := piece{nullable: true}
	for _, n := range nodes {
		whole = b.concat(whole, b.piece(n))
	}
	return whole
}

// piece spells out what each kind of node takes.
func (b *programBuilder) piece(n node) piece {
	notSlash := allBytes()
	notSlash.remove('/')
	switch n.kind {
	case any1:
		return b.one(notSlash)
	case anyN:
		return b.repeat(b.one(notSlash))
	case set:
		return b.one(*n.set)
	case deepPrefix: // a slash or not, or anything that ends with one
		maybe := b.slash()
		maybe.nullable = true
		return b.either(maybe, b.concat(b.repeat(b.one(allBytes())), b.slash()))
	case deepSuffix: // a slash and anything
		return b.concat(b.slash(), b.repeat(b.one(allBytes())))
	case deepMiddle: // a slash, or two with anything between
		between := b.concat(b.slash(), b.repeat(b.one(allBytes())))
		return b.either(b.slash(), b.concat(between, b.slash()))
	case alternates:
		return b.alternates(n)
	}
	text := piece{nullable: true}
	for i := 0; i < len(n.text); i++ {
		var c class
		c.add(n.text[i])
		if b.fold {
			c.foldCase()
		}
		text = b.concat(text, b.one(c))
	}
	return text
}

// alternates leaves out branches that hold nothing, as ripgrep does.
func (b *programBuilder) alternates(n node) piece {
	var whole piece
	some := false
	for _, branch := range n.branches {
		if holdsNothing(branch) {
			continue
		}
		p := b.sequence(branch)
		if some {
			p = b.either(whole, p)
		}
		whole, some = p, true
	}
	if !some {
		whole.nullable = true
	}
	return whole
}

func holdsNothing(nodes []node) bool {
	for _, n := range nodes {
		if n.kind != alternates {
			return false
		}
		for _, b := range n.branches {
			if !holdsNothing(b) {
				return false
			}
		}
	}
	return true
}
