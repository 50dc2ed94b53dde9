package main

import (
	"fmt"
	"io"
)

// firstRows are searches whose first result somebody waits for: one that the first
// directory holds, one that comes some way into the tree, and one that is rare.
var firstRows = []row{
	{"first directory, -l", "linux", same("-l", "GPL"), map[string]float64{rgSorted: 1}},
	{"first directory, -n", "linux", same("-n", "GPL"), map[string]float64{rgSorted: 1}},
	{"first directory, --json", "linux", same("--json", "GPL"), map[string]float64{rgSorted: 1}},
	{"later, -l", "linux", same("-l", "spin_unlock_irqrestore"), map[string]float64{rgSorted: 1}},
	{"later, -n", "linux", same("-n", "spin_unlock_irqrestore"), map[string]float64{rgSorted: 1}},
	{"later, --json", "linux", same("--json", "spin_unlock_irqrestore"), map[string]float64{rgSorted: 1}},
	{"rare, -l", "linux", same("-l", "PM_RESUME"), map[string]float64{rgSorted: 1}},
	{"rare, -n", "linux", same("-n", "PM_RESUME"), map[string]float64{rgSorted: 1}},
	{"rare, --json", "linux", same("--json", "PM_RESUME"), map[string]float64{rgSorted: 1}},
}

// first measures the time to the first byte of the output.
func (e *extra) first(w io.Writer) error {
	fmt.Fprint(w, `
## First byte

The time from the start of the process to the first byte of its output. All of the output is read.

| work | tally | to rg | to rg --sort path | all of it |
|---|---|---|---|---|
`)
	for _, r := range firstRows {
		b := bench{row: r, dir: *e.trees[r.tree], paths: e.paths, time: first}
		if err := b.measure(e.rounds); err != nil {
			return err
		}
		fmt.Fprintf(w, "| %s: %s | %s | %s | %s | %s |\n", r.tree, r.name, milliseconds(median(sortedTimes(b.runs[tally], first))),
			b.ratio(rg), b.ratio(rgSorted), milliseconds(median(walls(b.runs[tally]))))
	}
	return nil
}
