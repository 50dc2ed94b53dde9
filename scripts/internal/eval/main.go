// Command eval measures the ranking against questions whose right notes are
// known. It runs the program as anybody would and reads its JSON; it must not
// know how a score is made.
//
// For each band of questions and each language it prints the share of
// questions with a right note at rank 1, among the first 3 and 10, and the mean
// reciprocal rank: first of the whole order, whatever the floor, then what is
// left of rank 3 when everything below the floor is refused, and the share of
// questions that are refused altogether. The control gives each question the
// labels of another one of its band and collection and must fall to chance.
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
	refused bool
	above   int  // of ranked, those that reach the floor
	deep    bool // what is meant stands deep in its note
	moved   int  // the rank of the right note when it stands at its top, of deep ones
}

func main() {
	tally := flag.String("tally", "", "the `program`")
	queries := flag.String("queries", "", "the labelled questions, a `file` of JSON lines")
	corpora := flag.String("corpora", "", "the `directory` with the corpora")
	each := flag.Bool("each", false, "print each question, too")
	check := flag.Bool("check", false, "fail if a goal is missed")
	halves := flag.Bool("halves", false, "print two halves apart, to see what chance does")
	meaning := flag.Bool("meaning", false, "evaluate the search by meaning, in English")
	model := flag.String("model", "", "`facts` about the model, for --meaning-model")
	flag.Parse()
	list, err := read(*queries)
	switch {
	case err != nil:
	case *meaning:
		err = evaluateMeaning(os.Stdout, *tally, *corpora, list, meaningOptions{*model, *each, *check})
	default:
		err = run(os.Stdout, *tally, *corpora, list, *each, *halves, *check)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "eval:", err)
		os.Exit(2)
	}
}

func read(path string) (list []question, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var q question
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		list = append(list, q)
	}
	return list, lines.Err()
}

func run(out io.Writer, tally, corpora string, list []question, each, halves, check bool) error {
	var answers []answer
	for _, q := range list {
		a, err := ask(tally, corpora, q)
		if err != nil {
			return fmt.Errorf("%s: %w", q.ID, err)
		}
		answers = append(answers, a)
		if each {
			best := 0.0
			if len(a.scores) > 0 {
				best = a.scores[0]
			}
			fmt.Fprintf(out, "%-8s %-3s rank %3d best %.3f refused %-5t %s\n", q.Band, q.Lang, rankOf(a.ranked, q.Relevant), best, a.refused, q.Query)
		}
	}
	report(out, "all", answers)
	if halves {
		for half := range 2 {
			var part []answer
			for i, a := range answers {
				if i%2 == half {
					part = append(part, a)
				}
			}
			report(out, fmt.Sprintf("half %d", half+1), part)
		}
	}
	report(out, "control: labels of another question", shuffled(answers))
	distribution(out, answers)
	if check {
		return checkGoals(answers)
	}
	return nil
}

// goals are what the ranking must not fall below, as shares of a band. A
// negative rank stands for the questions that are refused.
var goals = []struct {
	band        string
	rank        int
	least, most float64
}{
	{"natural", 1, 0.92, 1},
	{"natural", 10, 0.98, 1},
	{"natural", refusal, 0, 0.05},
	{"vague", 3, 0.78, 1},
	{"typo", 3, 0.90, 1},
	{"absent", refusal, 0.65, 1},
}

const refusal = -1

// checkGoals returns an error that names each goal that was missed.
func checkGoals(answers []answer) error {
	var missed []error
	for _, g := range goals {
		n, got := 0, 0
		for _, a := range answers {
			if a.Band != g.band {
				continue
			}
			n++
			rank := rankOf(a.ranked, a.Relevant)
			got += count(g.rank == refusal && a.refused || 0 < rank && rank <= g.rank)
		}
		if share := float64(got) / float64(max(n, 1)); n == 0 || share < g.least || share > g.most {
			missed = append(missed, fmt.Errorf("%s, rank %d: %.2f of %d questions, want %.2f to %.2f", g.band, g.rank, share, n, g.least, g.most))
		}
	}
	return errors.Join(missed...)
}

// ask runs the program twice: with its floor, and without to see the order.
func ask(tally, corpora string, q question) (answer, error) {
	a := answer{question: q}
	flags := []string{"--no-config", "--rank", "--json", "--limit", "100000"}
	if q.Band == "typo" {
		flags = append(flags, "--fuzzy")
	}
	dir := filepath.Join(corpora, q.Corpus)
	code, above, _, err := results(dir, tally, append(flags, "-e", q.Query, "--", q.scope())...)
	if err != nil {
		return a, err
	}
	a.refused, a.above = code == 1, len(above)
	_, a.ranked, a.scores, err = results(dir, tally, append(flags, "--floor", "0", "-e", q.Query, "--", q.scope())...)
	return a, err
}

