//go:build unix

package llama

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

// The first wait for a child that is not ready, and the longest. A small model
// is there after 15 to 80 ms.
const (
	firstPoll = 2 * time.Millisecond
	lastPoll  = 100 * time.Millisecond
)

// A refusal is an answer of the server's that says no.
type refusal struct {
	status  int
	message string
}

func (r *refusal) Error() string {
	return fmt.Sprintf("llama-server refused the request (status %d): %s", r.status, r.message)
}

// lost says that there was no answer: the child has crashed, or is as good as
// that.
type lost struct {
	err    error
	silent bool // it was waited for as long as is sensible
}

func (l *lost) Error() string { return l.err.Error() }

// transport connects to a socket. Each request has a connection of its own: it
// costs microseconds, and an idle one would make the server take its time to
// end.
func transport(socket string) *http.Transport {
	return &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "unix", socket)
		},
	}
}

// await waits until the child is ready. If it never will be, the error says why.
// When ctx ends before, one can wait again.
func (c *child) await(ctx context.Context) error {
	if c.ready {
		return nil
	}
	bounded, cancel := context.WithDeadline(ctx, c.due)
	defer cancel()
	for pause := firstPoll; ; pause = min(2*pause, lastPoll) {
		state := c.health(bounded)
		if state == nil {
			c.ready = true
			return os.Chmod(c.dir.socket(), 0o600)
		}
		timer := time.NewTimer(pause)
		select {
		case <-c.exited:
			timer.Stop()
			return fmt.Errorf("llama-server (%s) ended before it was ready: %s%s; check that the model is a GGUF file that it can serve",
				c.cmd.Path, c.ending(), c.said())
		case <-bounded.Done():
			timer.Stop()
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return fmt.Errorf("llama-server (%s) was not ready within %v and was ended: %w%s; a smaller model is there sooner",
				c.cmd.Path, c.limits.start, state, c.said())
		case <-timer.C:
		}
	}
}

// health asks the child whether it is ready.
func (c *child) health(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://llama/health", nil)
	if err != nil {
		return err
	}
	return c.exchange(request, nil)
}

// post sends a request and decodes the answer into out. Its error is ctx's, a
// *refusal, a *lost, or says that the answer makes no sense.
func (c *child) post(ctx context.Context, path string, in, out any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	bounded, cancel := context.WithTimeout(ctx, c.limits.reply)
	defer cancel()
	request, err := http.NewRequestWithContext(bounded, http.MethodPost, "http://llama"+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	err = c.exchange(request, out)
	var gone *lost
	if errors.As(err, &gone) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		gone.silent = bounded.Err() != nil
	}
	return err
}

// exchange sends a request and reads the answer.
func (c *child) exchange(request *http.Request, out any) error {
	response, err := c.client.Do(request)
	if err != nil {
		return &lost{err: err}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return &lost{err: err}
	}
	if response.StatusCode != http.StatusOK {
		return refused(response.StatusCode, body)
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(body, out); err != nil {
		return fmt.Errorf("llama-server's answer is not understood: %w", err)
	}
	return nil
}

// refused reads the form in which the server says no.
func refused(status int, body []byte) *refusal {
	var answer struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	if json.Unmarshal(body, &answer) != nil || answer.Error.Message == "" {
		answer.Error.Message = string(bytes.ToValidUTF8(body[:min(len(body), tailKept)], []byte("\uFFFD")))
	}
	return &refusal{status, answer.Error.Message}
}
