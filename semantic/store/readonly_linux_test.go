package store

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A cache that cannot be written to is read, and what is new is in memory. As
// root, whom no mode keeps out, the thread accesses files as another user.
func TestReadOnly(t *testing.T) {
	dir, path, before := made(t, 5)
	for name, mode := range map[string]os.FileMode{dir: 0o555, filepath.Dir(dir): 0o755, path: 0o444, filepath.Join(dir, lockName): 0o444} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if os.Geteuid() == 0 {
		if err := unix.Setfsuid(65534); err != nil {
			t.Fatal(err)
		}
		defer unix.Setfsuid(0)
	}
	if err := os.WriteFile(filepath.Join(dir, "x"), nil, 0o600); err == nil {
		t.Fatal("the directory can be written to")
	}
	s := opened(t, dir, space, today+1)
	if n := has(t, s, 0, 10); n != 5 || len(s.Warnings()) != 0 {
		t.Errorf("%d vectors, %q", n, s.Warnings())
	}
	put(t, s, 5, 10)
	if n := has(t, s, 0, 10); n != 10 {
		t.Errorf("%d vectors", n)
	}
	if w := s.Warnings(); len(w) != 1 || !strings.Contains(w[0], "5 new vectors could not be kept") || !strings.Contains(w[0], "permission denied") {
		t.Errorf("%q", w)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Errorf("the file was changed: %v", err)
	}
}