// scope is the part of its corpus that a question is about.
func (q *question) scope() string {
	if q.Corpus == "glossary" {
		return filepath.Join("content", q.Lang)
	}
	return "pages"
}

// errPartial is a run that could not do all that was asked.
var errPartial = errors.New("the run was partial")

// results runs the program and returns the files that it lists, in their order,
// those that match word for word first.
func results(dir, program string, args ...string) (code int, paths []string, scores []float64, err error) {
	cmd := exec.Command(program, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exited *exec.ExitError
	switch {
	case err != nil && !errors.As(err, &exited):
		return 0, nil, nil, err
	case cmd.ProcessState.ExitCode() > 1:
		return 0, nil, nil, fmt.Errorf("%w: %s", errPartial, stderr.String())
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
			return 0, nil, nil, err
		}
		switch {
		case m.Type == "match" && slices.Contains(paths, m.Data.Path.Text):
		case m.Type == "match":
			paths, scores = append(paths, m.Data.Path.Text), append(scores, 1)
		case m.Type == "ranked" || m.Type == "similar":
			paths, scores = append(paths, m.Data.Path.Text), append(scores, m.Data.Score)
		}
	}
	return cmd.ProcessState.ExitCode(), paths, scores, nil
}

// rankOf is the rank of the first right note, 0 if there is none.
func rankOf(ranked, relevant []string) int {
	for i, path := range ranked {
		if slices.Contains(relevant, path) {
			return i + 1
		}
	}
	return 0
}

// shuffled gives each question the labels of the next one of its band and
// collection.
func shuffled(answers []answer) []answer {
	groups := map[string][]int{}
	for i, a := range answers {
		key := a.Band + a.Corpus
		if a.Corpus == "glossary" {
			key += a.Lang
		}
		groups[key] = append(groups[key], i)
	}
	out := slices.Clone(answers)
	for _, g := range groups {
		for k, i := range g {
			out[i].Relevant = answers[g[(k+1)%len(g)]].Relevant
		}
		if len(g) == 1 {
			out[g[0]].Relevant = nil
		}
	}
	return out
}

// report prints a table.
func report(out io.Writer, title string, answers []answer) {
	fmt.Fprintf(out, "\n%s\n%-16s %4s %6s %6s %6s %6s %8s %8s\n", title, "", "n", "@1", "@3", "@10", "MRR", "@3 floor", "refused")
	for _, band := range []string{"natural", "vague", "meaning", "typo", "absent"} {
		for _, lang := range []string{"", "en", "it", "de", "fr", "ja"} {
			var n, first, three, ten, kept, refused int
			mrr := 0.0
			for _, a := range answers {
				if a.Band != band || lang != "" && a.Lang != lang {
					continue
				}
				n++
				if a.refused {
					refused++
				}
				rank := rankOf(a.ranked, a.Relevant)
				if rank == 0 {
					continue
				}
				mrr += 1 / float64(rank)
				first += count(rank == 1)
				three += count(rank <= 3)
				ten += count(rank <= 10)
				kept += count(rank <= 3 && rank <= a.above)
			}
			if n == 0 {
				continue
			}
			share := func(k int) float64 { return float64(k) / float64(n) }
			fmt.Fprintf(out, "%-16s %4d %6.2f %6.2f %6.2f %6.3f %8.2f %8.2f\n", strings.TrimSpace(band+" "+lang), n,
				share(first), share(three), share(ten), mrr/float64(n), share(kept), share(refused))
		}
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// distribution prints the quartiles of the best scores of each band.
func distribution(out io.Writer, answers []answer) {
	fmt.Fprintf(out, "\nbest scores: least, quartiles, greatest\n")
	for _, band := range []string{"natural", "vague", "meaning", "typo", "absent"} {
		var best []float64
		for _, a := range answers {
			if a.Band == band {
				best = append(best, slices.Max(append(a.scores, 0)))
			}
		}
		if len(best) == 0 {
			continue
		}
		slices.Sort(best)
		at := func(q int) float64 { return best[q*(len(best)-1)/4] }
		fmt.Fprintf(out, "%-16s %.3f %.3f %.3f %.3f %.3f\n", band, at(0), at(1), at(2), at(3), at(4))
	}
}
