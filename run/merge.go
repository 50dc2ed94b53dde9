package run

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"tally/report"
	"tally/report/escape"
)

// mergeLedgers adds up the ledgers in files and prints the sum.
func mergeLedgers(s *Session, _ context.Context) int {
	var all []*report.Ledger
	for _, path := range s.Paths {
		ledgers, err := s.readLedgers(path)
		if err != nil {
			return s.refuse(fmt.Errorf("%s: %w", escape.Name(path), err))
		}
		all = append(all, ledgers...)
	}
	sum, err := report.Merge(all)
	if err != nil {
		return s.refuse(fmt.Errorf("these ledgers cannot be added: %w", err))
	}
	var text []byte
	if s.JSON {
		text = append(sum.AppendJSON([]byte(`{"type":"ledger","data":`)), "}\n"...)
	} else {
		text = sum.AppendLines(nil, s.Name)
	}
	if code := s.write(text); code != 0 {
		return code
	}
	return sum.ExitCode(report.Rules{Absent: sum.Asserted()})
}

func (s *Session) readLedgers(path string) ([]*report.Ledger, error) {
	r := s.world.Stdin
	switch {
	case path == "-" && r == nil:
		r = strings.NewReader("")
	case path != "-":
		file, err := s.world.Open(path)
		if err != nil {
			return nil, errors.New(errorText(err))
		}
		defer file.Close()
		r = file
	}
	return report.ReadLedgers(r)
}
