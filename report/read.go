package report

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

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
		case "totals", "begin", "match", "context", "end":
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
