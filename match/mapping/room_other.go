//go:build !linux

package mapping

func (r *Room) grow(n int) error {
	r.bytes = append(r.bytes, make([]byte, n-len(r.bytes))...)
	return nil
}

// Release gives the memory back.
func (r *Room) Release() { *r = Room{} }
