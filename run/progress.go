package run

import (
	"fmt"
	"io"
	"time"

	"tally/run/world"
)

// A progress tells a person at a terminal how far the reading has come.
type progress struct {
	out          io.Writer
	total, done  int
	start, shown time.Time
	quiet        bool
}

func newProgress(out io.Writer, total int, quiet bool) *progress {
	return &progress{out: out, total: total, start: time.Now(), quiet: quiet || !world.IsTerminal(out)}
}

// between is the time between two lines of progress.
const between = 200 * time.Millisecond

// step counts passages that were read, and those that have come on top.
func (p *progress) step(done, more int) {
	p.done += done
	p.total += more
	now := time.Now()
	if p.quiet || now.Sub(p.shown) < between {
		return
	}
	p.shown = now
	fmt.Fprintf(p.out, "\r\x1b[K%s", p.line(now))
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
func (p *progress) end() {
	if !p.shown.IsZero() {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
