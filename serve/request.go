package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"tally/run"
)

// A request is one call of a tool.
type request struct {
	server *Server
	tool   *tool
	values values
	notify func(files int64) // tells how many files were searched; nil: nobody asks
}

// always are the words that every command line begins with. Errors are in the ledger,
// so that standard error is left to the account and to what refuses the run. A
// configuration file could follow links and start programs.
var always = []string{"tally", "--no-config", "--no-messages", "--color=never"}

// asJSON asks for the messages of docs/schema.json, with what is not UTF-8 made
// readable, and for the ledger's line.
var asJSON = []string{"--json", "--json-text", "--ledger=always"}

// results carries out a tool whose command line follows from its arguments alone.
func results(ctx context.Context, r *request) (answer, error) {
	paths := r.server.roots.all()
	if given := r.values.texts("paths"); len(given) > 0 {
		var absolute []string
		for _, path := range given {
			real, err := r.server.roots.resolve(path)
			if err != nil {
				return nil, err
			}
			absolute = append(absolute, real...)
		}
		paths = r.server.roots.words(absolute)
	}
	return r.found(ctx, nil, paths)
}

// found carries out a command line that ends in a ledger.
func (r *request) found(ctx context.Context, words, paths []string) (*found, error) {
	argv := append(append(append([]string{}, always...), asJSON...), r.tool.fixed...)
	argv = append(append(argv, r.tool.words(r.values)...), words...)
	argv = append(argv, fmt.Sprintf("--time-limit=%ds", max(r.values.number(mostSeconds.name), mostSeconds.least)))
	if text := r.values.text(pageCursor.name); text != "" {
		page, err := cursorWords(text)
		if err != nil {
			return nil, err
		}
		argv = append(argv, page...)
	}
	release, err := r.place(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	c, notes, err := r.run(ctx, argv, paths)
	if err != nil {
		return nil, err
	}
	return newFound(c, notes)
}

// place waits for a place among the requests that are carried out.
func (r *request) place(ctx context.Context) (release func(), err error) {
	if r.tool.meaning {
		// Those that wait for their turn here keep no others waiting.
		embeds, err := acquire(ctx, r.server.meaning)
		if err != nil {
			return nil, err
		}
		works, err := acquire(ctx, r.server.slots)
		if err != nil {
			embeds()
			return nil, err
		}
		return func() { works(); embeds() }, nil
	}
	return acquire(ctx, r.server.slots)
}

// run carries out one command line of JSON. What keeps it from being carried out is an
// error, in the words of the run.
func (r *request) run(ctx context.Context, argv, paths []string) (*collector, string, error) {
	c := &collector{}
	var stderr notes
	session, done, err := r.server.session(append(append(argv, "--"), paths...), c, &stderr)
	if err != nil {
		return nil, "", err
	}
	defer done()
	defer r.follow(session)()
	code := session.Run(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, "", ctx.Err()
	case c.over:
		return nil, "", errors.New("the answer is too long; ask with a smaller limit or window, or of fewer files with paths or globs")
	case c.summary == nil && code == 2 && stderr.Len() > 0:
		return nil, "", errors.New(strings.TrimSpace(stderr.String()))
	case c.summary == nil:
		return nil, "", errors.New("the run gave no account of itself")
	}
	return c, stderr.String(), nil
}

// follow notifies a client of a session's progress, if it asked for that, until the
// function that it returns is called.
func (r *request) follow(session *run.Session) (end func()) {
	if r.notify == nil {
		return func() {}
	}
	ended, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		ticks := time.NewTicker(r.server.between)
		defer ticks.Stop()
		for told := int64(0); ; {
			select {
			case <-ended:
				return
			case <-ticks.C:
				if files := session.Searched(); files > told {
					told = files
					r.notify(files)
				}
			}
		}
	}()
	return func() { close(ended); <-over }
}

// reasons answers the tool why.
func reasons(ctx context.Context, r *request) (answer, error) {
	var paths []string
	for _, path := range r.values.texts("paths") {
		asked, err := r.server.roots.asked(path)
		if err != nil {
			return nil, err
		}
		paths = append(paths, asked)
	}
	list, _, err := r.why(ctx, r.server.roots.words(paths), "--json", "--json-text")
	if err != nil {
		return nil, err
	}
	text, _, err := r.why(ctx, r.server.roots.words(paths))
	if err != nil {
		return nil, err
	}
	a := &whyAnswer{Answers: []json.RawMessage{}, words: text}
	for line := range strings.Lines(list) {
		a.Answers = append(a.Answers, json.RawMessage(strings.TrimSpace(line)))
	}
	return a, nil
}

// why returns what --why says of paths, and its exit code.
func (r *request) why(ctx context.Context, paths []string, words ...string) (string, int, error) {
	argv := append(append(append([]string{}, always...), "--why"), words...)
	argv = append(argv, r.tool.words(r.values)...)
	var stdout bytes.Buffer
	var stderr notes
	session, done, err := r.server.session(append(append(argv, "--"), paths...), &stdout, &stderr)
	if err != nil {
		return "", 0, err
	}
	defer done()
	code := session.Run(ctx)
	if stdout.Len() == 0 {
		return "", 0, errors.New(strings.TrimSpace(stderr.String()))
	}
	return stdout.String(), code, ctx.Err()
}

// lines answers the tool read.
func lines(ctx context.Context, r *request) (answer, error) {
	path, err := r.server.roots.file(r.values.text(filePath.name))
	if err != nil {
		return nil, err
	}
	paths := r.server.roots.words([]string{path})
	reason, code, err := r.why(ctx, paths)
	if err != nil {
		return nil, err
	}
	if code != 0 {
		return nil, fmt.Errorf("not read, since a search does not look at it: %s", strings.TrimSpace(reason))
	}
	var words []string
	if r.values.text(pageCursor.name) == "" {
		words = append(words, fmt.Sprintf("--offset=%d", r.values.number(firstLine.name)-1))
	}
	a, err := r.found(ctx, words, paths)
	if err != nil {
		return nil, err
	}
	return a, a.plain()
}
