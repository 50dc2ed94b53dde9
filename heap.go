package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// The heap of most runs is small and its life short: fewer collections, each of
// which has to wait for workers inside the kernel, are worth some memory, but
// not four times whatever a run has to hold.
const (
	// gcPercent is how much garbage a small heap may grow by, in percent of
	// what lives.
	gcPercent = 400
	// garbage is how much garbage there may be in a larger one, in bytes, and
	// leastPercent what it may always be.
	garbage      = 16 << 20
	leastPercent = 25
)

// tuneCollector settles how often the collector runs, now and after each
// collection.
func tuneCollector() {
	debug.SetGCPercent(gcPercent)
	sentinel := new([16]byte) // not so small that it shares its block
	runtime.SetFinalizer(sentinel, retune)
}

// retune runs after a collection, since nothing refers to its sentinel.
func retune(sentinel *[16]byte) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if bytes := live[0].Value.Uint64(); bytes > 0 {
		debug.SetGCPercent(min(gcPercent, max(leastPercent, int(100*garbage/bytes))))
	}
	runtime.SetFinalizer(sentinel, retune)
}
