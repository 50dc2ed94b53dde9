package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds of what a client sends.
const (
	mostFrame   = 1 << 20  // bytes of one frame
	mostWaiting = 64 << 20 // bytes of frames whose answer is due; no more is read then
)

// draining is how long, once a client has closed its end, requests may go on: one that
// sent its requests and its end at once gets quick answers, one that has gone away is
// not worked for.
const draining = time.Second

// frames are two streams of JSON-RPC messages, one a line. The SDK's own end at the
// first line that is no message; these answer it and go on.
type frames struct {
	in    io.Reader
	lines chan []byte

	writing sync.Mutex // of out
	out     io.Writer
	broken  atomic.Bool // nobody reads the answers

	mu      sync.Mutex         // of what follows
	due     map[jsonrpc.ID]int // calls without an answer, with their size
	waiting int                // the sum of these
	changed chan struct{}      // a call was answered

	closing sync.Once
	closed  chan struct{}
}

func newFrames(in io.Reader, out io.Writer) *frames {
	return &frames{
		in: in, out: out, lines: make(chan []byte), due: make(map[jsonrpc.ID]int),
		changed: make(chan struct{}, 1), closed: make(chan struct{}),
	}
}

// Connect begins to read.
func (f *frames) Connect(context.Context) (sdk.Connection, error) {
	go f.split()
	return f, nil
}

// SessionID is what streams have none of.
func (f *frames) SessionID() string { return "" }

// Close ends the streams.
func (f *frames) Close() error {
	f.closing.Do(func() { close(f.closed) })
	return nil
}

// gone reports whether nobody reads the answers.
func (f *frames) gone() bool { return f.broken.Load() }

// split cuts what comes into lines, and answers those that are too long.
func (f *frames) split() {
	defer close(f.lines)
	r := bufio.NewReaderSize(f.in, 64<<10)
	var line []byte
	tooLong := false
	for {
		piece, err := r.ReadSlice('\n')
		if len(line)+len(piece) > mostFrame {
			tooLong = true
		} else {
			line = append(line, piece...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if tooLong {
			f.refuse(jsonrpc.ID{}, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message of more than %d bytes", mostFrame))
		} else if line = bytes.TrimSpace(line); len(line) > 0 {
			select {
			case f.lines <- line:
			case <-f.closed:
				return
			}
		}
		if err != nil {
			return
		}
		line, tooLong = nil, false
	}
}

// Read returns the next message.
func (f *frames) Read(ctx context.Context) (jsonrpc.Message, error) {
	for f.full() {
		select {
		case <-f.changed:
		case <-f.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	for {
		select {
		case line, more := <-f.lines:
			if !more {
				f.drain(ctx)
				return nil, io.EOF
			}
			if m := f.message(line); m != nil {
				return m, nil
			}
		case <-f.closed:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// message reads a line, nil if it is answered already.
func (f *frames) message(line []byte) jsonrpc.Message {
	if !json.Valid(line) {
		f.refuse(jsonrpc.ID{}, jsonrpc.CodeParseError, "not JSON")
		return nil
	}
	m, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		f.refuse(idOf(line), jsonrpc.CodeInvalidRequest, err.Error())
		return nil
	}
	if call, ok := m.(*jsonrpc.Request); ok && call.IsCall() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if _, twice := f.due[call.ID]; !twice {
			f.due[call.ID] = len(line)
			f.waiting += len(line)
		}
	}
	return m
}

// idOf is the id that a message which is none was sent with, as far as can be seen.
func idOf(line []byte) jsonrpc.ID {
	var m struct {
		ID any `json:"id"`
	}
	if json.Unmarshal(line, &m) != nil {
		return jsonrpc.ID{}
	}
	id, err := jsonrpc.MakeID(m.ID)
	if err != nil {
		return jsonrpc.ID{}
	}
	return id
}

// full reports whether so much is due that no more is read.
func (f *frames) full() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.waiting > mostWaiting
}

// drain waits for what is due, for a moment.
func (f *frames) drain(ctx context.Context) {
	late := time.NewTimer(draining)
	defer late.Stop()
	for {
		f.mu.Lock()
		due := len(f.due)
		f.mu.Unlock()
		if due == 0 {
			return
		}
		select {
		case <-f.changed:
		case <-late.C:
			return
		case <-f.closed:
			return
		case <-ctx.Done():
			return
		}
	}
}

// Write writes a message.
func (f *frames) Write(_ context.Context, m jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	err = f.send(data)
	if answer, ok := m.(*jsonrpc.Response); ok {
		f.answered(answer.ID)
	}
	return err
}

// answered notes that a call has its answer.
func (f *frames) answered(id jsonrpc.ID) {
	f.mu.Lock()
	f.waiting -= f.due[id]
	delete(f.due, id)
	f.mu.Unlock()
	select {
	case f.changed <- struct{}{}:
	default:
	}
}

// refuse answers what is no message.
func (f *frames) refuse(id jsonrpc.ID, code int64, reason string) {
	// It is written by hand, since an answer without an id is none to the SDK.
	data, err := json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": id.Raw(), "error": &jsonrpc.Error{Code: code, Message: reason},
	})
	if err != nil {
		return
	}
	_ = f.send(data) // a reader that is gone is noted
}

// errGone says that nobody reads the answers.
var errGone = errors.New("nobody reads the answers")

// send writes a line. Where nobody reads it there is nothing left to serve.
func (f *frames) send(data []byte) error {
	f.writing.Lock()
	defer f.writing.Unlock()
	if f.broken.Load() {
		return errGone
	}
	if _, err := f.out.Write(append(data, '\n')); err != nil {
		f.broken.Store(true)
		f.Close()
		return err
	}
	return nil
}
