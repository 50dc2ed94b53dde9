package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

// extra is what is measured besides the table: how tally scales, which system
// calls it makes, and what it needs at most.
type extra struct {
	paths, trees map[string]*string
	strace       string
	rounds       int
	scale        float64 // of the derived trees
}

// sections are the parts, by the name that -only selects them by.
func (e *extra) sections() []section {
	return []section{{"first", e.first}, {"scaling", e.scaling}, {"calls", e.calls}, {"memory", e.memory}}
}

type section struct {
	name  string
	write func(io.Writer) error
}

// scaling compares numbers of threads, as far as the machine has cores.
func (e *extra) scaling(w io.Writer) error {
	fmt.Fprint(w, `
## Threads

linux: rare literal, -n, with -j; a machine shows no more than it has cores.

| threads | tally | to rg with as many | to one thread |
|---|---|---|---|
`)
	var single float64
	for n := 1; n <= 8 && n <= runtime.NumCPU(); n *= 2 {
		j := "-j" + strconv.Itoa(n)
		b := bench{row: row{tree: "linux", args: unsorted(j, "-n", "PM_RESUME")}, dir: *e.trees["linux"], paths: e.paths}
		if err := b.measure(e.rounds); err != nil {
			return err
		}
		wall := median(walls(b.runs[tally]))
		if single == 0 {
			single = wall
		}
		fmt.Fprintf(w, "| %d | %s | %s | %.2f |\n", n, milliseconds(wall), b.ratio(rg), wall/single)
	}
	return nil
}

// calls counts the system calls of one search for each file and directory.
func (e *extra) calls(w io.Writer) error {
	fmt.Fprint(w, "\n## System calls\n\nlinux: rare literal, -c.\n\n")
	if e.strace == "" {
		fmt.Fprintln(w, "Not counted: strace was not found.")
		return nil
	}
	dir := *e.trees["linux"]
	list, err := e.files(dir)
	if err != nil {
		return err
	}
	files, dirs := bytes.Count(list, []byte{0}), directories(list)
	fmt.Fprintf(w, "%d files in %d directories.\n\n| call | tally | for each file | rg | for each file |\n|---|---|---|---|---|\n", files, dirs)
	ours, err := e.count(dir, tally, "--regex")
	if err != nil {
		return err
	}
	theirs, err := e.count(dir, rg)
	if err != nil {
		return err
	}
	for _, call := range []string{"openat", "read", "close", "getdents64", "statx", "fstat", "lseek", "ioctl", "readlink", "mmap", "munmap", "futex", "all"} {
		if ours[call]+theirs[call] == 0 {
			continue
		}
		per := func(n int) string { return fmt.Sprintf("%.2f", float64(n)/float64(files)) }
		fmt.Fprintf(w, "| %s | %d | %s | %d | %s |\n", call, ours[call], per(ours[call]), theirs[call], per(theirs[call]))
	}
	return nil
}

// count runs a search under strace.
func (e *extra) count(dir, program string, args ...string) (map[string]int, error) {
	table, err := os.CreateTemp("", "calls")
	if err != nil {
		return nil, err
	}
	defer os.Remove(table.Name())
	defer table.Close()
	cmd := exec.Command(e.strace, append([]string{"-f", "-c", "-U", "name,calls", "-o", table.Name(), *e.paths[program]},
		append(args, "-c", "PM_RESUME", ".")...)...)
	cmd.Dir = dir
	if _, err := once(cmd, io.Discard); err != nil {
		return nil, fmt.Errorf("strace: %w", err)
	}
	text, err := io.ReadAll(table)
	if err != nil {
		return nil, err
	}
	calls := map[string]int{}
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) != 2 {
			continue
		}
		if n, err := strconv.Atoi(f[1]); err == nil {
			name := f[0]
			if name == "total" {
				name = "all"
			}
			calls[name] = n
		}
	}
	return calls, nil
}

// files lists the files that tally searches in dir, NUL-terminated.
func (e *extra) files(dir string) ([]byte, error) {
	cmd := exec.Command(*e.paths[tally], "--files", "-0")
	cmd.Dir = dir
	return cmd.Output()
}

// directories counts the directories that hold listed files.
func directories(list []byte) int {
	seen := map[string]bool{}
	for name := range bytes.SplitSeq(list, []byte{0}) {
		seen[filepath.Dir(string(name))] = true
	}
	return len(seen)
}

// floored are the trees that the floor is measured on.
var floored = []string{"linux", "tldr"}

// lists are the files of trees, for the floor.
type lists struct {
	dir string
	of  map[string]string // by tree, the file that lists them
}

// lists writes the lists that the rows to run need.
func (e *extra) lists(only string) (*lists, error) {
	dir, err := os.MkdirTemp("", "floor")
	if err != nil {
		return nil, err
	}
	l := &lists{dir, map[string]string{}}
	for _, tree := range floored {
		wanted := slices.ContainsFunc(rows, func(r row) bool {
			return r.tree == tree && strings.Contains(r.tree+" "+r.name, only)
		})
		if !wanted || *e.trees[tree] == "" || *e.paths[floor] == "" {
			continue
		}
		list, err := e.files(*e.trees[tree])
		if err != nil {
			return l, err
		}
		l.of[tree] = filepath.Join(dir, tree)
		if err := os.WriteFile(l.of[tree], list, 0o666); err != nil {
			return l, err
		}
	}
	return l, nil
}

func (l *lists) remove() { os.RemoveAll(l.dir) }
