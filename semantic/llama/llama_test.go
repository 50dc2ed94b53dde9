//go:build unix

package llama

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A bench is where one test's servers run: its own runtime directory, and a log
// of all fakes that were started.
type bench struct {
	*testing.T
	run, log string
	cfg      Config
}

// newBench prepares for fakes with these options. When the test ends no process
// and no file may be left.
func newBench(t *testing.T, o fakeOptions) *bench {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	// A socket's path is short, those of t.TempDir are not.
	run, err := os.MkdirTemp("", "run")
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{t, run, filepath.Join(t.TempDir(), "log"), Config{Program: self, Model: "model.gguf"}}
	t.Setenv("XDG_RUNTIME_DIR", run)
	t.Setenv(fakeLog, b.log)
	t.Setenv("GORACE", "atexit_sleep_ms=0") // the race detector has a fake sleep before it ends
	mode, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(fakeMode, string(mode))
	t.Cleanup(func() {
		left, _ := filepath.Glob(run + "/*")
		if len(left) > 0 {
			t.Errorf("left behind: %v", left)
		}
		for _, f := range b.starts() {
			if alive(f.PID) {
				t.Errorf("left running: %d", f.PID)
				syscall.Kill(f.PID, syscall.SIGKILL)
			}
		}
		os.RemoveAll(run)
	})
	return b
}

// starts are the fakes that have run.
func (b *bench) starts() []fakeStart {
	b.Helper()
	data, _ := os.ReadFile(b.log)
	var all []fakeStart
	for line := range bytes.Lines(data) {
		var f fakeStart
		if err := json.Unmarshal(line, &f); err != nil {
			b.Fatal(err)
		}
		all = append(all, f)
	}
	return all
}

// server returns a server that is closed when the test ends.
func (b *bench) server() *Server {
	s := New(b.cfg)
	b.Cleanup(func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	return s
}

// alive reports whether a process exists and is no zombie.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return err != nil || !bytes.Contains(stat, []byte(") Z "))
}

// eventually waits for something that another process does.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 1000 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("not in ten seconds: %s", what)
}

