package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// The test binary, started again with these variables, is a process that writes:
// the texts from a number on, as long as it lives or up to another number. It
// says when it has opened the cache and which texts Put has kept.
const (
	writerDir  = "TALLY_STORE_WRITER_DIR"
	writerFrom = "TALLY_STORE_WRITER_FROM"
	writerTo   = "TALLY_STORE_WRITER_TO"
	writerMax  = "TALLY_STORE_WRITER_MAX" // no file may become larger
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(writerDir); dir != "" {
		write(dir)
		return
	}
	os.Exit(m.Run())
}

func write(dir string) {
	from, _ := strconv.Atoi(os.Getenv(writerFrom))
	to, _ := strconv.Atoi(os.Getenv(writerTo))
	if limit, err := strconv.ParseUint(os.Getenv(writerMax), 10, 64); err == nil {
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: limit, Max: limit}); err != nil {
			panic(err)
		}
	}
	s, err := open(dir, space, today)
	if err != nil {
		panic(err)
	}
	for i := from; i < to; i++ {
		if err := s.Put(KeyOf(text(i)), vector(i, space.Dim)); err != nil {
			panic(err)
		}
		fmt.Println(i)
	}
	fmt.Println("have", func() (n int) {
		for i := from; i < to; i++ {
			if s.Get(KeyOf(text(i))) != nil {
				n++
			}
		}
		return n
	}())
	for _, w := range s.Warnings() {
		fmt.Println("warning:", w)
	}
	if err := s.Close(); err != nil {
		panic(err)
	}
}

func writer(t *testing.T, dir string, from, to int, more ...string) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), writerDir+"="+dir, fmt.Sprint(writerFrom, "=", from), fmt.Sprint(writerTo, "=", to))
	cmd.Env = append(cmd.Env, more...)
	out := new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, out
}

// made is a cache of n vectors, and the bytes of its file.
func made(t *testing.T, n int) (dir, path string, content []byte) {
	t.Helper()
	dir = t.TempDir()
	s := opened(t, dir, space, today)
	put(t, s, 0, n)
	path = s.path
	closed(t, s, 0)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return dir, path, content
}

