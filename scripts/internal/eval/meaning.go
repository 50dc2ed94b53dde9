package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// deepFrom is the place in a note, in bytes, from which on a passage counts as
// deep in it.
const deepFrom = 1500

// Goals of a search by meaning in English, of the questions that share no word
// with what they mean.
const (
	wantedRecall  = 0.75 // with a right note among the first three
	wantedRefused = 0.80 // of those that nothing answers
	wantedSpread  = 0.10 // at most, between passages deep in a note and the same at its top
)

// meaning evaluates the search by meaning, in English, which the models that are
// known understand. model is facts about the model, "" if it is known.
func (p program) meaning(out io.Writer, s *set, model string, check bool) error {
	for _, q := range s.questions {
		if q.Lang != "en" || q.Band == "typo" {
			continue
		}
		a, err := p.askMeaning(model, q)
		if err != nil {
			return fmt.Errorf("%s: %w", q.ID, err)
		}
		s.answers = append(s.answers, a)
		if p.each {
			rank := rankOf(a.ranked, q.Relevant)
			fmt.Fprintf(out, "%-8s rank %3d right %.3f best %.3f deep %-5t moved %3d %s\n", q.Band, rank, a.right(), a.best(), a.deep, a.moved, q.Query)
		}
	}
	report(out, "by meaning, the whole order and what reaches the floor", s.answers)
	report(out, "control: labels of another question", shuffled(s.answers))
	deep, top, moved := reach(s.answers)
	fmt.Fprintf(out, "\npassages deep in a note: %v within the first 3; the same, moved to its top: %v; other questions, at its top: %v\n", deep, moved, top)
	floors(out, s.answers)
	if check {
		return checkMeaning(s.answers, deep.value()-moved.value())
	}
	return nil
}

// askMeaning runs the program with the model's own floor, and without.
func (p program) askMeaning(model string, q question) (answer, error) {
	a := answer{question: q}
	dir, scope := p.place(&q)
	if len(q.Relevant) > 0 && len(q.Lines) > 0 {
		text, err := os.ReadFile(filepath.Join(dir, q.Relevant[0]))
		if err != nil {
			return a, err
		}
		a.deep = lineStart(text, q.Lines[0]) >= deepFrom
	}
	flags := []string{"--no-config", "--meaning", "--json", "--limit", "100000"}
	if model != "" {
		flags = append(flags, "--meaning-model", model)
	}
	var err error
	a.claimed, a.offered, _, err = results(dir, p.path, append(flags, "-e", q.Query, "--", scope)...)
	switch {
	case errors.Is(err, errPartial): // a model without a floor
	case err != nil:
		return a, err
	}
	_, a.ranked, a.scores, err = results(dir, p.path, append(flags, "--floor", "0", "-e", q.Query, "--", scope)...)
	if err == nil && a.deep {
		a.moved, err = p.askMoved(flags, q)
	}
	return a, err
}

// lineStart is where a line begins in a text, in bytes.
func lineStart(text []byte, line int) (at int) {
	for range line - 1 {
		at += bytes.IndexByte(text[at:], '\n') + 1
	}
	return at
}

// best is the score of the first note, right that of the first right one.
func (a *answer) best() float64 { return slices.Max(append([]float64{0}, a.scores...)) }

func (a *answer) right() float64 {
	if rank := rankOf(a.ranked, a.Relevant); rank > 0 {
		return a.scores[rank-1]
	}
	return 0
}

// A share is how many of how many.
type share struct{ of, all int }

func (s *share) add(holds bool) {
	s.all++
	s.of += count(holds)
}

func (s share) value() float64 { return float64(s.of) / float64(max(1, s.all)) }

func (s share) String() string { return fmt.Sprintf("%.2f of %d", s.value(), s.all) }

// reach is the share of meaning questions with a right note among the first
// three: of those whose passage is deep in its note, of the others, and of the
// deep ones with the passage at the top.
func reach(answers []answer) (deep, top, moved share) {
	add := func(s *share, rank int) { s.add(0 < rank && rank <= 3) }
	for _, a := range answers {
		rank := rankOf(a.ranked, a.Relevant)
		switch {
		case a.Band != "meaning":
		case a.deep:
			add(&deep, rank)
			add(&moved, a.moved)
		default:
			add(&top, rank)
		}
	}
	return deep, top, moved
}

