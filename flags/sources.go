package flags

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"
	"unicode/utf8"
)

// A patternSource is one -e or -f.
type patternSource struct {
	text string // the pattern, or the path of a file of patterns
	file bool
}

// resolvePatterns divides what was typed into patterns and paths, and reads
// files of patterns.
func (a *Args) resolvePatterns(env Env) error {
	a.Paths = a.positional
	if !a.Mode.Searches() || a.Inspect != NoInspect {
		return nil // -e and -f mean nothing then, and are not read
	}
	if len(a.sources) == 0 {
		if len(a.positional) == 0 {
			return a.noPattern()
		}
		pattern := a.positional[0]
		if !utf8.ValidString(pattern) {
			return errors.New("pattern given is not valid UTF-8")
		}
		a.Patterns, a.Paths = []string{pattern}, a.positional[1:]
		return nil
	}
	seen := make(map[string]bool)
	for _, source := range a.sources {
		patterns, err := a.patternsOf(source, env)
		if err != nil {
			return err
		}
		for _, pattern := range patterns {
			if !seen[pattern] {
				seen[pattern] = true
				a.Patterns = append(a.Patterns, pattern)
			}
		}
	}
	for _, path := range a.Paths {
		if path == "-" && a.StdinConsumed {
			return errors.New("error: attempted to read patterns from stdin while also searching stdin")
		}
	}
	return nil
}

func (a *Args) noPattern() error {
	if a.Program == Ripgrep {
		return errors.New("ripgrep requires at least one pattern to execute a search")
	}
	return errors.New("tally requires at least one pattern to execute a search: tally PATTERN [PATH...], or see tally -h")
}

func (a *Args) patternsOf(source patternSource, env Env) ([]string, error) {
	if !source.file {
		return []string{source.text}, nil
	}
	if source.text != "-" {
		data, err := readFile(env, source.text)
		if err != nil {
			return nil, err
		}
		return patternLines(source.text, data)
	}
	if a.StdinConsumed {
		return nil, errors.New("error reading -f/--file from stdin: stdin has already been consumed")
	}
	a.StdinConsumed = true
	if env.ReadStdin == nil {
		return nil, fmt.Errorf("<stdin>:%w", fs.ErrInvalid)
	}
	data, err := env.ReadStdin()
	if err != nil {
		return nil, fmt.Errorf("<stdin>:%s", reason(err))
	}
	return patternLines("<stdin>", data)
}

// patternLines splits a file into patterns, one for each line. A line ends in
// \n or \r\n (a \r before the end of the file is part of the last line); after the
// last end there is no line.
func patternLines(name string, data []byte) ([]string, error) {
	var patterns []string
	for number := 1; len(data) > 0; number++ {
		line, rest, ended := bytes.Cut(data, []byte("\n"))
		if ended {
			line = bytes.TrimSuffix(line, []byte("\r"))
		}
		data = rest
		if valid := validPrefix(line); valid < len(line) {
			return nil, fmt.Errorf("%s:%d: found invalid UTF-8 in pattern at byte offset %d: %s "+
				`(disable Unicode mode and use hex escape sequences to match arbitrary bytes in a pattern, e.g., '(?-u)\xFF')`,
				name, number, valid, escaped(line))
		}
		patterns = append(patterns, string(line))
	}
	return patterns, nil
}

// validPrefix returns the number of bytes before the first that is no UTF-8.
func validPrefix(b []byte) int {
	valid := 0
	for valid < len(b) {
		r, width := utf8.DecodeRune(b[valid:])
		if r == utf8.RuneError && width == 1 {
			break
		}
		valid += width
	}
	return valid
}

// escaped shows bytes on one line: \xHH for what is no UTF-8, a space or not
// printable ASCII; characters beyond ASCII stay.
func escaped(b []byte) string {
	var out strings.Builder
	for len(b) > 0 {
		r, width := utf8.DecodeRune(b)
		letter, named := quotes[r]
		switch {
		case named && r != '"':
			out.WriteString(letter)
		case r <= ' ' || r == 0x7f || r == utf8.RuneError && width == 1:
			fmt.Fprintf(&out, `\x%02X`, b[0])
		default:
			out.WriteRune(r)
		}
		b = b[width:]
	}
	return out.String()
}

// configArgs returns the arguments in the configuration file that the
// environment names, if it does: one for each line, without surrounding white
// space; empty lines and those that begin with # do not count. A file that
// cannot be read is a failure.
func configArgs(program Program, env Env) (typed []string, failure *FileError) {
	if env.Getenv == nil {
		return nil, nil
	}
	variable := program.ConfigVariable()
	path := env.Getenv(variable)
	if path == "" {
		return nil, nil
	}
	data, err := readFile(env, path)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if len(line) > 0 && line[0] != '#' {
			typed = append(typed, string(line))
		}
	}
	return typed, nil
}

// A FileError is a file that could not be opened or, though opened, be read.
type FileError struct {
	Path   string
	reason string
	opened bool
}

// Error is what is said of a file of patterns.
func (e *FileError) Error() string {
	if e.opened {
		return e.Path + ":" + e.reason
	}
	return e.Path + ": " + e.reason
}

// inConfig is what is said of a configuration file.
func (e *FileError) inConfig() string {
	if e.opened {
		return e.reason
	}
	return e.Error()
}

func readFile(env Env, path string) ([]byte, *FileError) {
	if env.ReadFile == nil {
		return nil, &FileError{Path: path, reason: fs.ErrInvalid.Error()}
	}
	data, err := env.ReadFile(path)
	if err == nil {
		return data, nil
	}
	var pathErr *fs.PathError
	opened := errors.As(err, &pathErr) && pathErr.Op == "read"
	return nil, &FileError{Path: path, reason: reason(err), opened: opened}
}

// reason words the cause of a system error as ripgrep does: "No such file or
// directory (os error 2)".
func reason(err error) string {
	var errno syscall.Errno
	if !errors.As(err, &errno) {
		return err.Error()
	}
	text := errno.Error()
	return strings.ToUpper(text[:1]) + text[1:] + fmt.Sprintf(" (os error %d)", int(errno))
}
