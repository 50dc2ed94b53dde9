package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// A strain is work that a program could need any amount of memory for.
type strain struct {
	name string
	tree string
	args func(scale float64) []string // as ripgrep's
	slow bool                         // the reader is
}

func always(args ...string) func(float64) []string {
	return func(float64) []string { return args }
}

// strains are the cases whose memory is bounded whatever their size.
var strains = []strain{
	{"10 GB of output into a slow reader", "linux", allLines, true},
	{"one file of 1 GiB, a million small ones behind it", "crowd", always("-n", "PM_RESUME"), false},
	{"a directory of a million names, searched", "crowd", always("-c", "PM_RESUME", "names"), false},
	{"a directory of a million names, --files", "crowd", always("--files", "names"), false},
	{"a million matches in one file, -n", "matches", always("-n", "needle", "text"), false},
	{"a million matches in one file, --json", "matches", always("--json", "needle", "text"), false},
	{"one line of a million matches, -o", "matches", always("-o", "needle", "line"), false},
}

// allLines selects every line of the Linux tree eight times, which is 10 GB.
func allLines(scale float64) []string {
	args := []string{""}
	for range max(1, int(8*scale)) {
		args = append(args, ".")
	}
	return args
}

// crowd writes one large file and, behind it in path order, a million names. They
// are links to a few files, since it is names that take memory.
func crowd(dir, linux string, scale float64) error {
	if err := bigFile(dir, linux, scale); err != nil {
		return err
	}
	names := filepath.Join(dir, "names")
	if err := os.Mkdir(names, 0o777); err != nil {
		return err
	}
	const linksOfOne = 50_000 // ext4 allows 65,000
	var first string
	for i := range int(1e6 * scale) {
		path := filepath.Join(names, fmt.Sprintf("note-%07d.md", i))
		if i%linksOfOne == 0 {
			first = path
			if err := os.WriteFile(path, []byte("# A note\n\nabout PM_RESUME\n"), 0o666); err != nil {
				return err
			}
			continue
		}
		if err := os.Link(first, path); err != nil {
			return err
		}
	}
	return nil
}

// manyMatches writes a text of which every line matches, and one line with as many matches.
func manyMatches(dir, _ string, scale float64) error {
	n := int(1e6 * scale)
	if err := os.WriteFile(filepath.Join(dir, "text"), bytes.Repeat([]byte("a needle in a line\n"), n), 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "line"), append(bytes.Repeat([]byte("needle "), n), '\n'), 0o666)
}

// memory writes the table of peaks.
func (e *extra) memory(w io.Writer) error {
	fmt.Fprint(w, `
## Memory

Largest resident set of one run each. The slow reader takes 200 MB a second.

| work | tally | rg | time: tally | time: rg |
|---|---|---|---|---|
`)
	for _, s := range strains {
		dir := *e.trees[s.tree]
		if dir == "" {
			fmt.Fprintf(w, "| %s | not run: no tree to make it of |\n", s.name)
			continue
		}
		fmt.Fprintf(os.Stderr, "bench: memory: %s\n", s.name)
		cells := []string{s.name}
		var times []string
		for _, p := range []string{tally, rg} {
			args := s.args(e.scale)
			if p == tally {
				args = append([]string{"--regex"}, args...)
			}
			cmd := exec.Command(*e.paths[p], args...)
			if p == tally {
				cmd.Args[0] = "tally"
			}
			cmd.Dir = dir
			var out io.Writer = io.Discard
			if s.slow && e.scale == 1 {
				out = &slowWriter{}
			}
			one, err := once(cmd, out)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", p, s.name, err)
			}
			cells = append(cells, mebibytes([]sample{one}))
			times = append(times, fmt.Sprintf("%.2f s", one.wall.Seconds()))
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(append(cells, times...), " | "))
	}
	return nil
}

// slowWriter takes a mebibyte every 5 ms.
type slowWriter struct{ taken int }

func (s *slowWriter) Write(b []byte) (int, error) {
	for s.taken += len(b); s.taken >= 1<<20; s.taken -= 1 << 20 {
		time.Sleep(5 * time.Millisecond)
	}
	return len(b), nil
}
