package report

// Asserted reports whether absence was asserted.
func (l *Ledger) Asserted() bool { return l.cfg.Ledger.Absent }

// An assertion is what that of absence has come to.
type assertion uint8

const (
	notAsserted assertion = iota
	proven
	refuted
	undecided
)

func (assertion) names() []string {
	return []string{notAsserted: "", proven: "proven", refuted: "refuted", undecided: "unknown"}
}

// absence returns what the assertion of absence has come to.
func (l *Ledger) absence() assertion {
	switch {
	case !l.cfg.Ledger.Absent:
		return notAsserted
	case l.Found:
		return refuted
	case !l.Complete || l.unproven() != "":
		return undecided
	}
	return proven
}
