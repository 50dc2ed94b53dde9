package report

import (
	"errors"
	"fmt"
	"testing"

	"tally/match/readings"
	"tally/walk"
)

func TestExplanation(t *testing.T) {
	e := Explanation{Files: 1200, Findings: []Finding{
		{Kind: readings.AsTyped, Scope: "hidden", Lines: 1, Files: 1, Example: Example{Path: "\xff"}, Flags: "--hidden"},
		{Kind: readings.Case, Scope: InScope, Lines: 3, Files: 2, Example: Example{Path: "a", Line: Known(7)}, Flags: "-i"},
	}}
	e.Sort()
	if got, want := e.nearMisses(), "3 lines in another case"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	want := "[  in another case: 3 lines in 2 files, as at a:7; found with: -i" +
		"   hidden, as typed: 1 line in 1 file, as at $'\\xff'; found with: --hidden" +
		"   the closer look was cut short, at 1200 files; --explain-zero=always finishes it]"
	if got := fmt.Sprint(e.Lines()); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

// A ledger that is contradicted by the look behind it proves nothing.
func TestContradict(t *testing.T) {
	l := &Ledger{
		Complete: true, exactComplete: true, InScope: Known(1), Searched: Known(1),
		Matched: Known(0), Lines: Known(0), Matches: Known(0), ResultDigest: "00", cfg: &Config{},
	}
	l.cfg.Ledger.Absent = true
	if got := l.ExitCode(Rules{Absent: true}); got != 0 {
		t.Fatalf("exit code %d before", got)
	}
	l.Contradict(walk.Error{Path: "f", Op: walk.OpChange, Err: errors.New("changed")})
	if got := l.ExitCode(Rules{Absent: true}); got != 2 {
		t.Errorf("exit code %d", got)
	}
	if got, want := l.Line(), "PARTIAL: 1 file changed during the run; this result is no proof of absence"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if l.Matched.known || l.Lines.known || l.Matches.known || l.ResultDigest != "" {
		t.Errorf("totals %v, %v, %v and digest %q are still established", l.Matched, l.Lines, l.Matches, l.ResultDigest)
	}
}
