package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// bigSize is the size of the one large file, in bytes.
const bigSize = 1 << 30

// derived are the trees that are made of the Linux tree, once, in a cache. A
// scale below 1 makes them smaller, for a run that only shows that it runs.
var derived = map[string]func(dir, linux string, scale float64) error{
	"big":   bigFile,
	"words": manyWords,
	"logs":  compressedLogs,
	"small": smallFile,

	"crowd":   crowd,
	"matches": manyMatches,
}

// derive makes the derived tree of a name if it is not there.
func derive(name, cache, linux string, scale float64) error {
	dir := filepath.Join(cache, name)
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	fmt.Fprintf(os.Stderr, "bench: making the tree %s\n", name)
	if err := os.MkdirAll(cache, 0o777); err != nil {
		return err
	}
	part, err := os.MkdirTemp(cache, name+".part")
	if err != nil {
		return err
	}
	if err := derived[name](part, linux, scale); err != nil {
		os.RemoveAll(part)
		return err
	}
	return os.Rename(part, dir)
}

// sources calls f with the files of the Linux tree that end in one of ext until
// it returns false.
func sources(linux string, f func(text []byte) bool, ext ...string) error {
	err := filepath.WalkDir(linux, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		for _, e := range ext {
			if !strings.HasSuffix(path, e) {
				continue
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			if !f(text) {
				return fs.SkipAll
			}
		}
		return nil
	})
	return err
}

// bigFile writes one file of 1 GiB of source text.
func bigFile(dir, linux string, scale float64) error {
	f, err := os.Create(filepath.Join(dir, "big.txt"))
	if err != nil {
		return err
	}
	left := int(bigSize * scale)
	for left > 0 {
		before := left
		err := sources(linux, func(text []byte) bool {
			text = text[:min(len(text), left)]
			f.Write(text)
			left -= len(text)
			return left > 0
		}, ".c", ".h", ".md")
		if err != nil {
			return err
		}
		if left == before {
			return fmt.Errorf("no source text in %s", linux)
		}
	}
	return f.Close()
}

// manyWords writes 100,000 different words of the sources as patterns, and
// text to look for them in.
func manyWords(dir, linux string, scale float64) error {
	seen := map[string]bool{}
	var patterns, text bytes.Buffer
	most, room := int(100_000*scale), int(20e6*scale)
	err := sources(linux, func(b []byte) bool {
		if text.Len() < room {
			text.Write(b)
		}
		words := bufio.NewScanner(bytes.NewReader(b))
		words.Split(bufio.ScanWords)
		for words.Scan() && len(seen) < most {
			w := words.Text()
			if len(w) >= 5 && !seen[w] {
				seen[w] = true
				// Half of them occur; the other half is one letter off.
				if len(seen)%2 == 0 {
					w += "~"
				}
				fmt.Fprintln(&patterns, w)
			}
		}
		return len(seen) < most || text.Len() < room
	}, ".c", ".rst", ".md")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(dir, "patterns"), patterns.Bytes(), 0o666); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "text"), text.Bytes(), 0o666)
}

// compressedLogs writes 200 gzip files of a mebibyte of text each.
func compressedLogs(dir, linux string, scale float64) error {
	r, w := io.Pipe()
	go func() {
		w.CloseWithError(sources(linux, func(text []byte) bool {
			_, err := w.Write(text)
			return err == nil
		}, ".c", ".md"))
	}()
	defer r.Close()
	for i := range int(200 * scale) {
		f, err := os.Create(filepath.Join(dir, fmt.Sprintf("log%03d.gz", i)))
		if err != nil {
			return err
		}
		z := gzip.NewWriter(f)
		if _, err := io.CopyN(z, r, 1<<20); err != nil && err != io.EOF {
			return err
		}
		if err := z.Close(); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// smallFile writes a directory with one small file.
func smallFile(dir, _ string, _ float64) error {
	return os.WriteFile(filepath.Join(dir, "note.md"), []byte("# A note\n\nwith an agent in it\n"), 0o666)
}
