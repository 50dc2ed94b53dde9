//go:build unix

package llama

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"
)

// TestContract holds the fake and the real server to what this package relies
// on, so that the other tests, which have only the fake, prove something.
func TestContract(t *testing.T) {
	servers := map[string]func(*testing.T, *bench){
		"fake": func(*testing.T, *bench) {},
		"real": realServer,
	}
	for name, choose := range servers {
		t.Run(name, func(t *testing.T) {
			for _, test := range contract {
				t.Run(test.name, func(t *testing.T) {
					b := newBench(t, fakeOptions{})
					choose(t, b)
					test.run(b)
				})
			}
		})
	}
}

// realServer makes a bench run a real server with a made model, which
// TALLY_TEST_LLAMA_SERVER and TALLY_TEST_EMBED_MODEL name. Where the tests must
// be complete, their absence is a failure.
func realServer(t *testing.T, b *bench) {
	b.cfg.Program, b.cfg.Model = os.Getenv("TALLY_TEST_LLAMA_SERVER"), os.Getenv("TALLY_TEST_EMBED_MODEL")
	b.cfg.Threads = 1 // several wait for one another on a busy machine
	if b.cfg.Program != "" && b.cfg.Model != "" {
		return
	}
	const message = "TALLY_TEST_LLAMA_SERVER and TALLY_TEST_EMBED_MODEL do not name a llama-server and a model for it"
	if os.Getenv("CI") == "true" || os.Getenv("TALLY_TEST_REQUIRE") == "1" {
		t.Fatal(message)
	}
	t.Skip(message)
}

// tokens returns a text of n tokens, those at its ends included.
func tokens(n int) string { return strings.TrimSpace(strings.Repeat("a ", n-2)) }

