// Command tally searches files for patterns, like ripgrep, and keeps a ledger
// that says what a result is worth.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"tally/guard"
	"tally/run"
	"tally/run/world"
)

func main() {
	tuneCollector()
	stderr := guard.Stderr()
	s := run.New(world.World{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: stderr, Descriptor: descriptor, Environ: guard.Environ()}, os.Args)
	if dirs, serves := s.Serves(); serves {
		os.Exit(becomeServer(dirs, guard.Environ(), stderr))
	}
	// A worker's raw system calls hold on to their processor, so one more is
	// there for everything else.
	if most := s.Workers() + 1; runtime.GOMAXPROCS(0) < most {
		runtime.GOMAXPROCS(most)
	}
	ctx, cancel := context.WithCancel(context.Background())
	i := interrupts{session: s, stderr: stderr, cancel: cancel, done: make(chan struct{})}
	i.listen()
	if s.Limited {
		go i.overdue()
	}
	code := s.Run(ctx)
	i.end()
	os.Exit(code)
}

// becomeServer puts the program of the server, which stands beside this one, into the
// place of this process. It is a program of its own since the library that speaks the
// protocol would cost every search half a millisecond to start. It returns only if
// that cannot be done.
func becomeServer(dirs, environ []string, stderr io.Writer) (code int) {
	path, err := os.Executable()
	if err == nil {
		path = filepath.Join(filepath.Dir(path), "tally-mcp")
		err = syscall.Exec(path, append([]string{path}, dirs...), environ)
	}
	io.WriteString(stderr, "tally: --mcp is served by the program tally-mcp, which belongs beside tally: "+
		path+": "+err.Error()+"\n")
	return 2
}

// descriptor returns a file that the caller has opened for this process to write to.
func descriptor(n int) io.Writer {
	var st syscall.Stat_t
	if syscall.Fstat(n, &st) != nil {
		return nil
	}
	switch st.Mode & syscall.S_IFMT {
	case syscall.S_IFREG, syscall.S_IFIFO, syscall.S_IFSOCK, syscall.S_IFCHR:
	default:
		return nil // such as a poller of the runtime's
	}
	flags, err := unix.FcntlInt(uintptr(n), unix.F_GETFL, 0)
	if err != nil || flags&unix.O_ACCMODE == unix.O_RDONLY {
		return nil
	}
	return os.NewFile(uintptr(n), "file descriptor "+strconv.Itoa(n))
}

// grace is how long an interrupted run may take to write what it has, before
// it is ended as it stands.
const grace = 300 * time.Millisecond

// interrupts end the run at a signal, and the process by the same signal, so
// that its parent sees what it was.
type interrupts struct {
	session *run.Session
	stderr  io.Writer
	cancel  func()
	signal  atomic.Int32 // that has come
	done    chan struct{}
}

// listen begins to listen for signals.
func (i *interrupts) listen() {
	// A reader that has gone away is seen when writing to it.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	signals := make(chan os.Signal, 1)
	for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGQUIT} {
		// A shell has its background jobs ignore the terminal's Ctrl-C, and
		// nohup what it is named for; so do we.
		if !signal.Ignored(sig) {
			signal.Notify(signals, sig)
		}
	}
	go func() {
		for sig := range signals {
			i.interrupt(sig.(syscall.Signal))
		}
	}()
}

// interrupt ends the run. Under our own name it is given a moment to say what
// its result is worth; as ripgrep it just ends, and so it does at a second
// signal.
func (i *interrupts) interrupt(sig syscall.Signal) {
	second := i.signal.Swap(int32(sig)) != 0
	i.cancel()
	if i.session.Ripgrep || second {
		i.die(sig)
	}
	go func() {
		select {
		case <-i.done:
		case <-time.After(grace):
			io.WriteString(i.stderr, "tally: PARTIAL: the run was interrupted; this result is no proof of absence\n")
			i.die(sig)
		}
	}()
}

// overdue ends a run that does not end although its time is up.
func (i *interrupts) overdue() {
	i.session.Overdue()
	select {
	case <-i.done:
		return
	default:
	}
	i.session.Kill()
	io.WriteString(i.stderr, "tally: PARTIAL: the run was ended by --time-limit; this result is no proof of absence\n")
	os.Exit(2)
}

// end ends the process by the signal that has come, if one has.
func (i *interrupts) end() {
	close(i.done)
	if sig := i.signal.Load(); sig != 0 {
		i.die(syscall.Signal(sig))
	}
}

// die ends the process, and what the run has started, by a signal.
func (i *interrupts) die(sig syscall.Signal) {
	i.session.Kill()
	if i.session.Colored() && world.IsTerminal(os.Stdout) {
		io.WriteString(os.Stdout, "\x1b[0m")
	}
	signal.Reset(sig)
	guard.Default(sig)
	syscall.Kill(os.Getpid(), sig)
	// It does not come back from there, unless the signal is blocked.
	time.Sleep(grace)
	os.Exit(128 + int(sig))
}

// The heap of most runs is small and its life short: fewer collections, each of
// which has to wait for workers inside the kernel, are worth some memory, but
// not four times whatever a run has to hold.
const (
	smallHeap    = 400      // how much garbage a small heap may hold, in percent of what lives
	mostGarbage  = 16 << 20 // how much a larger one may, in bytes,
	leastGarbage = 25       // and what it always may, in percent
)

// tuneCollector settles how often the collector runs, now and after each
// collection.
func tuneCollector() {
	debug.SetGCPercent(smallHeap)
	sentinel := new([16]byte) // not so small that it shares its block
	runtime.SetFinalizer(sentinel, retune)
}

// retune runs after a collection, since nothing refers to its sentinel.
func retune(sentinel *[16]byte) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if bytes := live[0].Value.Uint64(); bytes > 0 {
		debug.SetGCPercent(min(smallHeap, max(leastGarbage, int(100*mostGarbage/bytes))))
	}
	runtime.SetFinalizer(sentinel, retune)
}
