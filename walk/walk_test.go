package walk

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"tally/walk/filetype"
	"tally/walk/glob"
	"tally/walk/ignore"
	"tally/walk/opt"
)

// seen is a part that says what a visitor was told.
type seen struct {
	lines []string
	size  int
}

func (s *seen) Size() int { return s.size }

// teller is a visitor that writes down what it is told.
type teller struct {
	emit  func(*seen)
	s     *seen
	audit *Audit
	size  int // of each part
	every bool
}

func (v *teller) add(line string) {
	v.s.lines = append(v.s.lines, line)
	if v.every {
		v.Done()
	}
}

func (v *teller) File(f *File) {
	path := f.AppendPath(nil)
	if v.audit != nil {
		v.audit.File(path)
	}
	if r, out := f.OutOfScope(); out {
		v.add("(" + r.String() + ") " + string(path))
		return
	}
	v.add(string(path))
}

func (v *teller) Skip(s *Skip) {
	path := s.AppendPath(nil)
	if v.audit != nil {
		if s.IsDir {
			v.audit.Dir(path)
		} else {
			v.audit.File(path)
		}
	}
	v.add("-" + s.Reason.String() + " " + string(path))
}

func (v *teller) Fail(e Error) {
	if v.audit != nil {
		v.audit.Dir([]byte(e.Path))
	}
	v.add("!" + e.Op.String() + " " + string(e.Path) + ": " + e.Err.Error())
}

func (v *teller) Done() {
	if len(v.s.lines) > 0 {
		v.s.size = v.size
		v.emit(v.s)
		v.s = new(seen)
	}
}

// universe is one of everything below the roots but what git ignores and what
// is hidden, changed by f.
func universe(t testing.TB, f func(*Config), roots ...string) *Universe {
	t.Helper()
	cwd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	src, errs := ignore.New(ignore.Config{Dot: true, VCS: true, Exclude: true, Parent: true, RequireGit: true, Cwd: cwd})
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	c := Config{Roots: roots, Cwd: cwd, Ignore: src}
	if f != nil {
		f(&c)
	}
	return New(c, func(err error) { t.Log(err) })
}

// tell walks u and returns all that the visitors were told.
func tell(u *Universe, change func(*teller)) []string {
	var lines []string
	for part := range Map(u, func(emit func(*seen)) Visitor {
		v := &teller{emit: emit, s: new(seen)}
		if change != nil {
			change(v)
		}
		return v
	}) {
		lines = append(lines, part.lines...)
	}
	return lines
}

// tree makes files in a new directory and changes into it. A name that ends in
// a slash is a directory, "a -> b" a link.
func tree(t testing.TB, names ...string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for _, name := range names {
		grow(t, name)
	}
}

// grow makes a directory (d/), a link (l -> target) or a file with a content (f=text),
// which with @1000 is as old as that many seconds after 1970.
func grow(t testing.TB, name string) {
	t.Helper()
	content := ""
	name, content, _ = strings.Cut(name, "=")
	link, target, isLink := strings.Cut(name, " -> ")
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(filepath.Dir(link), 0o777))
	switch {
	case isLink:
		must(os.Symlink(target, link))
	case strings.HasSuffix(name, "/"):
		must(os.MkdirAll(name, 0o777))
	default:
		must(os.WriteFile(name, []byte(content), 0o666))
	}
	if seconds, isTime := strings.CutPrefix(content, "@"); isTime {
		n, err := strconv.ParseInt(seconds, 10, 64)
		must(err)
		must(os.Chtimes(name, time.Time{}, time.Unix(n, 0)))
	}
}

// nestedTree is a repository with others in it: sub ignores in its own way, and holds
// a worktree; odd has a file .git that says nothing.
var nestedTree = []string{
	".git/f", ".gitignore=x\n", "a", "x", "sub/.git/f", "sub/.gitignore=a\n", "sub/a", "sub/x",
	"sub/tree/.git=gitdir: ../.git/worktrees/tree\n", "sub/tree/f", "odd/.git", "odd/f",
}

