package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"tally/match"
	"tally/walk"
)

// ledgerJSON is a ledger as [Ledger.AppendJSON] writes it.
type ledgerJSON struct {
	Version int      `json:"version"`
	Query   string   `json:"query"`
	Roots   []string `json:"roots"`
	Found   bool     `json:"found"`
	Absent  string   `json:"absent"`
	Files   struct {
		InScope  Number `json:"in_scope"`
		Searched Number `json:"searched"`
		Matched  Number `json:"matched"`
		Binary   Number `json:"binary"`
	} `json:"files"`
	Lines   Number `json:"lines"`
	Matches Number `json:"matches"`
	Shown   struct {
		Files   Number `json:"files"`
		Lines   Number `json:"lines"`
		Matches Number `json:"matches"`
	} `json:"shown"`
	Truncated    bool     `json:"truncated"`
	TruncatedBy  []string `json:"truncated_by"`
	Complete     bool     `json:"complete"`
	StoppedBy    string   `json:"stopped_by"`
	Repeated     int64    `json:"repeated"`
	GuessedUTF16 int64    `json:"guessed_utf16"`
	Patterns     []struct {
		Pattern string `json:"pattern"`
		Files   int64  `json:"files"`
		Lines   int64  `json:"lines"`
	} `json:"patterns"`
	Explain *Explanation `json:"explain"`
	Errors  []struct {
		Path      string `json:"path"`
		Operation string `json:"operation"`
		Reason    string `json:"reason"`
	} `json:"errors"`
	Skipped            map[string]int64 `json:"skipped"`
	SkippedDirectories map[string]int64 `json:"skipped_directories"`
	ResultDigest       string           `json:"result_digest"`
	BytesSearched      int64            `json:"bytes_searched"`
	Elapsed            struct {
		Secs  int64 `json:"secs"`
		Nanos int64 `json:"nanos"`
	} `json:"elapsed"`
}

// ledger returns the ledger that was written as j.
func (j *ledgerJSON) ledger() (*Ledger, error) {
	if j.Version != ledgerVersion {
		return nil, fmt.Errorf("a ledger of version %d, not %d", j.Version, ledgerVersion)
	}
	cfg := &Config{Mode: JSON, Limit: -1, Ledger: LedgerConfig{JSON: true, Absent: j.Absent != "", Roots: j.Roots, Query: j.Query}}
	l := &Ledger{
		InScope: j.Files.InScope, Searched: j.Files.Searched, Matched: j.Files.Matched, Binary: j.Files.Binary,
		Lines: j.Lines, Matches: j.Matches,
		ShownFiles: j.Shown.Files, ShownLines: j.Shown.Lines, ShownMatches: j.Shown.Matches,
		Truncated: j.Truncated, Complete: j.Complete, Repeated: j.Repeated, GuessedUTF16: j.GuessedUTF16,
		Explanation: j.Explain, ResultDigest: j.ResultDigest, BytesSearched: j.BytesSearched,
		Elapsed: time.Duration(j.Elapsed.Secs)*time.Second + time.Duration(j.Elapsed.Nanos),
		Found:   j.Found, foundRG: j.Found, cfg: cfg,
		matchedSoFar: max(j.Files.Matched.n, j.Shown.Files.n),
	}
	for _, name := range j.TruncatedBy {
		for cut, known := range cutNames {
			if name == known {
				l.TruncatedBy = append(l.TruncatedBy, Cut(cut))
			}
		}
	}
	for s := NotStopped; s <= OutputGone; s++ {
		if s.String() == j.StoppedBy {
			l.StoppedBy = s
		}
	}
	if j.Patterns != nil {
		l.Patterns = []PatternCount{}
	}
	for _, p := range j.Patterns {
		l.Patterns = append(l.Patterns, PatternCount(p))
	}
	for _, e := range j.Errors {
		l.Errors = append(l.Errors, walk.Error{Path: e.Path, Op: e.Operation, Err: readReason(e.Reason)})
	}
	for r := range walk.NumReasons {
		l.Skipped[r], l.SkippedDirectories[r] = j.Skipped[r.String()], j.SkippedDirectories[r.String()]
	}
	return l, nil
}

// readReason is the error that was written as a reason, as far as it matters
// which one it is: to the exit code the end of the run is no failure.
func readReason(text string) error {
	if text == match.ErrStopped.Error() {
		return match.ErrStopped
	}
	return errors.New(text)
}

// ReadLedgers reads the ledgers in what runs with --json have written, one run
// after another; a ledger may also stand alone, or in a message of its own.
func ReadLedgers(r io.Reader) ([]*Ledger, error) {
	var ledgers []*Ledger
	open := false // a run has begun and not ended
	for d := json.NewDecoder(r); ; {
		var raw json.RawMessage
		err := d.Decode(&raw)
		switch {
		case err == io.EOF && open:
			return nil, errors.New("the output of a run that has not ended: there is no summary")
		case err == io.EOF && ledgers == nil:
			return nil, errors.New("no ledger: it takes the output of a run with --json")
		case err == io.EOF:
			return ledgers, nil
		case err != nil:
			return nil, fmt.Errorf("no JSON as runs with --json write it: %w", err)
		}
		var message struct {
			Type    string          `json:"type"`
			Data    json.RawMessage `json:"data"`
			Version int             `json:"version"`
		}
		if err := json.Unmarshal(raw, &message); err != nil {
			return nil, err
		}
		switch message.Type {
		case "begin", "match", "context", "end":
			open = true
			continue
		case "":
		case "ledger":
			raw = message.Data
		case "summary":
			var data struct {
				Tally json.RawMessage `json:"tally"`
			}
			if err := json.Unmarshal(message.Data, &data); err != nil {
				return nil, err
			}
			if raw = data.Tally; raw == nil {
				return nil, errors.New("a summary without a ledger: called as rg, tally keeps one only if a flag of its own is given")
			}
		default:
			return nil, fmt.Errorf("a message of type %q, which runs that search do not write", message.Type)
		}
		open = false
		var j ledgerJSON
		if err := json.Unmarshal(raw, &j); err != nil {
			return nil, err
		}
		l, err := j.ledger()
		if err != nil {
			return nil, err
		}
		ledgers = append(ledgers, l)
	}
}
