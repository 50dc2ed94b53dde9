package filetype

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tally/walk/glob"
)

// realRg returns the ripgrep whose types ours must agree with, from
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

func run(rg, dir string, args ...string) string {
	cmd := exec.Command(rg, append([]string{"--no-config"}, args...)...)
	cmd.Dir = dir
	out, _ := cmd.CombinedOutput()
	return strings.TrimPrefix(string(out), "rg: ")
}

func TestListLikeRipgrep(t *testing.T) {
	rg := realRg(t)
	if got, want := Default().List(), run(rg, ".", "--type-list"); got != want {
		t.Errorf("the table differs from ripgrep's:\n%s", want)
	}
}

// TestChoicesLikeRipgrep makes random command lines of type flags over a
// directory that has a file for every glob of every type.
func TestChoicesLikeRipgrep(t *testing.T) {
	rg := realRg(t)
	dir := t.TempDir()
	plain := strings.NewReplacer("*", "x", "[^", "[", "[!", "[")
	var names, types []string
	for name, globs := range Default().types {
		types = append(types, name)
		for _, g := range globs {
			f := plain.Replace(g)
			for {
				head, class, ok := strings.Cut(f, "[")
				if !ok {
					break
				}
				_, tail, _ := strings.Cut(class, "]")
				f = head + class[:1] + tail
			}
			names = append(names, f)
		}
	}
	slices.Sort(types)
	slices.Sort(names)
	names = slices.Compact(append(names, "zzz", ".", "x.foo"))
	names = slices.DeleteFunc(names, func(s string) bool { return s == "." })
	slices.Sort(names)
	for _, f := range names {
		if err := os.WriteFile(filepath.Join(dir, f), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r := rand.New(rand.NewPCG(1, 9))
	for range 150 {
		b := Default()
		args := []string{"--files", "--hidden", "--sort=path"}
		var failure error
		for range 1 + r.IntN(4) {
			name := types[r.IntN(len(types))]
			switch r.IntN(6) {
			case 0, 1:
				b.Select(name)
				args = append(args, "-t"+name)
			case 2:
				b.Negate(name)
				args = append(args, "-T"+name)
			case 3:
				b.Clear(name)
				args = append(args, "--type-clear="+name)
			case 4:
				definition := name + ":" + []string{"*.foo", "zz?", "x.{c,rs}", "[", "include:c,py", "include:nope"}[r.IntN(6)]
				if err := b.Add(definition); failure == nil {
					failure = err
				}
				args = append(args, "--type-add="+definition)
			case 5:
				if r.IntN(3) == 0 {
					b.Select("all")
					args = append(args, "-tall")
				}
			}
		}
		want := run(rg, dir, args...)
		if got := selected(b, failure, names); got != want {
			t.Errorf("%q:\n%s\nripgrep:\n%s", args, got, want)
		}
	}
}

func selected(b *Builder, failure error, names []string) string {
	s, err := b.Selection()
	if failure != nil {
		err = failure
	}
	if err != nil {
		return err.Error() + "\n"
	}
	var out strings.Builder
	for _, f := range names {
		if _, v := s.Match(f); v != glob.Ignore {
			out.WriteString(f + "\n")
		}
	}
	return out.String()
}