// embed embeds texts with which nothing must go wrong.
func embed(t *testing.T, s *Server, texts ...string) []Vector {
	t.Helper()
	vectors, err := s.Embed(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	return vectors
}

// A fakeClock passes only when something is waited for.
type fakeClock struct {
	time  time.Time
	waits []time.Duration
}

func (c *fakeClock) use(s *Server) {
	c.time = time.Unix(1e9, 0)
	s.clock.now = func() time.Time { return c.time }
	s.clock.wait = func(_ context.Context, d time.Duration) error {
		c.waits = append(c.waits, d)
		c.time = c.time.Add(d)
		return nil
	}
}

func (c *fakeClock) expect(t *testing.T, seconds ...int) {
	t.Helper()
	var want []time.Duration
	for _, s := range seconds {
		want = append(want, time.Duration(s)*time.Second)
	}
	if !slices.Equal(c.waits, want) {
		t.Errorf("waited %v, want %v", c.waits, want)
	}
}

func TestStartsNothingUnasked(t *testing.T) {
	b := newBench(t, fakeOptions{})
	s := b.server()
	if vectors, err := s.Embed(t.Context(), nil); err != nil || len(vectors) != 0 {
		t.Errorf("no texts: %v, %v", vectors, err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Embed(ended, []string{"a"}); err != context.Canceled {
		t.Errorf("in a context that has ended: %v", err)
	}
	if err := errors.Join(s.Close(), s.Close(), s.Kill()); err != nil {
		t.Error(err)
	}
	if _, err := s.Embed(t.Context(), []string{"a"}); err != errClosed {
		t.Errorf("after Close: %v", err)
	}
	if s.Started() || len(b.starts()) > 0 {
		t.Error("something was started")
	}
}

func TestEnvironmentAndArguments(t *testing.T) {
	b := newBench(t, fakeOptions{})
	for _, name := range []string{"LLAMA_API_KEY", "LLAMA_ARG_POOLING", "HF_TOKEN", "AIP_MODE"} {
		t.Setenv(name, "none")
	}
	t.Setenv("LLAMAS", "kept")
	b.cfg.Threads = 3
	s := b.server()
	embed(t, s, "a")
	if !s.Started() {
		t.Error("nothing was started")
	}
	start := b.starts()[0]
	for _, entry := range start.Env {
		for _, prefix := range []string{"LLAMA_", "HF_", "AIP_"} {
			if strings.HasPrefix(entry, prefix) {
				t.Errorf("not scrubbed: %s", entry)
			}
		}
	}
	if !slices.Contains(start.Env, "LLAMAS=kept") || !slices.Contains(start.Env, "XDG_RUNTIME_DIR="+b.run) {
		t.Error("scrubbed too much")
	}
	if !slices.Contains(start.Env, passive) {
		t.Error("its threads spin")
	}
	if got := scrubbed([]string{"OMP_WAIT_POLICY=active"}); got[len(got)-1] != "OMP_WAIT_POLICY=active" {
		t.Errorf("the user does not prevail: %q", got)
	}
	want := "--model model.gguf --embedding --host " + s.child.dir.socket() + " -np 1 -c 512 -b 512 -ub 512 -t 3 -lv 1"
	if got := strings.Join(start.Args[1:], " "); got != want {
		t.Errorf("arguments %s\nwant      %s", got, want)
	}
	if start.Mask != 0o077 {
		t.Errorf("its umask is %o", start.Mask)
	}
	if mask := syscall.Umask(0o022); mask == 0o077 {
		t.Error("our own umask has changed")
	} else {
		syscall.Umask(mask)
	}
	if group, err := syscall.Getpgid(start.PID); err != nil || group != start.PID {
		t.Errorf("process %d is in group %d: %v", start.PID, group, err)
	}
}

func TestFailedStart(t *testing.T) {
	b := newBench(t, fakeOptions{Exit: strings.Repeat("noise\n", 1000) + "tensor \x1b[1m'x'\xff is missing\n"})
	s := b.server()
	var clock fakeClock
	clock.use(s)
	_, first := s.Embed(t.Context(), []string{"a"})
	if first == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"exit status 1", "it said: noise\n", "tensor [1m'x'\uFFFD is missing", "GGUF"} {
		if !strings.Contains(first.Error(), want) {
			t.Errorf("%q is not in: %v", want, first)
		}
	}
	if len(first.Error()) > 3000 {
		t.Errorf("the error is %d bytes long", len(first.Error()))
	}
	// It is not tried at once again,
	if _, err := s.Embed(t.Context(), []string{"a"}); err != first || len(b.starts()) != 1 {
		t.Errorf("%d starts, then %v", len(b.starts()), err)
	}
	clock.expect(t)
	// but later.
	clock.time = clock.time.Add(cooldown)
	if _, err := s.Embed(t.Context(), []string{"a"}); err == nil || len(b.starts()) != 2 {
		t.Errorf("%d starts, then %v", len(b.starts()), err)
	}
}

func TestNoProgram(t *testing.T) {
	for _, program := range []string{"llama-server", "/nonexistent/llama-server", os.TempDir()} {
		b := newBench(t, fakeOptions{})
		b.cfg.Program = program
		if _, err := b.server().Embed(t.Context(), []string{"a"}); err == nil || !strings.Contains(err.Error(), program) {
			t.Errorf("%s: %v", program, err)
		}
	}
}

func TestNeverReady(t *testing.T) {
	b := newBench(t, fakeOptions{Loading: true})
	s := b.server()
	s.limits.start = 500 * time.Millisecond
	_, err := s.Embed(t.Context(), []string{"a"})
	if err == nil || !strings.Contains(err.Error(), "was not ready within 500ms") || !strings.Contains(err.Error(), "Loading model") {
		t.Error(err)
	}
	if alive(b.starts()[0].PID) {
		t.Error("it was left running")
	}
}

// TestImpatient: who does not want to wait for a start any longer does not end
// it; the next to ask waits for the same one.
func TestImpatient(t *testing.T) {
	b := newBench(t, fakeOptions{Loading: true})
	s := b.server()
	for range 2 {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		if _, err := s.Embed(ctx, []string{"a"}); err != context.DeadlineExceeded {
			t.Error(err)
		}
		cancel()
	}
	if n := len(b.starts()); n != 1 {
		t.Errorf("%d starts", n)
	}
}

func TestCrashAndCooldown(t *testing.T) {
	b := newBench(t, fakeOptions{Crash: true, After: 1})
	s := b.server()
	var clock fakeClock
	clock.use(s)
	first := embed(t, s, "a")
	if again := embed(t, s, "a"); !slices.Equal(again[0], first[0]) {
		t.Errorf("%v, then %v", first, again)
	}
	clock.expect(t, 1, 14)
	clock.time = clock.time.Add(time.Hour)
	embed(t, s, "a")
	clock.expect(t, 1, 14, 1)
	if n := len(b.starts()); n != 3 {
		t.Errorf("%d starts", n)
	}
}

func TestCrashOverAndOver(t *testing.T) {
	b := newBench(t, fakeOptions{Crash: true})
	s := b.server()
	var clock fakeClock
	clock.use(s)
	_, err := s.Embed(t.Context(), []string{"a"})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"3 times", "signal: killed", "a shot in the foot"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in: %v", want, err)
		}
	}
	clock.expect(t, 1, 14, 4, 11)
	if n := len(b.starts()); n != 3 {
		t.Errorf("%d starts", n)
	}
}

