package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// An entry of a tree; content is a link's target where link is set, and a name
// that ends in a slash is a directory.
type entry struct {
	name, content string
	link          bool
	mode          os.FileMode
}

// The hashes are those that "nix hash path --sri" of Nix 2.8 prints.
var trees = []struct {
	name    string
	entries []entry
	want    string
}{
	{"empty directory", nil, "sha256-pQpattmS9VmO3ZIQUFn66az8GSmB4IvYhTTCFn6SUmo="},
	{"an empty file", []entry{{name: "a"}}, "sha256-sGyGxOEqag3h0gxiBV3uZWZ1NMAOgdYTpDH1hvm6PWA="},
	{"every kind", kinds, "sha256-ze+DGiylUUklq+zeqbIgMH4HsYqgSwMtkRCZohQv7Jg="},
	{"every length up to two words", lengths(), "sha256-X2BFU5MEseqLGIFwD4jIE7dxRMWvKd5VmVOuaj249jw="},
}

var kinds = []entry{
	{name: "a/b/c/", mode: 0o700},
	{name: "a.b", content: "sorts before a/ in bytes of paths, behind it by names"},
	{name: "a-b", content: "x\n"},
	{name: "Z", content: "capitals first"},
	{name: "ä", content: "not ASCII"},
	{name: "a/run", content: "#!/bin/sh\n", mode: 0o755},
	{name: "a/owner", content: "the owner may execute it", mode: 0o700},
	{name: "a/group", content: "only others may execute it", mode: 0o611},
	{name: "a/dangling", content: "no/where", link: true},
	{name: "to-a", content: "a", link: true},
}

func lengths() []entry {
	var list []entry
	for n := range 17 {
		list = append(list, entry{name: strings.Repeat("n", n+1), content: strings.Repeat("x", n)})
	}
	return list
}

func TestHashIsNix(t *testing.T) {
	for _, tree := range trees {
		t.Run(tree.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, e := range tree.entries {
				plant(t, dir, e)
			}
			if got, err := hash(dir); err != nil || got != tree.want {
				t.Errorf("got %s, %v, want %s", got, err, tree.want)
			}
		})
	}
}

func plant(t *testing.T, dir string, e entry) {
	t.Helper()
	path := filepath.Join(dir, e.name)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	if strings.HasSuffix(e.name, "/") {
		must(os.MkdirAll(path, e.mode))
		return
	}
	must(os.MkdirAll(filepath.Dir(path), 0o755))
	if e.link {
		must(os.Symlink(e.content, path))
		return
	}
	must(os.WriteFile(path, []byte(e.content), 0o644))
	if e.mode != 0 {
		must(os.Chmod(path, e.mode))
	}
}

func TestHashOfOneFileAndOneLink(t *testing.T) {
	dir := t.TempDir()
	plant(t, dir, entry{name: "f", content: "x\n"})
	plant(t, dir, entry{name: "l", content: "f", link: true})
	for name, want := range map[string]string{"f": "sha256-7LbDw7WtaXyYkUf3lK4/XPnSf24DWHcygBgPAIKKa0I=", "l": "sha256-gZZs/k5xWN/bZQovmsJZSl8JLvw9lt8VC7Bfpl3xv7c="} {
		if got, err := hash(filepath.Join(dir, name)); err != nil || got != want {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, want)
		}
	}
}

func TestWhatHasNoHash(t *testing.T) {
	dir := t.TempDir()
	if got, err := hash(filepath.Join(dir, "nothing")); err == nil {
		t.Errorf("what is not there has the hash %s", got)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := hash(dir); err == nil || !strings.Contains(err.Error(), "pipe") {
		t.Errorf("a pipe has the hash %s, %v", got, err)
	}
}
