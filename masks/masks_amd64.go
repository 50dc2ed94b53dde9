package masks

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// find sets every mask of dst; text is longer than these speak of.
func (p *Pairs) find(dst []uint64, text []byte) {
	if !cpu.X86.HasAVX2 {
		p.findPlain(dst, text)
		return
	}
	findAVX2(unsafe.SliceData(dst), unsafe.SliceData(text), len(dst), &p.tables)
}

// classify sets all of dst; text is at least as long as these speak of.
func classify(dst []Classes, text []byte) {
	if !cpu.X86.HasAVX2 {
		classifyPlain(dst, text)
		return
	}
	classifyAVX2(unsafe.SliceData(dst), unsafe.SliceData(text), len(dst))
}

// findAVX2 reads 64 * n + 1 bytes of text.
//
//go:noescape
func findAVX2(dst *uint64, text *byte, n int, tables *[4][16]byte)

// classifyAVX2 reads 64 * n bytes of text.
//
//go:noescape
func classifyAVX2(dst *Classes, text *byte, n int)
