package report

import (
	"encoding/hex"
	"strconv"
	"strings"
	"time"

	"tally/report/escape"
	"tally/semantic/store"
)

// AppendCache appends what a cache of vectors holds, as lines: all of it
// together, a paragraph for each file, and what pruning would remove.
func AppendCache(b []byte, dir string, files []store.Info, prunable store.Pruned) []byte {
	vectors, bytes := 0, int64(0)
	for i := range files {
		vectors += files[i].Vectors
		bytes += files[i].Bytes
	}
	b = append(b, escape.Name(dir)+": "...)
	if len(files) == 0 {
		return append(b, "the cache is empty\n"...)
	}
	b = append(b, counted(vectors, "vector", "vectors")+" in "+counted(len(files), "file", "files")+", "+size(bytes)+"\n"...)
	for i := range files {
		b = appendCacheFile(b, &files[i])
	}
	if prunable == (store.Pruned{}) {
		return append(b, "there is nothing to prune\n"...)
	}
	return append(b, "--cache=prune would remove "+removed(prunable)+"\n"...)
}

func appendCacheFile(b []byte, f *store.Info) []byte {
	if f.Problem != "" {
		return append(b, escape.Name(f.Path)+": "+size(f.Bytes)+"; "+escape.Line(f.Problem)+"\n"...)
	}
	name := f.Name
	if name == "" {
		name = "a model without a name"
	}
	facts := []string{
		counted(f.Vectors, "vector", "vectors") + " of " + counted(f.Dim, "number", "numbers"),
		size(f.Bytes),
		"since " + f.Created.Format(time.DateOnly),
	}
	if f.Vectors > 0 {
		facts = append(facts, "last used "+f.Used.Format(time.DateOnly))
	}
	if f.Damaged > 0 {
		facts = append(facts, counted(f.Damaged, "damaged entry", "damaged entries"))
	}
	b = append(b, escape.Name(name)+": "+strings.Join(facts, ", ")+"\n"...)
	b = append(b, "  file: "+escape.Name(f.Path)+"\n"...)
	b = append(b, "  model: "+hex.EncodeToString(f.Model[:])+"\n"...)
	return append(b, "  prefix of queries: "+strconv.Quote(f.Prefix)+"; texts cut as by version "+strconv.Itoa(f.Chunker)+"\n"...)
}

// AppendRemoved appends what was removed from a cache, as a line.
func AppendRemoved(b []byte, dir string, p store.Pruned) []byte {
	return append(b, escape.Name(dir)+": "+removed(p)+" removed\n"...)
}

func removed(p store.Pruned) string {
	return counted(p.Vectors, "vector", "vectors") + " and " + counted(p.Files, "whole file", "whole files") + " (" + size(p.Bytes) + ")"
}

func counted(n int, one, many string) string { return some(int64(n), one, many) }
