package run_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tallied runs the program.
func tallied(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("tally", args...)
	cmd.Dir = dir
	out, err := cmd.Output()
	if code := cmd.ProcessState.ExitCode(); code > 1 || code < 0 {
		t.Fatalf("%q: %v", args, err)
	}
	return out
}

// What a ranking says about a word is what a search for it says, for drawn
// questions over drawn files, with any flag that both take.
func TestEvidenceIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	words := []string{"we", "renewal", "Renewal", "new", "e", "perché", "PDF", "ADR-016", "会議", "l'été", "a.b", "when", "the", "aa", "aaa"}
	dir := t.TempDir()
	text := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(words[r.IntN(len(words))])
			b.WriteString([]string{" ", "", "\n", ", ", "-", "\r\n"}[r.IntN(6)])
		}
		return b.String()
	}
	for i := range 40 {
		data := text(r.IntN(400))
		switch i {
		case 3:
			data += "\x00" + text(10)
		case 4:
			data = text(40000) + "\x00" + text(10) // a NUL byte beyond the first buffers
		case 5:
			data = strings.Repeat(text(40000), 30) // too long to be kept
		case 6:
			data = "\ufeff" + data
		case 7:
			data = "\xff\xfew\x00e\x00 \x00\n\x00"
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("%02d.md", i)), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	checked := 0
	for range 12 {
		var question []string
		for range 1 + r.IntN(3) {
			question = append(question, words[r.IntN(len(words))])
		}
		flags := [][]string{nil, {"-i"}, {"-w"}, {"-S"}, {"-a"}, {"--binary"}}[r.IntN(6)]
		out := tallied(t, dir, append(flags, "--rank", "--json", "-e", strings.Join(question, " "), ".")...)
		for line := range bytes.Lines(out) {
			var m struct {
				Data struct {
					Text                  string
					Matches, Lines, Files *int64
				}
			}
			if !bytes.HasPrefix(line, []byte(`{"type":"evidence"`)) {
				continue
			}
			if err := json.Unmarshal(line, &m); err != nil {
				t.Fatal(err)
			}
			if m.Data.Matches == nil {
				continue // a binary file was cut short
			}
			checked++
			d := m.Data
			matches, files := sum(tallied(t, dir, append(flags, "--count-matches", "-e", d.Text, ".")...))
			lines, _ := sum(tallied(t, dir, append(flags, "-c", "-e", d.Text, ".")...))
			if *d.Matches != matches || *d.Lines != lines || *d.Files != files {
				t.Errorf("%q %q: %d matches, %d lines, %d files; a search says %d, %d, %d",
					flags, d.Text, *d.Matches, *d.Lines, *d.Files, matches, lines, files)
			}
		}
	}
	if checked == 0 {
		t.Error("no count was established")
	}
}

// kept is more than what is kept of a file in memory.
const kept = 4 << 20

// A long line without a space is read in pieces that end where words do, also
// where a file is too long to be kept.
func TestAWordAtTheEndOfAPieceIsWhole(t *testing.T) {
	dir := t.TempDir()
	for _, unit := range []string{`{"name":"renewal"},`, "更新。renewal。"} {
		n := kept/len(unit) + 7000
		if err := os.WriteFile(filepath.Join(dir, "all.json"), []byte(strings.Repeat(unit, n)), 0o666); err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf(`"text":"renewal","phrase":false,"matches":%d,"lines":1,"files":1,"as_word":{"matches":%[1]d,"files":1}`, n)
		if out := tallied(t, dir, "--rank", "--json", "renewal", "."); !bytes.Contains(out, []byte(want)) {
			t.Errorf("%d times: %.300s", n, out)
		}
	}
}

// sum adds up counts by file.
func sum(out []byte) (total, files int64) {
	for line := range bytes.Lines(out) {
		var n int64
		fmt.Sscan(string(line[bytes.LastIndexByte(line, ':')+1:]), &n)
		total += n
		files++
	}
	return total, files
}
