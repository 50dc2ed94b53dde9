//go:build unix

package llama

import (
	"fmt"
	"net/http"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

const (
	// afterlife is how long something that the child has started may hold its
	// standard error open.
	afterlife = 200 * time.Millisecond
	// dying is how long a process whose connection broke may take to be seen
	// as ended.
	dying = time.Second
)

// foreign are the prefixes of environment variables that the child must not
// see: it takes each of its flags from one as well, an API key among them, and
// those of model hubs and of a cloud's conventions.
var foreign = []string{"LLAMA_", "LLAMACPP_", "HF_", "HUGGING_FACE_", "MTMD_", "AIP_"}

// A child is one run of the program.
type child struct {
	limits limits
	dir    *runDir
	cmd    *exec.Cmd
	client http.Client
	stderr tail

	ready bool
	due   time.Time // by when it must be ready

	exited chan struct{} // closed once it has been waited for
	err    error         // how it ended; to be read after that
}

// startChild starts the program in a directory of its own. It is not ready then.
func startChild(cfg Config, l limits) (*child, error) {
	if !filepath.IsAbs(cfg.Program) {
		return nil, fmt.Errorf("the llama-server %q cannot be started: give its absolute path", cfg.Program)
	}
	dir, err := newRunDir(bases(cfg.Getenv))
	if err != nil {
		return nil, err
	}
	c := &child{limits: l, dir: dir, due: time.Now().Add(l.start), exited: make(chan struct{})}
	c.client.Transport = transport(dir.socket())
	c.cmd = &exec.Cmd{
		Path: cfg.Program, Args: arguments(cfg, dir.socket()), Env: scrubbed(cfg.Environ),
		Stderr: &c.stderr, SysProcAttr: attributes(), WaitDelay: afterlife,
	}
	started := make(chan error)
	go c.live(started)
	if err := <-started; err != nil {
		dir.remove()
		return nil, fmt.Errorf("the llama-server cannot be started: %w", err)
	}
	return c, nil
}

// arguments are few on purpose: names of flags change between versions. One
// slot has the whole context; several would share it. A batch must hold the
// longest text. At level 1 the log has errors only, and says why a start fails.
func arguments(cfg Config, socket string) []string {
	threads := cfg.Threads
	if threads <= 0 {
		threads = runtime.NumCPU()
	}
	context := strconv.Itoa(cfg.Context)
	return []string{
		cfg.Program, "--model", cfg.Model, "--embedding", "--host", socket, "-np", "1",
		"-c", context, "-b", context, "-ub", context, "-t", strconv.Itoa(threads), "-lv", "1",
	}
}

// passive makes the threads of a server that computes with OpenMP sleep while
// they wait for one another. Otherwise they spin, and on a machine that has other
// work as well they keep each other from it: on two busy cores eight texts cost
// 9 to 10 s of CPU time instead of 2.8 s.
const passive = "OMP_WAIT_POLICY=passive"

// scrubbed returns an environment without what would change the child. What
// the user says of its threads comes later and prevails.
func scrubbed(env []string) []string {
	kept := []string{passive}
next:
	for _, entry := range env {
		for _, prefix := range foreign {
			if strings.HasPrefix(entry, prefix) {
				continue next
			}
		}
		kept = append(kept, entry)
	}
	return kept
}

// live starts the process and waits for its end.
func (c *child) live(started chan<- error) {
	// Where the system ends it with its parent, that is the thread which has
	// started it, so this one must not go before it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	// What it makes is for us alone. The mask is the whole process's, but what
	// another thread may make in this moment is at worst too private.
	mask := syscall.Umask(0o077)
	err := c.cmd.Start()
	syscall.Umask(mask)
	started <- err
	if err != nil {
		return
	}
	c.err = c.cmd.Wait()
	// If the program is a script, the server is what it has started.
	syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL)
	close(c.exited)
}

func (c *child) hasExited() bool { return c.exits(0) }

// settle gives a process that is about to end the time to do so by itself, so
// that the reason is its own.
func (c *child) settle() { c.exits(dying) }

// exits reports whether the process has ended, or does within d.
func (c *child) exits(d time.Duration) bool {
	select {
	case <-c.exited:
		return true
	default:
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-c.exited:
		return true
	case <-timer.C:
		return false
	}
}

// stop ends the process: by SIGTERM if it is given a grace to obey, then by
// SIGKILL, which it has a last delay to follow. Its requests must have been cut
// off, since SIGTERM waits for those. It is harmless to call it again.
func (c *child) stop(grace, last time.Duration) error {
	if grace > 0 {
		c.signal(syscall.SIGTERM)
		c.exits(grace)
	}
	c.signal(syscall.SIGKILL)
	if !c.exits(last) {
		// It is stuck inside the system. What it leaves is swept by another run.
		return fmt.Errorf("the llama-server (process %d) does not end", c.cmd.Process.Pid)
	}
	return c.dir.remove()
}

// signal sends a signal to all of the child's process group.
func (c *child) signal(sig syscall.Signal) {
	if !c.hasExited() {
		syscall.Kill(-c.cmd.Process.Pid, sig)
	}
}

// ending words how the process ended.
func (c *child) ending() string {
	switch {
	case !c.hasExited():
		return "not ending"
	case c.err == nil:
		return "exit status 0"
	}
	return c.err.Error()
}

// said words what the process has written to standard error, to be added to a
// message.
func (c *child) said() string {
	if text := c.stderr.String(); text != "" {
		return "; it said: " + text
	}
	return ""
}
