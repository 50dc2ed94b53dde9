package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A drawn command line is kept in parts, so that a difference can be found
// again with fewer of them.
type drawn struct {
	tree    string
	flags   [][]string
	pattern string
	paths   []string
	stdin   string // a file of the tree, "" for none
}

// drawLine draws the command line with the given number, none that is known to
// differ on purpose. The same seed and number give the same line, as long as
// the tables stay.
func drawLine(seed, number uint64) drawn {
	r := rand.New(rand.NewPCG(seed, number))
	d := drawAny(r)
	for d.onPurpose() {
		d = drawAny(r)
	}
	return d
}

// onPurpose reports whether the line has all that makes it differ on purpose.
func (d *drawn) onPurpose() bool {
	words := append(slices.Concat(d.flags...), d.paths...)
	has := func(any []string) bool {
		return slices.ContainsFunc(any, func(w string) bool { return slices.Contains(words, w) })
	}
	for _, p := range purposes {
		all := !slices.ContainsFunc(p.flags, func(any []string) bool { return !has(any) })
		if all && (p.patterns == nil || slices.Contains(p.patterns, d.pattern) || has(p.patterns)) {
			return true
		}
	}
	return false
}

func drawAny(r *rand.Rand) drawn {
	d := drawn{tree: "odd", pattern: one(r, drawnPatterns)}
	paths := drawnPaths
	if r.IntN(2) == 0 {
		d.tree = bytesTree + strconv.Itoa(1+r.IntN(bytesTrees))
		paths = drawnBytesPaths
	}
	for range 2 + r.IntN(7) {
		d.flags = append(d.flags, one(r, drawnFlags))
	}
	if r.IntN(3) == 0 {
		for range 1 + r.IntN(3) {
			d.paths = append(d.paths, one(r, paths))
		}
	}
	if r.IntN(10) == 0 {
		d.stdin = one(r, drawnInputs)
		if r.IntN(2) == 0 {
			d.paths = append(d.paths, "-")
		}
	}
	return d
}

// one draws one of several.
func one[T any](r *rand.Rand, all []T) T { return all[r.IntN(len(all))] }

// row writes the command line as a row of a table.
func (d drawn) row() row {
	args := slices.Concat(d.flags...)
	args = append(append(args, "-e", d.pattern), d.paths...)
	quoted := make([]string, len(args), len(args)+1)
	for i, a := range args {
		quoted[i] = quote(a)
	}
	if d.stdin != "" {
		quoted = append(quoted, "<"+d.stdin)
	}
	return row{text: strings.Join(quoted, " "), trees: []string{d.tree}, args: args, stdin: d.stdin}
}

// job places the command line in its tree below dir.
func (d drawn) job(dir string) job {
	return job{row: d.row(), tree: d.tree, dir: filepath.Join(dir, d.tree)}
}

// quote is the inverse of split for one word.
func quote(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t'\"\\*?$|&;<>(){}[]!#~`") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// shrink takes parts off a command line for as long as the programs still
// differ on it.
func (p pair) shrink(d drawn, dir string) drawn {
	differs := func(d drawn) bool { return p.compare(d.job(dir)) != "" }
	for again := true; again; {
		again = false
		for i := range d.flags {
			fewer := d
			fewer.flags = slices.Delete(slices.Clone(d.flags), i, i+1)
			if differs(fewer) {
				d, again = fewer, true
				break
			}
		}
		for i := range d.paths {
			fewer := d
			fewer.paths = slices.Delete(slices.Clone(d.paths), i, i+1)
			if differs(fewer) {
				d, again = fewer, true
				break
			}
		}
	}
	simple := d
	if simple.pattern = "needle"; differs(simple) {
		d = simple
	}
	simple = d
	if simple.tree = "odd"; differs(simple) {
		d = simple
	}
	return d
}

// draw runs n drawn command lines in the trees below dir. Those that differ are
// taken apart; what is left of them is printed, and added to the file save if
// one is named, unless it is in seen, which holds the tables' rows that are
// known to differ. It returns how many of the n differ otherwise.
func (p pair) draw(n int, seed uint64, dir, save string, seen map[string]bool) (failed int, err error) {
	lines := make([]drawn, n)
	jobs := make([]job, n)
	for i := range lines {
		lines[i] = drawLine(seed, uint64(i))
		jobs[i] = lines[i].job(dir)
	}
	news := map[string]bool{}
	var kept strings.Builder
	for i, r := range p.compareAll(jobs) {
		if r == "" {
			continue
		}
		small := p.shrink(lines[i], dir).job(dir)
		text := small.tree + " " + small.row.text
		if seen[text] {
			continue
		}
		failed++
		if news[text] {
			continue
		}
		news[text] = true
		fmt.Printf("DIFFERS %s\n%s", text, p.compare(small))
		fmt.Fprintln(&kept, text)
	}
	if save == "" || kept.Len() == 0 {
		return failed, nil
	}
	f, err := os.OpenFile(save, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return failed, err
	}
	_, err = f.WriteString(kept.String())
	return failed, errors.Join(err, f.Close())
}
