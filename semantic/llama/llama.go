//go:build unix

// Package llama runs a llama-server of its own as a child and has it turn texts
// into vectors: it is started at the first text, started again after a crash,
// and ended with us, whatever ends us. The package must not know what the texts
// are, which model it is or what its vectors mean, and it keeps none of them.
//
// What it relies on was tried with llama-server's builds 10273 and later: see
// docs/decisions.md.
package llama

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

// A Config says what is to be run.
type Config struct {
	// Program is the absolute path of a llama-server, Model the path of a GGUF
	// file.
	Program, Model string
	// Threads is how many threads it computes with; 0 stands for one on each
	// core that we may use.
	Threads int
	// Context is how many tokens a text may have, those at its ends included,
	// as the model sets it; 0 stands for 512.
	Context int
	// Environ is the environment that it runs in, as [os.Environ] has it, and
	// Getenv looks a variable up in it; nil: that of this process.
	Environ []string
	Getenv  func(string) string
}

// limits are the waits that are bounded by the clock on the wall.
type limits struct {
	start time.Duration // from a start until /health says ok
	reply time.Duration // for the answer to one request
	grace time.Duration // from SIGTERM to SIGKILL, and from there to giving up
}

// A large model may take a minute to be read from a disk. A batch of the largest
// size took 6 s with a small model on 2 cores.
var usual = limits{start: 2 * time.Minute, reply: 5 * time.Minute, grace: 2 * time.Second}

const (
	// cooldown is the least time between two starts.
	cooldown = 15 * time.Second
	// defaultContext is the limit of the models of BERT's family.
	defaultContext = 512
)

// retries are the waits before a request that a crash has cut off is sent again.
var retries = []time.Duration{time.Second, 4 * time.Second}

// A clock is what cooldown and retries go by.
type clock struct {
	now  func() time.Time
	wait func(context.Context, time.Duration) error
}

// A Server is a llama-server that runs when it is needed. Its methods may be
// called from several goroutines; the child works for one at a time.
type Server struct {
	cfg    Config
	limits limits
	clock  clock

	// life ends with Close, and with it everything that is waited for.
	life context.Context
	end  context.CancelFunc
	turn chan struct{} // holds one token while nobody talks to the child

	// These belong to whoever has the turn.
	last   time.Time // of the last start
	broken error     // why the child that was started then never became ready

	mu      sync.Mutex // Close does not wait for its turn
	child   *child     // nil when none runs
	started bool
	closed  bool
}

// errClosed is what is said to those who ask after Close, or during it.
var errClosed = errors.New("the llama-server was closed")

// New returns a server that has not been started.
func New(cfg Config) *Server {
	if cfg.Context == 0 {
		cfg.Context = defaultContext
	}
	if cfg.Getenv == nil {
		cfg.Environ, cfg.Getenv = os.Environ(), os.Getenv
	}
	s := &Server{cfg: cfg, limits: usual, clock: clock{now: time.Now, wait: wait}, turn: make(chan struct{}, 1)}
	s.life, s.end = context.WithCancel(context.Background())
	s.turn <- struct{}{}
	return s
}

// wait lets d pass.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Started reports whether a child was ever started.
func (s *Server) Started() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.started
}

// Close ends the child, if there is one, and removes what it leaves behind:
// requests are cut off, then it gets SIGTERM, and SIGKILL two seconds later. No
// other is started. It may be called again and by several at once.
func (s *Server) Close() error { return s.finish(s.limits.grace) }

// Kill is Close for those in a hurry, such as a handler of signals: the child is
// not asked first, so that it is gone within milliseconds.
func (s *Server) Kill() error { return s.finish(0) }

func (s *Server) finish(grace time.Duration) error {
	s.end()
	s.mu.Lock()
	s.closed = true
	c := s.child
	s.mu.Unlock()
	if c == nil {
		return nil
	}
	return c.stop(grace, s.limits.grace)
}

// ask sends a request and decodes the answer. If the child is lost meanwhile
// another is started and asked again. An error is the caller's ctx's,
// errClosed, a *refusal, or says what has become of the server.
func (s *Server) ask(ctx context.Context, path string, in, out any) error {
	work, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	err := work.Err()
	if err == nil {
		select {
		case <-s.turn:
			err = s.persist(work, path, in, out)
			s.turn <- struct{}{}
		case <-work.Done():
			err = work.Err()
		}
	}
	switch {
	case err == nil:
		return nil
	case s.life.Err() != nil:
		return errClosed
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return err
}

// persist asks until there is an answer or no retry is left.
func (s *Server) persist(ctx context.Context, path string, in, out any) error {
	for try := 0; ; try++ {
		c, err := s.running(ctx)
		if err != nil {
			return err
		}
		err = c.post(ctx, path, in, out)
		var gone *lost
		if !errors.As(err, &gone) || s.life.Err() != nil {
			return err
		}
		if !gone.silent {
			c.settle()
		}
		end := s.bury(c)
		switch {
		case gone.silent:
			return fmt.Errorf("llama-server gave no answer within %v and was ended%s", s.limits.reply, c.said())
		case try == len(retries):
			return fmt.Errorf("llama-server broke down %d times over the same request, the last time by %s (%v)%s",
				try+1, end, gone.err, c.said())
		}
		if err := s.clock.wait(ctx, retries[try]); err != nil {
			return err
		}
	}
}

// running returns a child that is ready for requests.
func (s *Server) running(ctx context.Context) (*child, error) {
	c := s.child
	if c != nil && c.hasExited() {
		s.bury(c)
		c = nil
	}
	if c == nil {
		var err error
		if c, err = s.start(ctx); err != nil {
			return nil, err
		}
	}
	err := c.await(ctx)
	if err != nil && ctx.Err() == nil {
		s.bury(c)
		s.broken = err
	}
	return c, err
}

// start starts a child, not too soon after the last one. After one that has
// failed to come up it does not even wait: the next would fail likewise.
func (s *Server) start(ctx context.Context) (*child, error) {
	if !s.last.IsZero() {
		rest := cooldown - s.clock.now().Sub(s.last)
		if rest > 0 && s.broken != nil {
			return nil, s.broken
		}
		if rest > 0 {
			if err := s.clock.wait(ctx, rest); err != nil {
				return nil, err
			}
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	s.last = s.clock.now()
	s.child, s.broken = startChild(s.cfg, s.limits)
	s.started = s.started || s.child != nil
	return s.child, s.broken
}

// bury ends what is left of a child and returns how it ended.
func (s *Server) bury(c *child) string {
	c.stop(0, s.limits.grace)
	s.mu.Lock()
	s.child = nil
	s.mu.Unlock()
	return c.ending()
}
