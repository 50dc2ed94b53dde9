package masks

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// find sets every mask of dst; text goes on for headSize-1 bytes behind what
// these speak of.
func (h *Heads) find(dst []uint64, text []byte) {
	if !cpu.X86.HasAVX2 {
		h.findPlain(dst, text)
		return
	}
	findAVX2(unsafe.SliceData(dst), unsafe.SliceData(text), len(dst), &h.tables)
}

// classify sets all of dst; text is at least as long as these speak of.
func classify(dst []Classes, text []byte) {
	if !cpu.X86.HasAVX2 {
		classifyPlain(dst, text)
		return
	}
	classifyAVX2(unsafe.SliceData(dst), unsafe.SliceData(text), len(dst))
}

// findAVX2 reads 64 * n + 2 bytes of text.
//
//go:noescape
func findAVX2(dst *uint64, text *byte, n int, tables *[2 * headSize][16]byte)

// classifyAVX2 reads 64 * n bytes of text.
//
//go:noescape
func classifyAVX2(dst *Classes, text *byte, n int)
