//go:build !amd64

package masks

func (h *Heads) find(dst []uint64, text []byte) { h.findPlain(dst, text) }

func classify(dst []Classes, text []byte) { classifyPlain(dst, text) }
