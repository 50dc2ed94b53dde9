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
	"path/filepath"
	"strings"
)

func main() { os.Exit(run()) }

func run() int {
	paths := map[string]*string{
		tally: flag.String("tally", "", "the `program` under test"),
		rg:    flag.String("rg", "", "the real ripgrep"),
		ugrep: flag.String("ugrep", "", "ugrep, if it is there"),
		grep:  flag.String("grep", "", "GNU grep, if it is there"),
	}
	paths[rgSorted] = paths[rg]
	trees := map[string]*string{
		"linux": flag.String("linux", "", "a Linux source `tree`"),
		"tldr":  flag.String("tldr", "", "the tldr `notes`"),
	}
	cache := flag.String("cache", "", "a `directory` for trees that are made of the Linux tree")
	rounds := flag.Int("rounds", 11, "how often each program is run")
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

	if err := deriveAll(trees, *cache, *only, *quick); err != nil {
		return fail(err)
	}

	var report bytes.Buffer
	heading(&report, *rounds, paths)
	wrong, ran := 0, 0
	for _, r := range rows {
		if !strings.Contains(r.tree+" "+r.name, *only) {
			continue
		}
		if *trees[r.tree] == "" {
			fmt.Fprintf(&report, "| %s: %s | not run: the tree was not found |\n", r.tree, r.name)
			continue
		}
		b := bench{row: r, dir: *trees[r.tree], paths: paths}
		fmt.Fprintf(os.Stderr, "bench: %s: %s\n", r.tree, r.name)
		if err := b.check(); err != nil {
			fmt.Fprintf(&report, "| %s: %s | WRONG: %v |\n", r.tree, r.name, err)
			wrong++
			continue
		}
		if err := b.measure(*rounds); err != nil {
			return fail(err)
		}
		b.print(&report)
		ran++
	}
	if *quick {
		// One round says nothing about speed, and is not to be quoted.
		fmt.Printf("bench: %d rows ran, %d gave a wrong answer\n", ran, wrong)
		if wrong > 0 {
			os.Stdout.Write(report.Bytes())
		}
	} else {
		os.Stdout.Write(report.Bytes())
	}
	if *write != "" {
		if err := os.WriteFile(*write, report.Bytes(), 0o666); err != nil {
			return fail(err)
		}
	}
	if wrong > 0 || ran == 0 {
		return 1
	}
	return 0
}

// deriveAll adds the derived trees that the rows to run need.
func deriveAll(trees map[string]*string, cache, only string, quick bool) error {
	linux, scale := *trees["linux"], 1.0
	if quick {
		cache, scale = filepath.Join(linux, ".derived"), 0.01
	}
	for _, r := range rows {
		if derived[r.tree] == nil || trees[r.tree] != nil || !strings.Contains(r.tree+" "+r.name, only) {
			continue
		}
		dir := ""
		if linux != "" && cache != "" {
			fmt.Fprintf(os.Stderr, "bench: making the tree %s\n", r.tree)
			var err error
			if dir, err = derive(r.tree, cache, linux, scale); err != nil {
				return err
			}
		}
		trees[r.tree] = &dir
	}
	return nil
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, "bench:", err)
	return 2
}
