package run_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// soon is how long a program may take for what it should do at once.
const soon = 10 * time.Second

// A conversation is a program in progress, whose standard input and output are
// pipes to the test.
type conversation struct {
	*exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	outEnd io.Closer
	errOut bytes.Buffer
}

func converse(t *testing.T, program string, args ...string) *conversation {
	t.Helper()
	c := &conversation{Cmd: exec.Command(program, args...)}
	c.Stderr = &c.errOut
	in, err1 := c.StdinPipe()
	out, err2 := c.StdoutPipe()
	if err := errors.Join(err1, err2, c.Start()); err != nil {
		t.Fatal(err)
	}
	c.in, c.out, c.outEnd = in, bufio.NewReader(out), out
	late := time.AfterFunc(soon, func() {
		if c.Process.Kill() == nil {
			t.Errorf("%s %q had to be killed", program, args)
		}
	})
	t.Cleanup(func() { late.Stop() })
	return c
}

// say writes to standard input.
func (c *conversation) say(t *testing.T, text string) {
	t.Helper()
	if _, err := io.WriteString(c.in, text); err != nil {
		t.Fatal(err)
	}
}

// hear reads a line of standard output, which must be the given one.
func (c *conversation) hear(t *testing.T, want string) {
	t.Helper()
	if line, err := c.out.ReadString('\n'); line != want {
		t.Fatalf("got %q, %v, want %q", line, err, want)
	}
}

// end waits for the program's end.
func (c *conversation) end() syscall.WaitStatus {
	c.Wait()
	return c.ProcessState.Sys().(syscall.WaitStatus)
}

// What comes out of a pipe is searched as it comes, and shown at once.
func TestStreams(t *testing.T) {
	for _, program := range []string{"tally", "rg"} {
		for _, args := range [][]string{{"needle"}, {"-A1", "needle"}, {"needle", "-"}, {"-z", "needle"}} {
			c := converse(t, program, append([]string{"--line-buffered"}, args...)...)
			c.say(t, "nothing\na needle\n")
			c.hear(t, "a needle\n")
			c.say(t, "another needle\n")
			c.hear(t, "another needle\n")
			c.in.Close()
			if status := c.end(); status.ExitStatus() != 0 {
				t.Errorf("%s %q: exit code %d: %s", program, args, status.ExitStatus(), c.errOut.String())
			}
		}
	}
}

// An interrupted program ends at once, by the signal, and says under our own
// name that its result is a part of one.
func TestInterrupt(t *testing.T) {
	for _, program := range []string{"tally", "rg"} {
		for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			c := converse(t, program, "--line-buffered", "needle")
			c.say(t, "a needle\n")
			c.hear(t, "a needle\n")
			c.Process.Signal(signal)
			if status := c.end(); !status.Signaled() || status.Signal() != signal {
				t.Errorf("%s at %v: ended with %v", program, signal, c.ProcessState)
			}
			said := c.errOut.String()
			if program == "rg" && said != "" || program == "tally" && !strings.Contains(said, "tally: PARTIAL: ") {
				t.Errorf("%s at %v: said %q", program, signal, said)
			}
		}
	}
}

// A reader that goes away, as head does, is no error.
func TestClosedPipe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "long.txt")
	if err := os.WriteFile(file, bytes.Repeat([]byte("a needle in a long file\n"), 200_000), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, program := range []string{"tally", "rg"} {
		for _, args := range [][]string{{"needle", file}, {"--json", "needle", file}, {"-on", "e", file}, {"--files", filepath.Dir(file)}} {
			c := converse(t, program, args...)
			if _, err := c.out.ReadString('\n'); err != nil {
				t.Fatal(err)
			}
			c.outEnd.Close()
			status := c.end()
			said := c.errOut.String()
			if status.Signaled() || status.ExitStatus() == 2 && program == "rg" || strings.Contains(strings.ToLower(said), "broken pipe") || program == "rg" && said != "" {
				t.Errorf("%s %q: ended with %v and said %q", program, args, c.ProcessState, said)
			}
		}
	}
}

