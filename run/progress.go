package run

import (
	"fmt"
	"time"
)

// A progress tells a person at a terminal how far the reading of passages has come.
type progress struct {
	status       *status
	total, done  int
	start, shown time.Time
}

func (s *Session) newProgress(total int) *progress {
	return &progress{status: s.newStatus(), total: total, start: time.Now()}
}

// step counts passages that were read, and those that have come on top.
func (p *progress) step(done, more int) {
	p.done += done
	p.total += more
	if now := time.Now(); now.Sub(p.shown) >= between {
		p.shown = now
		p.status.draw(p.line(now))
	}
}

// line says how much is read, how fast, and how long the rest will take.
func (p *progress) line(now time.Time) string {
	s := fmt.Sprintf("tally: reading what passages mean: %d of %d", p.done, p.total)
	if rate := float64(p.done) / now.Sub(p.start).Seconds(); p.done > 0 && rate > 0 {
		left := time.Duration(float64(p.total-p.done) / rate * float64(time.Second))
		s += fmt.Sprintf(", %.0f a second, %v left", rate, max(time.Second, left.Round(time.Second)))
	}
	return s
}

// end removes the line.
func (p *progress) end() { p.status.erase() }
