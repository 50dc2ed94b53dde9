package mapping

// #include "guard.h"
import "C"

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Map maps n bytes from an offset on, all of which the file must have. It
// returns nil where that cannot be done; the file is to be read then.
func Map(fd int, offset int64, n int) *Mapping {
	before := int(offset % int64(os.Getpagesize()))
	all, err := unix.Mmap(fd, offset-int64(before), before+n, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil
	}
	m := &Mapping{all: all, bytes: all[before:]}
	// One call instead of a page fault every few pages; and where the file has
	// become shorter or cannot be read, that shows here. Kernels before 5.14
	// know nothing of it.
	if err := unix.Madvise(all, unix.MADV_POPULATE_READ); err != nil && err != unix.EINVAL {
		_ = unix.Munmap(all)
		return nil
	}
	m.slot = int(C.tally_guard(unsafe.Pointer(unsafe.SliceData(all)), C.size_t(len(all))))
	if m.slot < 0 {
		_ = unix.Munmap(all)
		return nil
	}
	return m
}

// Damaged reports whether some of the bytes that were looked at were not those
// of the file.
func (m *Mapping) Damaged() bool { return bool(C.tally_guard_damaged(C.int(m.slot))) }

// Unmap ends the mapping.
func (m *Mapping) Unmap() {
	C.tally_unguard(C.int(m.slot))
	_ = unix.Munmap(m.all)
}
