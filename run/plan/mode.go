package plan

import "tally/flags"

// A Mode is what a run does. There is one for each; see the table in run.
type Mode uint8

const (
	PrintText    Mode = iota // print a text: help, version, file types, completions
	MergeLedgers             // add up the ledgers of other runs
	ManageCache              // show, prune or clear the cache of vectors
	Serve                    // answer the requests of a client: see the room serve
	Why                      // say of paths whether they are in the universe
	Skipped                  // list what the universe leaves out
	Files                    // list what is in it
	Search                   // search it
	Fuzzy                    // search it for words that may be meant, too
	Rank                     // order it by how much each file is about a question
)

// modeOf is the mode that a command line asks for.
func modeOf(a *flags.Args) Mode {
	switch a.Inspect {
	case flags.InspectLedgers:
		return MergeLedgers
	case flags.InspectCache:
		return ManageCache
	case flags.InspectServe:
		return Serve
	case flags.InspectWhy:
		return Why
	case flags.InspectSkipped:
		return Skipped
	}
	switch {
	case a.Rank:
		return Rank
	case !a.Mode.Searches():
		return Files
	case a.Fuzzy:
		return Fuzzy
	}
	return Search
}
