package plan

import (
	"strings"
	"time"

	"tally/rank"
	"tally/report"
	"tally/semantic"
	"tally/walk/glob"
	"tally/walk/opt"
)

// A RankConfig says how files are ranked.
type RankConfig struct {
	// Text is the question, as typed.
	Text  string
	Query *rank.Query
	// Fuzzy tolerates typing errors.
	Fuzzy bool
	// Floor is the score from which a file is a result.
	Floor float64
	// Weights are priors for the files that a glob fits; the last one counts.
	Weights []Weight
	// Explain shows what a score is made of.
	Explain bool
}

// A Weight is a prior for the files that a glob fits.
type Weight struct {
	Glob   *glob.Override
	Factor float64
}

// A MeaningConfig says how what is similar is looked for.
type MeaningConfig struct {
	// Text is what files are compared with, its white space folded.
	Text string
	// Budget is how long new text may be embedded, 0 for any time.
	Budget time.Duration
	// Models describe models that are not known.
	Models []semantic.Model
	// Floor is the score from which a file is similar; unset: the model's.
	Floor Floor
	// Threads is how many the server uses, 0 for one for each processor.
	Threads int
}

// A Floor is a score that may not have been given.
type Floor struct {
	Score float64
	Given bool
}

// defaultRanked is how many files are displayed if nothing is said of it.
const defaultRanked = 10

// planRank settles what a ranking decides by itself.
func (p *planner) planRank() error {
	if p.Mode != Rank {
		return nil
	}
	a := p.a
	r := &p.Rank
	r.Text, r.Fuzzy, r.Floor, r.Explain = strings.Join(a.Patterns, " "), a.Fuzzy, a.Floor.Or(rank.Floor), a.ExplainScore
	var err error
	if r.Query, err = rank.ParseQuery(r.Text); err != nil {
		return err
	}
	for _, w := range a.Weights {
		g, err := glob.NewOverride([]string{w.Glob}, nil, false)
		if err != nil {
			return err
		}
		r.Weights = append(r.Weights, Weight{g, w.Factor})
	}
	c := &p.Report
	c.Ranked = rankedForms[a.Mode]
	c.Replacement = nil
	c.Stats = false // they are about lines
	c.Mode, c.Resorted, c.LineNumber = report.Ranked, true, true
	if _, limited := c.Limit.Get(); !limited {
		c.Limit = opt.Some[int64](defaultRanked)
	}
	return nil
}

// planMeaning settles how what is similar is looked for.
func (p *planner) planMeaning() error {
	a := p.a
	if !similar(a, p.Mode) {
		return nil
	}
	m := &MeaningConfig{
		Text:    strings.Join(strings.Fields(strings.Join(a.Patterns, " ")), " "),
		Budget:  a.MeaningBudget.Or(0),
		Threads: threads(a),
	}
	if p.Mode != Rank {
		m.Floor.Score, m.Floor.Given = a.Floor.Get()
	}
	for _, text := range a.MeaningModels {
		model, err := semantic.ParseModel(text)
		if err != nil {
			return err
		}
		m.Models = append(m.Models, model)
	}
	p.Meaning = m
	return nil
}
