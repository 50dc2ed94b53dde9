package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"tally/flags"

	"github.com/cespare/xxhash/v2"
)

// realRoots are the roots as absolute paths without links, so that ledgers of
// several runs can be told to overlap.
func (p *plan) realRoots() []string {
	roots := make([]string, len(p.walk.Roots))
	for i, path := range p.walk.Roots {
		if path == "-" && p.walk.Stdin {
			roots[i] = "<stdin>"
			continue
		}
		roots[i] = filepath.Join(p.walk.Cwd, path)
		if filepath.IsAbs(path) {
			roots[i] = filepath.Clean(path)
		}
		if real, err := filepath.EvalSymlinks(roots[i]); err == nil {
			roots[i] = real
		}
	}
	return roots
}

// query stands for all that decides what is in scope and what is a result of
// it, apart from the roots.
func (p *plan) query() string {
	a := p.args
	text, err := json.Marshal([]any{
		p.syntax, a.Engine, a.InvertMatch, a.Binary, a.Absent, a.Encoding, a.SearchZip, a.Pre, a.PreGlobs, a.StopOnNonmatch,
		a.Hidden, a.Globs, a.IGlobs, a.GlobCaseInsensitive, a.TypeChanges, a.Follow, a.OneFileSystem,
		p.walk.MaxDepth, p.walk.MaxFilesize, a.IgnoreFiles, a.IgnoreFileCaseInsensitive,
		[]bool{
			a.NoIgnoreDot, a.NoIgnoreExclude, a.NoIgnoreFiles, a.NoIgnoreGlobal, a.NoIgnoreParent, a.NoIgnoreVCS,
			a.NoRequireGit, a.Mode == flags.ModeFilesWithoutMatch,
		},
	})
	if err != nil {
		panic(err) // all of these can be encoded
	}
	return fmt.Sprintf("%016x", xxhash.Sum64(text))
}
