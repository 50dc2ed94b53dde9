package walk

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"
	"time"

	"tally/walk/opt"
)

// TestUnsettled: within the tick of its last change a file can change unseen.
func TestUnsettled(t *testing.T) {
	const second = int64(time.Second)
	for _, test := range []struct {
		changed, now int64
		want         time.Duration
	}{
		{5*second + 1, 5*second + 1, tick},
		{5*second + 1, 5*second + 1 + int64(tick), 0},
		{5*second + 1, 6 * second, tick - time.Second + 1},
		{5 * second, 5*second + 1, longTick - 1}, // whole seconds only
		{5 * second, 8 * second, -time.Second},
		{5*second + 1, 5 * second, 0}, // yet to come
	} {
		if got := (Stamp{changed: test.changed}).unsettled(time.Unix(0, test.now)); got != test.want {
			t.Errorf("changed at %d, seen at %d: %v, want %v", test.changed, test.now, got, test.want)
		}
	}
}

// TestEveryChangeIsSeen writes as soon as a file has been stamped, keeping its
// size: without a wait many of these would fall into one tick.
func TestEveryChangeIsSeen(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for i := range 20 {
		if _, err := f.WriteAt([]byte{byte(i)}, 0); err != nil {
			t.Fatal(err)
		}
		before, err := settledStamp(int(f.Fd()))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteAt([]byte{byte(i + 1)}, 0); err != nil {
			t.Fatal(err)
		}
		if now, err := stampOf(int(f.Fd())); err != nil || now == before {
			t.Fatalf("change %d leaves no trace (%v)", i, err)
		}
	}
}

// TestWriter: a file that is mapped for writing may change unseen, even when the
// descriptor that it was mapped by is closed.
func TestWriter(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux tells")
	}
	path := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(path, make([]byte, 8192), 0o666); err != nil {
		t.Fatal(err)
	}
	writer := func() bool {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		_, err = StampOf(f)
		return err == ErrWriter
	}
	mapped := func(flags, protection int) []byte {
		f, err := os.OpenFile(path, flags, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if flags == os.O_RDWR && !writer() {
			t.Error("a file that is open for writing has no writer")
		}
		b, err := syscall.Mmap(int(f.Fd()), 0, 8192, protection, syscall.MAP_SHARED)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	if writer() {
		t.Error("a file that nobody has open has a writer")
	}
	b := mapped(os.O_RDWR, syscall.PROT_READ|syscall.PROT_WRITE)
	if !writer() {
		t.Error("a file that is mapped for writing has no writer")
	}
	syscall.Munmap(b)
	b = mapped(os.O_RDONLY, syscall.PROT_READ)
	if writer() {
		t.Error("a file that is mapped for reading has a writer")
	}
	syscall.Munmap(b)
}

// TestLeftOutByTime: what was left out by its time may be in scope when it changes.
func TestLeftOutByTime(t *testing.T) {
	tree(t, "d/new=@3000", "d/old=@1000", "d/other=@1000", "named=@1000")
	for name, sorted := range map[string]bool{"in path order": false, "sorted": true} {
		t.Run(name, func(t *testing.T) {
			u := universe(t, func(c *Config) {
				c.Watch, c.Changed.Since = true, opt.Some(Instant{2000, 0})
			}, "d", "named")
			if sorted {
				u = u.Sorted(ByModified, true)
			}
			tell(u, nil)
			if found := u.Changed(); len(found) > 0 {
				t.Fatalf("unchanged: %v", found)
			}
			grow(t, "d/old=word")
			if found := u.Changed(); len(found) != 1 || found[0].Path != "d/old" || found[0].Op != OpChange {
				t.Errorf("after a change of d/old: %v", found)
			}
			grow(t, "d/old=@1000")
		})
	}
}
