package walk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/boyter/gocodewalker"
)

// An Audit is double entry for a walk: what the walk accounts for is noted
// while it goes on, and afterwards another program's walk, with all filters
// off, lists everything again.
type Audit struct {
	mu    sync.Mutex
	files map[string]struct{} // searched, skipped or in error
	dirs  map[string]struct{} // skipped or in error, with everything below
}

// NewAudit returns an audit that has noted nothing.
func NewAudit() *Audit {
	return &Audit{files: map[string]struct{}{}, dirs: map[string]struct{}{}}
}

// File notes a file that was searched, skipped or in error.
func (a *Audit) File(path []byte) { a.note(a.files, path) }

// Dir notes a directory that was skipped or could not be read.
func (a *Audit) Dir(path []byte) { a.note(a.dirs, path) }

func (a *Audit) note(m map[string]struct{}, path []byte) {
	clean := filepath.Clean(string(path))
	a.mu.Lock()
	defer a.mu.Unlock()
	m[clean] = struct{}{}
}

// errUnaccounted is the reason in the errors that an audit finds.
var errUnaccounted = errors.New("listed by the second walker, but neither searched nor left out for a reason")

// Check lists everything below the roots with gocodewalker and returns an
// error for each file that the walk has not accounted for, and for each
// directory that the second walker could not read though the walk could.
func (a *Audit) Check(u *Universe) []Error {
	var found []Error
	for _, r := range u.roots {
		if !r.isDir() {
			continue
		}
		for path, err := range listAgain(r.path) {
			system := path
			if !filepath.IsAbs(string(r.display)) {
				path = u.c.given(path)
			}
			if a.accounts(path) || u.c.Follow && isDir(system) {
				// A link to a directory is a file to the second walker.
				continue
			}
			if err == nil {
				err = errUnaccounted
			}
			found = append(found, Error{Path: Displayed(path), Op: OpAudit, Err: err})
		}
	}
	slices.SortFunc(found, func(x, y Error) int { return comparePaths(string(x.Path), string(y.Path)) })
	return found
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// accounts reports whether a file was noted, or a directory above it.
func (a *Audit) accounts(path string) bool {
	if _, ok := a.files[path]; ok {
		return true
	}
	for dir := path; ; {
		if _, ok := a.dirs[dir]; ok {
			return true
		}
		i := strings.LastIndexByte(dir, '/')
		if i <= 0 {
			_, ok := a.dirs["."]
			return ok && i < 0
		}
		dir = dir[:i]
	}
}

// listAgain lists the files below dir by another program's walk.
func listAgain(dir string) func(yield func(string, error) bool) {
	return func(yield func(string, error) bool) {
		queue := make(chan *gocodewalker.File, 1000)
		w := gocodewalker.NewFileWalker(dir, queue)
		w.IgnoreIgnoreFile = true
		w.IgnoreGitIgnore = true
		w.IgnoreGitModules = true
		w.IncludeHidden = true
		var mu sync.Mutex
		var errs []error
		w.SetErrorHandler(func(err error) bool {
			mu.Lock()
			defer mu.Unlock()
			errs = append(errs, err)
			return true
		})
		done := make(chan error, 1)
		go func() { done <- w.Start() }()
		for f := range queue {
			if !yield(filepath.Clean(f.Location), nil) {
				w.Terminate()
			}
		}
		if err := <-done; err != nil {
			errs = append(errs, err)
		}
		for _, err := range errs {
			path := dir
			var p *os.PathError
			if errors.As(err, &p) {
				path = p.Path
			}
			yield(filepath.Clean(path), fmt.Errorf("second walker: %w", err))
		}
	}
}
