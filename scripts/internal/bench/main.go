// Command bench measures tally against other programs: whole processes, in
// turn, on trees of real files, with their output read from a pipe as a caller
// reads it. It must not know how any of them works.
//
// Every round runs each program once, so that a machine that slows down or
// speeds up does so for all. A ratio is tally's time divided by the peer's in
// the same round; the median over the rounds is printed, with the quartiles
// beside it.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

func main() { os.Exit(run()) }

// quickScale is the size of the derived trees where it does not matter.
const quickScale = 0.01

func run() int {
	paths := map[string]*string{
		tally: flag.String("tally", "", "the `program` under test"),
		rg:    flag.String("rg", "", "the real ripgrep"),
		ugrep: flag.String("ugrep", "", "ugrep, if it is there"),
		grep:  flag.String("grep", "", "GNU grep, if it is there"),
		floor: flag.String("floor", "", "the program that only reads"),
	}
	paths[rgSorted], paths[plain] = paths[rg], paths[tally]
	trees := map[string]*string{
		"linux": flag.String("linux", "", "a Linux source `tree`"),
		"tldr":  flag.String("tldr", "", "the tldr `notes`"),
		"vault": flag.String("vault", "", "the `notes` that testdata/vault makes"),
	}
	strace := flag.String("strace", "", "strace, if it is there")
	cache := flag.String("cache", "", "a `directory` for trees that are made of the Linux tree")
	rounds := flag.Int("rounds", 11, "how often each program is run")
	deriveOnly := flag.Bool("derive", false, "make the derived trees and end; the program calls itself so")
	quick := flag.Bool("quick", false, "only show that it runs: one round, on a small tree in place of a missing one")
	only := flag.String("only", "", "run only the rows whose tree and name contain this `text`")
	write := flag.String("write", "", "write the report to this `file` too")
	flag.Parse()
	if *paths[tally] == "" || *paths[rg] == "" || flag.NArg() > 0 {
		flag.Usage()
		return 2
	}
	if *quick {
		*rounds = 1
		dir, err := smallTree()
		if err != nil {
			return fail(err)
		}
		defer os.RemoveAll(dir)
		for _, tree := range trees {
			*tree = dir
		}
	}

	if *deriveOnly {
		return report(deriveAll(*trees["linux"], *cache, *only, 1))
	}
	if err := findDerived(trees, *cache, *only, *quick); err != nil {
		return fail(err)
	}

	e := &extra{paths: paths, trees: trees, strace: *strace, rounds: *rounds, scale: 1}
	if *quick {
		e.scale = quickScale
	}
	lists, err := e.lists(*only)
	if err != nil {
		return fail(err)
	}
	defer lists.remove()

	var table bytes.Buffer
	heading(&table, *rounds, paths)
	ran, wrong, err := e.measureRows(&table, lists, *only)
	if err != nil {
		return fail(err)
	}
	for _, s := range e.sections() {
		if !strings.Contains(s.name, *only) {
			continue
		}
		if err := s.write(&table); err != nil {
			return fail(err)
		}
		ran++
	}
	return publish(table.Bytes(), *quick, *write, ran, wrong)
}

// publish prints the table, and writes it to a file if there is a name for one.
func publish(table []byte, quick bool, write string, ran, wrong int) int {
	if quick {
		// One round says nothing about speed, and is not to be quoted.
		fmt.Printf("bench: %d rows ran, %d gave a wrong answer\n", ran, wrong)
	}
	if !quick || wrong > 0 {
		os.Stdout.Write(table)
	}
	if write != "" {
		if err := os.WriteFile(write, table, 0o666); err != nil {
			return fail(err)
		}
	}
	if wrong > 0 || ran == 0 {
		return 1
	}
	return 0
}

// measureRows runs the rows that contain a text, and counts those that ran and
// those that gave a wrong answer.
func (e *extra) measureRows(table *bytes.Buffer, lists *lists, only string) (ran, wrong int, err error) {
	for _, r := range rows {
		if !strings.Contains(r.tree+" "+r.name, only) {
			continue
		}
		if *e.trees[r.tree] == "" {
			fmt.Fprintf(table, "| %s: %s | not run: the tree was not found |\n", r.tree, r.name)
			continue
		}
		b := bench{row: r.withFloor(lists.of[r.tree]), dir: *e.trees[r.tree], paths: e.paths}
		fmt.Fprintf(os.Stderr, "bench: %s: %s\n", r.tree, r.name)
		if err := b.check(); err != nil {
			fmt.Fprintf(table, "| %s: %s | WRONG: %v |\n", r.tree, r.name, err)
			wrong++
			continue
		}
		if err := b.measure(e.rounds); err != nil {
			return ran, wrong, err
		}
		b.print(table)
		ran++
	}
	return ran, wrong, nil
}

// findDerived adds the derived trees that the rows to run need. They are made
// by another process, since what this one has once held is counted into the
// peaks of those that it starts.
func findDerived(trees map[string]*string, cache, only string, quick bool) error {
	linux := *trees["linux"]
	switch {
	case quick:
		cache = filepath.Join(linux, ".derived")
		if err := deriveAll(linux, cache, only, quickScale); err != nil {
			return err
		}
	case linux != "" && cache != "":
		self, err := os.Executable()
		if err != nil {
			return err
		}
		cmd := exec.Command(self, append([]string{"-derive"}, os.Args[1:]...)...)
		cmd.Stderr = os.Stderr
		if err := cmd.Run(); err != nil {
			return err
		}
	}
	for name := range derived {
		dir := filepath.Join(cache, name)
		if _, err := os.Stat(dir); err != nil {
			dir = ""
		}
		trees[name] = &dir
	}
	return nil
}

// deriveAll makes the derived trees that the rows to run need.
func deriveAll(linux, cache, only string, scale float64) error {
	wanted := map[string]bool{}
	for _, r := range rows {
		if strings.Contains(r.tree+" "+r.name, only) {
			wanted[r.tree] = true
		}
	}
	if strings.Contains("memory", only) {
		for _, s := range strains {
			wanted[s.tree] = true
		}
	}
	for tree := range derived {
		if !wanted[tree] {
			continue
		}
		if err := derive(tree, cache, linux, scale); err != nil {
			return err
		}
	}
	return nil
}

// report turns the outcome of a step into an exit code.
func report(err error) int {
	if err != nil {
		return fail(err)
	}
	return 0
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, "bench:", err)
	return 2
}
