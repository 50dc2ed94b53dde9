package run

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"tally/flags"
	"tally/match/decode"
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
	implied bool // the root is the working directory, which nobody has named
	mu      sync.Mutex
	out     io.Writer // the one door to standard error
	typed   *strings.Replacer
}

func newMessages(p *plan.Plan, w *world.World, argv []string) *messages {
	m := &messages{out: w.Stderr, name: p.Name, ripgrep: p.Ripgrep, implied: p.Walk.Implied, Messages: p.Messages}
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
	if m.ripgrep {
		text = lossy(text)
	} else {
		// A message may have several lines, but not one that begins like the next.
		text = strings.ReplaceAll(m.typed.Replace(text), "\n"+m.name+":", `\n`+m.name+":")
	}
	fmt.Fprintf(m.out, "%s: %s%s\n", m.name, label, text)
}

// path is a path as messages show it.
func (m *messages) path(path string) string {
	switch {
	case m.ripgrep:
		return lossy(path)
	case path == "":
		return "''"
	}
	return escape.Name(path)
}

// walked is a path that the walk has come to. ripgrep's calls the working directory
// by its name even where results do not.
func (m *messages) walked(path string) string {
	if m.ripgrep && m.implied && !filepath.IsAbs(path) {
		path = "./" + strings.TrimPrefix(path, "./")
	}
	return m.path(path)
}

// ignoreRule reports a malformed rule of a file that was named.
func (m *messages) ignoreRule(err error) { m.rule(err, m.path) }

// walkedRule reports a malformed rule of a file that the walk has come to.
func (m *messages) walkedRule(err error) { m.rule(err, m.walked) }

func (m *messages) rule(err error, shown func(string) string) {
	if m.QuietIgnore {
		return
	}
	if e, ok := errors.AsType[*ignore.LineError](err); ok {
		line := *e
		line.Source = shown(e.Source)
		line.Glob = lossy(e.Glob)
		err = &line
	}
	m.print(err.Error())
}

// failed reports a path that could not be read.
func (m *messages) failed(e *walk.Error) {
	path, text := string(e.Path), errorText(e.Err)
	rules, ofRules := errors.AsType[*ignore.ReadError](e.Err)
	switch {
	case ofRules && (m.QuietIgnore || m.ripgrep && !rules.Common):
		return
	case ofRules && m.ripgrep && errors.Is(e.Err, unix.EISDIR):
		text = "line 1: " + text // where ripgrep was reading
	}
	if e.Op == walk.OpConfig {
		return // it was said before all else
	}
	if loop, ok := errors.AsType[*walk.LoopError](e.Err); ok {
		m.print(loopText(m.walked(path), m.walked(string(loop.Ancestor))))
		return
	}
	shown := m.path(path)
	switch e.Op {
	case walk.OpList, walk.OpStat, walk.OpFollow:
		shown = m.walked(path)
		if m.Serial {
			text = "IO error for operation on " + shown + ": " + text
		}
	}
	m.print(shown + ": " + text)
}

// loopText words a loop as ripgrep does.
func loopText(path, ancestor string) string {
	return fmt.Sprintf("File system loop found: %s %v", path, &walk.LoopError{Ancestor: walk.Displayed(ancestor)})
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

// lossy returns a text with U+FFFD for what is not UTF-8, as Rust's standard library
// displays a path.
func lossy(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			n, _ = decode.Subpart(s)
		}
		b.WriteRune(r)
		s = s[n:]
	}
	return b.String()
}
