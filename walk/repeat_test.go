package walk

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"tally/walk/opt"
)

func TestRepeated(t *testing.T) {
	tree(t, "a/b/x", "a/y", "ab/x", "c")
	tests := []struct {
		roots []string
		want  string
	}{
		{[]string{"a", "c"}, "a/b/x a/y c"},
		{[]string{"a", "a"}, "a/b/x a/y a/b/x+ a/y+"},
		{[]string{"a/b", "./a", "a/y"}, "a/b/x ./a/b/x+ ./a/y a/y+"},
		{[]string{"c", ".", "c"}, "c ./a/b/x ./a/y ./ab/x ./c+ c+"},
		{[]string{"a/", "a"}, "a/b/x a/y a/b/x+ a/y+"},
		{[]string{"a/", "ab", "c", "c"}, "a/b/x a/y ab/x c c+"},
		{[]string{"./", "a/b/"}, "./a/b/x ./a/y ./ab/x ./c a/b/x+"},
	}
	for _, tt := range tests {
		for _, key := range []string{"", "path"} {
			u := universe(t, func(c *Config) { c.Threads = 1 }, tt.roots...)
			if key != "" {
				u = u.Sorted(ByModified, false)
			}
			var got []string
			for range Map(u, func(emit func(*seen)) Visitor {
				return visitFile(func(f *File) {
					path := string(f.AppendPath(nil))
					if f.Repeated() {
						path += "+"
					}
					got = append(got, path)
				})
			}) {
			}
			if key == "" && strings.Join(got, " ") != tt.want {
				t.Errorf("%q: got %q, want %q", tt.roots, got, tt.want)
			}
			if n, want := strings.Count(strings.Join(got, " "), "+"), strings.Count(tt.want, "+"); n != want {
				t.Errorf("%q sorted: %d repeated, want %d: %q", tt.roots, n, want, got)
			}
		}
	}
}

// A counter is a visitor that counts each place once.
type counter struct {
	files, skips, again map[string]int // by real path
	errs                int
}

func newCounter() *counter {
	return &counter{map[string]int{}, map[string]int{}, map[string]int{}, 0}
}

// real is the path without links; of what is left out, which may be a link, only
// the way there.
func real(path string) string {
	dir, err := filepath.EvalSymlinks(filepath.Dir(path))
	if err != nil {
		return path
	}
	abs, _ := filepath.Abs(dir)
	return filepath.Join(abs, filepath.Base(path))
}

func (c *counter) File(f *File) {
	path, err := filepath.EvalSymlinks(string(f.AppendPath(nil)))
	if err != nil {
		panic(err)
	}
	if first, second := f.Repeated(), f.Repeated(); first != second {
		panic("Repeated changes its mind")
	}
	c.note(c.files, real(path), f.Repeated())
}

func (c *counter) Skip(s *Skip) { c.note(c.skips, real(string(s.AppendPath(nil))), s.Repeated()) }

func (c *counter) note(m map[string]int, path string, repeated bool) {
	if m[path] += 0; repeated {
		c.again[path]++
		return
	}
	m[path]++
}

func (c *counter) Fail(e Error) {
	if !e.Repeated {
		c.errs++
	}
}

func (c *counter) Done() {}

// TestEachPlaceCountsOnce draws trees with links and roots that overlap. Whatever
// is reached, and however often, counts once.
func TestEachPlaceCountsOnce(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		tree(t, "top/.hidden=x", "top/.d/in=x")
		if err := os.Chdir("top"); err != nil {
			t.Fatal(err)
		}
		files := randomTree(t, r, 30)
		dirs := []string{"."}
		for _, f := range files {
			dirs = append(dirs, filepath.Dir(f))
		}
		for i := range 6 {
			to := [][]string{files, dirs}[r.IntN(2)]
			target, err := filepath.Abs(to[r.IntN(len(to))])
			if err != nil {
				t.Fatal(err)
			}
			dir := dirs[r.IntN(len(dirs))]
			os.Symlink(target, filepath.Join(dir, fmt.Sprint("l", i)))
			grow(t, fmt.Sprintf("%s/.h%d=x", dir, i))
		}
		var roots []string
		for range 1 + r.IntN(4) {
			from := [][]string{files, dirs, dirs}[r.IntN(3)]
			root := from[r.IntN(len(from))]
			switch r.IntN(4) {
			case 0:
				root = filepath.Dir(root) + "/../top/" + filepath.Dir(root) + "/" + filepath.Base(root)
				if _, err := os.Stat(root); err != nil {
					root = "."
				}
			case 1:
				root, _ = filepath.Abs(root)
			}
			roots = append(roots, root)
		}
		follow, sorted := r.IntN(2) == 0, r.IntN(3) == 0
		c := newCounter()
		u := universe(t, func(c *Config) { c.Threads, c.Follow = 1, follow }, roots...)
		if sorted {
			u = u.Sorted(ByModified, false)
		}
		for range Map(u, func(func(*seen)) Visitor { return c }) {
		}
		for _, m := range []map[string]int{c.files, c.skips} {
			for path, n := range m {
				_, visited := c.files[path]
				if n != 1 && !(n == 0 && visited && c.files[path] == 1) {
					t.Fatalf("seed %d, roots %q, follow %v: %s counts %d times", seed, roots, follow, path, n)
				}
			}
		}
		if !follow {
			continue
		}
		// Without a census, by the plainest means.
		want := map[string]bool{}
		var mu sync.Mutex
		for range Map(universe(t, func(c *Config) { c.Follow = true }, roots...), func(func(*seen)) Visitor {
			return visitFile(func(f *File) {
				path, _ := filepath.EvalSymlinks(string(f.AppendPath(nil)))
				mu.Lock()
				defer mu.Unlock()
				want[real(path)] = true
			})
		}) {
		}
		if got := slices.Sorted(maps.Keys(c.files)); !reflect.DeepEqual(got, slices.Sorted(maps.Keys(want))) {
			t.Fatalf("seed %d, roots %q: counted %q, there are %q", seed, roots, got, slices.Sorted(maps.Keys(want)))
		}
	}
}

