package run

import (
	"fmt"
	"io"
	"sync"
	"time"

	"tally/report"
	"tally/run/world"
)

// A status is a line at a terminal that says how far the work has come. It is gone
// before anything else is written, and when the work is done. A nil status shows
// nothing.
type status struct {
	mu     sync.Mutex
	out    io.Writer
	drawn  bool
	within bool // the last that was written has no line end
}

// newStatus returns nil where nobody would see a line, or somebody wants none.
func (s *Session) newStatus() *status {
	if term := s.world.Getenv("TERM"); s.Ripgrep || s.say.Quiet || term == "" || term == "dumb" || !world.IsTerminal(s.world.Stderr) {
		return nil
	}
	return &status{out: s.world.Stderr}
}

const eraseLine = "\r\x1b[K"

func (s *status) draw(text string) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.within {
		s.drawn = true
		fmt.Fprint(s.out, eraseLine, text)
	}
}

func (s *status) erase() {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.eraseLocked()
}

func (s *status) eraseLocked() {
	if s.drawn {
		s.drawn = false
		fmt.Fprint(s.out, eraseLine)
	}
}

// aside returns a writer to the same terminal, or to a file.
func (s *status) aside(w io.Writer) io.Writer {
	if s == nil {
		return w
	}
	return asideWriter{s, w}
}

type asideWriter struct {
	*status
	w io.Writer
}

func (a asideWriter) Write(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.eraseLocked()
	if len(p) > 0 {
		a.within = p[len(p)-1] != '\n'
	}
	return a.w.Write(p)
}

// statusAfter is how long a scan takes before it shows how far it has come, and
// between the time between two lines.
const statusAfter, between = 2 * time.Second, 200 * time.Millisecond

// scanStatus shows how many files were searched and how many of them match, until
// the function that it returns is called. Nothing is shown where a pager may be behind
// the output, which draws on the same terminal.
func (s *Session) scanStatus() (end func()) {
	if world.IsPipe(s.world.Stdout) {
		return func() {}
	}
	line := s.newStatus()
	if line == nil {
		return func() {}
	}
	s.stdout, s.say.out = line.aside(s.stdout), line.aside(s.say.out)
	ended, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		ticks := time.NewTicker(between)
		defer ticks.Stop()
		for {
			select {
			case <-ended:
				line.erase()
				return
			case <-ticks.C:
				if time.Since(s.start) >= s.statusAfter {
					line.draw(s.Name + ": " + report.SoFar(s.searched.Load(), s.matched.Load()))
				}
			}
		}
	}()
	return func() { close(ended); <-over }
}
