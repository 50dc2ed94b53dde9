package mapping

// A Room is memory for bytes that may become many. It grows without holding them
// twice where the system can do that: above largeRoom bytes they are in memory of
// their own, which moves as pages. The zero Room holds none.
type Room struct {
	bytes []byte
	large bool
}

// largeRoom is where memory of its own begins, in bytes. Smaller rooms are cheap
// to copy, and the collector's business.
const largeRoom = 8 << 20

// roomStep is the most that a room grows by beyond what is asked for, in bytes.
const roomStep = 256 << 20

// Bytes returns the room, to its full length. It is gone after the next
// [Room.Grow] or [Room.Release].
func (r *Room) Bytes() []byte { return r.bytes }

// Shrink gives the memory back if it is much.
func (r *Room) Shrink() {
	if len(r.bytes) >= largeRoom {
		r.Release()
	}
}

// Grow makes the room at least n bytes long, and longer by as much as it was, so
// that growing often costs no more than a constant for each byte. What it held
// stays at its beginning. The error is that the system gives no more memory; the
// room is then as it was.
func (r *Room) Grow(n int) error {
	if n <= len(r.bytes) {
		return nil
	}
	n = max(n, len(r.bytes)+min(len(r.bytes), roomStep))
	if n >= largeRoom {
		return r.grow(n)
	}
	b := make([]byte, n)
	copy(b, r.bytes)
	r.bytes = b
	return nil
}
