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
	"bom.txt":            "\ufeffneedle after a mark\n",
	"utf16le.txt":        "\xff\xfe" + utf16("a needle in UTF-16\n", 0),
	"utf16be.txt":        "\xfe\xff" + utf16("a needle in UTF-16\n", 1),
	"plain.txt":          "a needle in ASCII\n",
	"latin1.txt":         "na\xefve needle\ncaf\xe9 needle\n",
	"sjis.txt":           "\x83\x56\x83\x83\x81 needle\n\xf0\x40 needle \x81\n",
	"gb.txt":             "\xd6\xd0 needle\n\x84\x31\xa4\x37 needle \x81\x30\n",
	"jp.txt":             "\x1b$B0l\x1b(B needle\n",
	"packed/a.gz":        "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03KT\xc8KMM\xc9IU\xc8H-J\xe5J\xccKQ\xc8\xcd\x072\x00\xaf\xcd'O\x17\x00\x00\x00",
	"packed/a.bz2":       "BZh91AY&SY\x1e\xe1\x04*\x00\x00\x02\xd1\x80\x00\x10@\x00&G\x90\x00 \x001\x00\xd3M\x04M6\x87\xa8/%\x0c-c\xf0\x03\x8f\x9b|.\xe4\x8ap\xa1 =\xc2\x08T",
	"packed/a.xz":        "\xfd7zXZ\x00\x00\x01i\x22\xde6\x02\x00!\x01\x16\x00\x00\x00t/\xe5\xa3\x01\x00\x16a needle here\x0aand more\x0a\x00\x00\xaf\xcd'O\x00\x01+\x17\x85\xcd%\xd5\x90B\x99\x0d\x01\x00\x00\x00\x00\x01YZ",
	"packed/a.lz4":       "\x04\x22M\x18d@\xa7\x17\x00\x00\x80a needle here\x0aand more\x0a\x00\x00\x00\x00\x94i\xe4\x7f",
	"packed/a.lzma":      "]\x00\x00\x80\x00\xff\xff\xff\xff\xff\xff\xff\xff\x000\x88\x09\xc6\x9c\xb9wB\xd3!\xea\x19Q\x06W\x0c}\xc8\xd4V;]\xa2\x01\xf6U\xe3\xff\xffL`\x00\x00",
	"packed/a.br":        "\x0f\x0b\x80a needle here\x0aand more\x0a\x03",
	"packed/a.zst":       "(\xb5/\xfd\x04X\xb9\x00\x00a needle here\x0aand more\x0a\x9b\x1dv+",
	"packed/a.Z":         "\x1f\x9d\x90a@\xb8)S\x86\x0c\x9b2 \xd0\x94\x91SFA\x187d@\xb4y\xc3P\x01",
	"packed/twice.tgz":   "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03KT\xc8KMM\xc9IU\xc8H-J\xe5J\xccKQ\xc8\xcd\x072\x00\xaf\xcd'O\x17\x00\x00\x00\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03KT\xc8KMM\xc9IU\xc8H-J\xe5J\xccKQ\xc8\xcd\x072\x00\xaf\xcd'O\x17\x00\x00\x00",
	"packed/cut.gz":      "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03KT\xc8KMM\xc9IU\xc8H-J\xe5J\xccKQ\xc8\xcd\x072\x00\xaf\xcd'O",
	"packed/changed.zst": "(\xb5/\xfd\x04X\xb9\x00\x00a",
	"packed/no.gz":       "a needle that is not packed\n",
	"packed/empty.xz":    "",
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
