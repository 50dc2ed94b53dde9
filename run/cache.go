package run

import (
	"context"
	"encoding/hex"
	"errors"
	"time"

	"tally/flags"
	"tally/report"
	"tally/semantic/chunk"
	"tally/semantic/store"
)

// What --cache=prune leaves.
const (
	cacheAge   = 90 * 24 * time.Hour
	cacheBytes = 1_000_000_000
)

// manageCache shows, prunes or clears the cache of vectors.
func manageCache(s *Session, _ context.Context) int {
	dir, err := store.Dir(s.world.Getenv)
	if err != nil {
		return s.refuse(err)
	}
	policy := store.Policy{Now: time.Now(), MaxAge: cacheAge, MaxBytes: cacheBytes, Chunker: chunk.Version}
	m := cacheMessage{Directory: jsonPath(dir)}
	var text []byte
	if s.Cache == flags.CacheShow {
		m.Action = "show"
		policy.DryRun = true
		var files []store.Info
		files, err = store.Show(dir)
		prunable, pruneErr := store.Prune(dir, policy)
		err = errors.Join(err, pruneErr)
		text = report.AppendCache(nil, dir, files, prunable)
		m.Prunable, m.Files = newCacheSum(prunable), newCacheFiles(files)
	} else {
		var gone store.Pruned
		if s.Cache == flags.CacheClear {
			m.Action = "clear"
			gone, err = store.Clear(dir)
		} else {
			m.Action = "prune"
			gone, err = store.Prune(dir, policy)
		}
		text = report.AppendRemoved(nil, dir, gone)
		m.Removed = newCacheSum(gone)
	}
	if s.JSON {
		text = message("cache", &m)
	}
	if code := s.write(text); code != 0 || err == nil {
		return code
	}
	return s.refuse(err)
}

// A cacheMessage is what --cache prints with --json.
type cacheMessage struct {
	Action    string      `json:"action"`
	Directory jsonPath    `json:"directory"`
	Files     []cacheFile `json:"files,omitempty"`
	Prunable  *cacheSum   `json:"prunable,omitempty"`
	Removed   *cacheSum   `json:"removed,omitempty"`
}

type cacheFile struct {
	Path      jsonPath `json:"path"`
	Bytes     int64    `json:"bytes"`
	Problem   string   `json:"problem,omitempty"`
	Name      string   `json:"name"`
	Model     string   `json:"model_sha256"`
	Prefix    string   `json:"prefix"`
	Chunker   int      `json:"chunker"`
	Dimension int      `json:"dimension"`
	Vectors   int      `json:"vectors"`
	Damaged   int      `json:"damaged"`
	Created   string   `json:"created"`
	Used      string   `json:"used"`
}

type cacheSum struct {
	Files   int   `json:"files"`
	Vectors int   `json:"vectors"`
	Bytes   int64 `json:"bytes"`
}

func newCacheSum(p store.Pruned) *cacheSum { return &cacheSum{p.Files, p.Vectors, p.Bytes} }

func newCacheFiles(files []store.Info) []cacheFile {
	var list []cacheFile
	for _, f := range files {
		list = append(list, cacheFile{
			Path: jsonPath(f.Path), Bytes: f.Bytes, Problem: f.Problem,
			Name: f.Name, Model: hex.EncodeToString(f.Model[:]), Prefix: f.Prefix,
			Chunker: f.Chunker, Dimension: f.Dim, Vectors: f.Vectors, Damaged: f.Damaged,
			Created: day(f.Created), Used: day(f.Used),
		})
	}
	return list
}

// day is a date, or "" for none.
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.DateOnly)
}
