package run_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"tally/semantic/chunk"
	"tally/semantic/store"
	"tally/testdata/vault"
)

func TestMain(m *testing.M) {
	testscript.Main(builder{m}, map[string]func(){
		"checked":   checked,
		"asuser":    asUser,
		"detached":  detached,
		"fakellama": fakeLlama,
		"fakemodel": fakeModel,
	})
}

// A builder builds the program before its tests run.
type builder struct{ *testing.M }

func (b builder) Run() int {
	dir, err := os.MkdirTemp("", "tally-test")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	if err := buildProgram(dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	os.Setenv("PATH", filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
	return b.M.Run()
}

// buildProgram puts the program into dir/real under both of its names, and into
// dir/bin what starts it: directly, or, where the environment of a script names
// a schema, through what holds its JSON against that.
func buildProgram(dir string) error {
	realDir, bin := filepath.Join(dir, "real"), filepath.Join(dir, "bin")
	for _, d := range []string{dir, realDir, bin} {
		if err := errors.Join(os.MkdirAll(d, 0o755), os.Chmod(d, 0o755)); err != nil {
			return err
		}
	}
	args := []string{"build", "-tags", "urfave_cli_no_docs", "-o", filepath.Join(realDir, "tally")}
	if raceEnabled {
		args = append(args, "-race")
	}
	cmd := exec.Command("go", append(args, "tally")...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("building the program: %w\n%s", err, out)
	}
	if err := os.Link(filepath.Join(realDir, "tally"), filepath.Join(realDir, "rg")); err != nil {
		return err
	}
	for _, name := range []string{"tally", "rg"} {
		path := filepath.Join(realDir, name)
		script := "#!/bin/sh\ncase \" $* \" in\n*' --json '*) if [ -n \"$" + schemaVariable + "\" ]; then exec checked " + path + " \"$@\"; fi ;;\nesac\n" +
			"exec " + path + " \"$@\"\n"
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o755); err != nil {
			return err
		}
	}
	return nil
}

// detached runs a command whose standard input is the null device.
func detached() {
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	err := cmd.Run()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		fmt.Fprintln(os.Stderr, "detached:", err)
	}
	os.Exit(cmd.ProcessState.ExitCode())
}

// TestScripts runs whole command lines. In addition to testscript's own
// commands a script has:
//
//	exits N COMMAND...   run it; its exit code must be N exactly
//	same N COMMAND...    run it N times; every output and exit code is the same
//	pages N COMMAND...   run it whole, and by --offset in pages of --limit N:
//	                     the pages joined are the whole
//	lines N FILE         FILE (or stdout, stderr) has N lines
//	digest NAME          set NAME to the digest in the JSON on standard output
//	repeat N TEXT FILE   append TEXT to FILE N times, as lines
//	bytes TEXT FILE      write FILE with TEXT, whose escapes are Go's
//	vectors N CHUNKER    put N vectors into the cache of $XDG_CACHE_HOME, for
//	                     texts that were cut by that version or, if it is 0, by ours
//	plain ARGUMENTS...   tally prints the same with --meaning and without, but
//	                     for the summary; after ! it does not
//	await FILE           wait until there is such a file
//	asuser COMMAND...    (after exits or exec) run it as an ordinary user
//	detached COMMAND...  (after exits or exec) run it with an empty standard
//	                     input that is no pipe, so that it is not searched
//
// and, in $VAULT, the notes that tally/testdata/vault writes.
func TestScripts(t *testing.T) {
	notes := filepath.Join(t.TempDir(), "vault")
	if err := vault.Generate(notes); err != nil {
		t.Fatal(err)
	}
	openUp(t, filepath.Dir(notes), filepath.Dir(filepath.Dir(notes)))
	schema, err := filepath.Abs(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	// The directories that testscript makes for its programs.
	fake, err := exec.LookPath("fakellama")
	if err != nil {
		t.Fatal(err)
	}
	openUp(t, filepath.Dir(fake), filepath.Dir(filepath.Dir(fake)))
	testscript.Run(t, testscript.Params{
		Dir: "../testdata/script",
		Setup: func(e *testscript.Env) error {
			openUp(t, filepath.Dir(e.WorkDir))
			e.Setenv("VAULT", notes)
			e.Setenv(schemaVariable, schema)
			e.Setenv("FAKELLAMA", fake)
			e.Setenv("GORACE", os.Getenv("GORACE"))
			for _, name := range realModels {
				e.Setenv(name, os.Getenv(name))
			}
			return nil
		},
		Condition: func(name string) (bool, error) { return hasModel(name) },
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"same":   same,
			"pages":  pages,
			"lines":  lines,
			"digest": digest,
			"repeat": repeat,
			"bytes":  writeBytes,
			"plain":  plain,
			"await":  await,

			"vectors": putVectors,
		},
		RequireUniqueNames: true,
	})
}

// realModels are the variables that name a llama-server and weights of models.
var realModels = []string{"TALLY_TEST_LLAMA_SERVER", "TALLY_TEST_BGE", "TALLY_TEST_MINILM"}

