package glob

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// realRg returns the ripgrep whose globs ours must agree with, from
// TALLY_TEST_RG. Where the tests must be complete, its absence is a failure.
func realRg(t *testing.T) string {
	rg := os.Getenv("TALLY_TEST_RG")
	if rg == "" {
		if os.Getenv("CI") == "true" || os.Getenv("TALLY_TEST_REQUIRE") == "1" {
			t.Fatal("TALLY_TEST_RG does not name a ripgrep to compare with")
		}
		t.Skip("TALLY_TEST_RG does not name a ripgrep to compare with")
	}
	return rg
}

var globTree = []string{
	"a", "b", "ab", "x.c", "x.h", "X.C", "Makefile", ".h", ",", "{a,b}", "[a]", "a b", "é", "-", "!a", "#a",
	"d/a", "d/x.c", "d/e/x.h", "d/e/f/a", "d/e/f/X.C", "d/e/.c", "E/a", "E/d/x.c", "E/é.c", "a.d/a", "a.d/b.d/ab", "a.d/d/a",
}

var globAtoms = []string{
	"a", "b", "d", "e", "x", "X", ".c", ".h", "*", "*", "**", "/", "/", "**/", "/**", "?", "[a-e]", "[!a]", "[^x]", "[]a]", "[é]", "[-x]", "[a",
	"{", "}", ",", "{a,b}", "{*.c,d/**}", "{,x}", "{a,{b,x.c}}", `\`, "!", "#", " ", "é", "[z-a]", "{**/x.c,a}",
}

func randomGlob(r *rand.Rand) string {
	if r.IntN(3) > 0 { // something that exists, a little changed
		s := globTree[r.IntN(len(globTree))]
		i := r.IntN(len(s) + 1)
		j := min(i+r.IntN(3), len(s))
		s = s[:i] + globAtoms[r.IntN(len(globAtoms))] + s[j:]
		return strings.ToValidUTF8([]string{"", "", "/", "!", "**/"}[r.IntN(5)]+s, "?")
	}
	var b strings.Builder
	for range 1 + r.IntN(5) {
		b.WriteString(globAtoms[r.IntN(len(globAtoms))])
	}
	return b.String()
}

// TestOverrideLikeRipgrep compares selections of a small tree by random globs,
// and error messages.
func TestOverrideLikeRipgrep(t *testing.T) {
	rg := realRg(t)
	top := t.TempDir()
	for _, f := range globTree {
		name := filepath.Join(top, f)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	n := 300
	if s := os.Getenv("TALLY_LONG"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	r := rand.New(rand.NewPCG(7, 7))
	failed := 0
	for range n {
		var globs, iglobs []string
		args := []string{"--no-config", "--files", "--no-ignore", "--hidden", "--sort=path"}
		for range 1 + r.IntN(2) {
			g := randomGlob(r)
			if r.IntN(4) == 0 {
				iglobs = append(iglobs, g)
				args = append(args, "--iglob="+g)
			} else {
				globs = append(globs, g)
				args = append(args, "--glob="+g)
			}
		}
		foldAll := r.IntN(6) == 0
		if foldAll {
			args = append(args, "--glob-case-insensitive")
		}
		cmd := exec.Command(rg, args...)
		cmd.Dir = top
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, _ := cmd.Output()
		want := strings.TrimSuffix(string(out)+strings.TrimPrefix(stderr.String(), "rg: "), "\n")
		got := selectFiles(globs, iglobs, foldAll)
		if got != want {
			t.Errorf("-g %q --iglob %q (fold all %v):\n%q\nripgrep:\n%q", globs, iglobs, foldAll, got, want)
			if failed++; failed > 5 {
				return
			}
		}
	}
}

// selectFiles lists what an override leaves of the tree, or its error.
func selectFiles(globs, iglobs []string, foldAll bool) string {
	o, err := NewOverride(globs, iglobs, foldAll)
	if err != nil {
		return err.Error()
	}
	var kept []string
	for _, f := range globTree {
		parts := strings.Split(f, "/")
		ok := true
		for i, name := range parts {
			_, v := o.Match(strings.Join(parts[:i], "/"), name, i < len(parts)-1)
			ok = ok && v != Ignore
		}
		if ok {
			kept = append(kept, f)
		}
	}
	slices.SortFunc(kept, func(a, b string) int {
		return slices.Compare(strings.Split(a, "/"), strings.Split(b, "/"))
	})
	return strings.Join(kept, "\n")
}
