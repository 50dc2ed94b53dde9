package report

import (
	"io"
	"testing"

	"tally/match"
)

// BenchmarkLine is the time it takes to render and print one matching line.
func BenchmarkLine(b *testing.B) {
	line := []byte("\tif (unlikely(static_branch_unlikely(&sched_numa_balancing)))\n")
	spans := []match.Span{{Start: 5, End: 13}}
	for _, c := range []struct {
		name string
		set  func(*Config)
	}{
		{"plain", func(c *Config) { c.LineNumber = false }},
		{"number", func(c *Config) {}},
		{"color", func(c *Config) { c.Color = true }},
		{"column", func(c *Config) { c.Column = true }},
		{"only-matching", func(c *Config) { c.OnlyMatching = true }},
		{"max-columns-preview", func(c *Config) { c.MaxColumns, c.Preview = 40, true }},
		{"json", func(c *Config) { c.Mode = JSON }},
		{"window", func(c *Config) { c.Offset = 10 }},
	} {
		b.Run(c.name, func(b *testing.B) {
			cfg := testConfig()
			cfg.LineNumber = true
			c.set(&cfg)
			p := New(cfg, io.Discard, io.Discard)
			w := p.Worker(func(part *Part) { p.Print(part) })
			w.Begin([]byte("kernel/sched/core.c"))
			l := match.Line{Bytes: line, Spans: spans}
			b.SetBytes(int64(len(line)))
			b.ReportAllocs()
			for b.Loop() {
				l.Number++
				w.Matched(&l)
				l.Offset += int64(len(line))
			}
		})
	}
}

// BenchmarkFile is the time it takes to account for a file without a match.
func BenchmarkFile(b *testing.B) {
	p := New(testConfig(), io.Discard, io.Discard)
	w := p.Worker(nil)
	o := match.Outcome{BinaryOffset: -1, Bytes: 10000}
	path := []byte("kernel/sched/core.c")
	b.ReportAllocs()
	for b.Loop() {
		w.Begin(path)
		w.End(o, 0, true)
	}
}
