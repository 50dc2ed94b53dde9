package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// What stands in files that nobody touches, and what stands nowhere.
const anchor, nowhere = "anchorage", "nowhere-to-be-found"

// anchors is how many files hold the first, and spaces how many directories there are.
const anchors, spaces = 30, 40

// changing searches a tree in which others create, append, truncate, rename and delete
// as fast as they can. What never changes must be found, whole, unless the run says that
// it is no whole.
func changing(t *trials) error {
	for i := range spaces {
		dir := space(t.dir, i)
		if err := os.Mkdir(dir, 0o777); err != nil {
			return err
		}
		if i < anchors {
			if err := os.WriteFile(filepath.Join(dir, "anchor"), []byte("the "+anchor+"\n"), 0o666); err != nil {
				return err
			}
		}
	}
	end := make(chan struct{})
	var writers sync.WaitGroup
	for n := range 2 {
		writers.Go(func() { disturb(t.dir, n, end) })
	}
	defer writers.Wait()
	defer close(end)
	kinds := []func(*trials) error{
		anchored("--json"), anchored("-l"), anchored("-c"), anchored("-n", "-j3"), anchored("--sort=modified"), anchored("-U"),
		anchored("-i", "-C1"), anchored("--rank", "--limit=1000"), absent("--absent"), absent("--absent", "--audit"), absent(),
	}
	for i := range t.times(550) {
		if err := kinds[i%len(kinds)](t); err != nil {
			return err
		}
	}
	return nil
}

func space(dir string, n int) string { return filepath.Join(dir, fmt.Sprintf("d%02d", n)) }

// disturb changes files until it is told to end. What fails does so because the other
// one was there first.
func disturb(dir string, seed int, end chan struct{}) {
	random := rand.New(rand.NewPCG(1, uint64(seed)))
	text := []byte(strings.Repeat("some text that changes all the time\n", 100))
	for {
		select {
		case <-end:
			return
		default:
		}
		at := filepath.Join(space(dir, random.IntN(spaces)), fmt.Sprintf("f%d", random.IntN(20)))
		switch random.IntN(8) {
		case 0, 1:
			_ = os.WriteFile(at, text[:random.IntN(len(text))], 0o666)
		case 2:
			_ = os.Truncate(at, int64(random.IntN(200)))
		case 3:
			_ = os.Rename(at, filepath.Join(space(dir, random.IntN(spaces)), "renamed"))
		case 4:
			_ = os.Remove(at)
		case 5:
			if f, err := os.OpenFile(at, os.O_WRONLY|os.O_APPEND, 0); err == nil {
				_, _ = f.Write(text)
				f.Close()
			}
		case 6:
			_ = os.Mkdir(at+".d", 0o777)
			_ = os.WriteFile(filepath.Join(at+".d", "inner"), text, 0o666)
		case 7:
			_ = os.RemoveAll(at + ".d")
		}
	}
}

// anchored returns a search for what is always there.
func anchored(flags ...string) func(*trials) error {
	args := append(flags, "--ledger=always", "--color=never", anchor)
	return func(t *trials) error {
		o, err := t.outcomeOf(append(args[:len(args):len(args)], t.dir), nil)
		if err != nil {
			return err
		}
		found := 0
		for i := range anchors {
			if bytes.Contains(o.stdout, []byte(filepath.Join(space(t.dir, i), "anchor"))) {
				found++
			}
		}
		said := fmt.Sprintf("%q: exit code %d with %d of %d: %.300s", args, o.code, found, anchors, o.stderr)
		switch {
		case o.code == 1, o.code == 0 && found < anchors, o.code == 2 && !bytes.Contains(o.stderr, []byte("PARTIAL")) && flags[0] != "--json":
			t.untrue("%s", said)
		}
		if flags[0] == "--json" {
			t.checkSummary(o, said)
		}
		return nil
	}
}

// checkSummary holds the totals of a run's JSON against what is known.
func (t *trials) checkSummary(o *outcome, said string) {
	lines := bytes.Split(bytes.TrimSpace(o.stdout), []byte("\n"))
	var last struct {
		Data struct {
			Tally struct {
				Complete bool
				Lines    *int
				Errors   []any
			}
		}
	}
	err := json.Unmarshal(lines[len(lines)-1], &last)
	switch l := &last.Data.Tally; {
	case err != nil:
		t.untrue("%s: no summary: %v", said, err)
	case l.Complete && (l.Lines == nil || *l.Lines != anchors || len(l.Errors) > 0 || o.code != 0):
		t.untrue("%s: complete, with another total: %s", said, lines[len(lines)-1])
	case !l.Complete && (l.Lines != nil || len(l.Errors) == 0 || o.code != 2):
		t.untrue("%s: a part, with a total or without a reason: %s", said, lines[len(lines)-1])
	}
}

// absent returns a search for what is nowhere: that is so, or unknown.
func absent(flags ...string) func(*trials) error {
	return func(t *trials) error {
		args := append(flags[:len(flags):len(flags)], nowhere, t.dir)
		o, err := t.outcomeOf(args, nil)
		if err != nil {
			return err
		}
		nothing := 1
		if len(flags) > 0 {
			nothing = 0
		}
		if o.code != nothing && (o.code != 2 || len(o.stderr) == 0) {
			t.untrue("%q: exit code %d: %.300s", args, o.code, o.stderr)
		}
		return nil
	}
}
