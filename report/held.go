package report

import "io"

// mostHeld is how many bytes of results wait for the ledger that comes before them
// ([LedgerFirst]).
const mostHeld = 16 << 20

// A held holds results back until the ledger is known, or until there are too many.
type held struct {
	w        io.Writer
	buf      []byte
	overflow []byte // is written before results that are too many
	open     bool   // they are written as they come
}

// Write holds p back or writes it.
func (h *held) Write(p []byte) (int, error) {
	switch {
	case h.open:
		return h.w.Write(p)
	case len(h.buf)+len(p) <= mostHeld:
		h.buf = append(h.buf, p...)
		return len(p), nil
	}
	if err := h.release(h.overflow); err != nil {
		return 0, err
	}
	return h.w.Write(p)
}

// release writes what comes first, and what was held.
func (h *held) release(first []byte) error {
	h.open = true
	if len(first) > 0 {
		if _, err := h.w.Write(first); err != nil {
			return err
		}
	}
	_, err := h.w.Write(h.buf)
	h.buf = nil
	return err
}
