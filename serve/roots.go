package serve

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tally/report/escape"
	"tally/run/world"
)

// roots are the directories that a client may search, fixed when the server starts.
// The walk follows no links, so that what is below a root stays there; what a client
// names is resolved, by its links and its dots, before it is compared with them.
type roots struct {
	base string   // the nearest directory that holds them all; paths are relative to it
	dirs []string // absolute paths without links, none below another
}

func newRoots(w *world.World, dirs []string) (*roots, error) {
	cwd, err := w.Cwd()
	if err != nil {
		return nil, err
	}
	r := &roots{}
	for _, dir := range dirs {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(cwd, dir)
		}
		real, err := filepath.EvalSymlinks(dir)
		if err == nil {
			var info os.FileInfo
			if info, err = os.Stat(real); err == nil && !info.IsDir() {
				err = errors.New("it is not a directory")
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s cannot be served: %s", escape.Name(dir), world.ErrorText(err))
		}
		r.dirs = append(r.dirs, real)
	}
	slices.Sort(r.dirs)
	r.dirs = slices.Compact(r.dirs)
	all := r.dirs
	r.dirs = slices.DeleteFunc(slices.Clone(all), func(dir string) bool {
		return slices.ContainsFunc(all, func(above string) bool { return above != dir && within(dir, above) })
	})
	r.base = r.dirs[0]
	for _, dir := range r.dirs {
		for !within(dir, r.base) {
			r.base = filepath.Dir(r.base)
		}
	}
	return r, nil
}

// within reports whether a clean absolute path is a directory or lies in it.
func within(path, dir string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

// allowed reports whether a clean absolute path without links may be read.
func (r *roots) allowed(path string) bool {
	return slices.ContainsFunc(r.dirs, func(dir string) bool { return within(path, dir) })
}

// all are the words that stand for all roots on a command line: none for one, which
// is the working directory then.
func (r *roots) all() []string {
	if len(r.dirs) == 1 {
		return nil
	}
	return r.words(r.dirs)
}

// words are absolute paths as words of a command line, behind "--". None is taken for
// standard input.
func (r *roots) words(paths []string) []string {
	words := make([]string, len(paths))
	for i, path := range paths {
		words[i] = r.shown(path)
		if words[i] == "-" {
			words[i] = "./-"
		}
	}
	return words
}

// shown is an absolute path relative to the base.
func (r *roots) shown(path string) string {
	if rel, err := filepath.Rel(r.base, path); err == nil {
		return rel
	}
	return path
}

// resolve returns the absolute paths without links that a client's path stands for:
// itself, or the roots below it. Of a path that does not exist, what exists above it
// is resolved.
func (r *roots) resolve(path string) ([]string, error) {
	if strings.ContainsRune(path, 0) {
		return nil, errors.New("a path has no NUL byte")
	}
	abs := path
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(r.base, path)
	}
	abs = filepath.Clean(abs)
	below := slices.DeleteFunc(slices.Clone(r.dirs), func(dir string) bool { return !within(dir, abs) })
	if len(below) > 0 {
		return below, nil
	}
	outside := fmt.Errorf("%s is outside of what is served: %s", escape.Name(path), strings.Join(r.dirs, ", "))
	if real, err := realpath(abs); err == nil && r.allowed(real) {
		return []string{real}, nil
	} else if err != nil && r.allowed(abs) {
		return nil, fmt.Errorf("%s: %s", escape.Name(path), world.ErrorText(err))
	}
	return nil, outside
}

// asked returns the absolute path that a client asks about. Only what stands above it
// is resolved, since a link has an answer of its own; a root is one by itself.
func (r *roots) asked(path string) (string, error) {
	abs := path
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(r.base, path)
	}
	abs = filepath.Clean(abs)
	if above, err := realpath(filepath.Dir(abs)); err == nil && r.allowed(above) {
		return filepath.Join(above, filepath.Base(abs)), nil
	}
	paths, err := r.resolve(path)
	if err != nil {
		return "", err
	}
	return paths[0], nil
}

// file returns the absolute path without links of a regular file.
func (r *roots) file(path string) (string, error) {
	paths, err := r.resolve(path)
	if err != nil {
		return "", err
	}
	info, err := os.Lstat(paths[0])
	switch {
	case err != nil:
		return "", fmt.Errorf("%s: %s", escape.Name(path), world.ErrorText(err))
	case !info.Mode().IsRegular():
		return "", fmt.Errorf("%s is no regular file; lines can be read of files", escape.Name(path))
	}
	return paths[0], nil
}

// realpath is a path without links. The end of one that does not exist is kept; a
// link that leads to nothing is an error.
func realpath(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err == nil || !errors.Is(err, os.ErrNotExist) || path == "/" {
		return real, err
	}
	if _, linkErr := os.Lstat(path); linkErr == nil {
		return "", err
	}
	above, err := realpath(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	return filepath.Join(above, filepath.Base(path)), nil
}
