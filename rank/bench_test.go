package rank

import (
	"os"
	"path/filepath"
	"testing"

	"tally/testdata/vault"
)

// BenchmarkScan scans notes of 25 MB.
func BenchmarkScan(b *testing.B) {
	dir := b.TempDir()
	if err := vault.Generate(dir); err != nil {
		b.Fatal(err)
	}
	var texts [][]byte
	var paths []string
	total := int64(0)
	filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err == nil && !e.IsDir() {
			text, _ := os.ReadFile(path)
			texts, paths, total = append(texts, text), append(paths, path), total+int64(len(text))
		}
		return err
	})
	for _, question := range []string{"retrieval", "when do we start the renewal conversation"} {
		for _, forgive := range []bool{false, true} {
			name := question
			if forgive {
				name += ", fuzzy"
			}
			b.Run(name, func(b *testing.B) {
				q, err := ParseQuery(question)
				if err != nil {
					b.Fatal(err)
				}
				s := q.NewScanner(forgive)
				b.SetBytes(total)
				for b.Loop() {
					for i, text := range texts {
						s.Begin(paths[i])
						s.Write(text)
						s.End()
					}
				}
			})
		}
	}
}