// Colours and headings are for terminals that want them.
func TestTerminal(t *testing.T) {
	dir := writeCallerFiles(t)
	real := realRipgrep(t)
	for _, c := range []struct {
		env    []string
		args   []string
		colour bool
	}{
		{[]string{"TERM=xterm"}, nil, true},
		{[]string{"TERM=dumb"}, nil, false},
		{nil, nil, false},
		{[]string{"TERM=xterm", "NO_COLOR=1"}, nil, false},
		{[]string{"TERM=xterm", "NO_COLOR="}, nil, false},
		{[]string{"TERM=xterm"}, []string{"--color=never"}, false},
		{[]string{"TERM=dumb", "NO_COLOR=1"}, []string{"--color=always"}, true},
		{[]string{"TERM=dumb"}, []string{"--color=ansi"}, true},
	} {
		args := append([]string{"needle"}, c.args...)
		got := onTerminal(t, "rg", dir, c.env, args)
		if colour := strings.Contains(got, "\x1b["); colour != c.colour {
			t.Errorf("%q %q: colours %v, want %v", c.env, args, colour, c.colour)
		}
		if ours := onTerminal(t, "tally", dir, c.env, append(args, "--ledger=never")); ours != got {
			t.Errorf("%q %q: tally shows %q, rg %q", c.env, args, ours, got)
		}
		if real == "" {
			continue
		}
		if want := onTerminal(t, real, dir, c.env, append(args, "--sort=path")); got != want {
			t.Errorf("%q %q:\ngot  %q\nwant %q", c.env, args, got, want)
		}
	}
}

// Names and lines that would drive a terminal do not reach one; a pipe has their
// bytes, and so has a terminal of ripgrep's caller.
func TestTerminalEscapes(t *testing.T) {
	dir := t.TempDir()
	const name, line = "a\nb\x1b[31m", "needle\x1b]0;title\a \u202e\xff\ttab needle\r\n"
	if err := os.WriteFile(filepath.Join(dir, name), []byte(line), 0o644); err != nil {
		t.Fatal(err)
	}
	const shownName = `$'a\nb\x1b[31m'`
	const shown = `needle\x1b]0;title\x07 \xe2\x80\xae\xff` + "\ttab needle\r\r\n"
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--no-heading", "-N"}, shownName + ":" + shown},
		{nil, shownName + "\r\n1:" + shown},
		{[]string{"--vimgrep"}, shownName + ":1:1:" + shown + shownName + ":1:" + "27:" + shown},
		{[]string{"-l"}, shownName + "\r\n"},
		{[]string{"-c"}, shownName + ":1\r\n"},
		{[]string{"--files"}, shownName + "\r\n"},
		{[]string{"-I", "-N", "-o", "--regex", "-e", `\]0;title.`}, `]0;title\x07` + "\r\n"},
		{[]string{"-I", "-N", "--color=always", "--colors=match:none"}, shown},
	} {
		args := append(c.args, "--ledger=never")
		if !slices.Contains(args, "--files") && !slices.Contains(args, "-e") {
			args = append(args, "needle")
		}
		if got := onTerminal(t, "tally", dir, []string{"TERM=dumb"}, args); got != c.want {
			t.Errorf("%q: shows\n%q, want\n%q", c.args, got, c.want)
		}
	}
	coloured := onTerminal(t, "tally", dir, []string{"TERM=xterm"}, []string{"--ledger=never", "-o", "needle"})
	if want := "\x1b[0m\x1b[35m" + shownName + "\x1b[0m\r\n"; !strings.HasPrefix(coloured, want) {
		t.Errorf("in colour: %q, want %q first", coloured, want)
	}
	for _, args := range [][]string{{"-I", "needle"}, {"--files"}, {"-l", "needle"}} {
		if got := onTerminal(t, "rg", dir, []string{"TERM=dumb"}, args); !strings.Contains(got, "\x1b") {
			t.Errorf("rg %q: escaped: %q", args, got)
		}
		cmd := exec.Command("tally", args...)
		cmd.Dir = dir
		if out, err := cmd.Output(); err != nil || !bytes.Contains(out, []byte("\x1b")) {
			t.Errorf("%q into a pipe: %q, %v", args, out, err)
		}
	}
}

// onTerminal runs a program whose standard streams are a terminal, and returns
// what that shows.
func onTerminal(t *testing.T, program, dir string, env, args []string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Fatal(err)
	}
	master, slave := terminal(t)
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env = dir, append([]string{"PATH=" + os.Getenv("PATH")}, env...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = slave, slave, slave
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	slave.Close()
	shown, _ := io.ReadAll(master) // ends in EIO when the program has closed it
	cmd.Wait()
	return string(shown)
}

// terminal returns a new terminal, and the end of it that a person sits at.
func terminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close() })
	number, err1 := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	err2 := unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	slave, err3 := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	return master, slave
}