func TestDecisions(t *testing.T) {
	tests := []struct {
		name  string
		files []string
		roots []string
		f     func(*Config)
		want  []string
	}{
		{
			"order by component",
			[]string{"a/b", "a+", "a-b/q", "a.txt", "B"},
			[]string{"."},
			nil,
			[]string{"./B", "./a/b", "./a+", "./a-b/q", "./a.txt"},
		},
		{"roots in argument order", []string{"b/x", "a/y"}, []string{"b", "a/"}, nil, []string{"b/x", "a/y"}},
		{"roots that overlap", []string{"a/b/x"}, []string{"a", "a/b", "a/b/x"}, nil, []string{"a/b/x", "a/b/x", "a/b/x"}},
		{"implied root", []string{"a/x"}, []string{"./"}, func(c *Config) { c.Implied = true }, []string{"a/x"}},
		{
			"root that is missing",
			[]string{"a"},
			[]string{"nope", "a"},
			nil,
			[]string{"!stat nope: stat nope: no such file or directory", "a"},
		},
		{"hidden", []string{".h", ".d/x", "v"}, []string{"."}, nil, []string{"-hidden ./.d", "-hidden ./.h", "./v"}},
		{"hidden wanted", []string{".h", "v"}, []string{"."}, func(c *Config) { c.Hidden = true }, []string{"./.h", "./v"}},
		{
			"ignored",
			[]string{".git/x", ".gitignore=x\nd/\n", "x", "d/y", "z"},
			[]string{"."},
			nil,
			[]string{"-hidden ./.git", "-hidden ./.gitignore", "-ignored ./d", "-ignored ./x", "./z"},
		},
		{
			"whitelisted and hidden",
			[]string{".ignore=!.h\n", ".h", ".i"},
			[]string{"."},
			nil,
			[]string{"./.h", "-hidden ./.i", "-hidden ./.ignore"},
		},
		{
			"rules without end",
			[]string{".ignore -> /dev/zero", ".rgignore -> /dev/null", "x"},
			[]string{"."},
			nil,
			[]string{"!rules ./.ignore: is no regular file, and might have no end", "-hidden ./.ignore", "-hidden ./.rgignore", "./x"},
		},
		{
			"a repository by a link",
			[]string{"r/.keep", ".git -> r", ".gitignore=x\n", "x"},
			[]string{"."},
			nil,
			[]string{"-hidden ./.git", "-hidden ./.gitignore", "-hidden ./r/.keep", "-ignored ./x"},
		},
		{
			"no repository",
			[]string{".git -> none", ".gitignore=x\n", "x"},
			[]string{"."},
			nil,
			[]string{"-hidden ./.git", "-hidden ./.gitignore", "./x"},
		},
		{
			"no file of rules",
			[]string{".git/", ".gitignore -> rules", "rules=x\n", "x", ".ignore/y"},
			[]string{"."},
			nil,
			[]string{"-hidden ./.git", "-hidden ./.gitignore", "-hidden ./.ignore", "./rules", "./x"},
		},
		{"links", []string{"a/x", "l -> a", "m -> a/x"}, []string{"."}, nil, []string{"./a/x", "-symlink ./l", "-symlink ./m"}},
		{
			"links followed",
			[]string{"a/x", "l -> a", "m -> a/x"},
			[]string{"."},
			func(c *Config) { c.Follow = true },
			[]string{"./a/x", "./l/x", "./m"},
		},
		{
			"link that dangles",
			[]string{"l -> nope", "x"},
			[]string{"."},
			func(c *Config) { c.Follow = true },
			[]string{"!stat ./l: no such file or directory", "./x"},
		},
		{
			"link loop",
			[]string{"a/x", "a/up -> .."},
			[]string{"."},
			func(c *Config) { c.Follow = true },
			[]string{"!follow ./a/up: points to an ancestor .", "./a/x"},
		},
		{
			"link loop below the current directory unsaid",
			[]string{"a/x", "a/up -> .."},
			[]string{"."},
			func(c *Config) { c.Follow, c.Implied = true, true },
			[]string{"!follow a/up: points to an ancestor .", "a/x"},
		},
		{"named file", []string{".ignore=x\n", "x", ".h"}, []string{"x", ".h"}, nil, []string{"x", ".h"}},
		{"depth", []string{"a/b/c", "x"}, []string{"."}, func(c *Config) { c.MaxDepth = opt.Some(1) }, []string{"./a", "./x"}},
		{
			"size",
			[]string{"big=xxxxx", "small=x"},
			[]string{"."},
			func(c *Config) { c.MaxFilesize = opt.Some[int64](4) },
			[]string{"-too_large ./big", "./small"},
		},
		{"globs", []string{"a.go", "b.rs", "d/c.go"}, []string{"."}, func(c *Config) {
			c.Override, _ = glob.NewOverride([]string{"*.go", "!d"}, nil, false)
		}, []string{"./a.go", "-glob ./b.rs", "-glob ./d"}},
		{
			"beyond",
			[]string{".git/x", ".gitignore=x\nd/\n", "x", "d/y", "d/.e/f", "d/l -> y", "z"},
			[]string{"."},
			func(c *Config) { c.Beyond = true },
			[]string{"-hidden ./.git", "(hidden) ./.gitignore", "(ignored) ./d/.e/f", "-symlink ./d/l", "(ignored) ./d/y", "(ignored) ./x", "./z"},
		},
		{"beyond a size and a glob", []string{"big=xxxxx", "small=x", "no.rs"}, []string{"."}, func(c *Config) {
			c.Beyond, c.MaxFilesize = true, opt.Some[int64](4)
			c.Override, _ = glob.NewOverride([]string{"!*.rs"}, nil, false)
		}, []string{"(too_large) ./big", "(glob) ./no.rs", "./small"}},
		{"since, named or not", []string{"d/old=@1000", "d/edge=@2000", "d/new=@2001", "old=@1000"}, []string{"d", "old"}, func(c *Config) {
			c.Changed.Since = opt.Some(Instant{2000, 0})
		}, []string{"d/edge", "d/new", "-too_old d/old", "old"}},
		{"before", []string{"d/old=@1000", "d/edge=@2000", "e=@2000"}, []string{"."}, func(c *Config) {
			c.Changed.Before, c.MaxFilesize = opt.Some(Instant{2000, 0}), opt.Some[int64](99)
		}, []string{"-too_new ./d/edge", "./d/old", "-too_new ./e"}},
		{"a span, and beyond it", []string{"a=@1000", "b=@2000", "c=@3000"}, []string{"."}, func(c *Config) {
			c.Beyond, c.Changed = true, Span{opt.Some(Instant{1000, 1}), opt.Some(Instant{2000, 1})}
		}, []string{"(too_old) ./a", "./b", "(too_new) ./c"}},
		{"repositories within others", nestedTree, []string{".", "sub"}, nil, []string{
			"-hidden ./.git", "-hidden ./.gitignore", "./a", "-hidden ./odd/.git", "./odd/f", "-hidden ./sub/.git", "-hidden ./sub/.gitignore",
			"-ignored ./sub/a", "-hidden ./sub/tree/.git", "./sub/tree/f", "./sub/x", "-ignored ./x",
			"-hidden sub/.git", "-hidden sub/.gitignore", "-ignored sub/a", "-hidden sub/tree/.git", "sub/tree/f", "sub/x",
		}},
		{"no repositories within others", nestedTree, []string{".", "sub"}, func(c *Config) { c.NoNested = true }, []string{
			"-hidden ./.git", "-hidden ./.gitignore", "./a", "-nested ./odd", "-nested ./sub", "-ignored ./x",
			"-hidden sub/.git", "-hidden sub/.gitignore", "-ignored sub/a", "-nested sub/tree", "sub/x",
		}},
		{"beyond repositories within others", nestedTree, []string{"."}, func(c *Config) { c.NoNested, c.Beyond, c.Hidden = true, true, true }, []string{
			"./.git/f", "./.gitignore", "./a", "(nested) ./odd/.git", "(nested) ./odd/f", "-nested ./sub/.git", "(nested) ./sub/.gitignore",
			"(nested) ./sub/a", "(nested) ./sub/tree/.git", "(nested) ./sub/tree/f", "(nested) ./sub/x", "(ignored) ./x",
		}},
		{"types", []string{"a.go", "b.rs"}, []string{"."}, func(c *Config) {
			b := filetype.Default()
			b.Select("rust")
			c.Types, _ = b.Selection()
		}, []string{"-type ./a.go", "./b.rs"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree(t, tt.files...)
			for _, threads := range []int{1, 2, 8} {
				u := universe(t, func(c *Config) {
					if tt.f != nil {
						tt.f(c)
					}
					c.Threads = threads
				}, tt.roots...)
				got := tell(u, nil)
				if tt.name == "depth" {
					// What lies deeper is a skip with a reason of its own.
					if !reflect.DeepEqual(got, []string{"-max_depth ./a/b", "./x"}) {
						t.Errorf("got %q", got)
					}
					continue
				}
				if !reflect.DeepEqual(got, tt.want) {
					t.Errorf("%d threads:\n got %q\nwant %q", threads, got, tt.want)
				}
			}
		})
	}
}

