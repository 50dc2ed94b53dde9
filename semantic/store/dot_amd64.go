package store

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// dotEights is dotPlain for vectors of a multiple of eight numbers.
func dotEights(a, b []float32) float32 {
	if !cpu.X86.HasAVX2 {
		return dotPlain(a, b)
	}
	return dotAVX2(unsafe.SliceData(a), unsafe.SliceData(b), len(a)/8)
}

// dotAVX2 reads 8 * n numbers of each.
//
//go:noescape
func dotAVX2(a, b *float32, n int) float32
