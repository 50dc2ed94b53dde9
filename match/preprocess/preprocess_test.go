//go:build unix

package preprocess

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// script writes a program.
func script(t *testing.T, text string) string {
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// at is the program at a path.
func at(path string) *Program { return New(path, path, "", nil) }

func start(t *testing.T, p *Program) *Run {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { null.Close() })
	r, err := p.Start("a path", null)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRun(t *testing.T) {
	for text, want := range map[string]struct {
		out     string
		failure string // standard error, or "-" for success
	}{
		`echo "$1"`:                         {"a path\n", "-"},
		"echo out; exit 3":                  {"out\n", ""},
		"echo out; echo err >&2":            {"out\n", "-"},
		"echo out; echo err >&2; exit 1":    {"out\n", "err"},
		"echo out; kill -9 $$":              {"out\n", ""},
		"sleep 100 2>/dev/null >&2 & true":  {"", "-"},
		"echo out; sleep 100 >/dev/null & ": {"out\n", "-"}, // holds standard error open
	} {
		r := start(t, at(script(t, text)))
		began := time.Now()
		out, err := io.ReadAll(r)
		failure := "-"
		var f *Failure
		if errors.As(err, &f) {
			failure, err = string(f.Stderr), nil
		}
		if string(out) != want.out || failure != want.failure || err != nil {
			t.Errorf("%q: %q, %q, %v", text, out, failure, err)
		}
		if took := time.Since(began); took > 30*time.Second {
			t.Errorf("%q took %v", text, took)
		}
		if err := r.Close(); err != nil {
			t.Errorf("%q: closed afterwards: %v", text, err)
		}
	}
}

// TestMuchToSay has a program that complains at length.
func TestMuchToSay(t *testing.T) {
	r := start(t, at(script(t, "yes complaint | head -c 3000000 >&2; echo out; exit 1")))
	out, err := io.ReadAll(r)
	var f *Failure
	if !errors.As(err, &f) || string(out) != "out\n" {
		t.Fatalf("%q, %v", out, err)
	}
	if n := len(f.Stderr); n > stderrKept || n < stderrKept-100 {
		t.Errorf("%d bytes kept", n)
	}
}

// TestCloseEarly stops reading.
func TestCloseEarly(t *testing.T) {
	for text, want := range map[string]string{
		"yes":                           "", // ended by a pipe that nobody reads
		"echo; exec sleep 100":          "",
		"echo; trap '' PIPE; sleep 100": "",
		"echo cannot >&2; yes; exit 1":  "cannot",
		"yes; exit 0":                   "",
	} {
		r := start(t, at(script(t, text)))
		if _, err := r.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
		err := r.Close()
		said := ""
		var f *Failure
		if errors.As(err, &f) {
			said = string(f.Stderr)
		}
		if !strings.HasPrefix(said, want) || (err == nil) != (want == "") {
			t.Errorf("%q: %v, %q", text, err, said)
		}
	}
}

func TestKillAll(t *testing.T) {
	p := at(script(t, "echo; sleep 100"))
	running := start(t, p)
	p.KillAll()
	if _, err := io.ReadAll(running); err == nil {
		t.Error("a killed program is said to have ended well")
	}
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	if _, err := p.Start("x", null); err == nil {
		t.Error("started after the end")
	}
}

func TestNotThere(t *testing.T) {
	for name, want := range map[string]error{
		"no-such-program-anywhere": os.ErrNotExist,
		"./no-such-program":        os.ErrNotExist,
		os.TempDir():               os.ErrPermission,
	} {
		if _, err := at(name).Start("x", os.Stdin); !errors.Is(err, want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
