package main

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"syscall"
	"time"
)

// A bench is a row at work.
type bench struct {
	row   row
	dir   string
	paths map[string]*string
	runs  map[string][]sample
	time  func(sample) time.Duration // what ratios are made of; nil for the wall time
}

// A sample is one run of one program.
type sample struct {
	wall  time.Duration // from before the start until the end was waited for
	first time.Duration // until there was output; 0 if there was none
	peak  int64         // resident set size at its largest, in bytes
}

// available returns the row's programs that are installed, in their order.
func (b *bench) available() []string {
	return slices.DeleteFunc(slices.Clone(programs), func(p string) bool {
		return b.row.args[p] == nil || *b.paths[p] == ""
	})
}

// command prepares a run.
func (b *bench) command(program string) *exec.Cmd {
	cmd := exec.Command(*b.paths[program], b.row.args[program]...)
	if program == tally || program == plain {
		cmd.Args[0] = "tally"
	}
	cmd.Dir = b.dir
	return cmd
}

// check runs tally and both forms of rg once and compares what they found: a
// wrong answer has no speed. It warms the caches besides.
func (b *bench) check() error {
	found := map[string]digest{}
	for _, p := range []string{tally, rg, rgSorted} {
		if b.row.args[p] == nil {
			continue
		}
		var d digest
		if _, err := once(b.command(p), &d); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		found[p] = d
	}
	if b.row.args[rg] == nil {
		return nil // nobody else does it
	}
	ours, theirs := found[tally], found[rg]
	if sorted, ok := found[rgSorted]; ok && ours != sorted {
		return errors.New("tally's output is not that of rg --sort path")
	}
	if ours.lines+ours.partial != theirs.lines+theirs.partial {
		return errors.New("tally's lines are not those of rg")
	}
	return nil
}

// A digest stands for an output of any size. The outputs themselves are not
// kept: the kernel counts the memory of the process that starts another one
// into the other's peak.
type digest struct {
	whole   uint64 // depends on the order of lines
	lines   uint64 // does not
	partial uint64 // of the line that is being written
}

func (d *digest) Write(b []byte) (int, error) {
	for _, c := range b {
		d.whole = step(d.whole, c)
		d.partial = step(d.partial, c)
		if c == '\n' {
			d.lines += d.partial
			d.partial = 0
		}
	}
	return len(b), nil
}

// step is FNV-1a with a last mix, so that sums of hashes tell lines apart.
func step(h uint64, c byte) uint64 {
	h = (h ^ 0xcbf29ce484222325 ^ uint64(c)) * 0x100000001b3
	return h ^ h>>29
}

// measure runs all programs in turn, round after round, after one round that
// does not count.
func (b *bench) measure(rounds int) error {
	b.runs = map[string][]sample{}
	for round := range rounds + 1 {
		for _, p := range b.available() {
			s, err := once(b.command(p), io.Discard)
			if err != nil {
				return fmt.Errorf("%s: %w", p, err)
			}
			if round > 0 || rounds == 1 {
				b.runs[p] = append(b.runs[p], s)
			}
		}
	}
	return nil
}

// once runs a command and reads its output from a pipe into w. It is a pipe
// and never the null device, which some programs know and search less for.
func once(cmd *exec.Cmd, w io.Writer) (sample, error) {
	out, err := cmd.StdoutPipe()
	if err != nil {
		return sample{}, err
	}
	began := time.Now()
	if err := cmd.Start(); err != nil {
		return sample{}, err
	}
	var s sample
	buf := make([]byte, 1<<16)
	n, err := out.Read(buf)
	if n > 0 {
		s.first = time.Since(began)
		if _, err := w.Write(buf[:n]); err != nil {
			return s, err
		}
	}
	if err == nil {
		_, err = io.CopyBuffer(onlyWriter{w}, onlyReader{out}, buf)
	}
	if err != nil && err != io.EOF {
		return s, err
	}
	err = cmd.Wait()
	s.wall = time.Since(began)
	var exited *exec.ExitError
	if errors.As(err, &exited) && exited.ExitCode() == 1 {
		err = nil // nothing matched
	}
	if err != nil {
		return s, err
	}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		s.peak = usage.Maxrss << 10 // Linux counts in KiB
	}
	return s, nil
}

// onlyReader and onlyWriter hide the shortcuts past a plain loop of reads that
// io.Copy would take, for a caller of rg has none.
type (
	onlyReader struct{ io.Reader }
	onlyWriter struct{ io.Writer }
)
