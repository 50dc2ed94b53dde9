// Package vault writes a directory of Markdown notes whose contents are known:
// which words occur, in how many files, and where. It stands in for a real
// person's notes in tests of counts, orders and pages. It must not know how
// any search works, and nothing it promises may depend on one: its own test
// counts with bytes.Contains.
//
// # What it holds
//
// 1,780 files named *.md, about 25 MB in all. A keyword is in a file when the
// file's bytes contain it, in that case and as part of a longer word or not:
//
//	agent                       869 files
//	retrieval                   147 files
//	soil                         52 files
//	agent-memory-architectures   26 files, all of them among the 869
//
// Of the 1,780 files, 866 lie under raw/ (at any depth), whether or not they
// hold a keyword; the rest are in the other folders and at the top.
//
// The same bytes are written every time, on every machine: the generator draws
// from its own seeded source and from nothing else.
package vault

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// What Generate writes.
const (
	Files    = 1780
	RawFiles = 866
)

// A Keyword is a string and the number of files that contain it.
type Keyword struct {
	Text  string
	Files int
}

// Keywords are the strings whose number of files is known.
var Keywords = []Keyword{
	{"agent", 869},
	{"retrieval", 147},
	{"soil", 52},
	{"agent-memory-architectures", 26},
}

const (
	seed       = 0x7a11f
	proseBytes = 22_600_000 // shared out over the notes; front matter and last paragraphs come on top
	smallest   = 900        // bytes of prose that every note has besides
)

// folders hold the files that are not under raw/, in turn.
var folders = []string{"concepts", "entities", "projects/2024", "projects/2025", "journal", "people", "garden", ""}

// rawFolders hold the files under raw/.
var rawFolders = []string{"raw/articles", "raw/papers", "raw/transcripts", "raw"}

// Generate writes the vault into dir, which it creates if need be.
func Generate(dir string) error {
	r := &source{state: seed}
	notes := plan(r)
	made := map[string]bool{}
	var buf bytes.Buffer
	for i := range notes {
		n := &notes[i]
		path := filepath.Join(dir, filepath.FromSlash(n.path))
		if parent := filepath.Dir(path); !made[parent] {
			if err := os.MkdirAll(parent, 0o777); err != nil {
				return err
			}
			made[parent] = true
		}
		buf.Reset()
		n.write(&buf, r)
		if err := os.WriteFile(path, buf.Bytes(), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// A note is one file to be written.
type note struct {
	path     string
	title    string
	size     int      // bytes of prose
	keywords []string // that its text contains
}

// plan draws every note's place, size and keywords.
func plan(r *source) []note {
	notes := make([]note, Files)
	weights, sum := make([]int, Files), 0
	for i := range weights {
		// Few notes are long and most are short.
		w := 1 + r.below(1000)
		weights[i] = w * w * w
		sum += weights[i]
	}
	for i := range notes {
		n := &notes[i]
		a, b := r.pick(topics), r.pick(topics)
		n.title = a + " and " + b
		folder := folders[i%len(folders)]
		if i < RawFiles {
			folder = rawFolders[i%len(rawFolders)]
		}
		n.path = strings.TrimPrefix(fmt.Sprintf("%s/%s-%s-%04d.md", folder, a, b, i), "/")
		n.size = smallest + proseBytes*weights[i]/sum
	}
	var holders []int // of "agent"
	for _, k := range Keywords {
		from := r.shuffled(Files)
		if k.Text != "agent" && strings.Contains(k.Text, "agent") {
			from = holders
		}
		chosen := from[:k.Files]
		if k.Text == "agent" {
			holders = chosen
		}
		for _, i := range chosen {
			notes[i].keywords = append(notes[i].keywords, k.Text)
		}
	}
	return notes
}

// write appends the note's text to b.
func (n *note) write(b *bytes.Buffer, r *source) {
	fmt.Fprintf(b, "---\ntitle: %s\ncreated: 202%d-%02d-%02d\ntags: [%s, %s]\n---\n\n# %s\n",
		n.title, r.below(6), 1+r.below(12), 1+r.below(28), r.pick(topics), r.pick(topics), n.title)
	// A keyword comes first at a drawn place and then, in half of the notes,
	// again and again further down.
	places := make([]int, len(n.keywords))
	for i := range places {
		places[i] = r.below(n.size)
	}
	start := b.Len()
	for b.Len() < start+n.size {
		n.paragraph(b, r, func(written int) string {
			for i, k := range n.keywords {
				if written-start >= places[i] {
					places[i] = math.MaxInt
					if r.below(2) == 0 {
						places[i] = written - start + 200 + r.below(6000)
					}
					return k
				}
			}
			return ""
		})
	}
	for _, k := range n.keywords {
		// A place drawn near the end may not have been reached.
		if !bytes.Contains(b.Bytes(), []byte(k)) {
			fmt.Fprintf(b, "\nSee also: %s.\n", k)
		}
	}
}

// paragraph appends a heading, a list or a few lines of prose. due is asked
// before each word, with the bytes written so far, for a keyword to put there.
func (n *note) paragraph(b *bytes.Buffer, r *source, due func(int) string) {
	b.WriteByte('\n')
	items, prefix := 1, ""
	switch r.below(8) {
	case 0:
		fmt.Fprintf(b, "## %s\n\n", r.pick(topics))
	case 1:
		items, prefix = 2+r.below(5), "- "
	case 2:
		prefix = "> "
	case 3:
		fmt.Fprintf(b, "Seen in [[%s]], with %s.\n\n", r.pick(topics), r.pick(topics))
	}
	for range items {
		b.WriteString(prefix)
		line := b.Len()
		for words, count := 0, 8+r.below(60); words < count; words++ {
			if words > 0 {
				if b.Len()-line > 90 {
					b.WriteByte('\n')
					line = b.Len()
				} else {
					b.WriteByte(' ')
				}
			}
			if k := due(b.Len()); k != "" {
				b.WriteString(k)
				continue
			}
			b.WriteString(r.pick(vocabulary))
			if words < count-1 && r.below(12) == 0 {
				b.WriteByte(',')
			}
		}
		b.WriteString(".\n")
	}
}
