// Command rgdiff runs tally, called as rg, and the real ripgrep with the same
// arguments in the same directories, and reports where standard output, the
// exit code, or whether anything was said on standard error differ. It must
// not know how either program works: the real one, told to sort by path, is
// the judge.
//
// In table mode the command lines come from a file, one a row:
//
//	[~]TREE[,TREE…] ARGUMENT…  [<FILE]
//
// TREE is a directory in the corpora, or a small generated one: "odd" holds
// everything awkward, "encoded" what is not plain UTF-8. Arguments are quoted
// as in a shell, and <FILE, as the last word, gives a file of the tree on
// standard input, which is otherwise the null device. A row that begins with ~
// is known to differ and must go on to do so: once it is equal, the ~ has to go.
// Blank rows and rows that begin with # are skipped.
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
	ours := flag.String("tally", "", "the `program` under test; it is called as rg")
	real := flag.String("rg", "", "the real ripgrep")
	corpora := flag.String("corpora", "", "the `directory` with the corpora; empty: rows that need one are not run")
	table := flag.String("table", "", "the `file` with the command lines")
	verbose := flag.Bool("v", false, "print every command line")
	flag.Parse()
	if *ours == "" || *real == "" || *table == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	rows, err := readTable(*table)
	if err != nil {
		fatal(err)
	}
	temp, err := os.MkdirTemp("", "rg-diff")
	if err != nil {
		fatal(err)
	}
	defer os.RemoveAll(temp)
	if err := generateTrees(temp); err != nil {
		fatal(err)
	}
	// The programs are run in other directories than this one.
	for _, program := range []*string{ours, real} {
		if *program, err = filepath.Abs(*program); err != nil {
			fatal(err)
		}
	}
	pair := pair{ours: *ours, real: *real}
	todo, left, err := place(rows, *corpora, temp)
	if err != nil {
		fatal(err)
	}
	failed := pair.all(todo, *verbose)
	os.RemoveAll(temp)
	if left > 0 {
		fmt.Printf("rg-diff: not run: %d command lines, whose corpora were not found\n", left)
	}
	fmt.Printf("rg-diff: %d command lines, %d as expected, %d not\n", len(todo), len(todo)-failed, failed)
	if failed > 0 || len(todo) == 0 {
		os.Exit(1)
	}
}

func fatal(err error) {
	fmt.Fprintln(os.Stderr, "rg-diff:", err)
	os.Exit(2)
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

// all runs the jobs, two at a time, and prints those that differ in their
// order. It returns how many do not do what their row expects.
func (p pair) all(jobs []job, verbose bool) (failed int) {
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
	for i, r := range reports {
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
