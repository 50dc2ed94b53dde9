package semantic

import (
	"cmp"
	"slices"
)

// rankConstant is what is added to a rank before its reciprocal is taken: it
// says how much the first ranks of one list outweigh the middle of the other.
// 60 is the value of Cormack, Clarke and Büttcher (SIGIR 2009).
const rankConstant = 60

// A Fused path stands in at least one of two rankings.
type Fused struct {
	Path string
	// Ranks are its places in the rankings, from 1; 0 for none.
	Ranks [2]int
	Score float64
}

// Fuse joins two rankings by reciprocal rank: the score of a path is the sum of
// 1/(60+rank) over both. Paths that are firm come before all others; equals come in
// the order of their paths.
func Fuse(first, second []string, firm func(path string) bool) []Fused {
	var list []Fused
	index := map[string]int{}
	for which, ranking := range [2][]string{first, second} {
		for i, path := range ranking {
			at, known := index[path]
			if !known {
				at = len(list)
				index[path] = at
				list = append(list, Fused{Path: path})
			}
			list[at].Ranks[which] = i + 1
			list[at].Score += 1 / float64(rankConstant+i+1)
		}
	}
	slices.SortFunc(list, func(a, b Fused) int {
		if x, y := firm(a.Path), firm(b.Path); x != y {
			if x {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path))
	})
	return list
}