func TestSkipsCountOnce(t *testing.T) {
	tests := []struct {
		name, files string
		roots       []string
		f           func(*Config)
		want        string // of what is left out
	}{
		{"roots that overlap", "s/t/x s/t/l1->x s/t/l2->x s/l3->t", []string{"s", "s/t", "s/t/../t"}, nil, "s/l3 s/t/l1 s/t/l2"},
		{"a root is not left out", "s/.h s/.d/x s/y", []string{"s", "s/.h", "s/.d"}, nil, ""},
		{"the deeper root sees more", "s/t/x s/t/u/y", []string{"s", "s/t"}, func(c *Config) { c.MaxDepth = opt.Some(1) }, "s/t/u/y"},
		{"no root twice", "s/.h", []string{"s", "s/", "./s"}, nil, "s/.h"},
		{"by links", "s/t/x s/t/.h s/l->t", []string{"s"}, func(c *Config) { c.Follow = true }, "s/l/.h"},
		{"apart", "s/.h t/.h", []string{"s", "t"}, nil, "s/.h t/.h"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var names []string
			for _, name := range strings.Fields(tt.files) {
				names = append(names, strings.ReplaceAll(name, "->", " -> "))
			}
			tree(t, names...)
			for _, sorted := range []bool{false, true} {
				u := universe(t, func(c *Config) {
					c.Threads = 1
					if tt.f != nil {
						tt.f(c)
					}
				}, tt.roots...)
				if sorted {
					u = u.Sorted(ByModified, false)
				}
				var got []string
				for range Map(u, func(func(*seen)) Visitor {
					return visitSkip(func(s *Skip) {
						if !s.Repeated() {
							got = append(got, string(s.AppendPath(nil)))
						}
					})
				}) {
				}
				slices.Sort(got)
				if strings.Join(got, " ") != tt.want {
					t.Errorf("left out: %q, want %q", got, tt.want)
				}
			}
		})
	}
}

// visitSkip is a visitor that only looks at what is left out.
type visitSkip func(*Skip)

func (v visitSkip) File(*File)   {}
func (v visitSkip) Skip(s *Skip) { v(s) }
func (v visitSkip) Fail(Error)   {}
func (v visitSkip) Done()        {}

// TestRunsOfRoots has so many roots that files among them share segments.
func TestRunsOfRoots(t *testing.T) {
	tree(t)
	r := rand.New(rand.NewPCG(6, 6))
	var roots, want []string
	for i := range 2000 {
		root := fmt.Sprintf("r%d", i)
		switch r.IntN(6) {
		case 0:
			grow(t, root+"/x=")
			want = append(want, root+"/x")
		case 1:
			want = append(want, fmt.Sprintf("!stat %s: stat %[1]s: no such file or directory", root))
		default:
			grow(t, root+"=")
			want = append(want, root)
		}
		roots = append(roots, root)
	}
	for _, threads := range []int{1, 2, 8} {
		u := universe(t, func(c *Config) { c.Threads = threads }, roots...)
		if got := tell(u, nil); !reflect.DeepEqual(got, want) {
			t.Fatalf("%d threads:\n got %q\nwant %q", threads, got, want)
		}
	}
}

// TestManyRoots holds the cost of roots to their number.
func TestManyRoots(t *testing.T) {
	tree(t)
	took := func(n int) time.Duration {
		roots := make([]string, n)
		for i := range roots {
			roots[i] = fmt.Sprintf("d/f%d", i)
			if i%2 == 0 {
				roots[i] = fmt.Sprintf("d/g%d", i)
			}
		}
		start := time.Now()
		universe(t, nil, roots...)
		return time.Since(start)
	}
	const many = 16000
	if err := os.Mkdir("d", 0o777); err != nil {
		t.Fatal(err)
	}
	for i := range many {
		if i%2 == 0 {
			grow(t, fmt.Sprintf("d/g%d/", i))
		} else {
			grow(t, fmt.Sprintf("d/f%d=", i))
		}
	}
	few := max(took(many/16), time.Millisecond)
	if all := took(many); all > 16*8*few {
		t.Errorf("%d roots take %v, %d take %v", many/16, few, many, all)
	}
}
