package mapping

import (
	"fmt"

	"golang.org/x/sys/unix"
)

func (r *Room) grow(n int) error {
	if r.large {
		b, err := unix.Mremap(r.bytes, n, unix.MREMAP_MAYMOVE)
		if err != nil {
			return noRoom(n, err)
		}
		r.bytes = b
		return nil
	}
	b, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANONYMOUS)
	if err != nil {
		return noRoom(n, err)
	}
	copy(b, r.bytes)
	r.bytes, r.large = b, true
	return nil
}

func noRoom(n int, err error) error {
	return fmt.Errorf("%d bytes of memory are needed and not to be had: %w", n, err)
}

// Release gives the memory back.
func (r *Room) Release() {
	if r.large {
		_ = unix.Munmap(r.bytes)
	}
	*r = Room{}
}
