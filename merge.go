package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"tally/flags"
	"tally/report"
)

// mergeLedgers adds up the ledgers in files and prints the sum.
func mergeLedgers(args *flags.Args) int {
	if len(args.Paths) == 0 {
		return refuse(args.Program, errors.New("--merge-ledgers needs the files that runs with --json have written, such as: tally --merge-ledgers a.json b.json"))
	}
	var all []*report.Ledger
	for _, path := range args.Paths {
		ledgers, err := readLedgers(path)
		if err != nil {
			return refuse(args.Program, fmt.Errorf("%s: %w", path, err))
		}
		all = append(all, ledgers...)
	}
	sum, err := report.Merge(all)
	if err != nil {
		return refuse(args.Program, fmt.Errorf("these ledgers cannot be added: %w", err))
	}
	var text []byte
	if args.Mode == flags.ModeJSON {
		text = append(sum.AppendJSON([]byte(`{"type":"ledger","data":`)), "}\n"...)
	} else {
		text = sum.AppendLines(nil, args.Program.String())
	}
	if code := write(args, string(text)); code != 0 {
		return code
	}
	return sum.ExitCode(report.Rules{Absent: sum.Asserted()})
}

func readLedgers(path string) ([]*report.Ledger, error) {
	var r io.Reader = os.Stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, errors.New(systemText(err))
		}
		defer file.Close()
		r = file
	}
	return report.ReadLedgers(r)
}
