package main

import (
	"fmt"
	"os"
	"strings"

	"tally/flags"
	"tally/match"
	"tally/walk"
)

// debug tells of a decision, if --debug or --trace asks for that.
func (m *messages) debug(format string, values ...any) {
	m.log(flags.LogDebug, "debug", format, values)
}

// trace tells what becomes of each file, if --trace asks for that.
func (m *messages) trace(format string, values ...any) {
	m.log(flags.LogTrace, "trace", format, values)
}

// log prints what was asked for explicitly, so that --no-messages does not
// hide it. What workers tell comes in the order of their work.
func (m *messages) log(level flags.LogLevel, label, format string, values []any) {
	if m.level < level {
		return
	}
	text := strings.TrimSuffix(fmt.Sprintf(format, values...), "\n")
	m.mu.Lock()
	defer m.mu.Unlock()
	fmt.Fprintf(os.Stderr, "%s: %s: %s\n", m.name, label, text)
}

// debugConfig tells which configuration file was read.
func debugConfig(args *flags.Args, say *messages) {
	variable := args.Program.ConfigVariable()
	switch path := os.Getenv(variable); {
	case args.NoConfig:
		say.debug("no configuration file is read: --no-config")
	case path == "":
		say.debug("no configuration file is read: %s is not set", variable)
	default:
		say.debug("configuration file, by %s: %s", variable, path)
	}
}

// debugPlan tells what is searched, for what and how.
func (s *searcher) debugPlan() {
	s.say.debug("roots: %q", s.walk.Roots)
	s.say.debug("threads: %d", s.walk.Workers())
	if s.matcher == nil {
		return
	}
	engine := map[match.Engine]string{match.DefaultEngine: "regex", match.PCRE2Engine: "PCRE2"}[s.matcher.Engine()]
	unit := "line by line"
	if s.matcher.MultiLine() {
		unit = "each file as a whole, since a match may span lines"
	}
	s.say.debug("patterns: %q, searched by %s, %s", s.args.Patterns, engine, unit)
}

// debugRules tells of a file of ignore rules that was read.
func (m *messages) debugRules(source string, rules int) {
	m.debug("ignore rules: %d from %s", rules, source)
}

// debugSkip tells what was left out, and why.
func (v *visitor) debugSkip(k *walk.Skip) {
	if v.s.say.level >= flags.LogDebug {
		v.s.say.debug("skipped as %s", skipFinding(k).text())
	}
}

// traceOutcome tells what the search of a file found out.
func (v *visitor) traceOutcome(o *match.Outcome) {
	if v.s.say.level < flags.LogTrace {
		return
	}
	notes := []string{fmt.Sprintf("%d bytes, matching lines: %d", o.Bytes, o.Lines)}
	if o.Stopped {
		notes = append(notes, "stopped before its end")
	}
	if o.BinaryOffset >= 0 {
		notes = append(notes, fmt.Sprintf("binary: NUL at byte %d", o.BinaryOffset))
	}
	if o.Guessed {
		notes = append(notes, "UTF-16 by its look")
	}
	v.s.say.trace("searched %s: %s", v.path, strings.Join(notes, "; "))
}
