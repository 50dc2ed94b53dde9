// Command eval measures the ranking against questions whose right notes are
// known. It runs the program as anybody would and reads its JSON; it must not
// know how a score is made. Each file of questions is a set of its own, since a
// change is good only if no set speaks against it; a table at the end has all
// sets side by side.
//
// For each band of questions and each language it prints the share of
// questions with a right note at rank 1, among the first 3 and 10, and the mean
// reciprocal rank, all of the whole order, whatever the floor; then the share with
// a right note among the first 3 of what is offered, found or unsure, and the
// share of questions for which something is claimed, right or wrong. The control
// gives each question the labels of another one of its band and collection and
// must fall to chance.
//
// The floor is a parameter: for each set it is chosen there and tried on the
// others.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A question as the file of labels has it; paths are relative to the corpus.
type question struct {
	ID, Corpus, Lang, Band, Query string
	Relevant                      []string
	Lines                         []int // of the passage that is meant, in the first of these
}

// An answer is what the program makes of a question.
type answer struct {
	question
	ranked  []string // the whole order
	scores  []float64
	offered []string // what is displayed, found or unsure
	claimed bool     // the verdict is found
	deep    bool     // what is meant stands deep in its note
	moved   int      // the rank of the right note when it stands at its top, of deep ones
}

func main() {
	tally := flag.String("tally", "", "the `program`")
	corpora := flag.String("corpora", "", "the `directory` with the corpora")
	linux := flag.String("linux", "", "the `directory` with the source of Linux, for questions over its documentation")
	each := flag.Bool("each", false, "print each question, too")
	check := flag.Bool("check", false, "fail if a goal is missed")
	halves := flag.Bool("halves", false, "print two halves apart, to see what chance does")
	meaning := flag.Bool("meaning", false, "evaluate the search by meaning, in English")
	model := flag.String("model", "", "`facts` about the model, for --meaning-model")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: eval [flags] FILE...; a file holds labelled questions, as JSON lines")
		flag.PrintDefaults()
	}
	flag.Parse()
	program := program{*tally, *corpora, *linux, *each}
	evaluate := func(s *set) error { return program.words(os.Stdout, s, *halves, *check) }
	if *meaning {
		evaluate = func(s *set) error { return program.meaning(os.Stdout, s, *model, *check) }
	}
	if err := all(os.Stdout, flag.Args(), evaluate); err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(2)
	}
}

// A program is what answers the questions, and where the notes are.
type program struct {
	path, corpora, linux string
	each                 bool // print each question
}

// A set is the questions of one file, and what the program makes of them.
type set struct {
	name      string
	questions []question
	answers   []answer
}

