package store

import "encoding/binary"

// An index finds the slot of a key: a table of slots, 0 for none and else the
// slot's number and 1, in which a key begins at the place that its first bytes
// name and goes on to the next free one. Keys are hashes already, so that no
// other is needed; with Go's own map, opening a large file took three times as
// long (BenchmarkOpen).
type index struct {
	table []int32
	slots []slot
}

func newIndex(slots []slot) index {
	size := 16
	for size < 2*len(slots) {
		size *= 2
	}
	x := index{make([]int32, size), slots}
	for i := range slots {
		if !slots[i].free {
			x.table[x.place(&slots[i].key)] = int32(i + 1)
		}
	}
	return x
}

// place is where a key is in the table, or would be.
func (x *index) place(key *Key) int {
	mask := len(x.table) - 1
	at := int(binary.LittleEndian.Uint32(key[:])) & mask
	for x.table[at] != 0 && x.slots[x.table[at]-1].key != *key {
		at = (at + 1) & mask
	}
	return at
}

// find returns the last slot with a key.
func (x *index) find(key Key) (slot int, ok bool) {
	if len(x.table) == 0 {
		return 0, false
	}
	i := x.table[x.place(&key)]
	return int(i) - 1, i > 0
}
