// Package mapping shows a part of a file as memory, without copying it, and
// survives what makes that dangerous: a file that is cut short or whose disk
// fails while the memory is looked at. The system then sends SIGBUS, which
// would end the process. Instead zeros are put in the place of the missing
// page, and the mapping says that it is damaged, so that whoever has looked
// at it can throw the result away and read the file in the ordinary way, which
// ends in a proper error.
//
// It knows nothing of what the bytes are for.
package mapping

// A Mapping is a part of a file in memory.
type Mapping struct {
	all   []byte // whole pages
	bytes []byte
	slot  int // of the guard
}

// Bytes returns the bytes that were asked for. They are those of the file as it
// is at each moment, and are gone after [Mapping.Unmap].
func (m *Mapping) Bytes() []byte { return m.bytes }