// hasModel reports whether there is what a script with the condition bge or
// minilm needs. Weights are another's to give, so that only who demands it
// fails for want of them.
func hasModel(name string) (bool, error) {
	variable, known := map[string]string{"bge": "TALLY_TEST_BGE", "minilm": "TALLY_TEST_MINILM"}[name]
	if !known {
		return false, fmt.Errorf("no condition is called %q", name)
	}
	for _, v := range []string{realModels[0], variable} {
		if os.Getenv(v) == "" && os.Getenv("TALLY_TEST_REQUIRE") == "1" {
			return false, fmt.Errorf("%s is not set", v)
		}
	}
	return os.Getenv(realModels[0]) != "" && os.Getenv(variable) != "", nil
}

// openUp lets an ordinary user into directories that were made for us alone.
func openUp(t *testing.T, dirs ...string) {
	if os.Geteuid() != 0 {
		return
	}
	for _, d := range dirs {
		if err := os.Chmod(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// arguments takes the leading number off a command's arguments.
func arguments(ts *testscript.TestScript, neg bool, args []string, usage string) (n int, rest []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: %s", usage)
	}
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	return n, args[1:]
}

// exitCode runs a command, whose output the script may then look at.
func exitCode(ts *testscript.TestScript, args []string) int {
	err := ts.Exec(args[0], args[1:]...)
	var exited *exec.ExitError
	if errors.As(err, &exited) {
		return exited.ExitCode()
	}
	ts.Check(err)
	return 0
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	want, args := arguments(ts, neg, args, "exits N COMMAND...")
	if got := exitCode(ts, args); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func same(ts *testscript.TestScript, neg bool, args []string) {
	n, args := arguments(ts, neg, args, "same N COMMAND...")
	var first string
	for i := range n {
		code := exitCode(ts, args)
		got := fmt.Sprintf("exit code %d\n%s\n%s", code, ts.ReadFile("stdout"), ts.ReadFile("stderr"))
		if i == 0 {
			first = got
		} else if got != first {
			ts.Fatalf("run %d differs from the first", i+1)
		}
	}
}

func pages(ts *testscript.TestScript, neg bool, args []string) {
	size, args := arguments(ts, neg, args, "pages N COMMAND...")
	exitCode(ts, args)
	whole := ts.ReadFile("stdout")
	var joined bytes.Buffer
	for offset := 0; ; offset += size {
		page := append(args[:len(args):len(args)], "--limit", strconv.Itoa(size), "--offset", strconv.Itoa(offset))
		exitCode(ts, page)
		text := ts.ReadFile("stdout")
		if text == "" {
			break
		}
		joined.WriteString(text)
		if n := strings.Count(text, "\n"); n > size {
			ts.Fatalf("the page at %d has %d lines", offset, n)
		}
	}
	if joined.String() != whole {
		ts.Fatalf("the pages hold %d bytes and the whole %d, or others", joined.Len(), len(whole))
	}
}

func lines(ts *testscript.TestScript, neg bool, args []string) {
	want, args := arguments(ts, neg, args, "lines N FILE")
	if got := strings.Count(ts.ReadFile(args[0]), "\n"); got != want {
		ts.Fatalf("%s has %d lines, want %d", args[0], got, want)
	}
}

var digestKey = regexp.MustCompile(`"result_digest":"([0-9a-f]{32})"`)

func digest(ts *testscript.TestScript, neg bool, args []string) {
	found := digestKey.FindStringSubmatch(ts.ReadFile("stdout"))
	if neg || len(args) != 1 || found == nil {
		ts.Fatalf("usage: digest NAME, after a run with --json")
	}
	ts.Setenv(args[0], found[1])
}

func repeat(ts *testscript.TestScript, neg bool, args []string) {
	n, args := arguments(ts, neg, args, "repeat N TEXT FILE")
	f, err := os.OpenFile(ts.MkAbs(args[1]), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	ts.Check(err)
	_, err = f.WriteString(strings.Repeat(args[0]+"\n", n))
	ts.Check(errors.Join(err, f.Close()))
}

// putVectors fills the cache as a search by meaning would.
func putVectors(ts *testscript.TestScript, neg bool, args []string) {
	n, args := arguments(ts, neg, args, "vectors N CHUNKER")
	version, err := strconv.Atoi(args[0])
	ts.Check(err)
	if version == 0 {
		version = chunk.Version
	}
	dir, err := store.Dir(ts.Getenv)
	ts.Check(err)
	s, err := store.Open(dir, store.Space{Name: "a model", Prefix: "ask: ", Chunker: version, Dim: 8})
	ts.Check(err)
	for i := range n {
		ts.Check(s.Put(store.KeyOf(strconv.Itoa(i)), make([]float32, 8)))
	}
	ts.Check(s.Close())
}

// summaryLine is the JSON that says how a run went, rather than what it found.
var summaryLine = regexp.MustCompile(`(?m)^{"data":{"elapsed_total".*\n|^{"type":"end".*\n`)

func plain(ts *testscript.TestScript, neg bool, args []string) {
	exitCode(ts, append([]string{"tally", "--meaning"}, args...))
	with := ts.ReadFile("stdout")
	exitCode(ts, append([]string{"tally"}, args...))
	without := ts.ReadFile("stdout")
	same := summaryLine.ReplaceAllString(with, "") == summaryLine.ReplaceAllString(without, "")
	if same == neg {
		ts.Fatalf("with --meaning\n%s\nwithout\n%s", with, without)
	}
}

func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: await FILE")
	}
	for range 1000 {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	ts.Fatalf("%s does not come", args[0])
}

// writeBytes is for what a text file cannot hold.
func writeBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: bytes TEXT FILE")
	}
	text, err := strconv.Unquote(`"` + args[0] + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o666))
}
