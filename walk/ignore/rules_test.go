package ignore

import (
	"slices"
	"sync"
	"testing"
)

func TestCompileErrors(t *testing.T) {
	r, errs := Compile("./.ignore", []byte("[z-a]\nfoo\\\n\n![b-a]x  \n/[c-b]/\n{a\nb}\n[a\nok\n"), Options{})
	var got []string
	for _, err := range errs {
		got = append(got, err.Error())
	}
	want := []string{
		`./.ignore: line 1: error parsing glob '[z-a]': invalid range; 'z' > 'a'`,
		`./.ignore: line 2: error parsing glob 'foo\': dangling '\'`,
		`./.ignore: line 4: error parsing glob '![b-a]x': invalid range; 'b' > 'a'`,
		`./.ignore: line 5: error parsing glob '/[c-b]/': invalid range; 'c' > 'b'`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if rule, v := r.Match("x/ok", false); v != Ignore || rule != (Rule{"./.ignore", 9, "ok", false}) {
		t.Errorf("a good line after bad ones: %+v, %v", rule, v)
	}
}

// Directories that rules do not tell apart must share a node, and a look-up
// must leave no garbage: a large tree depends on both.
func TestCost(t *testing.T) {
	root, names := stack(t, []byte(kernelRules))
	d := descend(root, "drivers")
	if descend(d, "net", "ethernet") != descend(d, "gpu") {
		t.Error("directories without rules of their own do not share a node")
	}
	if d == descend(root, "arch") {
		t.Error("arch is named by a rule, drivers is not, but they share a node")
	}
	for what, f := range map[string]func(){
		"Match": func() { d.Match(names[0], false); d.Match("x.o", false); d.Match("modules.order", true) },
		"Child": func() { d.Child("net", 0, nil) },
	} {
		if n := testing.AllocsPerRun(100, f); n != 0 {
			t.Errorf("%s allocates %v times", what, n)
		}
	}
}

// Many goroutines may ask at once, and enter roots of the same parents.
func TestConcurrent(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir+"/.ignore", "/x/a\n*.o\n")
	for _, name := range []string{"x/1", "y/1"} {
		writeFile(t, dir+"/"+name, "")
	}
	s, _ := New(Config{Dot: true, VCS: true, Parent: true, Cwd: dir})
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			name := []string{"x", "y"}[i%2]
			d, errs := s.Root(dir+"/"+name, 0, nil)
			if len(errs) > 0 {
				t.Error(errs)
			}
			for range 100 {
				child, _ := d.Child("sub", 0, nil)
				_, vo := child.Match("b.o", false)
				_, va := d.Match("a", false)
				if vo != Ignore || (va == Ignore) != (name == "x") {
					t.Errorf("%s: %v, %v", name, vo, va)
				}
			}
		})
	}
	wg.Wait()
}
