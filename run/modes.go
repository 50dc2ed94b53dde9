package run

import (
	"context"

	"tally/run/plan"
)

// modes are what a run can be. Each returns the exit code.
var modes = [...]func(*Session, context.Context) int{
	plan.PrintText:    printText,
	plan.MergeLedgers: mergeLedgers,
	plan.ManageCache:  manageCache,
	plan.Serve:        nil, // another's to do: see Session.Serves
	plan.Why:          why,
	plan.Skipped:      listSkipped,
	plan.Files:        account(newSearch),
	plan.Search:       account(newSearch),
	plan.Fuzzy:        account(newFuzzy),
	plan.Rank:         account(newRanking),
}

// printText prints a text that was asked for instead of a run.
func printText(s *Session, _ context.Context) int {
	if code := s.write([]byte(s.Text)); code != 0 {
		return code
	}
	return s.TextCode
}
