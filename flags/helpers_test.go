package flags

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// tool returns the path of a program that a test needs: the value of an
// environment variable. Without it the test is skipped, or fails where the whole
// set of tests is required to run.
func tool(t testing.TB, variable string) string {
	t.Helper()
	path := os.Getenv(variable)
	if path != "" {
		return path
	}
	if os.Getenv("CI") == "true" || os.Getenv("TALLY_TEST_REQUIRE") == "1" {
		t.Fatalf("%s is not set", variable)
	}
	t.Skipf("%s is not set", variable)
	return ""
}

// ripgrep runs the real one in a directory, with nothing on standard input.
func ripgrep(t testing.TB, dir string, argv ...string) (stdout, stderr string, exit int) {
	t.Helper()
	cmd := exec.Command(tool(t, "TALLY_TEST_RG"), argv...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=/usr/bin:/bin", "HOME=" + dir}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var status *exec.ExitError
	if err != nil && !errors.As(err, &status) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// fakeEnv is a world of a few variables and files; "-" is standard input, and
// a file with the content "EISDIR" is a directory.
func fakeEnv(variables, files map[string]string) Env {
	return Env{
		Getenv: func(name string) string { return variables[name] },
		ReadFile: func(path string) ([]byte, error) {
			text, exists := files[path]
			switch {
			case !exists:
				return nil, &fs.PathError{Op: "open", Path: path, Err: syscall.ENOENT}
			case text == "EISDIR":
				return nil, &fs.PathError{Op: "read", Path: path, Err: syscall.EISDIR}
			}
			return []byte(text), nil
		},
		ReadStdin: func() ([]byte, error) { return []byte(files["-"]), nil },
	}
}

// line splits a command line at spaces; ” is an empty word.
func line(text string) []string {
	words := strings.Fields(text)
	for i, word := range words {
		if word == "''" {
			words[i] = ""
		}
	}
	return words
}

func mustParse(t *testing.T, text string) *Args {
	t.Helper()
	args, err := Parse(line(text), Env{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return args
}