// randomTree makes directories and files and returns the files in path order.
func randomTree(t testing.TB, r *rand.Rand, n int) []string {
	t.Helper()
	var files []string
	dirs := []string{"."}
	for i := range n {
		name := fmt.Sprintf("%c%d", "aB.-_é"[r.IntN(5)], i)
		if name[0] == '.' {
			name = "x" + name
		}
		path := filepath.Join(dirs[r.IntN(len(dirs))], name)
		if r.IntN(4) == 0 {
			grow(t, path+"/")
			dirs = append(dirs, path)
		} else {
			grow(t, path+"=x")
			files = append(files, path)
		}
	}
	slices.SortFunc(files, comparePaths)
	return files
}

func TestOrderDoesNotDependOnThreads(t *testing.T) {
	for seed := range uint64(20) {
		tree(t)
		want := randomTree(t, rand.New(rand.NewPCG(seed, 1)), 300)
		for _, threads := range []int{1, 2, 8} {
			u := universe(t, func(c *Config) { c.Threads, c.Implied = threads, true }, "./")
			// Parts beyond the budget make all workers but one wait.
			got := tell(u, func(v *teller) { v.every, v.size = true, budget/3 })
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("seed %d, %d threads:\n got %q\nwant %q", seed, threads, got, want)
			}
		}
	}
}