// mended opens a damaged cache of n vectors and makes sure that it gives no
// wrong ones, says what is lost once, and has everything again in the end.
func mended(t *testing.T, dir string, n int, what string) {
	t.Helper()
	s := opened(t, dir, space, today)
	had := has(t, s, 0, n)
	warned := len(s.Warnings())
	if had < n && warned == 0 {
		t.Fatalf("%s: %d of %d vectors, and no warning", what, had, n)
	}
	put(t, s, 0, n)
	if got := has(t, s, 0, n); got != n || len(s.Warnings()) > warned {
		t.Fatalf("%s: %d of %d vectors when put again; %q", what, got, n, s.Warnings())
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = opened(t, dir, space, today)
	if got := has(t, s, 0, n); got != n || len(s.Warnings()) > 0 {
		t.Fatalf("%s: %d of %d vectors in the end; %q", what, got, n, s.Warnings())
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// interesting are the offsets that a test of every byte has to visit: all, but
// of the free part of a block only some.
func interesting(content []byte, n int) []int {
	var list []int
	l := layout{space.Dim}
	for i := range content {
		at := int64(i)
		if at > l.slot(n)+2*slotSize && at < l.vector(0)-slotSize && i%997 != 0 {
			continue
		}
		list = append(list, i)
	}
	return list
}

func TestCutAnywhere(t *testing.T) {
	const n = 6
	dir, path, content := made(t, n)
	for _, size := range interesting(content, n) {
		if size%7 != 0 && size < headerSize-8 {
			continue // one header like another
		}
		if size == headerSize {
			continue // that is an empty cache
		}
		if err := os.WriteFile(path, content[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		if s := opened(t, dir, space, today); size < headerSize && len(s.Warnings()) != 1 {
			t.Fatalf("cut to %d bytes: %q", size, s.Warnings())
		} else if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		os.WriteFile(path, content[:size], 0o600)
		mended(t, dir, n, fmt.Sprintf("cut to %d bytes", size))
	}
}

func TestAnyByteChanged(t *testing.T) {
	const n = 6
	dir, path, content := made(t, n)
	l := layout{space.Dim}
	for _, at := range interesting(content, n) {
		if at%7 != 0 && at < headerSize-8 {
			continue
		}
		changed := slices.Clone(content)
		changed[at] ^= 0xff
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		mended(t, dir, n, fmt.Sprintf("byte %d changed", at))
		if inVectors := int64(at) >= l.vector(0); inVectors {
			os.WriteFile(path, changed, 0o600)
			s := opened(t, dir, space, today)
			if got := has(t, s, 0, n); got != n-1 || len(s.Warnings()) != 1 || !strings.Contains(s.Warnings()[0], "1 of its vectors") {
				t.Fatalf("byte %d changed: %d vectors, %q", at, got, s.Warnings())
			}
			s.Close()
		}
	}
}

// Blocks of zeros are what a file system may leave after a failure of power.
func TestZeroedBlocks(t *testing.T) {
	const n = blockSlots + 200
	dir, path, content := made(t, n)
	for at := 0; at < len(content); at += 4096 {
		changed := slices.Clone(content)
		clear(changed[at:min(at+4096, len(changed))])
		if err := os.WriteFile(path, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		s := opened(t, dir, space, today)
		had := has(t, s, 0, n)
		put(t, s, 0, n)
		s.Close()
		s = opened(t, dir, space, today)
		if got := has(t, s, 0, n); got != n {
			t.Fatalf("zeros from %d on: %d vectors, then %d", at, had, got)
		}
		closed(t, s, 0)
	}
}

// Another file at the cache's place is replaced, and so is that of another
// space under its name.
func TestForeignFile(t *testing.T) {
	dir, path, _ := made(t, 3)
	other := space
	other.Dim++
	for _, content := range [][]byte{nil, []byte("notes\n"), bytes.Repeat([]byte("x"), 100_000), other.header("2026-11-30")} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		s := opened(t, dir, space, today)
		if n := has(t, s, 0, 3); n != 0 {
			t.Errorf("%d vectors in %.20q", n, content)
		}
		put(t, s, 0, 3)
		closed(t, s, 1)
		s = opened(t, dir, space, today)
		if n := has(t, s, 0, 3); n != 3 {
			t.Errorf("%d vectors after it", n)
		}
		closed(t, s, 0)
	}
}

// A file that is cut while it is open costs vectors, not the process.
func TestCutWhileOpen(t *testing.T) {
	const n = 2 * blockSlots
	dir, path, _ := made(t, n)
	s := opened(t, dir, space, today)
	if err := os.Truncate(path, headerSize); err != nil {
		t.Fatal(err)
	}
	if got := has(t, s, 0, n); got > 400 { // those of the page that is left
		t.Errorf("%d vectors", got)
	}
	if len(s.Warnings()) != 1 {
		t.Errorf("%q", s.Warnings())
	}
	put(t, s, 0, n)
	if got := has(t, s, 0, n); got != n {
		t.Errorf("%d vectors when put again", got)
	}
	s.Close()
	mended(t, dir, n, "cut while open")
}

func TestProcessesAtOnce(t *testing.T) {
	dir := t.TempDir()
	var cmds []*exec.Cmd
	for i := range 4 {
		cmd, _ := writer(t, dir, i*200, i*200+400)
		cmds = append(cmds, cmd)
	}
	for _, cmd := range cmds {
		if err := cmd.Wait(); err != nil {
			t.Fatal(err)
		}
	}
	s := opened(t, dir, space, today)
	if n := has(t, s, 0, 1000); n != 1000 {
		t.Errorf("%d of 1000 vectors", n)
	}
	closed(t, s, 0)
}

// What Put has kept outlives the process, and nothing is damaged.
func TestKilled(t *testing.T) {
	dir := t.TempDir()
	rounds := 30
	if testing.Short() {
		rounds = 5
	}
	for round := range rounds {
		from := round * 100_000
		cmd, out := writer(t, dir, from, from+100_000)
		time.Sleep(time.Duration(20+round%10*5) * time.Millisecond)
		cmd.Process.Signal(syscall.SIGKILL)
		cmd.Wait()
		said, _, _ := strings.Cut(out.String()[:strings.LastIndexByte(out.String(), '\n')+1], "have")
		kept := strings.Count(said, "\n")
		s := opened(t, dir, space, today)
		if n := has(t, s, from, from+kept); n != kept {
			t.Fatalf("round %d: %d of %d vectors", round, n, kept)
		}
		closed(t, s, 0)
	}
	list, err := Show(dir)
	if err != nil || len(list) != 1 || list[0].Vectors == 0 || list[0].Damaged != 0 {
		t.Errorf("%+v %v", list, err)
	}
}

// A disk that is full, as far as this file is concerned.
func TestFull(t *testing.T) {
	l := layout{space.Dim}
	for _, limit := range []int64{0, 100, headerSize, headerSize + 50, l.vector(0) + 5, l.vector(10) + 5} {
		dir := t.TempDir()
		cmd, out := writer(t, dir, 0, 20, fmt.Sprint(writerMax, "=", limit))
		if err := cmd.Wait(); err != nil {
			t.Fatalf("limit %d: %v", limit, err)
		}
		if text := out.String(); !strings.Contains(text, "have 20\n") || !strings.Contains(text, "new vectors could not be kept") || !strings.Contains(text, "file too large") {
			t.Errorf("limit %d: %s", limit, text)
		}
		if left, _ := files(dir, unfinished); len(left) > 0 {
			t.Errorf("limit %d: %v is left", limit, left)
		}
		s := opened(t, dir, space, today)
		want := 0
		if limit > l.vector(10) {
			want = 10
		}
		if n := has(t, s, 0, 20); n != want {
			t.Errorf("limit %d: %d vectors, want %d", limit, n, want)
		}
		closed(t, s, 0)
		s = opened(t, dir, space, today)
		put(t, s, 0, 20)
		closed(t, s, 0)
		mended(t, dir, 20, "after a full disk")
	}
}

// In a place that cannot be, what is new is in memory. For one that can be read
// but not written to see TestReadOnly.
func TestNoPlace(t *testing.T) {
	blocked := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(blocked, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		dir      string
		warnings int
	}{{filepath.Join(blocked, "tally"), 2}, {"/proc/tally", 2}, {"", 1}, {"relative", 1}} {
		s := opened(t, test.dir, space, today)
		put(t, s, 0, 10)
		if n := has(t, s, 0, 10); n != 10 {
			t.Errorf("%s: %d vectors after that", test.dir, n)
		}
		closed(t, s, test.warnings)
	}
	for _, name := range []string{"relative", lockName, modelsName} {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s was written where the process is", name)
		}
	}
}

// Who stops while it holds the lock is not waited for.
func TestHeldLock(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for as long as a run does")
	}
	dir, _, _ := made(t, 5)
	held, err := openLock(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer held.close()
	err = held.with(func() error {
		s := opened(t, dir, space, today)
		if n := has(t, s, 0, 5); n != 5 {
			t.Errorf("%d vectors", n)
		}
		put(t, s, 5, 7)
		closed(t, s, 1)
		if _, err := Prune(dir, Policy{}); !errors.Is(err, errBusy) {
			t.Error(err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	mended(t, dir, 5, "after the lock")
}
