package masks

import (
	"math/rand/v2"
	"syscall"
	"testing"
)

// Behind the text lies memory that nobody may read, and before it likewise, so
// that a byte too many is a fault, whatever the length and the place.
func TestNothingIsReadBesideTheText(t *testing.T) {
	page := syscall.Getpagesize()
	memory, err := syscall.Mmap(-1, 0, 3*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Munmap(memory)
	r := rand.New(rand.NewPCG(3, 3))
	for i := range memory {
		memory[i] = "Ab9 é\n"[r.IntN(7)]
	}
	for _, beside := range [][]byte{memory[:page], memory[2*page:]} {
		if err := syscall.Mprotect(beside, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	middle := memory[page : 2*page : 2*page]
	var h Heads
	for _, head := range []string{"Ab9", "b", "é", "9 "} {
		h.Add(head, true)
	}
	found, classes := make([]uint64, page/Size+1), make([]Classes, page/Size+1)
	for n := range 5*Size + 1 {
		for _, text := range [][]byte{middle[page-n:], middle[:n:n]} {
			want := (n + Size - 1) / Size
			for room := range want + 2 {
				if h.Find(found[:room], text) != min(room, want) || Classify(classes[:room], text) != min(room, want) {
					t.Fatalf("%d bytes, room for %d masks", n, room)
				}
			}
			check(t, &h, text)
		}
	}
}