func TestFewDescriptors(t *testing.T) {
	tree(t)
	want := randomTree(t, rand.New(rand.NewPCG(7, 7)), 2000)
	u := universe(t, func(c *Config) { c.Implied = true }, "./")
	u.maxOpen = 2
	if got := tell(u, nil); !reflect.DeepEqual(got, want) {
		t.Errorf("with two directories open at most %d of %d files were found", len(got), len(want))
	}
}

func TestStopsEarly(t *testing.T) {
	tree(t)
	randomTree(t, rand.New(rand.NewPCG(3, 3)), 2000)
	u := universe(t, func(c *Config) { c.Threads = 8 }, ".")
	n := 0
	for range Map(u, func(emit func(*seen)) Visitor { return &teller{emit: emit, s: new(seen), every: true, size: budget} }) {
		if n++; n == 5 {
			break
		}
	}
	if n != 5 {
		t.Errorf("the loop ran %d times", n)
	}
}

func TestDeepTree(t *testing.T) {
	const depth = 2000
	tree(t)
	// The standard library would take a quarter of a minute to remove it.
	t.Cleanup(func() { exec.Command("rm", "-rf", "dddd").Run() })
	top, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for range depth {
		if err := os.Mkdir("dddd", 0o777); err != nil {
			t.Fatal(err)
		}
		// os.Chdir asks a test each time where it is, up to the root.
		if err := syscall.Chdir("dddd"); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("leaf", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Chdir(top); err != nil {
		t.Fatal(err)
	}
	got := tell(universe(t, nil, "."), nil)
	if want := "./" + strings.Repeat("dddd/", depth) + "leaf"; !reflect.DeepEqual(got, []string{want}) {
		t.Errorf("the leaf of a tree of %d levels was not found: %.100q", depth, got)
	}
	long := "./" + strings.Repeat("dddd/", depth) + "leaf"
	h, err := (&File{root: new(root), listed: &listed{path: Displayed(long)}}).Open()
	if err != nil {
		t.Fatalf("a path of %d bytes cannot be opened: %v", len(long), err)
	}
	h.Close()
}

func TestPipeInTree(t *testing.T) {
	tree(t, "a", "z")
	if err := syscall.Mkfifo("m", 0o666); err != nil {
		t.Fatal(err)
	}
	done := make(chan []string)
	go func() { done <- tell(universe(t, nil, "."), nil) }()
	select {
	case got := <-done:
		if want := []string{"./a", "-special ./m", "./z"}; !reflect.DeepEqual(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	case <-time.After(10 * time.Second):
		t.Fatal("a pipe without a writer keeps the walk waiting")
	}
}

func TestPipeInsteadOfFile(t *testing.T) {
	tree(t, "a", "m=text")
	for range Map(universe(t, nil, "."), func(emit func(*seen)) Visitor {
		return visitFile(func(f *File) {
			if string(f.AppendPath(nil)) != "./m" {
				return
			}
			os.Remove("m")
			if err := syscall.Mkfifo("m", 0o666); err != nil {
				t.Error(err)
			}
			h, err := f.Open() // must not wait for a writer
			if err != nil {
				t.Error(err)
				return
			}
			defer h.Close()
			if n, err := h.Read(make([]byte, 10)); !errors.Is(err, errNotRegular) {
				t.Errorf("a pipe in place of the file reads %d bytes, %v", n, err)
			}
		})
	}) {
	}
}

func TestFileVanishes(t *testing.T) {
	tree(t, "a", "m", "z")
	var opened []string
	for range Map(universe(t, func(c *Config) { c.Threads = 1 }, "."), func(emit func(*seen)) Visitor {
		return visitFile(func(f *File) {
			os.Remove("m")
			path := string(f.AppendPath(nil))
			h, err := f.Open()
			if err != nil {
				if !errors.Is(err, syscall.ENOENT) {
					t.Error(err)
				}
				path = "!" + path
			} else {
				h.Close()
			}
			opened = append(opened, path)
		})
	}) {
	}
	if want := []string{"./a", "!./m", "./z"}; !reflect.DeepEqual(opened, want) {
		t.Errorf("got %q, want %q", opened, want)
	}
}

// visitFile is a visitor that only looks at files.
type visitFile func(*File)

func (v visitFile) File(f *File) { v(f) }
func (v visitFile) Skip(*Skip)   {}
func (v visitFile) Fail(Error)   {}
func (v visitFile) Done()        {}

func TestSorted(t *testing.T) {
	tree(t, "b", "a/x", "c", "a/y")
	now := time.Now()
	for i, name := range []string{"c", "a/y", "b", "a/x"} {
		when := now.Add(time.Duration(i) * time.Hour)
		if err := os.Chtimes(name, when, when.Add(-2*time.Duration(i)*time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		key     Key
		reverse bool
		want    string
	}{
		{ByPath, true, "./c ./b ./a/y ./a/x"},
		{ByModified, false, "./a/x ./b ./a/y ./c"},
		{ByModified, true, "./c ./a/y ./b ./a/x"},
		{ByAccessed, false, "./c ./a/y ./b ./a/x"},
	}
	for _, tt := range tests {
		got := tell(universe(t, nil, ".").Sorted(tt.key, tt.reverse), nil)
		if strings.Join(got, " ") != tt.want {
			t.Errorf("by %d, reverse %v: got %q, want %q", tt.key, tt.reverse, got, tt.want)
		}
	}
}

func TestWhyAgreesWithTheWalk(t *testing.T) {
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 2))
		tree(t, ".git/")
		files := randomTree(t, r, 80)
		rules := ""
		for range 6 {
			f := files[r.IntN(len(files))]
			rules += []string{f, filepath.Base(f), filepath.Dir(f) + "/", "!" + f, "/" + f[:1] + "*"}[r.IntN(5)] + "\n"
		}
		grow(t, ".gitignore="+rules)
		u := universe(t, func(c *Config) { c.Implied = true }, "./")
		told := tell(u, nil)
		for _, f := range files {
			if a, in := u.Why(f), slices.Contains(told, f); a.InScope != in {
				t.Fatalf("seed %d: %s: Why says %+v, the walk %v; rules:\n%s", seed, f, a, in, rules)
			}
		}
	}
}

// TestWhyOfOddPaths asks about paths that are not below the working directory
// by name alone.
func TestWhyOfOddPaths(t *testing.T) {
	tree(t, "a/x")
	u := universe(t, nil, "./")
	for _, path := range []string{"/", "//", "/.", ".", "a/..", "a/../a/x", "../"} {
		if a := u.Why(path); !a.InScope || a.Err != nil {
			t.Errorf("%q: %+v", path, a)
		}
	}
}

func TestAudit(t *testing.T) {
	tests := map[string]func(*Config){
		"plain":   nil,
		"hidden":  func(c *Config) { c.Hidden = true },
		"shallow": func(c *Config) { c.MaxDepth = opt.Some(2) },
		"follow":  func(c *Config) { c.Follow = true },
		"globs":   func(c *Config) { c.Override, _ = glob.NewOverride([]string{"a*", "!*7"}, nil, false) },
		"size":    func(c *Config) { c.MaxFilesize = opt.Some[int64](0) },
		"new":     func(c *Config) { c.Changed.Since = opt.Some(Instant{1 << 40, 0}) },
	}
	for name, f := range tests {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(5) {
				tree(t, ".git/x", ".gitignore=a*\n!a1*\n", ".h/y", "l -> .gitignore", "up/l -> ..")
				randomTree(t, rand.New(rand.NewPCG(seed, 3)), 200)
				u := universe(t, f, ".")
				audit := NewAudit()
				tell(u, func(v *teller) { v.audit = audit })
				if found := audit.Check(u); len(found) > 0 {
					t.Fatalf("seed %d: %v", seed, found)
				}
			}
		})
	}
}

// TestAuditNotices breaks the walk on purpose.
func TestAuditNotices(t *testing.T) {
	tree(t, "a/x", "a/y", "b/z")
	u := universe(t, nil, ".")
	audit := NewAudit()
	for range Map(u, func(emit func(*seen)) Visitor {
		return visitFile(func(f *File) {
			if path := f.AppendPath(nil); string(path) != "./a/y" { // the last entry of a directory
				audit.File(path)
			}
		})
	}) {
	}
	found := audit.Check(u)
	if len(found) != 1 || found[0].Path != "a/y" || !errors.Is(found[0].Err, errUnaccounted) {
		t.Errorf("the audit says %v of a walk that lost a/y", found)
	}
}
