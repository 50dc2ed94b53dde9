//go:build !amd64

package store

func dotEights(a, b []float32) float32 { return dotPlain(a, b) }