// askMoved asks of a copy of the notes in which the passage that is meant stands
// at the top of its note, and returns the rank of a right note.
func (p program) askMoved(flags []string, q question) (rank int, err error) {
	dir, scope := p.place(&q)
	tmp, err := os.MkdirTemp("", "tally-eval-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(tmp)
	if err := os.CopyFS(filepath.Join(tmp, scope), os.DirFS(filepath.Join(dir, scope))); err != nil {
		return 0, err
	}
	note := filepath.Join(tmp, q.Relevant[0])
	text, err := os.ReadFile(note)
	if err != nil {
		return 0, err
	}
	if err := os.WriteFile(note, moveToTop(text, q.Lines[0], q.Lines[1]), 0o600); err != nil {
		return 0, err
	}
	_, ranked, _, err := results(tmp, p.path, append(flags, "--floor", "0", "-e", q.Query, "--", scope)...)
	return rankOf(ranked, q.Relevant), err
}

// moveToTop moves lines of a note behind its front matter.
func moveToTop(text []byte, from, to int) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	top := 0
	if bytes.Equal(bytes.TrimSpace(lines[0]), []byte("---")) {
		for i := 1; i < from-1 && top == 0; i++ {
			if bytes.Equal(bytes.TrimSpace(lines[i]), []byte("---")) {
				top = i + 1
			}
		}
	}
	blank := [][]byte{[]byte("\n")}
	return bytes.Join(slices.Concat(lines[:top], blank, lines[from-1:to], blank, lines[top:from-1], lines[to:]), nil)
}

// floors shows what each floor would keep and refuse, and proposes the least
// that refuses enough.
func floors(out io.Writer, answers []answer) {
	var right, junk []float64
	for _, a := range answers {
		if a.Band == "absent" {
			junk = append(junk, a.best())
		} else {
			right = append(right, a.right())
		}
	}
	if len(junk) == 0 || len(right) == 0 {
		return
	}
	fmt.Fprintf(out, "\nscores: least, quartiles, greatest\n%s\n%s\n", quartiles("right answers", right), quartiles("best of absent", junk))
	fmt.Fprintf(out, "\n%-8s %8s %8s %8s %8s\n", "floor", "natural", "vague", "meaning", "refused")
	proposal := 0.0
	for step := 5; step < 100; step++ {
		floor := float64(step) / 100
		kept := map[string]*share{"natural": {}, "vague": {}, "meaning": {}, "absent": {}}
		for _, a := range answers {
			if a.Band == "absent" {
				kept[a.Band].add(a.best() < floor)
			} else {
				kept[a.Band].add(a.right() >= floor)
			}
		}
		refused := kept["absent"].value()
		if refused >= wantedRefused && proposal == 0 {
			proposal = floor
		}
		if 0 < refused && (refused < 1 || kept["meaning"].value() > 0.5) {
			fmt.Fprintf(out, "%-8.2f %8.2f %8.2f %8.2f %8.2f\n", floor, kept["natural"].value(), kept["vague"].value(), kept["meaning"].value(), refused)
		}
	}
	fmt.Fprintf(out, "proposal: floor=%.2f, the least that refuses %.2f of what nothing answers\n", proposal, wantedRefused)
}

func quartiles(title string, values []float64) string {
	slices.Sort(values)
	s := fmt.Sprintf("%-16s", title)
	for q := range 5 {
		s += fmt.Sprintf(" %.3f", values[q*(len(values)-1)/4])
	}
	return s
}

func checkMeaning(answers []answer, spread float64) error {
	var list []string
	for _, g := range []struct {
		band  string
		least float64
		ok    func(a *answer) bool
	}{
		{"meaning", wantedRecall, func(a *answer) bool {
			rank := rankOf(a.ranked, a.Relevant)
			return 0 < rank && rank <= 3
		}},
		{"absent", wantedRefused, func(a *answer) bool { return !a.claimed }},
	} {
		var s share
		for i := range answers {
			if answers[i].Band == g.band {
				s.add(g.ok(&answers[i]))
			}
		}
		if s.all == 0 || s.value() < g.least {
			list = append(list, fmt.Sprintf("%s: %v, want %.2f", g.band, s, g.least))
		}
	}
	if spread < -wantedSpread {
		list = append(list, fmt.Sprintf("deep in a note: %.2f less than the same at its top, want %.2f at most", -spread, wantedSpread))
	}
	return missed(list)
}