var contract = []struct {
	name string
	run  func(*bench)
}{
	{"vectors", func(b *bench) {
		s := b.server()
		texts := []string{"a", "b c", "a d e", "", "a \x00 b", "not \xff UTF-8 \xed\xa0\x80", "</script> & \u2028 \\ \""}
		together := embed(b.T, s, texts...)
		for i, text := range texts {
			alone := embed(b.T, s, text)[0]
			if len(alone) == 0 || len(alone) != len(together[0]) {
				b.Fatalf("%q: %d dimensions", text, len(alone))
			}
			// The real one computes a text slightly differently in company.
			if d := 1 - dot(alone, together[i]); math.Abs(d) > 1e-4 {
				b.Errorf("%q: alone and in a batch differ by %g", text, d)
			}
			if n := dot(alone, alone); math.Abs(n-1) > 1e-6 {
				b.Errorf("%q: length %g", text, n)
			}
		}
		if d := dot(together[0], together[2]); d > 0.99999 {
			b.Errorf("different texts have one vector: %g", d)
		}
	}},
	{"permissions", func(b *bench) {
		s := b.server()
		embed(b.T, s, "a")
		for path, want := range map[string]os.FileMode{
			s.child.dir.path: 0o700 | os.ModeDir, s.child.dir.socket(): 0o600 | os.ModeSocket,
		} {
			if info, err := os.Stat(path); err != nil || info.Mode() != want {
				b.Errorf("%v: %v", info, err)
			}
		}
	}},
	{"tokens", func(b *bench) {
		s := b.server()
		for _, n := range []int{2, 3, 511, 512, 513, 2000} {
			if got, err := s.Tokens(b.Context(), tokens(n)); err != nil || got != n {
				b.Errorf("%d tokens: %d, %v", n, got, err)
			}
		}
	}},
	{"too long", func(b *bench) {
		s := b.server()
		for n := range 6 {
			for mask := range 1 << n {
				texts := make([]string, n)
				for i := range texts {
					texts[i] = tokens(3 + i)
					if mask>>i&1 == 1 {
						texts[i] = tokens(513 + i)
					}
				}
				tooLong(b, s, texts, mask)
			}
			if testing.Short() && n == 3 {
				break
			}
		}
	}},
	{"the limit itself", func(b *bench) { embed(b.T, b.server(), tokens(512), tokens(512)) }},
	{"many", func(b *bench) {
		texts := make([]string, 2*batchTexts+5)
		for i := range texts {
			texts[i] = fmt.Sprint("a ", i)
		}
		texts[1] = strings.Repeat(" ", batchBytes) + "a" // long, and few tokens
		for i, v := range embed(b.T, b.server(), texts...) {
			if v == nil {
				b.Errorf("no vector for %.10q", texts[i])
			}
		}
	}},
	{"environment", func(b *bench) {
		b.Setenv("LLAMA_API_KEY", "secret")
		b.Setenv("LLAMA_ARG_POOLING", "none")
		embed(b.T, b.server(), "a")
	}},
	{"interrupted", func(b *bench) {
		s := b.server()
		embed(b.T, s, "a")
		pid := s.child.cmd.Process.Pid
		ctx, cancel := context.WithCancel(b.Context())
		time.AfterFunc(30*time.Millisecond, cancel)
		var err error
		for err == nil { // as much work as it takes
			_, err = s.Embed(ctx, []string{tokens(512), tokens(511), tokens(510)})
		}
		if !errors.Is(err, context.Canceled) {
			b.Error(err)
		}
		embed(b.T, s, "a")
		if s.child.cmd.Process.Pid != pid {
			b.Error("an interruption has cost the server its life")
		}
	}},
	{"closed at work", func(b *bench) {
		s := b.server()
		s.limits.grace = 30 * time.Second // SIGTERM has to do
		embed(b.T, s, "a")
		c, done := s.child, make(chan error)
		go func() {
			var err error
			for err == nil {
				_, err = s.Embed(context.Background(), []string{tokens(512), tokens(511), tokens(510)})
			}
			done <- err
		}()
		eventually(b.T, "a request", func() bool { return len(s.turn) == 0 })
		if err := s.Close(); err != nil || c.err != nil {
			b.Errorf("%v; it ended by %v", err, c.err)
		}
		if err := <-done; err != errClosed {
			b.Error(err)
		}
	}},
	{"no such model", func(b *bench) {
		if b.cfg.Model == "model.gguf" {
			b.Setenv(fakeMode, `{"Exit": "failed to load model"}`)
		}
		b.cfg.Model = "/nonexistent/model.gguf"
		_, err := b.server().Embed(b.Context(), []string{"a"})
		if err == nil || !strings.Contains(err.Error(), "exit status 1") || !strings.Contains(err.Error(), "it said: ") ||
			!strings.Contains(err.Error(), "model") {
			b.Error(err)
		}
	}},
	{"orphan", orphan},
	{"long path", func(b *bench) {
		base := b.run + "/" + strings.Repeat("x", maxSocket-len(b.run)-len("/")-len("/"+prefix()+"/"+socketName)-maxRandom)
		if err := os.Mkdir(base, 0o700); err != nil {
			b.Fatal(err)
		}
		b.Setenv("XDG_RUNTIME_DIR", base)
		s := b.server()
		embed(b.T, s, "a")
		if !strings.HasPrefix(s.child.dir.path, base) {
			b.Errorf("it is in %s", s.child.dir.path)
		}
		s.Close()
		if err := os.Remove(base); err != nil {
			b.Error(err)
		}
	}},
}

// tooLong embeds texts of which those in the mask are too long.
func tooLong(b *bench, s *Server, texts []string, mask int) {
	b.Helper()
	vectors, err := s.Embed(b.Context(), texts)
	single, only := Single(err)
	if !only || (err == nil) != (mask == 0) {
		b.Fatalf("mask %b: %v", mask, err)
	}
	found := 0
	for _, err := range single {
		l, ok := err.(*TooLong)
		if !ok {
			b.Fatalf("mask %b: %v", mask, err)
		}
		found |= 1 << l.Index
		if l.Tokens != 513+l.Index {
			b.Errorf("mask %b: %v", mask, l)
		}
	}
	for i, v := range vectors {
		if (v == nil) != (mask>>i&1 == 1) {
			b.Errorf("mask %b: vector %d: %v", mask, i, v)
		}
	}
	var one *TooLong
	if found != mask || errors.As(err, &one) != (mask != 0) {
		b.Errorf("mask %b: found %b", mask, found)
	}
}

func dot(a, b Vector) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}
