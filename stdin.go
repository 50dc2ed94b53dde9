package main

import (
	"io"
	"os"
	"sync"
	"time"
)

// patience is how long standard input may be silent before a person is told
// what is being waited for.
const patience = time.Second

// A waitingInput reads standard input, and says so when nothing comes: a pipe
// that a caller has left open looks like a search that hangs.
type waitingInput struct {
	say  *messages
	once sync.Once
}

func (w *waitingInput) Read(p []byte) (int, error) {
	var timer *time.Timer
	w.once.Do(func() {
		timer = time.AfterFunc(patience, func() {
			w.say.print("waiting for standard input; to search files, give a path such as ./")
		})
	})
	n, err := os.Stdin.Read(p)
	if timer != nil {
		timer.Stop()
	}
	return n, err
}

// stdin is standard input as it is to be read.
func (p *plan) stdin() io.Reader {
	if p.ripgrep() {
		return os.Stdin
	}
	return &waitingInput{say: p.say}
}
