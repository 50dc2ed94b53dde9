// Package world is what a run may touch: its streams, its environment and its
// working directory, as values. A program makes one of its own process; a server
// makes one for each request. Beside it a run reads the file system, starts the
// programs that its flags and its environment name, and, for --meaning, writes the
// cache of vectors and a directory for the server; nothing else.
package world

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// A World holds the surroundings of one run.
type World struct {
	// Stdin may be nil: there is nothing to read then. What is not an
	// [*os.File] was put there to be read.
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Environ is the environment, as [os.Environ] has it.
	Environ []string
	// Descriptor returns what the caller has opened as the file descriptor n, nil for
	// nothing. It may be nil itself: there are no such files then.
	Descriptor func(n int) io.Writer
	// Dir is the working directory, an absolute path. It is empty for the
	// process's own, relative to which paths are then opened as they are.
	Dir string
	// Clock tells the time; nil for the system's.
	Clock func() time.Time
}

// LookupEnv returns a variable of the environment, and whether it is set. Of
// several with one name the last counts, as for a program that is started.
func (w *World) LookupEnv(name string) (string, bool) {
	for i := len(w.Environ) - 1; i >= 0; i-- {
		if value, ok := strings.CutPrefix(w.Environ[i], name); ok && strings.HasPrefix(value, "=") {
			return value[1:], true
		}
	}
	return "", false
}

// Getenv returns a variable of the environment, "" if it is not set.
func (w *World) Getenv(name string) string {
	value, _ := w.LookupEnv(name)
	return value
}

// Cwd returns the working directory as an absolute path. One that has been removed
// is still called by the name that it had: what is given by an absolute path can
// be searched from there, and as for ripgrep the shell knows that name.
func (w *World) Cwd() (string, error) {
	if w.Dir != "" {
		return w.Dir, nil
	}
	dir, err := os.Getwd()
	if err == nil {
		return dir, nil
	}
	if name := w.Getenv("PWD"); filepath.IsAbs(name) {
		return name, nil
	}
	return "", fmt.Errorf("failed to get current working directory: %s\ndid your CWD get deleted?", ErrorText(err))
}

// Path returns the path by which the system finds what the run calls path.
func (w *World) Path(path string) string {
	if w.Dir == "" || path == "" || filepath.IsAbs(path) {
		return path
	}
	return strings.TrimSuffix(w.Dir, "/") + "/" + path
}

// Open opens a file for reading. Its error names the path as given.
func (w *World) Open(path string) (*os.File, error) {
	file, err := os.Open(w.Path(path))
	return file, named(err, path)
}

// ReadFile reads a file whole. Its error names the path as given.
func (w *World) ReadFile(path string) ([]byte, error) {
	data, err := os.ReadFile(w.Path(path))
	return data, named(err, path)
}

// Stat describes what a path leads to. Its error names the path as given.
func (w *World) Stat(path string) (fs.FileInfo, error) {
	info, err := os.Stat(w.Path(path))
	return info, named(err, path)
}

func named(err error, path string) error {
	var failed *fs.PathError
	if errors.As(err, &failed) {
		failed.Path = path
	}
	return err
}

// ReadStdin reads standard input to its end.
func (w *World) ReadStdin() ([]byte, error) {
	if w.Stdin == nil {
		return nil, nil
	}
	return io.ReadAll(w.Stdin)
}

// StdinReadable reports whether standard input is something that was put there
// to be read: a file, a pipe, a socket, or a reader of the caller's own.
func (w *World) StdinReadable() bool {
	file, ok := w.Stdin.(*os.File)
	if !ok {
		return w.Stdin != nil
	}
	var st unix.Stat_t
	if unix.Fstat(int(file.Fd()), &st) != nil {
		return false
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG, unix.S_IFIFO, unix.S_IFSOCK:
		return true
	}
	return false
}

// OutputFile returns standard output if it is a file that the system knows, nil
// otherwise.
func (w *World) OutputFile() *os.File {
	file, _ := w.Stdout.(*os.File)
	return file
}

// Output returns the stream that a file descriptor stands for.
func (w *World) Output(n int) (io.Writer, error) {
	switch {
	case n == 1:
		return w.Stdout, nil
	case n == 2:
		return w.Stderr, nil
	case n > 2 && w.Descriptor != nil:
		if out := w.Descriptor(n); out != nil {
			return out, nil
		}
	}
	return nil, fmt.Errorf("the file descriptor %d is not open for writing; a shell opens it with %d>FILE", n, n)
}

// IsTerminal reports whether a stream is a terminal.
func IsTerminal(stream any) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	_, err := unix.IoctlGetTermios(int(file.Fd()), ioctlGetTermios)
	return err == nil
}

// IsPipe reports whether a stream is a pipe.
func IsPipe(stream any) bool {
	file, ok := stream.(*os.File)
	if !ok {
		return false
	}
	var st unix.Stat_t
	return unix.Fstat(int(file.Fd()), &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFIFO
}

// Hostname returns what a command prints or, without one or where it prints
// nothing of use, the system's own name; "" if there is none.
func (w *World) Hostname(command string) string {
	if command != "" {
		cmd := exec.Command(w.Program(command))
		cmd.Dir, cmd.Env = w.Dir, w.Environ
		out, err := cmd.Output()
		if name := strings.TrimSpace(string(out)); err == nil && name != "" && utf8.ValidString(name) {
			return name
		}
	}
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}

// Program returns the path of the program that a command names, by its path or
// to be found in PATH; the name itself where it is not found. What is found by
// way of a relative directory in PATH is what the user has asked for.
func (w *World) Program(command string) string {
	if strings.Contains(command, "/") {
		return w.Path(command)
	}
	for _, dir := range filepath.SplitList(w.Getenv("PATH")) {
		if dir == "" {
			dir = "."
		}
		if path, err := exec.LookPath(w.Path(dir) + "/" + command); err == nil {
			return path
		}
	}
	return command
}