// all evaluates every set. A goal that one misses keeps no other from being
// evaluated.
func all(out io.Writer, files []string, evaluate func(*set) error) error {
	if len(files) == 0 {
		return errors.New("no file of questions: nothing was evaluated")
	}
	var sets []*set
	var missed []error
	for _, file := range files {
		s, err := read(file)
		if err != nil {
			return err
		}
		sets = append(sets, s)
		fmt.Fprintf(out, "\n== %s: %d questions\n", s.name, len(s.questions))
		var goals *missedGoals
		if err := evaluate(s); errors.As(err, &goals) {
			missed = append(missed, fmt.Errorf("%s: %w", s.name, err))
		} else if err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	sideBySide(out, sets)
	crossValidate(out, sets)
	return errors.Join(missed...)
}

func read(path string) (*set, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := &set{name: strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		s.questions = append(s.questions, q)
	}
	return s, lines.Err()
}

// words evaluates the ranking by words.
func (p program) words(out io.Writer, s *set, halves, check bool) error {
	for _, q := range s.questions {
		a, err := p.ask(q)
		if err != nil {
			return fmt.Errorf("%s: %w", q.ID, err)
		}
		s.answers = append(s.answers, a)
		if p.each {
			best := 0.0
			if len(a.scores) > 0 {
				best = a.scores[0]
			}
			fmt.Fprintf(out, "%-8s %-3s rank %3d best %.3f claimed %-5t %s\n", q.Band, q.Lang, rankOf(a.ranked, q.Relevant), best, a.claimed, q.Query)
		}
	}
	report(out, "all", s.answers)
	if halves {
		for half := range 2 {
			var part []answer
			for i, a := range s.answers {
				if i%2 == half {
					part = append(part, a)
				}
			}
			report(out, fmt.Sprintf("half %d", half+1), part)
		}
	}
	report(out, "control: labels of another question", shuffled(s.answers))
	distribution(out, s.answers)
	if check {
		return checkGoals(goals[s.name], s.answers)
	}
	return nil
}

// A goal is what the ranking must not fall below, or exceed, as a share of a
// band.
type goal struct {
	band        string
	what        measure
	least, most float64
}

// A measure is what of an answer is counted.
type measure struct {
	name  string
	holds func(*answer) bool
}

var (
	first   = measure{"@1", within(func(a *answer) []string { return a.ranked }, 1)}
	ten     = measure{"@10", within(func(a *answer) []string { return a.ranked }, 10)}
	offered = measure{"offered @3", within(func(a *answer) []string { return a.offered }, 3)}
	claimed = measure{"claimed", func(a *answer) bool { return a.claimed }}
)

// within reports whether a right note is among the first of a list.
func within(list func(*answer) []string, most int) func(*answer) bool {
	return func(a *answer) bool {
		rank := rankOf(list(a), a.Relevant)
		return 0 < rank && rank <= most
	}
}

// goals are those of each set: what was reached, less one question.
var goals = map[string][]goal{
	"dev": {
		{"natural", first, 0.89, 1},
		{"natural", ten, 0.98, 1},
		{"natural", claimed, 0.92, 1},
		{"vague", offered, 0.78, 1},
		{"typo", offered, 0.92, 1},
		{"absent", claimed, 0, 0.15},
	},
	"dev2": {
		{"natural", first, 0.90, 1},
		{"natural", ten, 0.98, 1},
		{"natural", claimed, 0.90, 1},
		{"vague", offered, 0.60, 1},
		{"typo", offered, 0.80, 1},
		{"absent", claimed, 0, 0.20},
	},
	"own": {
		{"natural", first, 0.86, 1},
		{"natural", ten, 0.96, 1},
		{"natural", claimed, 0.92, 1},
		{"vague", offered, 0.46, 1},
		{"typo", offered, 0.93, 1},
		{"absent", claimed, 0, 0.40},
	},
}

// A missedGoals names each goal that was missed.
type missedGoals struct{ goals []string }

func (m *missedGoals) Error() string { return strings.Join(m.goals, "\n") }

// missed returns an error that names goals, nil if there are none.
func missed(goals []string) error {
	if goals == nil {
		return nil
	}
	return &missedGoals{goals}
}

func checkGoals(goals []goal, answers []answer) error {
	if goals == nil {
		return errors.New("-check was given, and there are no goals for this set")
	}
	var list []string
	for _, g := range goals {
		var got share
		for i := range answers {
			if a := &answers[i]; a.Band == g.band {
				got.add(g.what.holds(a))
			}
		}
		if got.all == 0 || got.value() < g.least || got.value() > g.most {
			list = append(list, fmt.Sprintf("%s, %s: %v, want %.2f to %.2f", g.band, g.what.name, got, g.least, g.most))
		}
	}
	return missed(list)
}

// ask runs the program twice: with its floor, and without to see the order.
func (p program) ask(q question) (answer, error) {
	a := answer{question: q}
	flags := []string{"--no-config", "--rank", "--json", "--limit", "100000"}
	if q.Band == "typo" {
		flags = append(flags, "--fuzzy")
	}
	dir, scope := p.place(&q)
	var err error
	a.claimed, a.offered, _, err = results(dir, p.path, append(flags, "-e", q.Query, "--", scope)...)
	if err != nil {
		return a, err
	}
	_, a.ranked, a.scores, err = results(dir, p.path, append(flags, "--floor", "0", "-e", q.Query, "--", scope)...)
	return a, err
}

// place returns where the program is run and, as a path from there, the notes
// that a question is about. Labels are paths from there as well.
func (p program) place(q *question) (dir, scope string) {
	dir = filepath.Join(p.corpora, q.Corpus)
	switch q.Corpus {
	case "linux":
		return p.linux, "Documentation"
	case "glossary":
		return dir, filepath.Join("content", q.Lang)
	case "handbook", "tldr":
		return dir, "pages"
	}
	return p.corpora, q.Corpus // the notes lie at the top of their archive
}

// errPartial is a run that could not do all that was asked.
var errPartial = errors.New("the run was partial")

// results runs the program and returns the files that it lists, in their order,
// those that match word for word first, and whether they are claimed.
func results(dir, program string, args ...string) (claimed bool, paths []string, scores []float64, err error) {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exited *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &exited):
		return false, nil, nil, err
	case cmd.ProcessState.ExitCode() > 1:
		return false, nil, nil, fmt.Errorf("%w: %s", errPartial, stderr.String())
	}
	for line := range bytes.Lines(out) {
		var m struct {
			Type string
			Data struct {
				Path  struct{ Text string }
				Score float64
			}
		}
		if err := json.Unmarshal(line, &m); err != nil {
			return false, nil, nil, err
		}
		switch {
		case m.Type == "match" && slices.Contains(paths, m.Data.Path.Text):
		case m.Type == "match":
			paths, scores = append(paths, m.Data.Path.Text), append(scores, 1)
		case m.Type == "ranked" || m.Type == "similar" || m.Type == "unsure":
			paths, scores = append(paths, m.Data.Path.Text), append(scores, m.Data.Score)
		}
	}
	return cmd.ProcessState.ExitCode() == 0, paths, scores, nil
}
