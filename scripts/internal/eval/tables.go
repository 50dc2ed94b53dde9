package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

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

// bands of questions, in the order of the tables.
var bands = []string{"natural", "vague", "meaning", "typo", "absent"}

// A scored counts answers with a right note at some rank or better.
type scored struct {
	n, first, three, ten, offered, claimed int
	mrr                                    float64
}

// score counts the answers to questions of a band, in a language if one is given.
func score(answers []answer, band, lang string) (s scored) {
	for _, a := range answers {
		if a.Band != band || lang != "" && a.Lang != lang {
			continue
		}
		s.n++
		s.claimed += count(a.claimed)
		s.offered += count(offered.holds(&a))
		rank := rankOf(a.ranked, a.Relevant)
		if rank == 0 {
			continue
		}
		s.mrr += 1 / float64(rank)
		s.first += count(rank == 1)
		s.three += count(rank <= 3)
		s.ten += count(rank <= 10)
	}
	return s
}

// of is a count as a share of the questions.
func (s *scored) of(n int) float64 { return float64(n) / float64(s.n) }

// sideBySide prints what the sets come to, each in columns of its own.
func sideBySide(out io.Writer, sets []*set) {
	fmt.Fprintf(out, "\n%-8s", "side by side")
	for _, s := range sets {
		fmt.Fprintf(out, " | %-48s", s.name)
	}
	fmt.Fprintf(out, "\n%-12s", "")
	for range sets {
		fmt.Fprintf(out, " | %3s %5s %5s %5s %6s %10s %7s", "n", "@1", "@3", "@10", "MRR", "offered @3", "claimed")
	}
	fmt.Fprintln(out)
	for _, band := range bands {
		fmt.Fprintf(out, "%-12s", band)
		for _, set := range sets {
			if s := score(set.answers, band, ""); s.n > 0 {
				fmt.Fprintf(out, " | %3d %5.2f %5.2f %5.2f %6.3f %10.2f %7.2f", s.n, s.of(s.first), s.of(s.three), s.of(s.ten), s.mrr/float64(s.n), s.of(s.offered), s.of(s.claimed))
			} else {
				fmt.Fprintf(out, " | %3d %44s", 0, "")
			}
		}
		fmt.Fprintln(out)
	}
}

// report prints a table.
func report(out io.Writer, title string, answers []answer) {
	fmt.Fprintf(out, "\n%s\n%-16s %4s %6s %6s %6s %6s %10s %8s\n", title, "", "n", "@1", "@3", "@10", "MRR", "offered @3", "claimed")
	for _, band := range bands {
		for _, lang := range []string{"", "en", "it", "de", "fr", "ja"} {
			s := score(answers, band, lang)
			if s.n == 0 {
				continue
			}
			fmt.Fprintf(out, "%-16s %4d %6.2f %6.2f %6.2f %6.3f %10.2f %8.2f\n", strings.TrimSpace(band+" "+lang), s.n,
				s.of(s.first), s.of(s.three), s.of(s.ten), s.mrr/float64(s.n), s.of(s.offered), s.of(s.claimed))
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
	for _, band := range bands {
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
