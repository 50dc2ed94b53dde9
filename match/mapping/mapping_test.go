//go:build linux

package mapping

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"

	"golang.org/x/sys/unix"
)

// file makes a file of n bytes that are not zero.
func file(t *testing.T, n int) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if _, err := f.Write(bytes.Repeat([]byte("0123456789abcdef"), n/16)); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestMap(t *testing.T) {
	f := file(t, 1<<16)
	for _, c := range []struct {
		offset int64
		n      int
	}{{0, 1 << 16}, {0, 1}, {5, 100}, {4096, 4096}, {4095, 4098}, {1<<16 - 1, 1}} {
		m := Map(int(f.Fd()), c.offset, c.n)
		if m == nil {
			t.Fatalf("no mapping of %d bytes at %d", c.n, c.offset)
		}
		want := make([]byte, c.n)
		if _, err := f.ReadAt(want, c.offset); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(m.Bytes(), want) {
			t.Errorf("other bytes in %d bytes at %d", c.n, c.offset)
		}
		if m.Damaged() {
			t.Errorf("%d bytes at %d are called damaged", c.n, c.offset)
		}
		m.Unmap()
	}
}

// TestTruncated holds that a file which is cut short under a mapping ends
// neither the process nor the search, and that this is noticed; and that the
// next mapping in the same slot is sound again.
func TestTruncated(t *testing.T) {
	for range 3 * 64 { // more often than there are slots
		f := file(t, 1<<16)
		m := Map(int(f.Fd()), 0, 1<<16)
		if m == nil {
			t.Fatal("no mapping")
		}
		if err := f.Truncate(5000); err != nil {
			t.Fatal(err)
		}
		b := m.Bytes()
		if b[4096] == 0 || m.Damaged() {
			t.Fatal("what is left of the file is damaged")
		}
		if n := bytes.Count(b, []byte("a")); n != 5000/16 {
			t.Errorf("%d times in what is left, want %d", n, 5000/16)
		}
		if !m.Damaged() {
			t.Error("a missing page was not noticed")
		}
		m.Unmap()
		f.Close()
	}
}

// TestBeyond holds that what is not in the file is not mapped, where the
// system says so at once.
func TestBeyond(t *testing.T) {
	f := file(t, 4096)
	if m := Map(int(f.Fd()), 0, 3*4096); m != nil {
		defer m.Unmap()
		if bytes.Count(m.Bytes(), []byte{0}) != 2*4096 || !m.Damaged() {
			t.Error("pages behind the end were not noticed")
		}
	}
}

// TestSlots holds that there is no mapping without a guard.
func TestSlots(t *testing.T) {
	f := file(t, 4096)
	var held []*Mapping
	for m := Map(int(f.Fd()), 0, 10); m != nil; m = Map(int(f.Fd()), 0, 10) {
		held = append(held, m)
	}
	if len(held) != 64 {
		t.Errorf("%d mappings at once", len(held))
	}
	for _, m := range held {
		m.Unmap()
	}
	if m := Map(int(f.Fd()), 0, 10); m == nil {
		t.Error("no mapping after all were given back")
	} else {
		m.Unmap()
	}
}

// TestOtherFault holds that a SIGBUS outside all mappings still comes to Go.
func TestOtherFault(t *testing.T) {
	f := file(t, 4096)
	Map(int(f.Fd()), 0, 10).Unmap() // installs the handler
	b, err := unix.Mmap(int(f.Fd()), 0, 2*4096, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(b)
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	t.Error("read behind the end:", b[4096])
}
