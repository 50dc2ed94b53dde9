package input

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
	"tally/run/world"
	"tally/walk/glob"
)

// selected reports whether the globs of --pre-glob select a path.
func (in *Input) selected(path []byte) bool {
	dir, name := filepath.Split(string(path))
	if rel, err := filepath.Rel(in.cfg.Cwd, dir); err == nil && filepath.IsAbs(dir) {
		dir = rel
	}
	dir = strings.TrimPrefix(strings.TrimSuffix(dir, "/"), "./")
	if dir == "." {
		dir = ""
	}
	_, verdict := in.cfg.PreGlobs.Match(dir, name, false)
	return verdict != glob.Ignore
}

// start runs the program on the file at path.
func (in *Input) start(path string) (*call, error) {
	file, err := inTime(in.stop, func() (*os.File, error) { return in.w.Open(path) }, func(f *os.File) { f.Close() })
	if err != nil {
		return nil, err
	}
	c := &call{file: file, text: quoted(in.cfg.Pre) + " " + quoted(path)}
	if c.run, err = in.pre.Start(path, file); err != nil {
		file.Close()
		if in.stopped() {
			return nil, match.ErrStopped
		}
		return nil, fmt.Errorf("preprocessor command could not start: '%s': %s", c.text, world.ErrorText(err))
	}
	return c, nil
}

// Read reads what the program prints. An error names the program.
func (c *call) Read(b []byte) (int, error) {
	n, err := c.run.Read(b)
	if err != nil && err != io.EOF {
		err = fmt.Errorf("preprocessor command failed: '%s': %s", c.text, complaint(err))
	}
	return n, err
}

func (c *call) close() error {
	err := c.run.Close()
	c.file.Close()
	if err != nil {
		return errors.New(complaint(err))
	}
	return nil
}

// complaint words why a program failed, as ripgrep does.
func complaint(err error) string {
	var failure *preprocess.Failure
	switch {
	case !errors.As(err, &failure):
		return world.ErrorText(err)
	case len(failure.Stderr) == 0:
		return "<stderr is empty>"
	}
	line := strings.Repeat("-", 79)
	return "\n" + line + "\n" + strings.ToValidUTF8(string(failure.Stderr), "\uFFFD") + "\n" + line
}

// quoted quotes a word of a command line as ripgrep does.
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
