package report

import (
	"bytes"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"
)

// A slate remembers each write.
type slate struct {
	mu     sync.Mutex
	writes []string
	err    error
}

func (s *slate) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return 0, s.err
	}
	s.writes = append(s.writes, string(b))
	return len(b), nil
}

func (s *slate) said() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Join(s.writes, "|")
}

// await waits until the writes are those.
func (s *slate) await(t *testing.T, want string) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); s.said() != want; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("written: %q, want %q", s.said(), want)
		}
	}
}

func TestOutputGoesOutSoon(t *testing.T) {
	s := new(slate)
	o := newOutput(s)
	add := func(text string) {
		t.Helper()
		if _, err := o.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
		if err := o.settle(); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.settle(); err != nil || s.said() != "" {
		t.Fatalf("nothing is written: %q, %v", s.said(), err)
	}
	add("a")
	if s.said() != "a" {
		t.Fatalf("the first result waits: %q", s.said())
	}
	add("b")
	add("c")
	s.await(t, "a|bc")
	add("d")
	if err := o.end(); err != nil || s.said() != "a|bc|d" {
		t.Fatalf("at the end: %q, %v", s.said(), err)
	}
	time.Sleep(3 * patience)
	if s.said() != "a|bc|d" {
		t.Errorf("after the end: %q", s.said())
	}
}

// Much output is written in whole buffers, whatever the timer does.
func TestOutputOfManyResults(t *testing.T) {
	s := new(slate)
	o := newOutput(s)
	line := bytes.Repeat([]byte("x"), 100)
	const lines = 200_000
	for range lines {
		if _, err := o.Write(line); err != nil {
			t.Fatal(err)
		}
		if err := o.settle(); err != nil {
			t.Fatal(err)
		}
	}
	if err := o.end(); err != nil {
		t.Fatal(err)
	}
	total := 0
	for _, w := range s.writes {
		total += len(w)
	}
	if total != lines*len(line) {
		t.Errorf("%d bytes are written, want %d", total, lines*len(line))
	}
}

// The timer's error is that of the next call.
func TestOutputGone(t *testing.T) {
	s := new(slate)
	o := newOutput(s)
	o.Write([]byte("a"))
	o.settle()
	s.mu.Lock()
	s.err = errors.New("gone")
	s.mu.Unlock()
	o.Write([]byte("b"))
	o.settle()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(time.Millisecond) {
		if _, err := o.Write(nil); err != nil {
			break
		}
		if time.Now().After(end) {
			t.Fatal("the error is lost")
		}
	}
	if err := o.end(); err == nil || err.Error() != "gone" {
		t.Errorf("at the end: %v", err)
	}
}
