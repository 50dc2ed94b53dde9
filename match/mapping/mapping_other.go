//go:build !linux

package mapping

// Map maps nothing here: files are read.
func Map(fd int, offset int64, n int) *Mapping { return nil }

// Damaged reports whether some of the bytes that were looked at were not those
// of the file.
func (m *Mapping) Damaged() bool { return false }

// Unmap ends the mapping.
func (m *Mapping) Unmap() {}
