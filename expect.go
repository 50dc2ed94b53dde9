package main

import (
	"bytes"
	"fmt"
	"io"
	"os"

	"tally/report"
)

// results is where results go: to standard output, or, if they must first be
// known to be the expected ones, into memory.
func (s *searcher) results() io.Writer {
	if s.args.ExpectDigest == "" {
		return os.Stdout
	}
	s.held = new(bytes.Buffer)
	return s.held
}

// unexpected returns an error if the results are not those that
// --expect-digest speaks of.
func (s *searcher) unexpected(l *report.Ledger) error {
	want := s.args.ExpectDigest
	switch {
	case want == "" || l.ResultDigest == want || l.Meaning != nil && l.ExactDigest == want:
		return nil
	case l.ResultDigest == "":
		return fmt.Errorf("the run ended before the digest of the results was known; nothing is shown. Run it again without a limit of time")
	}
	return fmt.Errorf("the results have changed: their digest is %s and not %s; nothing is shown. "+
		"Begin again at the first page and go on with the digest that it gives", l.ResultDigest, want)
}
