package run

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"tally/flags"
	"tally/run/plan"
	"tally/run/world"
	"tally/walk"
	"tally/walk/ignore"
)

var errBrokenPipe error = unix.EPIPE

// messages prints warnings and errors that do not end the run.
type messages struct {
	plan.Messages
	name    string
	ripgrep bool
	mu      sync.Mutex
	out     io.Writer
}

func (m *messages) print(text string) {
	if !m.Quiet {
		m.line("", text)
	}
}

func (m *messages) line(label, text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	fmt.Fprintf(m.out, "%s: %s%s\n", m.name, label, text)
}

// ignoreRule reports a malformed rule.
func (m *messages) ignoreRule(err error) {
	if !m.QuietIgnore {
		m.print(err.Error())
	}
}

// failed reports a path that could not be read.
func (m *messages) failed(e *walk.Error) {
	if rules, ok := errors.AsType[*ignore.ReadError](e.Err); ok && (m.QuietIgnore || m.ripgrep && !rules.Common) {
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
	m.print(string(e.Path) + ": " + errorText(e.Err))
}

// debug tells of a decision, if --debug or --trace asks for that.
func (m *messages) debug(format string, values ...any) {
	m.log(flags.LogDebug, "debug: ", format, values)
}

// trace tells what becomes of each file, if --trace asks for that.
func (m *messages) trace(format string, values ...any) {
	m.log(flags.LogTrace, "trace: ", format, values)
}

// log prints what was asked for explicitly, so that --no-messages does not
// hide it. What workers tell comes in the order of their work.
func (m *messages) log(level flags.LogLevel, label, format string, values []any) {
	if m.Level >= level {
		m.line(label, strings.TrimSuffix(fmt.Sprintf(format, values...), "\n"))
	}
}

// debugRules tells of a file of ignore rules that was read.
func (m *messages) debugRules(source string, rules int) {
	m.debug("ignore rules: %d from %s", rules, source)
}

// errorText words a system's error as ripgrep does.
func errorText(err error) string { return world.ErrorText(err) }
