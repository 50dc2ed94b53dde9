package main

import (
	"encoding/hex"
	"errors"
	"os"
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

// lookAfterCache shows, prunes or clears the cache of vectors.
func lookAfterCache(args *flags.Args) int {
	if len(args.Paths) > 0 {
		return refuse(args.Program, errors.New("--cache takes no paths: there is one cache for all that is searched"))
	}
	dir, err := store.Dir(os.Getenv)
	if err != nil {
		return refuse(args.Program, err)
	}
	policy := store.Policy{Now: time.Now(), MaxAge: cacheAge, MaxBytes: cacheBytes, Chunker: chunk.Version}
	message := cacheMessage{Directory: jsonPath(dir)}
	var text []byte
	if args.Cache == flags.CacheShow {
		message.Action = "show"
		policy.DryRun = true
		var files []store.Info
		files, err = store.Show(dir)
		prunable, pruneErr := store.Prune(dir, policy)
		err = errors.Join(err, pruneErr)
		text = report.AppendCache(nil, dir, files, prunable)
		message.Prunable, message.Files = newCacheSum(prunable), newCacheFiles(files)
	} else {
		var gone store.Pruned
		if args.Cache == flags.CacheClear {
			message.Action = "clear"
			gone, err = store.Clear(dir)
		} else {
			message.Action = "prune"
			gone, err = store.Prune(dir, policy)
		}
		text = report.AppendRemoved(nil, dir, gone)
		message.Removed = newCacheSum(gone)
	}
	if args.Mode == flags.ModeJSON {
		text = message.encode()
	}
	if code := write(args, string(text)); code != 0 || err == nil {
		return code
	}
	return refuse(args.Program, err)
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

func (m *cacheMessage) encode() []byte {
	line, err := encode(struct {
		Type string        `json:"type"`
		Data *cacheMessage `json:"data"`
	}{"cache", m})
	if err != nil {
		panic(err) // all fields can be encoded
	}
	return append(line, '\n')
}
