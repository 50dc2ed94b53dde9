package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"tally/match"
	"tally/match/preprocess"
	"tally/walk"
	"tally/walk/glob"
)

// A preprocessor runs the program of --pre on the files that --pre-glob
// selects. A nil one runs on none.
type preprocessor struct {
	command string
	program *preprocess.Program
	globs   *glob.Override
	cwd     string
}

func newPreprocessor(command string, globs []string, cwd string) (*preprocessor, error) {
	if command == "" {
		return nil, nil
	}
	selected, err := glob.NewOverride(globs, nil, false)
	return &preprocessor{
		command: command, program: preprocess.New(command), globs: selected, cwd: cwd,
	}, err
}

// wants reports whether the program is to be run on a file.
func (p *preprocessor) wants(path []byte) bool {
	if p == nil || p.globs.Empty() {
		return p != nil
	}
	dir, name := filepath.Split(string(path))
	if rel, err := filepath.Rel(p.cwd, dir); err == nil && filepath.IsAbs(dir) {
		dir = rel
	}
	dir = strings.TrimPrefix(strings.TrimSuffix(dir, "/"), "./")
	if dir == "." {
		dir = ""
	}
	_, verdict := p.globs.Match(dir, name, false)
	return verdict != glob.Ignore
}

// killAll ends what is running.
func (p *preprocessor) killAll() {
	if p != nil {
		p.program.KillAll()
	}
}

// preprocess searches what the program makes of a file.
func (v *visitor) preprocess(f *walk.File) {
	path, pre := string(v.path), v.s.pre
	fail := func(op walk.Op, err error) {
		v.w.Fail(walk.Error{Path: walk.Displayed(path), Op: op, Err: err, Repeated: f.Repeated()})
	}
	file, err := os.Open(path)
	if err != nil {
		fail(walk.OpOpen, err)
		return
	}
	defer file.Close()
	call := quoted(pre.command) + " " + quoted(path)
	run, err := pre.program.Start(path, file)
	if err != nil {
		fail(walk.OpOpen, fmt.Errorf("preprocessor command could not start: '%s': %s", call, systemText(err)))
		return
	}
	h := match.Haystack{Reader: &preprocessed{run, call}, Stream: true}
	var w *witness
	if v.s.args.Absent {
		w, err = watchFile(func() (walk.Stamp, error) { return walk.StampOf(file) }, h.Reader)
		if err != nil {
			fail(walk.OpRead, err)
			return
		}
		h.Reader, h.Mapped = w, true
	}
	o, _ := v.search(h, f.Explicit(), f.Repeated(), w)
	if o.Lines > 0 && v.s.breakdown != nil {
		v.s.breakdown.partial.Store(true) // it looks into files themselves
	}
	if err := run.Close(); err != nil {
		fail(walk.OpPreprocess, errors.New(complaint(err)))
	}
}

// preprocessed is what a program prints, whose failure names the program.
type preprocessed struct {
	run  *preprocess.Run
	call string
}

func (p *preprocessed) Read(b []byte) (int, error) {
	n, err := p.run.Read(b)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("preprocessor command failed: '%s': %s", p.call, complaint(err))
	}
	return n, err
}

// complaint words why a program failed, as ripgrep does.
func complaint(err error) string {
	var failure *preprocess.Failure
	switch {
	case !errors.As(err, &failure):
		return systemText(err)
	case len(failure.Stderr) == 0:
		return "<stderr is empty>"
	}
	line := strings.Repeat("-", 79)
	return "\n" + line + "\n" + strings.ToValidUTF8(string(failure.Stderr), "\uFFFD") + "\n" + line
}

// quoted is how ripgrep quotes a word of a command line.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02X`, s[0])
		case r == 0:
			b.WriteString(`\0`)
		case r == '\'' || strconv.IsPrint(r) && r != '"' && r != '\\':
			b.WriteRune(r)
		case strings.ContainsRune("\"\\\n\r\t", r):
			q := strconv.QuoteRune(r)
			if r == '"' {
				q = `'\"'`
			}
			b.WriteString(q[1 : len(q)-1])
		default:
			fmt.Fprintf(&b, `\u{%x}`, r)
		}
		s = s[n:]
	}
	b.WriteByte('"')
	return b.String()
}
