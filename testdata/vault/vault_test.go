package vault

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// digest is of all paths and contents: tests elsewhere hold counts of lines
// that change when a single byte does.
const digest = "00a9f1b13d3b4101"

func TestVault(t *testing.T) {
	dir := t.TempDir()
	if err := Generate(dir); err != nil {
		t.Fatal(err)
	}
	var files, raw, size int
	holds := map[string]int{}
	sum := sha256.New()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		rel = filepath.ToSlash(rel)
		fmt.Fprintf(sum, "%s\x00%d\x00%s", rel, len(text), text)
		files++
		size += len(text)
		if strings.HasPrefix(rel, "raw/") {
			raw++
		}
		if !strings.HasSuffix(rel, ".md") || bytes.Contains(text, []byte("\r")) || !bytes.HasSuffix(text, []byte(".\n")) {
			t.Errorf("%s is not a note as promised", rel)
		}
		for _, k := range Keywords {
			if bytes.Contains(text, []byte(k.Text)) {
				holds[k.Text]++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files != Files || raw != RawFiles {
		t.Errorf("%d files, %d under raw/; want %d, %d", files, raw, Files, RawFiles)
	}
	for _, k := range Keywords {
		if holds[k.Text] != k.Files {
			t.Errorf("%q is in %d files, want %d", k.Text, holds[k.Text], k.Files)
		}
	}
	if size < 24_500_000 || size > 25_800_000 {
		t.Errorf("%d bytes in all, want about 25 MB", size)
	}
	if got := fmt.Sprintf("%.8x", sum.Sum(nil)); got != digest {
		t.Errorf("digest of the vault is %s, want %s", got, digest)
	}
}
