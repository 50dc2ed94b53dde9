package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"tally/walk"
)

// patience is how long standard input may be silent before a person is told
// what is being waited for.
const patience = time.Second

// keepStdin is how much of standard input is kept, in bytes, for a second look
// at it.
const keepStdin = 16 << 20

// A waitingInput reads standard input, and says so when nothing comes: a pipe
// that a caller has left open looks like a search that hangs.
type waitingInput struct {
	say  *messages
	kept *keptInput
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
	w.kept.add(p[:n])
	return n, err
}

// A keptInput is what has been read of standard input, which cannot be read
// twice.
type keptInput struct {
	data bytes.Buffer
	lost bool // it was more than is kept
}

func (k *keptInput) add(p []byte) {
	if k.lost = k.lost || k.data.Len()+len(p) > keepStdin; k.lost {
		k.data = bytes.Buffer{}
		return
	}
	k.data.Write(p)
}

var errStdinGone = errors.New("standard input was too long to be kept for a second look")

// reader reads what was kept.
func (k *keptInput) reader() (io.Reader, error) {
	if k.lost {
		return nil, errStdinGone
	}
	return bytes.NewReader(k.data.Bytes()), nil
}

// stdin is standard input as it is to be read. Where it is given twice, the first
// one has it all.
func (s *searcher) stdin(f *walk.File) io.Reader {
	if f.Repeated() {
		return bytes.NewReader(nil)
	}
	if s.ripgrep() && !s.args.OwnFlag {
		return os.Stdin
	}
	return &waitingInput{say: s.say, kept: &s.kept}
}
