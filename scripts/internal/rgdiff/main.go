// Command rgdiff runs tally, called as rg, and the real ripgrep with the same
// arguments in the same directories, and reports where standard output, the
// exit code, or whether anything was said on standard error differ. It must
// not know how either program works: the real one, told to sort by path, is
// the judge.
//
// The command lines come from tables, files with one in each row:
//
//	[~]TREE[,TREE…] ARGUMENT…  [<FILE]
//
// TREE is a directory in the corpora, or a small generated one: "odd" holds
// everything awkward, "encoded" what is not plain UTF-8, "bytes1" to "bytes10"
// what was drawn from the pieces in drawtree.go. Arguments are quoted
// as in a shell, and <FILE, as the last word, gives a file of the tree on
// standard input, which is otherwise the null device. A row that begins with ~
// is known to differ and must go on to do so: once it is equal, the ~ has to go.
// Blank rows and rows that begin with # are skipped.
//
// With -draw they are drawn besides, from the tables in drawtable.go, and run
// in one of the generated trees; what differs is taken apart until it is as short as it gets.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// shownInFull is how many differences are shown with what differs: beyond it,
// they most likely have one cause.
const shownInFull = 30

func main() {
	code, err := compareAsAsked()
	if err != nil {
		fmt.Fprintln(os.Stderr, "rg-diff:", err)
	}
	os.Exit(code)
}

func compareAsAsked() (exit int, err error) {
	ours := flag.String("tally", "", "the `program` under test; it is called as rg")
	real := flag.String("rg", "", "the real ripgrep")
	corpora := flag.String("corpora", "", "the `directory` with the corpora; empty: rows that need one are not run")
	verbose := flag.Bool("v", false, "print every command line of the tables")
	draws := flag.Int("draw", 0, "draw and run `N` command lines besides")
	seed := flag.Uint64("seed", 1, "what they are drawn from")
	save := flag.String("save", "", "add those that differ to this `table`")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: rgdiff -tally PROGRAM -rg PROGRAM [FLAG...] TABLE...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if *ours == "" || *real == "" {
		flag.Usage()
		return 2, nil
	}
	var rows []row
	for _, table := range flag.Args() {
		more, err := readTable(table)
		if err != nil {
			return 2, err
		}
		rows = append(rows, more...)
	}
	temp, err := os.MkdirTemp("", "rg-diff")
	if err != nil {
		return 2, err
	}
	defer os.RemoveAll(temp)
	if err := generateTrees(temp); err != nil {
		return 2, err
	}
	// The programs are run in other directories than this one.
	for _, program := range []*string{ours, real} {
		if *program, err = filepath.Abs(*program); err != nil {
			return 2, err
		}
	}
	pair := pair{ours: *ours, real: *real}
	todo, left, err := place(rows, *corpora, temp)
	if err != nil {
		return 2, err
	}
	failed := pair.table(todo, *verbose)
	if left > 0 {
		fmt.Printf("rg-diff: not run: %d command lines, whose corpora were not found\n", left)
	}
	fmt.Printf("rg-diff: %d command lines, %d as expected, %d not\n", len(todo), len(todo)-failed, failed)
	if *draws > 0 {
		pending := map[string]bool{}
		for _, j := range todo {
			if j.row.pending {
				pending[j.tree+" "+j.row.text] = true
			}
		}
		differ, err := pair.draw(*draws, *seed, temp, *save, pending)
		if err != nil {
			return 2, err
		}
		failed += differ
		fmt.Printf("rg-diff: %d drawn command lines (seed %d), %d as expected, %d not\n", *draws, *seed, *draws-differ, differ)
	}
	if failed > 0 || len(todo)+*draws == 0 {
		return 1, nil
	}
	return 0, nil
}

// place turns rows into one job for each of their trees. left counts the jobs
// whose tree is not there.
func place(rows []row, corpora, generated string) (jobs []job, left int, err error) {
	for _, r := range rows {
		for _, tree := range r.trees {
			dir := filepath.Join(generated, tree)
			if _, err := os.Stat(dir); err != nil {
				if corpora == "" {
					left++
					continue
				}
				dir = filepath.Join(corpora, tree)
			}
			if _, err := os.Stat(dir); err != nil {
				return nil, 0, fmt.Errorf("row %q: %w", r.text, err)
			}
			jobs = append(jobs, job{row: r, tree: tree, dir: dir})
		}
	}
	return jobs, left, nil
}

// compareAll runs the jobs, two at a time, and returns what compare says of
// each.
func (p pair) compareAll(jobs []job) []string {
	reports := make([]string, len(jobs))
	var wg sync.WaitGroup
	next := make(chan int)
	for range 2 {
		wg.Go(func() {
			for i := range next {
				reports[i] = p.compare(jobs[i])
			}
		})
	}
	for i := range jobs {
		next <- i
	}
	close(next)
	wg.Wait()
	return reports
}

// table runs the rows of the tables and prints those that do not do what they
// should, which it counts.
func (p pair) table(jobs []job, verbose bool) (failed int) {
	for i, r := range p.compareAll(jobs) {
		verdict := "equal  "
		switch pending := jobs[i].row.pending; {
		case pending && r == "":
			failed++
			verdict, r = "EQUAL  ", "  take the ~ off this row\n"
		case pending:
			verdict, r = "pending", ""
		case r != "":
			verdict = "DIFFERS"
			if failed++; failed > shownInFull {
				r = ""
			}
		}
		if verbose || verdict == "DIFFERS" || verdict == "EQUAL  " {
			fmt.Printf("%s %s: %s\n%s", verdict, jobs[i].tree, jobs[i].row.text, r)
		}
	}
	return failed
}

// A job is one command line in one tree.
type job struct {
	row  row
	tree string
	dir  string
}

// arguments returns the command line for the real ripgrep, which must be told
// to do what we do always. A --sort of the row's own comes later, and wins.
func (j job) arguments(real bool) []string {
	if real {
		return slices.Concat([]string{"--sort", "path"}, j.row.args)
	}
	return j.row.args
}
