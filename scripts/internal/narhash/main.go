// Command narhash prints the hash by which Nix pins a directory, as an SRI
// string, without Nix: SHA-256 over its Nix archive (Dolstra, "The Purely
// Functional Software Deployment Model", 2006, section 5.2). It must not know
// what the directory is for.
//
// An archive is a sequence of strings, each written as its length in eight
// bytes, little-endian, and its bytes, padded with zeros to a multiple of eight:
//
//	archive   = "nix-archive-1" node
//	node      = "(" "type" ( file | link | directory ) ")"
//	file      = "regular" [ "executable" "" ] "contents" BYTES
//	link      = "symlink" "target" PATH
//	directory = "directory" { "entry" "(" "name" NAME "node" node ")" }
//
// Entries are sorted by the bytes of their names. Times, owners and all
// permissions but the owner's right to execute are left out.
package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: narhash PATH")
		os.Exit(2)
	}
	sum, err := hash(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "narhash:", err)
		os.Exit(2)
	}
	fmt.Println(sum)
}

// hash returns the SRI hash of the file, link or directory at path. A link in
// place of the path itself is not followed.
func hash(path string) (string, error) {
	sum := sha256.New()
	w := bufio.NewWriter(sum)
	a := archive{w}
	a.strings("nix-archive-1")
	if err := a.node(path); err != nil {
		return "", err
	}
	w.Flush() // to a hash, which never fails
	return "sha256-" + base64.StdEncoding.EncodeToString(sum.Sum(nil)), nil
}

// An archive is written to a hash, so that writing cannot fail.
type archive struct{ w *bufio.Writer }

func (a archive) node(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	a.strings("(", "type")
	switch mode := info.Mode(); {
	case mode.IsRegular():
		err = a.file(path, mode.Perm()&0o100 != 0)
	case mode.IsDir():
		err = a.directory(path)
	case mode&fs.ModeSymlink != 0:
		err = a.link(path)
	default:
		err = fmt.Errorf("%s: an archive holds files, directories and symbolic links only", path)
	}
	a.strings(")")
	return err
}

func (a archive) file(path string, executable bool) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	a.strings("regular")
	if executable {
		a.strings("executable", "")
	}
	a.strings("contents")
	a.length(info.Size())
	n, err := io.Copy(a.w, io.LimitReader(f, info.Size()))
	if err == nil && n != info.Size() {
		err = fmt.Errorf("%s: became shorter while it was read", path)
	}
	a.pad(n)
	return err
}

func (a archive) link(path string) error {
	target, err := os.Readlink(path)
	a.strings("symlink", "target", target)
	return err
}

func (a archive) directory(path string) error {
	entries, err := os.ReadDir(path) // sorted by name
	if err != nil {
		return err
	}
	a.strings("directory")
	for _, e := range entries {
		a.strings("entry", "(", "name", e.Name(), "node")
		if err := a.node(filepath.Join(path, e.Name())); err != nil {
			return err
		}
		a.strings(")")
	}
	return nil
}

func (a archive) strings(list ...string) {
	for _, s := range list {
		a.length(int64(len(s)))
		a.w.WriteString(s)
		a.pad(int64(len(s)))
	}
}

func (a archive) length(n int64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], uint64(n))
	a.w.Write(b[:])
}

func (a archive) pad(n int64) {
	var zeros [8]byte
	a.w.Write(zeros[:-n&7])
}
