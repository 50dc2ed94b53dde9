// Package serve answers the requests of an agent, by the Model Context Protocol over
// two streams. It is a client of a run like any other: each request becomes a command
// line, is carried out as a [run.Session] of its own with --json, and its messages and
// its ledger are handed on by the published schema.
//
// It must not know how anything is found or counted, and computes no number. What is
// its own: which directories a client may name (roots.go), which arguments there are
// and which flags they stand for (parameters.go, tools.go), how much of an answer is
// kept (collect.go), and that no frame ends it (frames.go).
package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"tally/run"
	"tally/run/world"
)

// Bounds of what goes on at once. A session uses every processor by itself; more
// than one keeps a quick request from waiting for a slow one.
const (
	mostSessions = 4
	mostMeaning  = 1 // each may start a server of its own for the embeddings
)

// progress is the time between two notifications of progress.
const progress = 500 * time.Millisecond

// A Server serves one client.
type Server struct {
	world   world.World
	roots   *roots
	sdk     *sdk.Server
	slots   chan struct{}
	meaning chan struct{}
	between time.Duration   // two notifications of progress
	ctx     context.Context // ends with the server; set by Run

	mu     sync.Mutex
	active map[*run.Session]struct{}
	killed bool
}

// New makes a server of dirs, whose streams and environment are those of w. schema is
// docs/schema.json, from which clients are told what answers look like.
func New(w world.World, dirs []string, schema []byte) (*Server, error) {
	roots, err := newRoots(&w, dirs)
	if err != nil {
		return nil, err
	}
	s := &Server{
		world: w, roots: roots, active: make(map[*run.Session]struct{}), ctx: context.Background(),
		between: progress, slots: make(chan struct{}, mostSessions), meaning: make(chan struct{}, mostMeaning),
	}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: "tally", Title: "tally", Version: run.Version}, &sdk.ServerOptions{
		Instructions: s.instructions(),
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	for i := range tools {
		if err := s.add(&tools[i], schema); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// instructions tell a client what holds for all tools.
func (s *Server) instructions() string {
	return fmt.Sprintf("Searches these directories, and nothing else: %s. Paths in arguments and answers are relative to %s. %s",
		strings.Join(s.roots.dirs, ", "), s.roots.base, reading)
}

// Workers returns how many goroutines will read files at most.
func (s *Server) Workers() int { return mostSessions * runtime.NumCPU() }

// Run serves until standard input ends, nobody reads the answers or ctx ends, and
// returns the exit code.
func (s *Server) Run(ctx context.Context) int {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.ctx = ctx
	streams := newFrames(s.world.Stdin, s.world.Stdout)
	err := s.sdk.Run(ctx, streams)
	if err == nil || ctx.Err() != nil || streams.gone() {
		return 0
	}
	fmt.Fprintf(s.world.Stderr, "tally: %v\n", err)
	return 2
}

// Kill ends at once what the requests have started besides the server.
func (s *Server) Kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.killed = true
	for session := range s.active {
		session.Kill()
	}
}

// add makes a tool known to clients.
func (s *Server) add(t *tool, schema []byte) error {
	out, err := outputSchema(schema, t.answer)
	if err != nil {
		return err
	}
	closed := false
	s.sdk.AddTool(&sdk.Tool{
		Name: t.name, Title: t.title, Description: t.description(), InputSchema: t.inputSchema(), OutputSchema: out,
		Annotations: &sdk.ToolAnnotations{Title: t.title, ReadOnlyHint: true, IdempotentHint: true, OpenWorldHint: &closed},
	}, func(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		return s.call(ctx, t, req)
	})
	return nil
}

// call answers a request. What is wrong with it, or went wrong with it, is told the
// model as the tool's answer, so that it can do better.
func (s *Server) call(ctx context.Context, t *tool, req *sdk.CallToolRequest) (result *sdk.CallToolResult, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(s.ctx, func() { cancel(s.ctx.Err()) })()
	defer func() {
		if p := recover(); p != nil {
			result, err = failure(fmt.Errorf("an error of tally itself: %v", p)), nil
		}
	}()
	values, err := t.read(req.Params.Arguments)
	if err != nil {
		return failure(err), nil
	}
	r := &request{server: s, tool: t, values: values}
	if token := req.Params.GetProgressToken(); token != nil {
		r.notify = func(files int64) {
			// A client that is gone is noticed elsewhere.
			_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
				ProgressToken: token, Progress: float64(files), Message: fmt.Sprintf("%d files searched", files),
			})
		}
	}
	a, err := t.carryOut(ctx, r)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return failure(err), nil
	}
	structured, err := json.Marshal(a)
	if err != nil {
		return failure(err), nil
	}
	return &sdk.CallToolResult{
		Content:           []sdk.Content{&sdk.TextContent{Text: a.text()}},
		StructuredContent: json.RawMessage(structured),
	}, nil
}

// failure is the answer to a request that could not be carried out.
func failure(err error) *sdk.CallToolResult {
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: err.Error()}}}
}

// acquire takes a place among those that work, and returns what gives it back.
func acquire(ctx context.Context, places chan struct{}) (release func(), err error) {
	select {
	case places <- struct{}{}:
		return func() { <-places }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

var errEnding = errors.New("the server is ending")

// session makes the session of a command line; done is for when it has run.
func (s *Server) session(argv []string, stdout, stderr io.Writer) (session *run.Session, done func(), err error) {
	session = run.New(world.World{Stdout: stdout, Stderr: stderr, Environ: s.world.Environ, Dir: s.roots.base}, argv)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.killed {
		return nil, nil, errEnding
	}
	s.active[session] = struct{}{}
	return session, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.active, session)
	}, nil
}
