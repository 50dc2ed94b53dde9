package main

import (
	"fmt"
	"io"
	"slices"
)

// above is the share of a band's questions whose best score reaches a floor.
func above(answers []answer, band string, floor float64) (s share) {
	for i := range answers {
		if a := &answers[i]; a.Band == band {
			s.add(a.best() >= floor)
		}
	}
	return s
}

// bestFloor is the floor that tells best, on some answers, natural questions from
// those that nothing answers: the greatest difference of the shares for which
// something is claimed. Of several floors it is the middle one.
func bestFloor(answers []answer) float64 {
	best, least, most := -1.0, 0.0, 0.0
	for step := range 100 {
		floor := float64(step) / 100
		switch gain := above(answers, "natural", floor).value() - above(answers, "absent", floor).value(); {
		case gain > best+1e-9:
			best, least, most = gain, floor, floor
		case gain > best-1e-9 && most > floor-0.015:
			most = floor
		}
	}
	return (least + most) / 2
}

// crossValidate chooses the floor on each set, and on all but each, and prints what
// it claims on every set.
func crossValidate(out io.Writer, sets []*set) {
	if len(sets) < 2 {
		return
	}
	type choice struct {
		name    string
		answers []answer
	}
	var choices []choice
	for i, s := range sets {
		choices = append(choices, choice{s.name, s.answers})
		if len(sets) > 2 {
			c := choice{name: "all but " + s.name}
			for j, other := range sets {
				if i != j {
					c.answers = slices.Concat(c.answers, other.answers)
				}
			}
			choices = append(choices, c)
		}
	}
	fmt.Fprintf(out, "\nthe floor, chosen on some questions and tried on all: claimed of natural, vague, absent\n%-16s %6s", "chosen on", "floor")
	for _, s := range sets {
		fmt.Fprintf(out, " | %-17s", s.name)
	}
	fmt.Fprintln(out)
	for _, c := range choices {
		floor := bestFloor(c.answers)
		fmt.Fprintf(out, "%-16s %6.3f", c.name, floor)
		for _, s := range sets {
			fmt.Fprintf(out, " |")
			for _, band := range []string{"natural", "vague", "absent"} {
				fmt.Fprintf(out, " %5.2f", above(s.answers, band, floor).value())
			}
		}
		fmt.Fprintln(out)
	}
}
