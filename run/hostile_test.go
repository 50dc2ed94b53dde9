package run_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"tally/run"
	"tally/run/world"
)

// hostile is a name that begins a line like one of ours and drives a terminal.
const hostile = "x\ntally: absent: FORGED \x1b[31m\u202e\u009b\x7f\xff"

// writeHostile makes a tree with hostile names wherever a message may name one.
func writeHostile(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Skipf("the file system takes no such name: %v", err)
		}
	}
	write(hostile+"/needle", "A needle\x1b]0;title\a\x00\n")
	write(hostile+"/.ignore", "a{b\n*.log\n")
	write(hostile+"/"+hostile+".log", "needle\n")
	write(hostile+"/.rgignore", "[z-a]\n")
	write("rules\n"+hostile, "[z-a]\n")
	write("list/"+hostile, "needle café\n")
	write(".gitignore", hostile+"\n")
	for link, target := range map[string]string{"loop": ".", "nowhere": "none" + hostile} {
		if err := os.Symlink(target, filepath.Join(dir, hostile, link+hostile)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// What is said to a person neither drives the terminal nor holds a line that
// others have written, whatever files and patterns are called.
func TestHostileNames(t *testing.T) {
	dir := writeHostile(t)
	for _, args := range [][]string{
		{"needle"},
		{"needle", hostile},
		{"needle", "missing" + hostile},
		{"-L", "needle", "."},
		{"--debug", "--trace", "needle", "."},
		{"--no-ignore", "-a", "needle", "."},
		{"NEEDLE", "."},
		{"--explain-zero=always", "Needle", "."},
		{"--explain-zero=always", "--hidden", hostile, "."},
		{"--absent", "-e", "needle", "-e", "tally\t" + hostile[2:], "."},
		{"--ignore-file", "rules\n" + hostile, "needle", "."},
		{"--ignore-file=none" + hostile, "needle", "."},
		{"-f", "none" + hostile, "."},
		{"--type=" + hostile, "needle", "."},
		{"--nope" + hostile, "needle", "."},
		{"--color=" + hostile, "needle", "."},
		{"-g", "[z-a]" + hostile, "needle", "."},
		{"--regex", "(" + hostile, "."},
		{"--pre", "none" + hostile, "needle", "."},
		{"--rank", "needle caffee", "."},
		{"--rank", "-l", "needle", "."},
		{"--fuzzy", "forget", "."},
		{"--merge-ledgers", "none" + hostile},
		{"--why", ".", hostile, hostile + "/needle", hostile + "/" + hostile + ".log", "list/" + hostile},
		{"-L", "--why", hostile + "/nowhere" + hostile},
		{"--skipped", "."},
		{"--ledger=stdout", "--count-only", "NEEDLE", "."},
	} {
		var out, said bytes.Buffer
		w := world.World{Stdout: &out, Stderr: &said, Dir: dir, Environ: []string{"XDG_CACHE_HOME=" + t.TempDir()}}
		run.New(w, append([]string{"tally"}, args...)).Run(context.Background())
		texts := []string{said.String()}
		if slices.Contains(args, "--why") || slices.Contains(args, "--skipped") || slices.Contains(args, "--ledger=stdout") {
			texts = append(texts, out.String())
		}
		for _, text := range texts {
			if strings.ContainsAny(text, "\x1b\u202e\u009b\x7f\r") || !utf8.ValidString(text) {
				t.Errorf("%q: says %q", args, text)
			}
			if strings.Contains("\n"+text, "\ntally: absent: FORGED") {
				t.Errorf("%q: has a forged line: %q", args, text)
			}
		}
	}
}

// As ripgrep the bytes of a name are those that ripgrep prints.
func TestHostileNamesAsRipgrep(t *testing.T) {
	real := realRipgrep(t)
	if real == "" {
		t.Skip("there is no ripgrep")
	}
	dir := writeHostile(t)
	for _, args := range [][]string{
		{"needle", "missing" + hostile},
		{"--no-messages", "needle", hostile},
		{"--files", "--no-ignore-messages", "."},
	} {
		var said [2]string
		for i, program := range []string{"rg", real} {
			cmd := exec.Command(program, append([]string{"--sort=path"}, args...)...)
			cmd.Dir = dir
			out, _ := cmd.CombinedOutput() // it fails where a path is missing
			said[i] = string(out)
		}
		if said[0] != said[1] {
			t.Errorf("%q: %q, ripgrep %q", args, said[0], said[1])
		}
	}
}