// TestCrashBetween: a crash that no request has met costs no retry.
func TestCrashBetween(t *testing.T) {
	b := newBench(t, fakeOptions{})
	s := b.server()
	var clock fakeClock
	clock.use(s)
	embed(t, s, "a")
	syscall.Kill(b.starts()[0].PID, syscall.SIGKILL)
	<-s.child.exited
	embed(t, s, "a")
	clock.expect(t, 15)
}

// TestSilence: one that answers nothing is ended, and not asked again.
func TestSilence(t *testing.T) {
	b := newBench(t, fakeOptions{})
	s := b.server()
	embed(t, s, "a")
	s.child.limits.reply = 50 * time.Millisecond
	if _, err := s.Embed(t.Context(), []string{"slow"}); err == nil || !strings.Contains(err.Error(), "no answer") {
		t.Error(err)
	}
	if n := len(b.starts()); n != 1 || alive(b.starts()[0].PID) {
		t.Errorf("%d starts", n)
	}
}

func TestStubborn(t *testing.T) {
	b := newBench(t, fakeOptions{Stubborn: true})
	s := b.server()
	s.limits.grace = 100 * time.Millisecond
	embed(t, s, "a")
	if err := s.Close(); err != nil || s.child.ending() != "signal: killed" {
		t.Errorf("%v; it ended by %s", err, s.child.ending())
	}
}

func TestCloseObeyed(t *testing.T) {
	b := newBench(t, fakeOptions{})
	s := b.server()
	s.limits.grace = time.Minute // SIGTERM has to do
	embed(t, s, "a")
	if err := s.Close(); err != nil || s.child.err != nil {
		t.Errorf("%v; it ended by %v", err, s.child.err)
	}
}

// TestCloseAtWork: with a request open SIGTERM does nothing, so Close has to cut
// that off first.
func TestCloseAtWork(t *testing.T) {
	for name, end := range map[string]func(*Server) error{"Close": (*Server).Close, "Kill": (*Server).Kill} {
		b := newBench(t, fakeOptions{})
		s := b.server()
		s.limits.grace = time.Minute
		embed(t, s, "a")
		asked := make(chan error)
		for range 3 { // one is at work, two wait for their turn
			go func() {
				_, err := s.Embed(context.Background(), []string{"slow"})
				asked <- err
			}()
		}
		eventually(t, "a request", func() bool { return len(s.turn) == 0 })
		if err := end(s); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for range 3 {
			if err := <-asked; err != errClosed {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestCloseDuringStart(t *testing.T) {
	b := newBench(t, fakeOptions{Loading: true})
	s := b.server()
	asked := make(chan error)
	go func() {
		_, err := s.Embed(context.Background(), []string{"a"})
		asked <- err
	}()
	eventually(t, "a start", s.Started)
	if err := errors.Join(s.Close(), s.Close()); err != nil {
		t.Error(err)
	}
	if err := <-asked; err != errClosed {
		t.Error(err)
	}
}

func TestRefusals(t *testing.T) {
	b := newBench(t, fakeOptions{})
	s := b.server()
	vectors, err := s.Embed(t.Context(), []string{"a", "unknown", "b"})
	if err != nil || vectors[0] == nil || vectors[1] != nil || vectors[2] == nil {
		t.Errorf("%v, %v", vectors, err)
	}
	// One that is refused does not keep the others from being read.
	vectors, err = s.Embed(t.Context(), []string{"a", "wrong", "b", strings.Repeat("long ", 600)})
	if err == nil || !strings.Contains(err.Error(), "something else") || vectors[0] == nil || vectors[1] != nil || vectors[2] == nil {
		t.Errorf("%v, %v", vectors, err)
	}
	single, only := Single(err)
	if !only || len(single) != 2 {
		t.Fatalf("%v, %t", single, only)
	}
	if r, ok := single[0].(*Refused); !ok || r.Index != 1 {
		t.Errorf("%v", single[0])
	}
	if l, ok := single[1].(*TooLong); !ok || l.Index != 3 {
		t.Errorf("%v", single[1])
	}
	// A server that refuses everything is the error.
	if _, err = s.Embed(t.Context(), []string{"wrong", "wrong"}); err == nil || !strings.Contains(err.Error(), "something else") {
		t.Error(err)
	}
	if single, only := Single(err); len(single) > 0 || only {
		t.Errorf("taken for a fault of texts: %v", single)
	}
}
