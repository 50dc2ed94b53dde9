package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// timeout ends a program that hangs; the slowest row takes about a second.
const timeout = time.Minute

// A pair is the two programs that are compared.
type pair struct{ ours, real string }

// An answer is what one run of one program gave.
type answer struct {
	stdout, stderr []byte
	exit           int
}

// compare runs a job with both programs. It returns "" if they agree, else
// what a reader needs to see why not.
func (p pair) compare(j job) string {
	want, err := run(p.real, j, true)
	if err != nil {
		return fmt.Sprintf("  the real rg: %v\n", err)
	}
	got, err := run(p.ours, j, false)
	if err != nil {
		return fmt.Sprintf("  ours: %v\n", err)
	}
	var b strings.Builder
	if want.exit != got.exit {
		fmt.Fprintf(&b, "  exit code: rg %d, ours %d\n", want.exit, got.exit)
	}
	if (len(want.stderr) == 0) != (len(got.stderr) == 0) {
		fmt.Fprintf(&b, "  standard error: rg %q, ours %q\n", clip(want.stderr), clip(got.stderr))
	}
	w, g := timeless(want.stdout), timeless(got.stdout)
	if !bytes.Equal(w, g) {
		line, a, c := firstDifference(w, g)
		fmt.Fprintf(&b, "  standard output, line %d (of %d and %d bytes):\n    rg:   %q\n    ours: %q\n", line, len(w), len(g), clip(a), clip(c))
		if b.Len() > 0 && want.exit != got.exit {
			fmt.Fprintf(&b, "  our standard error: %q\n", clip(got.stderr))
		}
	}
	return b.String()
}

// run calls a program as rg in the job's directory.
func run(program string, j job, real bool) (answer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	var out, errOut capped
	cmd := exec.CommandContext(ctx, program, j.arguments(real)...)
	cmd.Args[0] = "rg"
	cmd.Dir = j.dir
	cmd.Env = environment()
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if j.row.stdin != "" {
		f, err := os.Open(filepath.Join(j.dir, j.row.stdin))
		if err != nil {
			return answer{}, err
		}
		defer f.Close()
		cmd.Stdin = f
	}
	err := cmd.Run()
	if out.full || errOut.full {
		return answer{}, fmt.Errorf("prints more than %d bytes", mostOutput)
	}
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		return answer{}, err
	}
	if ctx.Err() != nil {
		return answer{}, fmt.Errorf("still running after %v", timeout)
	}
	return answer{stdout: out.Bytes(), stderr: errOut.Bytes(), exit: cmd.ProcessState.ExitCode()}, nil
}

// mostOutput is several times what any command line prints in these trees: a
// program that prints more does not end.
const mostOutput = 256 << 20

// A capped buffer holds what a program prints, as long as that is sane.
type capped struct {
	bytes.Buffer
	full bool
}

func (c *capped) Write(p []byte) (int, error) {
	if c.Len()+len(p) > mostOutput {
		c.full = true
		return 0, errors.New("too much output")
	}
	return c.Buffer.Write(p)
}

// ReadFrom keeps bytes.Buffer's from reading past the cap.
func (c *capped) ReadFrom(r io.Reader) (int64, error) {
	return io.Copy(struct{ io.Writer }{c}, r)
}

// environment is ours without what would change what either program prints.
func environment() []string {
	var env []string
	for _, e := range os.Environ() {
		name, _, _ := strings.Cut(e, "=")
		switch name {
		case "RIPGREP_CONFIG_PATH", "TALLY_CONFIG_PATH", "NO_COLOR", "TERM", "PWD":
		default:
			env = append(env, e)
		}
	}
	return append(env, "TERM=xterm")
}

// times are the parts of an output that no two runs share.
var times = []struct {
	find *regexp.Regexp
	put  string
}{
	{regexp.MustCompile(`"elapsed(_total)?":\{"secs":\d+,"nanos":\d+,"human":"[^"]*"\}`), `"elapsed$1":{}`},
	{regexp.MustCompile(`"elapsed(_total)?":\{"human":"[^"]*","nanos":\d+,"secs":\d+\}`), `"elapsed$1":{sorted}`},
	{regexp.MustCompile(`(?m)^\d+\.\d+ seconds( spent searching)?( total)?$`), `seconds$1$2`},
}

// timeless replaces the times in an output.
func timeless(out []byte) []byte {
	for _, t := range times {
		out = t.find.ReplaceAll(out, []byte(t.put))
	}
	return out
}

// firstDifference returns the first line that differs, and its number.
func firstDifference(a, b []byte) (line int, x, y []byte) {
	for line = 1; ; line++ {
		var moreA, moreB bool
		x, a, moreA = bytes.Cut(a, []byte("\n"))
		y, b, moreB = bytes.Cut(b, []byte("\n"))
		if !bytes.Equal(x, y) || moreA != moreB || !moreA {
			return line, x, y
		}
	}
}

// clip keeps a message readable.
func clip(b []byte) []byte {
	const most = 300
	if len(b) > most {
		return append(bytes.Clone(b[:most]), "…"...)
	}
	return b
}
