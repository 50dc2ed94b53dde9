package ignore

import (
	"cmp"
	"slices"
	"strings"

	"tally/walk/glob"
)

// A node is a place in the trie of a file's patterns, whose edges are the
// components of paths. A directory's state is the set of nodes that its path
// leads to, so that an entry is looked up by its name alone and no path is ever
// put together. Below the directories that a file speaks of, the state is the
// one node that stands for "at any depth".
type node struct {
	names *glob.Table // the patterns that may end here
	dirs  []dirEdge   // by name
	wild  []wildEdge
	deep  *node // entered along with this node: any directories, or none
	loops bool  // stays in the state of every directory below
}

type dirEdge struct {
	name string
	to   *node
}

type wildEdge struct {
	segment *glob.Segment
	to      *node
}

// start returns the state of the directory that anchors the rules.
func (r *Rules) start() []*node { return appendNode(nil, r.root) }

// appendNode adds a node and what is entered along with it, unless known.
func appendNode(state []*node, n *node) []*node {
	for ; n != nil; n = n.deep {
		if !slices.Contains(state, n) {
			state = append(state, n)
		}
	}
	return state
}

// enter returns the state of a subdirectory: the given slice itself if it is
// the same state.
func (r *Rules) enter(state []*node, name string) []*node {
	if r.fold {
		name = glob.Lower(name)
	}
	same := true
	for _, n := range state {
		same = same && n.loops && !n.leads(name)
	}
	if same {
		return state
	}
	var next []*node
	for _, n := range state {
		if n.loops {
			next = appendNode(next, n)
		}
		if i, ok := n.dir(name); ok {
			next = appendNode(next, n.dirs[i].to)
		}
		for _, e := range n.wild {
			if e.segment.Match(name) {
				next = appendNode(next, e.to)
			}
		}
	}
	if slices.Equal(next, r.deep) {
		return r.deep
	}
	return next
}

func (n *node) dir(name string) (int, bool) {
	if len(n.dirs) == 0 {
		return 0, false
	}
	return slices.BinarySearchFunc(n.dirs, name, func(e dirEdge, name string) int {
		return strings.Compare(e.name, name)
	})
}

// leads reports whether any edge takes the name.
func (n *node) leads(name string) bool {
	if _, ok := n.dir(name); ok {
		return true
	}
	for _, e := range n.wild {
		if e.segment.Match(name) {
			return true
		}
	}
	return false
}

// A nodeBuilder is a node under construction.
type nodeBuilder struct {
	fold  bool
	loops bool
	names *glob.TableBuilder
	dirs  map[string]*nodeBuilder
	wild  []wildBuilder
	deep  *nodeBuilder
}

type wildBuilder struct {
	segment *glob.Segment
	to      *nodeBuilder
}

func newNodeBuilder(fold bool) *nodeBuilder { return &nodeBuilder{fold: fold} }

// add enters the path of a pattern under the index of its line.
func (b *nodeBuilder) add(parts []glob.Part, line int32, dirOnly bool) {
	last := len(parts) - 1
	for _, p := range parts[:last] {
		b = b.next(p)
	}
	if b.names == nil {
		b.names = glob.NewTableBuilder(b.fold)
	}
	b.names.Add(parts[last].Segment, line, dirOnly)
}

func (b *nodeBuilder) next(p glob.Part) *nodeBuilder {
	if p.Deep {
		if b.deep == nil {
			b.deep = newNodeBuilder(b.fold)
			b.deep.loops = true
		}
		return b.deep
	}
	name, ok := p.Segment.Literal()
	if !ok {
		to := newNodeBuilder(b.fold)
		b.wild = append(b.wild, wildBuilder{p.Segment, to})
		return to
	}
	to := b.dirs[name]
	if to == nil {
		if b.dirs == nil {
			b.dirs = map[string]*nodeBuilder{}
		}
		to = newNodeBuilder(b.fold)
		b.dirs[name] = to
	}
	return to
}

// node returns the finished node with all below it.
func (b *nodeBuilder) node() *node {
	n := &node{loops: b.loops}
	if b.names != nil {
		n.names = b.names.Table()
	}
	for name, to := range b.dirs {
		n.dirs = append(n.dirs, dirEdge{name, to.node()})
	}
	slices.SortFunc(n.dirs, func(x, y dirEdge) int { return cmp.Compare(x.name, y.name) })
	for _, w := range b.wild {
		n.wild = append(n.wild, wildEdge{w.segment, w.to.node()})
	}
	if b.deep != nil {
		n.deep = b.deep.node()
	}
	return n
}
