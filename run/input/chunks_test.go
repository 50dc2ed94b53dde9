package input

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"tally/match/decode"
	"tally/run/world"
	"tally/walk"
	"tally/walk/ignore"
)

// What is new in the chunks is the whole text, each byte once, and both ways to
// cut it agree in it; what is around is the text as well.
func TestChunks(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	var text bytes.Buffer
	for i := 0; text.Len() < LargeSize+partSize/2; i++ {
		fmt.Fprintf(&text, "line %d %s\n", i, strings.Repeat("x", i%97))
		if i%50_000 == 7 {
			text.WriteString(strings.Repeat("long ", 20_000)) // beyond every margin
		}
	}
	want := text.Bytes()
	if err := os.WriteFile(filepath.Join(dir, "file"), want, 0o666); err != nil {
		t.Fatal(err)
	}
	type piece struct {
		at   int64
		text string
	}
	whole := func(pieces []piece) []byte {
		slices.SortFunc(pieces, func(a, b piece) int { return int(a.at - b.at) })
		var all []byte
		for _, p := range pieces {
			if p.at != int64(len(all)) {
				t.Fatalf("a piece at %d behind %d bytes", p.at, len(all))
			}
			all = append(all, p.text...)
		}
		return all
	}
	var mu sync.Mutex
	var pieces []piece
	take := func(c *Chunk) bool {
		if !bytes.Equal(c.Text, want[c.Base:int(c.Base)+len(c.Text)]) {
			t.Errorf("the chunk at %d is not the file", c.Base)
		}
		mu.Lock()
		defer mu.Unlock()
		pieces = append(pieces, piece{c.Base + int64(c.From), string(c.Text[c.From:c.To])})
		return true
	}
	sources, _ := ignore.New(ignore.Config{Cwd: dir})
	u := walk.New(walk.Config{Roots: []string{"."}, Cwd: dir, Ignore: sources}, func(error) {})
	in := New(Config{Decode: decode.Config{}}, &world.World{}, nil, nil)
	for range walk.Map(u, func(func(noPart)) walk.Visitor {
		return visitFiles(func(f *walk.File) {
			src, failure := in.Door().Open(f, []byte("file"))
			if failure != nil {
				t.Error(failure.Err)
				return
			}
			defer src.Close()
			never := func() bool { return false }
			if err := src.Chunks('\n', take, never); err != nil || !bytes.Equal(whole(pieces), want) {
				t.Errorf("one after the other: error %v", err)
			}
			pieces = nil
			if !src.Large() {
				t.Error("it is not large")
			}
			if err := src.Parts([]Range{{0, math.MaxInt64}}, '\n', 3, func() func(*Chunk) bool { return take }, never); err != nil || !bytes.Equal(whole(pieces), want) {
				t.Errorf("in parts: error %v", err)
			}
			if src.HoldsNUL(never) {
				t.Error("a NUL byte")
			}
		})
	}) {
	}
}
