package mapping

import (
	"bytes"
	"testing"
)

// A room keeps what it holds, whatever it has become large by, and begins anew
// after it was released.
func TestRoom(t *testing.T) {
	var r Room
	for range 3 {
		at := 0
		for _, n := range []int{1, 100, 64 << 10, largeRoom - 1, largeRoom, largeRoom + 1, 3 * largeRoom, 9 * largeRoom} {
			before := len(r.Bytes())
			if err := r.Grow(n); err != nil {
				t.Fatal(err)
			}
			if got := len(r.Bytes()); got < n || n <= before && got != before {
				t.Fatalf("%d bytes after asking for %d, %d before", got, n, before)
			}
			for ; at < len(r.Bytes()); at += 4093 {
				r.Bytes()[at] = byte(at>>12) | 1
			}
		}
		for i := 0; i < at; i += 4093 {
			if r.Bytes()[i] != byte(i>>12)|1 {
				t.Fatalf("byte %d is %d", i, r.Bytes()[i])
			}
		}
		r.Release()
		if len(r.Bytes()) != 0 {
			t.Fatal("something is left")
		}
		if err := r.Grow(2 * largeRoom); err != nil || bytes.Trim(r.Bytes()[:1000], "\x00") != nil {
			t.Fatal("what was released is there again")
		}
		r.Release()
	}
}

func TestRoomWithoutMemory(t *testing.T) {
	var r Room
	if err := r.Grow(largeRoom); err != nil {
		t.Fatal(err)
	}
	r.Bytes()[0] = 7
	if err := r.Grow(1 << 62); err == nil {
		t.Skip("this system gives it")
	}
	if len(r.Bytes()) != largeRoom || r.Bytes()[0] != 7 {
		t.Error("the room is another")
	}
	r.Release()
}
