package main

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
)

// differing is what may differ from run to run: times, and how many bytes it took to
// print them.
var differing = regexp.MustCompile(`("(?:secs|nanos|bytes_printed)":|"human":")[0-9.]+`)

func same(b []byte) []byte { return differing.ReplaceAll(b, []byte("${1}0")) }

// repeated runs the same command lines with other numbers of threads, with and without
// other work beside them: each has one output.
func repeated(t *trials) error {
	random := rand.New(rand.NewPCG(3, 4))
	words := strings.Fields("slug lettuce garden bread oven yeast letter meeting minutes river stone word needle thread haystack")
	for i := range 1500 {
		dir := filepath.Join(t.dir, fmt.Sprintf("d%d", i%37), fmt.Sprintf("e%d", i%11))
		var text strings.Builder
		for range 5 + random.IntN(200) {
			for range 2 + random.IntN(9) {
				text.WriteString(words[random.IntN(len(words))] + " ")
			}
			text.WriteByte('\n')
		}
		err := os.MkdirAll(dir, 0o777)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("n%04d.md", i)), []byte(text.String()), 0o666)
		}
		if err != nil {
			return err
		}
	}
	busy := load()
	defer busy.stop()
	for _, args := range [][]string{
		{"needle"},
		{"-l", "yeast"},
		{"-c", "river stone"},
		{"--json", "--limit=50", "oven"},
		{"--rank", "bread in the oven"},
		{"--rank", "--fuzzy", "bread in the ovne"},
		{"--fuzzy", "letuce"},
		{"--count-only", "e"},
		{"--files"},
		{"absent-word"},
		{"--sort=modified", "-l", "thread"},
		{"--each", "-c", "-e", "slug", "-e", "snail"},
	} {
		args = append(args, "--color=never", "--ledger=always", t.dir)
		outputs := map[[sha256.Size]byte]int{}
		for i := range t.times(100) {
			busy.on.Store(i%2 == 1)
			o, err := t.outcomeOf(append([]string{fmt.Sprintf("-j%d", 1+random.IntN(16))}, args...), nil)
			if err != nil {
				return err
			}
			outputs[sha256.Sum256(append(same(o.stdout), o.stderr...))]++
		}
		if len(outputs) != 1 {
			t.untrue("%q: %d outputs", args, len(outputs))
		}
	}
	return nil
}

// A loaded machine has other work to do.
type loaded struct {
	on   atomic.Bool
	over atomic.Bool
	all  sync.WaitGroup
}

func load() *loaded {
	l := &loaded{}
	for range 3 {
		l.all.Go(func() {
			sum := sha256.Sum256(nil)
			for !l.over.Load() {
				if l.on.Load() {
					sum = sha256.Sum256(sum[:])
				} else {
					pause()
				}
			}
		})
	}
	return l
}

func (l *loaded) stop() {
	l.over.Store(true)
	l.all.Wait()
}
