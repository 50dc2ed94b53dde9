package walk

import (
	"bytes"
	"slices"
)

// radixFrom is how many names are worth distributing by their bytes rather
// than comparing.
const radixFrom = 48

// sort orders the names by their bytes, the order of the output. Where there
// are many, they are first brought into the order of their keys by passes over
// the keys' bytes; only those that share a key are compared.
func (l *listing) sort() {
	if len(l.entries) < radixFrom {
		slices.SortFunc(l.entries, l.compare)
		return
	}
	l.sortKeys()
	for from := 0; from < len(l.entries); {
		to := from + 1
		for to < len(l.entries) && l.entries[to].key == l.entries[from].key {
			to++
		}
		if to-from > 1 {
			slices.SortFunc(l.entries[from:to], l.compare)
		}
		from = to
	}
}

func (l *listing) compare(a, b entry) int {
	if a.key != b.key {
		if a.key < b.key {
			return -1
		}
		return 1
	}
	return bytes.Compare(l.bytes(&a), l.bytes(&b))
}

// sortKeys sorts by key: a pass for each byte of the keys, the last one first,
// moves places, and then each entry moves once.
func (l *listing) sortKeys() {
	n := len(l.entries)
	var counts [8][256]uint32
	from, to := make([]uint32, n), make([]uint32, n)
	for i := range l.entries {
		from[i] = uint32(i)
		for b, key := 0, l.entries[i].key; b < len(counts); b++ {
			counts[b][byte(key>>(8*b))]++
		}
	}
	for b := range counts {
		count := &counts[b]
		if count[byte(l.entries[0].key>>(8*b))] == uint32(n) {
			continue // all have the same byte here
		}
		var sum uint32
		for i, c := range count {
			count[i] = sum
			sum += c
		}
		for _, at := range from {
			c := &count[byte(l.entries[at].key>>(8*b))]
			to[*c] = at
			*c++
		}
		from, to = to, from
	}
	l.arrange(from)
}

// arrange brings the entries into an order that is given by where each comes
// from; from is used up.
func (l *listing) arrange(from []uint32) {
	for i := range from {
		// What belongs here comes from there, what belongs there from yet
		// another place, and so on around.
		first, at := l.entries[i], uint32(i)
		for from[at] != uint32(i) {
			next := from[at]
			l.entries[at] = l.entries[next]
			from[at], at = at, next
		}
		l.entries[at] = first
		from[at] = at
	}
}
