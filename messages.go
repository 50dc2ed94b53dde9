package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"tally/flags"
	"tally/walk"
	"tally/walk/ignore"
)

var errBrokenPipe error = unix.EPIPE

// messages prints warnings and errors that do not end the run.
type messages struct {
	mu       sync.Mutex
	name     flags.Program
	quiet    bool // --no-messages
	noIgnore bool // --no-ignore-messages
	level    flags.LogLevel
}

func newMessages(args *flags.Args) *messages {
	return &messages{name: args.Program, quiet: args.NoMessages, noIgnore: args.NoIgnoreMessages, level: args.Log}
}

func (m *messages) print(text string) {
	if m.quiet {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	fmt.Fprintf(os.Stderr, "%s: %s\n", m.name, text)
}

// ignoreRule reports a malformed rule.
func (m *messages) ignoreRule(err error) {
	if !m.noIgnore {
		m.print(err.Error())
	}
}

// failed reports a path that could not be read.
func (m *messages) failed(e *walk.Error) {
	if rules, ok := errors.AsType[*ignore.ReadError](e.Err); ok && (m.noIgnore || m.name == flags.Ripgrep && !rules.Common) {
		return
	}
	if e.Op == walk.OpConfig {
		return // it was said before all else
	}
	var loop *walk.LoopError
	if errors.As(e.Err, &loop) {
		m.print(fmt.Sprintf("File system loop found: %s %v", e.Path, loop))
		return
	}
	m.print(string(e.Path) + ": " + systemText(e.Err))
}

// systemText words a system's error as Rust's standard library does, which is
// what readers of ripgrep's messages look for.
func systemText(err error) string {
	var errno unix.Errno
	if !errors.As(err, &errno) {
		return err.Error()
	}
	text := errno.Error()
	if r, n := utf8.DecodeRuneInString(text); n > 0 {
		text = string(unicode.ToUpper(r)) + text[n:]
	}
	return fmt.Sprintf("%s (os error %d)", strings.TrimSuffix(text, "."), int(errno))
}

// programTitle is the name that a message in ripgrep's words speaks of.
func programTitle(p flags.Program) string {
	if p == flags.Ripgrep {
		return "ripgrep"
	}
	return "tally"
}
