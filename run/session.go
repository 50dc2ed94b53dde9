// Package run carries one run out: a search, a ranking, a list of what is in the
// universe, or an answer about it. A [Session] has its surroundings as values and
// touches nothing that belongs to the process, so that many can run side by side.
//
// This is the place where the rooms meet. It must not know how anything is done:
// which files exist (walk), what matches (match), how results look (report).
package run

import (
	"bytes"
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"tally/flags"
	"tally/match"
	"tally/report"
	"tally/run/input"
	"tally/run/plan"
	"tally/run/world"
	"tally/semantic/llama"
	"tally/walk"
)

// Version is tally's own.
const Version = "0.1.0"

// Exit codes beyond 0 and 1, which the ledger decides about.
const exitError = 2

// A Session is one run.
type Session struct {
	*plan.Plan
	argv    []string
	world   *world.World
	say     *messages
	refusal error // the command line asks for what cannot be given
	start   time.Time

	// scope and form are the plan's, completed by what is found out first: the
	// ignore rules that hold everywhere, and whether a match can span lines.
	scope    walk.Config
	form     report.Config
	input    *input.Input
	universe *walk.Universe
	limits   *limits
	printer  *report.Printer
	matcher  *match.Matcher
	alone    []*match.Matcher // each of its patterns, where a file needs all
	audit    *walk.Audit      // nil: none
	// sifting is done beside the search; nil: none. siftAfter is when it begins.
	sifting   *sifting
	siftAfter int64
	// wideMatcher matches the patterns in UTF-16, as bytes; nil: none could be
	// there. See Session.wide.
	wideOnce    sync.Once
	wideKnown   bool
	wideMatcher *match.Matcher
	// held are results of which it is not known yet whether to print them.
	held    *bytes.Buffer
	errored bool // there was an error that the ledger does not hold
	// server and killable are what Kill ends, from another goroutine.
	server   atomic.Pointer[llama.Server]
	killable atomic.Pointer[input.Input]
	// written counts bytes of results, and finishing says that the account is
	// being drawn up; see Overdue.
	written   atomic.Int64
	finishing atomic.Bool
	// searched counts files, see Searched, and matched those of them that match.
	searched, matched atomic.Int64
	// stdout is the world's standard output, which a status may draw on as well.
	// statusAfter is when that begins.
	stdout      io.Writer
	statusAfter time.Duration
}

// New reads a command line, argv[0] included, and plans the run. What is wrong
// with the command line is said by Run.
func New(w world.World, argv []string) *Session {
	s := &Session{argv: argv, world: &w, siftAfter: siftAfter, stdout: w.Stdout, statusAfter: statusAfter}
	args, err := flags.Parse(argv, s.env())
	if err == nil {
		s.Plan, err = plan.New(args, s.world, build())
	} else {
		s.Plan = plan.Refused(args)
	}
	if err == nil && s.Mode == plan.Serve {
		err = servesAlone(argv)
	}
	s.refusal = err
	s.say = newMessages(s.Plan, s.world, argv)
	return s
}

// Workers returns how many goroutines will read files, 0 if none will.
func (s *Session) Workers() int {
	if s.refusal != nil || s.Mode < plan.Why {
		return 0
	}
	return s.Walk.Workers()
}

// Colored reports whether the session writes escape sequences to its standard
// output.
func (s *Session) Colored() bool { return s.Report.Color }

// Run carries the run out and returns its exit code. If ctx ends, so does the
// run: what was found is printed, and called a part.
func (s *Session) Run(ctx context.Context) int {
	s.start = time.Now()
	for _, w := range s.Messages.Warnings {
		s.say.print(w)
	}
	if s.refusal != nil {
		return s.refuse(s.refusal)
	}
	if s.Mode != plan.PrintText {
		s.say.debug("%s", s.Messages.Config)
	}
	return modes[s.Mode](s, ctx)
}

// Kill ends at once what the session has started besides itself.
func (s *Session) Kill() {
	if server := s.server.Load(); server != nil {
		server.Kill()
	}
	if in := s.killable.Load(); in != nil {
		in.Kill()
	}
}

// env is the world as far as a command line refers to it.
func (s *Session) env() flags.Env {
	return flags.Env{
		Getenv: s.world.Getenv, ReadFile: s.world.ReadFile, ReadStdin: s.world.ReadStdin,
		CheckColors: func(spec string) error {
			_, err := report.ParseColorSpecs([]string{spec})
			return err
		},
		CheckHyperlinkFormat: func(format string) error {
			_, err := report.ParseHyperlinkFormat(format)
			return err
		},
		CheckEncoding: plan.CheckEncoding,
	}
}

// build is what this program knows about itself.
func build() flags.BuildInfo {
	pcre2, jit := match.PCRE2()
	return flags.BuildInfo{Version: Version, PCRE2: pcre2, PCRE2JIT: jit}
}

// refuse reports an error that keeps the run from going on.
func (s *Session) refuse(err error) int {
	s.say.line("", err.Error())
	return exitError
}

// write prints a text to standard output. A reader that has gone away is no
// error.
func (s *Session) write(text []byte) int {
	_, err := s.world.Stdout.Write(text)
	return s.unwritten(err)
}

// unwritten reports an error of writing results.
func (s *Session) unwritten(err error) int {
	if err == nil || gone(err) {
		return 0
	}
	return s.refuse(errors.New("standard output: " + errorText(err)))
}

// gone reports whether a write failed because nobody reads.
func gone(err error) bool { return errors.Is(err, errBrokenPipe) || errors.Is(err, io.ErrClosedPipe) }
