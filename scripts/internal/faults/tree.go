package main

import (
	"bytes"
	"os"
	"path/filepath"
)

// A tree is a directory of files that all hold the same word.
type tree struct {
	dir   string
	files []string // as a search of "." calls them, in the order of their paths
}

// newTree makes a tree: files of one and of many reads, rules on two levels, and
// what they leave out.
func newTree() (*tree, error) {
	dir, err := os.MkdirTemp("", "faults-")
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	t := &tree{dir: dir}
	large := append(bytes.Repeat([]byte("a line without it\n"), 20000), "the needle\n"...)
	for _, f := range []struct {
		path string
		text []byte
		out  bool // of scope
	}{
		{".ignore", []byte("*.log\n"), true},
		{"a.txt", []byte("a needle\n"), false},
		{"b/c/deep.txt", []byte("one\ntwo\nneedle\n"), false},
		{"b/d.txt", []byte("needle"), false},
		{"b/rules/.gitignore", []byte("*.o\n"), true},
		{"b/rules/e.txt", []byte("needle\nneedle\n"), false},
		{"b/rules/f.o", []byte("an object\n"), true},
		{"large.txt", large, false},
		{"utf16.txt", utf16("a needle in other bytes\n"), false},
		{"z.log", []byte("left out\n"), true},
	} {
		path := filepath.Join(dir, f.path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return nil, err
		}
		if err := os.WriteFile(path, f.text, 0o644); err != nil {
			return nil, err
		}
		if !f.out {
			t.files = append(t.files, "./"+f.path)
		}
	}
	return t, nil
}

// utf16 returns an ASCII text in little-endian UTF-16 with its mark.
func utf16(text string) []byte {
	b := []byte{0xFF, 0xFE}
	for i := range len(text) {
		b = append(b, text[i], 0)
	}
	return b
}
