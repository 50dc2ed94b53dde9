package run_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tally/run"
	"tally/run/world"
)

// explainedAfter is what a run says of a zero that sifts after so many bytes.
func explainedAfter(t *testing.T, dir string, after int64, args ...string) (explain string, clean, partly int) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	argv := append([]string{"tally", "--no-config", "--json", "--explain-zero=always"}, args...)
	s := run.New(world.World{Stdout: &stdout, Stderr: &stderr, Environ: os.Environ(), Dir: dir}, argv)
	s.SiftAfter(after)
	s.Run(t.Context())
	lines := bytes.Split(bytes.TrimSpace(stdout.Bytes()), []byte("\n"))
	var last struct {
		Data struct {
			Tally struct{ Explain json.RawMessage }
		}
	}
	if err := json.Unmarshal(lines[len(lines)-1], &last); err != nil || last.Data.Tally.Explain == nil {
		t.Fatalf("%q: %v\n%s%s", args, err, &stdout, &stderr)
	}
	clean, partly = s.Sifted()
	return string(last.Data.Tally.Explain), clean, partly
}

// What is sifted beside the search is explained as by a second reading of all.
func TestSiftingLosesNothing(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	filler := func(size int) string {
		var b strings.Builder
		for b.Len() < size {
			fmt.Fprintf(&b, "%s of other text in between\n", strings.Repeat("line ", r.IntN(12)))
		}
		return b.String()
	}
	// near is a text that ends where a buffer or a piece is cut, or close by.
	near := func(size, length int) string {
		text := filler(size)
		return text[:size-r.IntN(length+4)] + " "
	}
	large := filler(9 << 20)
	sizes := []int{0, 100, 4 << 10, 64 << 10, 128 << 10}
	anyClean, anyPartly := 0, 0
	for draw := range 2 {
		i := r.IntN(len(zeroWords))
		pairs := pairsOf(r, zeroWords[i], zeroWords[(i+1)%len(zeroWords)])
		for k, p := range pairs {
			dir := t.TempDir()
			for n := range 4 {
				text := filler(sizes[r.IntN(len(sizes))])
				if r.IntN(3) == 0 {
					text = near(64<<10, len(p.text)) + p.text + "\n" + text
				}
				write(t, filepath.Join(dir, fmt.Sprint("f", n)), text)
			}
			for name, head := range map[string]string{"zip": "PK\x03\x04", "nul": "a\x00b", "latin": "caf\xe9 ", "bom": "\ufeff", "z.gz": ""} {
				write(t, filepath.Join(dir, name), head+filler(3000)+strings.Repeat(p.text+"\n", r.IntN(2)))
			}
			if (k+draw)%7 == 0 {
				cut := 1<<20 - r.IntN(len(p.text)+4) + 64<<10
				write(t, filepath.Join(dir, "large"), large[:cut]+p.text+large[cut:])
			}
			args := []string{p.pattern, "."}
			if draw == 1 {
				args = append(args, "--absent")
			}
			want, _, _ := explainedAfter(t, dir, math.MaxInt64, args...)
			got, clean, partly := explainedAfter(t, dir, 0, args...)
			anyClean, anyPartly = anyClean+clean, anyPartly+partly
			if got != want {
				t.Errorf("%s: %q in %q: sifted\n%s\nread again\n%s", p.kind, p.pattern, p.text, got, want)
			}
		}
	}
	if anyClean < 200 || anyPartly < 10 {
		t.Errorf("%d files were clean and %d in part: this shows nothing", anyClean, anyPartly)
	}
}
