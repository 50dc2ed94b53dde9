package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// oddFiles is the tree "odd": what notes and sources rarely hold and a
// search must still get right. All hold the word "needle".
var oddFiles = map[string]string{
	".git/HEAD":             "ref: refs/heads/main\n",
	".git/info/exclude":     "excluded.txt\n",
	".gitignore":            "*.log\n/build/\n!keep.log\ntemp*\n",
	".ignore":               "private.md\n",
	".hidden":               "a hidden needle\n",
	".config/settings":      "needle = in a hidden directory\n",
	"a.txt":                 "needle a.txt\n",
	"a/one.txt":             "one needle\ntwo needle needle\nnothing\n",
	"a/two.txt":             "Needle with a capital\nNEEDLE in capitals\nneedlework\nthe needle\n",
	"a-b/c.txt":             "a needle below a-b\n",
	"a+":                    "needle in a+\n",
	"A/upper.txt":           "needle below A\n",
	"build/out.txt":         "an ignored needle\n",
	"debug.log":             "an ignored needle\n",
	"keep.log":              "a needle that is kept\n",
	"excluded.txt":          "a needle that info/exclude leaves out\n",
	"private.md":            "a private needle\n",
	"temporary/x.txt":       "a temporary needle\n",
	"sub/.gitignore":        "local.txt\n",
	"sub/local.txt":         "a local needle\n",
	"sub/deep/er/local.txt": "another local needle\n",
	"sub/deep/er/kept.txt":  "a deep needle\n",
	"binary-first":          "\x00\x01needle\nneedle again\n",
	"binary-late":           "needle\n" + strings.Repeat("filler line without it\n", 4000) + "\x00needle\n",
	"crlf.txt":              "first needle\r\nsecond\r\nthird needle\r\n",
	"latin1.txt":            "na\xefve needle\ncaf\xe9 needle\n",
	"empty.txt":             "",
	"newline.txt":           "\n",
	"no-newline.txt":        "needle\nlast needle",
	"blank lines.md":        "\n\nneedle\n\n\n\nx\n\nneedle\n\n",
	"long.txt":              strings.Repeat("x", 500) + " needle " + strings.Repeat("y", 500) + "\nshort needle\n",
	"many.txt":              strings.Repeat("needle ", 200) + "\n",
	"context.txt":           strings.Repeat("1\n2\nneedle\n4\n5\n6\n7\n8\n", 12),
	"unicode.txt":           "Straße needle\nΑΒΓ needle αβγ\n日本語 needle\nI İ ı i\n",
	"colons:12:x.txt":       "needle:with:colons\n",
	"tabs.txt":              "\tneedle\n  \t needle indented\n",
	"punct.txt":             "fal.ai needle\nfalXai needle\nneedle(1) [needle] {needle}\n-needle --needle\n",
	"dash/-n":               "needle in a file named -n\n",
	"src/main.go":           "package main // needle\n",
	"src/lib.rs":            "fn main() {} // needle\n",
	"src/page.html":         "<p>needle & \"needle\"</p>\n",
	"name-\xff.txt":         "needle in a name that is not UTF-8\n",
	"more-rules":            "many.txt\n/sub/deep\n!debug.log\n",
}

// encodedFiles is the tree "encoded": what has to be decoded to be read.
var encodedFiles = map[string]string{
	"bom.txt":     "\ufeffneedle after a mark\n",
	"utf16le.txt": "\xff\xfe" + utf16("a needle in UTF-16\n", 0),
	"utf16be.txt": "\xfe\xff" + utf16("a needle in UTF-16\n", 1),
	"plain.txt":   "a needle in ASCII\n",
	"latin1.txt":  "na\xefve needle\ncaf\xe9 needle\n",
}

// oddLinks maps a link to what it leads to.
var oddLinks = map[string]string{
	"link-file":     "a.txt",
	"link-dir":      "a",
	"link-dangling": "nowhere",
	"sub/loop":      "..",
}

// generateTrees writes the generated trees into dir.
func generateTrees(dir string) error {
	trees := map[string]map[string]string{"odd": oddFiles, "encoded": encodedFiles}
	for n := 1; n <= bytesTrees; n++ {
		trees[bytesTree+strconv.Itoa(n)] = drawTree(n)
	}
	for tree, files := range trees {
		if err := writeTree(filepath.Join(dir, tree), files); err != nil {
			return err
		}
	}
	for name, to := range oddLinks {
		if err := os.Symlink(to, filepath.Join(dir, "odd", name)); err != nil {
			return err
		}
	}
	return nil
}

// writeTree writes files in the order of their names, and has each change a
// while before or after the others.
func writeTree(dir string, files map[string]string) error {
	for i, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(files[name]), 0o666); err != nil {
			return err
		}
		changed := time.Unix(1_700_000_000+int64(i*31%len(files)), 0)
		if err := os.Chtimes(path, changed, changed); err != nil {
			return err
		}
	}
	return nil
}

// utf16 writes ASCII text as UTF-16, with the low byte at the given place.
func utf16(text string, low int) string {
	var b bytes.Buffer
	for i := range len(text) {
		pair := [2]byte{}
		pair[low] = text[i]
		b.Write(pair[:])
	}
	return b.String()
}
