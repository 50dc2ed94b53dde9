//go:build !amd64

package masks

func (p *Pairs) find(dst []uint64, text []byte) { p.findPlain(dst, text) }

func classify(dst []Classes, text []byte) { classifyPlain(dst, text) }
