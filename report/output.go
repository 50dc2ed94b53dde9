package report

import (
	"bufio"
	"io"
	"sync"
	"time"
)

// An output gathers what is written until it is worth a system call. Whoever reads
// it looks at a list that fills: the first result goes out at once, and none waits
// for much longer than [patience] for those that follow.
type output struct {
	mu      sync.Mutex
	buf     *bufio.Writer
	begun   bool // something has gone out
	awaited bool // a timer is running,
	full    bool // and the buffer has been full since it was started
	ended   bool
}

// patience is how long a result waits in the buffer, and at most twice as long: less
// than anybody sees. Where there is much output the buffer is full sooner.
const patience = 20 * time.Millisecond

func newOutput(w io.Writer) *output { return &output{buf: bufio.NewWriterSize(w, flushAt)} }

// Write adds to the output. An error sticks: all later calls return it.
func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.full = o.full || len(b) > o.buf.Available()
	return o.buf.Write(b)
}

// Flush writes out what there is.
func (o *output) Flush() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buf.Flush()
}

// settle is called when a whole result has been written. It sees to it that the
// result goes out soon.
func (o *output) settle() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.buf.Buffered() == 0:
	case !o.begun:
		o.begun = true
		return o.buf.Flush()
	case !o.awaited:
		o.await()
	}
	return nil
}

func (o *output) await() {
	o.awaited, o.full = true, false
	time.AfterFunc(patience, o.timeUp)
}

// timeUp writes out what has waited. What has come since the buffer was full waits
// once more.
func (o *output) timeUp() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.awaited = false
	switch {
	case o.ended:
	case o.full:
		o.await()
	default:
		o.buf.Flush() // an error sticks
	}
}

// end writes out the rest; nothing is written from then on.
func (o *output) end() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.ended = true
	return o.buf.Flush()
}
