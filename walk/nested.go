package walk

import (
	"slices"
	"sync"
)

// nested holds the repositories below the roots that a walk has entered.
type nested struct {
	mu    sync.Mutex
	paths []Displayed
}

// note remembers a directory, unless another root accounts for it.
func (n *nested) note(d *dir) {
	if d.elsewhere {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.paths = append(n.paths, d.displayed())
}

// Nested returns the directories below the roots that a walk has entered and that
// hold a .git of their own, in path order. An outer repository's rules do not count
// in them, and what a worktree holds is often a copy of what is outside.
func (u *Universe) Nested() []Displayed {
	u.nested.mu.Lock()
	defer u.nested.mu.Unlock()
	paths := slices.Clone(u.nested.paths)
	slices.SortFunc(paths, func(a, b Displayed) int { return comparePaths(string(a), string(b)) })
	return paths
}
