// Command tally-mcp serves directories to an agent by the Model Context Protocol, over
// its standard input and output. tally --mcp becomes it.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"tally/docs"
	"tally/guard"
	"tally/run/world"
	"tally/serve"
)

// grace is how long requests have to end after a signal.
const grace = 300 * time.Millisecond

func main() {
	stderr := guard.Stderr()
	w := world.World{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: stderr, Environ: guard.Environ()}
	s, err := serve.New(w, os.Args[1:], docs.Schema)
	if err != nil {
		io.WriteString(stderr, "tally: "+err.Error()+"\n")
		os.Exit(2)
	}
	if most := s.Workers() + 1; runtime.GOMAXPROCS(0) < most {
		runtime.GOMAXPROCS(most)
	}
	ctx, cancel := context.WithCancel(context.Background())
	go end(s, cancel)
	code := s.Run(ctx)
	s.Kill()
	os.Exit(code)
}

// end waits for a signal and ends the server by it: requests that go on are cancelled,
// and what they have started is killed.
func end(s *serve.Server, cancel func()) {
	// A client that is gone is seen when writing to it.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	sig := (<-signals).(syscall.Signal)
	cancel()
	select {
	case <-signals:
	case <-time.After(grace):
	}
	s.Kill()
	signal.Reset(sig)
	guard.Default(sig)
	syscall.Kill(os.Getpid(), sig)
	time.Sleep(grace)
	os.Exit(128 + int(sig))
}
