package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// noisy is the distance between the quartiles of a ratio, as a part of its
// median, from which on a row says nothing.
const noisy = 0.15

// heading writes what a reader needs to know before the table.
func heading(w io.Writer, rounds int, paths map[string]*string) {
	fmt.Fprintf(w, "# Measurements\n\n%s, %d cores, %s; %s.\n",
		cpuModel(), runtime.NumCPU(), kernel(), time.Now().UTC().Format("2 January 2006"))
	for _, p := range []string{rg, ugrep, grep} {
		if *paths[p] != "" {
			fmt.Fprintf(w, "%s.\n", version(*paths[p]))
		}
	}
	fmt.Fprintf(w, `
Whole processes, warm cache, output into a pipe; median of %d rounds in which each program runs once.
A ratio is tally's time divided by the other's in the same round, with its quartiles; below 1 tally is faster.
tally's output is always in path order. The ratio to a literal is to tally's own search for one literal in the same files, that to the floor to a program that opens, reads and closes the same files on as many threads and does nothing else. Memory is the largest resident set of all runs (never below that of the measuring program, 8 MiB).
Written by scripts/bench.

| work | tally | to rg | to rg --sort path | to ugrep | to grep | to a literal | to the floor | memory: tally | memory: rg |
|---|---|---|---|---|---|---|---|---|---|
`, rounds)
}

// print writes the row of the table.
func (b *bench) print(w io.Writer) {
	cells := []string{b.row.tree + ": " + b.row.name, milliseconds(median(walls(b.runs[tally])))}
	for _, p := range []string{rg, rgSorted, ugrep, grep, plain, floor} {
		cells = append(cells, b.ratio(p))
	}
	cells = append(cells, mebibytes(b.runs[tally]), mebibytes(b.runs[rg]))
	fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
}

// ratio is the cell that compares tally with a peer.
func (b *bench) ratio(peer string) string {
	theirs := b.runs[peer]
	if len(theirs) == 0 {
		return ""
	}
	ratios := make([]float64, len(theirs))
	for i, s := range theirs {
		ratios[i] = float64(b.compared(b.runs[tally][i])) / float64(b.compared(s))
	}
	slices.Sort(ratios)
	middle := median(ratios)
	low, high := quantile(ratios, 0.25), quantile(ratios, 0.75)
	cell := fmt.Sprintf("**%.2f** (%.2f–%.2f)", middle, low, high)
	if goal, ok := b.row.limit[peer]; ok && middle > goal {
		cell += fmt.Sprintf(", goal %.2f", goal)
	}
	if (high-low)/middle > noisy {
		cell += ", too noisy"
	}
	return cell
}

// compared is what the ratios of the row are made of.
func (b *bench) compared(s sample) time.Duration {
	if b.time == nil {
		return s.wall
	}
	return b.time(s)
}

func walls(samples []sample) []float64 { return sortedTimes(samples, wall) }

func wall(s sample) time.Duration  { return s.wall }
func first(s sample) time.Duration { return s.first }

// sortedTimes returns one of the times of samples, the shortest first.
func sortedTimes(samples []sample, of func(sample) time.Duration) []float64 {
	times := make([]float64, len(samples))
	for i, s := range samples {
		times[i] = float64(of(s))
	}
	slices.Sort(times)
	return times
}

func median(sorted []float64) float64 { return quantile(sorted, 0.5) }

// quantile interpolates between the two values around the place q.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (at-float64(i))*(sorted[i+1]-sorted[i])
}

func milliseconds(ns float64) string { return fmt.Sprintf("%.1f ms", ns/1e6) }

// mebibytes is the largest peak of all runs.
func mebibytes(samples []sample) string {
	if len(samples) == 0 {
		return ""
	}
	var most int64
	for _, s := range samples {
		most = max(most, s.peak)
	}
	return fmt.Sprintf("%.0f MiB", float64(most)/(1<<20))
}

func cpuModel() string {
	info, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(info)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

func kernel() string {
	release, err := os.ReadFile("/proc/sys/kernel/osrelease")
	if err != nil {
		return runtime.GOOS
	}
	return "Linux " + strings.TrimSpace(string(release))
}

// version is the first line that a program prints when asked.
func version(path string) string {
	out, err := exec.Command(path, "--version").Output()
	if err != nil {
		return filepath.Base(path)
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return line
}

// smallTree writes a tree that is large enough to run on, and no larger.
func smallTree() (string, error) {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return "", err
	}
	for i := range 200 {
		path := filepath.Join(dir, fmt.Sprint("d", i%10), fmt.Sprint("f", i, ".md"))
		text := strings.Repeat("a line of filler\n", i) + "agent PM_RESUME\n"
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return "", err
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			return "", err
		}
	}
	return dir, nil
}
