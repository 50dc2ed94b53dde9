package run

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"tally/flags"
	"tally/report/escape"
	"tally/run/plan"
	"tally/run/world"
	"tally/walk"
	"tally/walk/ignore"
)

var errBrokenPipe error = unix.EPIPE

// messages prints warnings and errors. Under our own name what others wrote, such as
// a name, can neither drive the terminal nor begin a line like one of ours; as
// ripgrep its bytes go out as they are.
type messages struct {
	plan.Messages
	name    string
	ripgrep bool
	mu      sync.Mutex
	out     io.Writer // the one door to standard error
	typed   *strings.Replacer
}

func newMessages(p *plan.Plan, w *world.World, argv []string) *messages {
	m := &messages{out: w.Stderr, name: p.Name, ripgrep: p.Ripgrep, Messages: p.Messages}
	if !m.ripgrep {
		m.out, m.typed = escape.Writer{W: w.Stderr}, typed(argv)
	}
	return m
}

// typed escapes what was typed, where an error repeats it.
func typed(argv []string) *strings.Replacer {
	var pairs []string
	add := func(word string) {
		if safe := escape.Name(word); safe != word && strings.TrimSpace(word) != "" {
			pairs = append(pairs, word, safe)
		}
	}
	for _, word := range argv {
		add(word)
		if _, value, ok := strings.Cut(word, "="); ok && strings.HasPrefix(word, "-") {
			add(value)
		}
	}
	return strings.NewReplacer(pairs...)
}

func (m *messages) print(text string) {
	if !m.Quiet {
		m.line("", text)
	}
}

func (m *messages) line(label, text string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.ripgrep {
		// A message may have several lines, but not one that begins like the next.
		text = strings.ReplaceAll(m.typed.Replace(text), "\n"+m.name+":", `\n`+m.name+":")
	}
	fmt.Fprintf(m.out, "%s: %s%s\n", m.name, label, text)
}

// path is a path as messages show it.
func (m *messages) path(path string) string {
	if m.ripgrep {
		return path
	}
	return escape.Name(path)
}

// ignoreRule reports a malformed rule.
func (m *messages) ignoreRule(err error) {
	if m.QuietIgnore {
		return
	}
	if e, ok := errors.AsType[*ignore.LineError](err); ok {
		shown := *e
		shown.Source = m.path(e.Source)
		err = &shown
	}
	m.print(err.Error())
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
		shown := walk.LoopError{Ancestor: walk.Displayed(m.path(string(loop.Ancestor)))}
		m.print(fmt.Sprintf("File system loop found: %s %v", m.path(string(e.Path)), &shown))
		return
	}
	m.print(m.path(string(e.Path)) + ": " + errorText(e.Err))
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
