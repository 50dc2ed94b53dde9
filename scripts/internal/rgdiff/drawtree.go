package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Trees of drawn bytes are called bytes1, bytes2 and so on. The number is what
// they are drawn from, so that a row that names one finds the same bytes for as
// long as this file stays as it is.
const (
	bytesTree  = "bytes"
	bytesTrees = 10
)

// piecesOfText are what drawn files are made of: words and blanks, each way to
// end a line and to fail at it, what is no text, what is not ASCII.
var piecesOfText = []string{
	"needle", "needle", "needle", "Needle", "needles", "ne", " ", " ", "\t", "x", "abc", "12", ".", "é", "日本", "\u212a", "\u0130", "\ufeff",
	"\n", "\n", "\n", "\n", "\n\n", "\n\n\n", "x\n", "needle\n",
}

// piecesOfTrouble are added to the files of some shapes.
var piecesOfTrouble = map[string][]string{
	"crlf":    {"\r\n", "\r\n", "\r\n", "\r\n", "needle\r\n", "\r\n\r\n"},
	"cr":      {"\r", "\r", "\r\r", "\r\n", "needle\r", "\rneedle"},
	"nul":     {"\x00", "\x00\n", "needle\x00", "\x00needle\n"},
	"invalid": {"\xff", "\xc3", "\xe6\x97", "\xed\xa0\x80", "\xf0\x9f", "needle\xff\n"},
}

// drawnFiles are the files of each tree of drawn bytes, and the trouble in
// them.
var drawnFiles = map[string]string{
	"plain.txt": "", "plain2.txt": "", "sub/plain.md": "", "sub/deep/plain.go": "", ".hidden": "", "kept.log": "", "lost.log": "",
	"crlf.txt": "crlf", "sub/crlf.md": "crlf", "cr.txt": "cr", "sub/cr.md": "cr",
	"nul": "nul", "sub/nul.txt": "nul", "invalid.txt": "invalid", "sub/deep/invalid": "invalid",
	"all": "all", "sub/all.txt": "all", "large.txt": "large", "large-nul.txt": "large nul",
}

// drawTree returns the files of a tree of drawn bytes.
func drawTree(number int) map[string]string {
	files := map[string]string{
		".gitignore": "*.log\n", ".ignore": "!kept.log\n", "a.txt": oddFiles["a.txt"], "more-rules": oddFiles["more-rules"],
	}
	for name, trouble := range drawnFiles {
		// Each file has draws of its own, whatever the order of the names.
		r := rand.New(rand.NewPCG(uint64(number), nameSeed(name)))
		files[name] = drawText(r, trouble)
	}
	return files
}

// nameSeed is FNV-1a.
func nameSeed(name string) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range []byte(name) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

// drawText draws the content of a file.
func drawText(r *rand.Rand, trouble string) string {
	pieces := piecesOfText
	switch trouble {
	case "all":
		for _, kind := range []string{"crlf", "cr", "nul", "invalid"} {
			pieces = append(pieces[:len(pieces):len(pieces)], piecesOfTrouble[kind]...)
		}
	default:
		pieces = append(pieces[:len(pieces):len(pieces)], piecesOfTrouble[trouble]...)
	}
	var b strings.Builder
	if strings.HasPrefix(trouble, "large") {
		// Beyond the first buffer of a search, which holds 64 KiB.
		for size := 60<<10 + r.IntN(140<<10); b.Len() < size; {
			fmt.Fprintf(&b, "filler line %d of a large file\n", b.Len())
			if r.IntN(400) == 0 {
				b.WriteString("a needle in it\n")
			}
		}
		if trouble == "large nul" {
			b.WriteString("\x00 and a needle\n")
		}
	}
	for range r.IntN(60) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}
