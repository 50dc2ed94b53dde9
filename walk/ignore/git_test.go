package ignore

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

var firstSeed = flag.Uint64("seed", 1, "the seed of the first repository of random trees")

// treesPerRepo trees share a repository, and thus a process of git.
const treesPerRepo = 50

// numTrees is the size of a run: TALLY_LONG is a number of trees.
func numTrees(t testing.TB) int {
	n := 400
	if s := os.Getenv("TALLY_LONG"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatalf("TALLY_LONG is the number of trees to try: %v", err)
		}
	}
	return n
}

// needGit fails the test if there is no git; it is the oracle, so that without
// it nothing is known.
func needGit(t testing.TB) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Fatalf("the truth about ignore rules comes from git: %v", err)
	}
}

// git runs git shielded from the configuration of whoever runs the test.
func git(t testing.TB, dir, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(dir), "GIT_CONFIG_NOSYSTEM=1", "LC_ALL=C",
		"GIT_CONFIG_GLOBAL=" + filepath.Join(dir, ".git", "user-config"),
	}
	cmd.Stdin = strings.NewReader(stdin)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !(args[0] == "check-ignore" && errors.As(err, &exit) && exit.ExitCode() == 1) {
		t.Fatalf("git %v: %v\n%s", args, err, stderr.Bytes())
	}
	return string(out)
}

// gitIsStrict asks this machine's git how it reads foo**/bar.
func gitIsStrict(t testing.TB) bool {
	repo := t.TempDir()
	git(t, repo, "", "init", "-q")
	writeFile(t, filepath.Join(repo, ".gitignore"), "/foo**/bar\n")
	return git(t, repo, "foobar\n", "check-ignore", "--no-index", "--stdin") == ""
}

func writeFile(t testing.TB, name, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A decision is what one side says about a path.
type decision struct {
	source  string // below the repository; "" if no rule matched
	line    int
	negated bool
}

func (d decision) ignored() bool { return d.line > 0 && !d.negated }

// askGit returns git's decision for each path.
func askGit(t testing.TB, repo string, paths []string) map[string]decision {
	t.Helper()
	out := git(t, repo, strings.Join(paths, "\x00")+"\x00", "check-ignore", "-v", "-n", "-z", "--no-index", "--stdin")
	fields := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
	said := map[string]decision{}
	for ; len(fields) >= 4; fields = fields[4:] {
		d := decision{source: strings.TrimPrefix(fields[0], repo+"/"), negated: strings.HasPrefix(fields[2], "!")}
		if fields[1] != "" {
			d.line, _ = strconv.Atoi(fields[1])
		}
		said[fields[3]] = d
	}
	if len(said) != len(paths) {
		t.Fatalf("git answered for %d of %d paths", len(said), len(paths))
	}
	return said
}

// A repo is a repository of random trees on the disk.
type repo struct {
	top     string
	trees   map[string]*randomTree // by directory
	exclude string
	global  string
}

func newRepo(t testing.TB, top string, seed uint64, trees int) *repo {
	r := rand.New(rand.NewPCG(seed, 3))
	p := &repo{top: top, trees: map[string]*randomTree{}}
	git(t, top, "", "init", "-q")
	var all []string
	for i := range trees {
		name := "t" + strconv.Itoa(i)
		tree := newTree(r)
		p.trees[name] = tree
		if err := os.Mkdir(filepath.Join(top, name), 0o777); err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.dirs {
			if err := os.Mkdir(filepath.Join(top, name, d), 0o777); err != nil {
				t.Fatal(err)
			}
			all = append(all, name+"/"+d)
		}
		for d, rules := range tree.rules {
			writeFile(t, filepath.Join(top, name, d, ".gitignore"), rules)
		}
		for _, f := range tree.files {
			all = append(all, name+"/"+f)
		}
	}
	p.exclude, p.global = weakRules(r, all), weakRules(r, all)
	writeFile(t, filepath.Join(top, ".git/info/exclude"), p.exclude)
	writeFile(t, filepath.Join(top, ".git/global"), p.global)
	writeFile(t, filepath.Join(top, ".git/user-config"), fmt.Sprintf("[core]\n\texcludesFile = %q\n", filepath.Join(top, ".git/global")))
	return p
}

// weakRules are for sources that reach all trees: too strong a pattern would
// leave nothing to compare.
func weakRules(r *rand.Rand, all []string) string {
	var b strings.Builder
	for range 40 {
		p := randomPattern(r, pick(r, all))
		if strings.HasPrefix(p, "t") && len(p) > 4 || r.IntN(20) == 0 && !strings.ContainsAny(p[:1], "*?/[") {
			b.WriteString(p + pick(r, lineEnds))
		}
	}
	return b.String()
}

// config reads the same sources as git does in the repository.
func (p *repo) config(strict bool) Config {
	return Config{
		VCS: true, Exclude: true, Global: true, RequireGit: true, StrictStars: strict, Cwd: p.top,
		LookupEnv: func(name string) (string, bool) {
			v, ok := map[string]string{
				"HOME": p.top, "GIT_CONFIG_NOSYSTEM": "1",
				"GIT_CONFIG_GLOBAL": filepath.Join(p.top, ".git/user-config"),
			}[name]
			return v, ok
		},
	}
}

// A testDirectory is read from the disk and displayed relative to a top.
type testDirectory struct{ top, dir string }

func (d testDirectory) Path() string {
	if d.dir == "." {
		return ""
	}
	return d.dir
}

func (d testDirectory) ReadFile(name string) ([]byte, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(d.top, d.dir, name)
	}
	return os.ReadFile(name)
}

func (d testDirectory) found(t testing.TB) (has Found, entries []fs.DirEntry) {
	entries, err := os.ReadDir(filepath.Join(d.top, d.dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		has |= FoundName(e.Name())
	}
	return has, entries
}

// decideAll descends as a walk does and returns a decision for each path of
// the trees; paths below an ignored directory get that directory's.
func (p *repo) decideAll(t testing.TB, s *Sources) map[string]decision {
	said := map[string]decision{}
	decided := func(rule Rule, v Verdict) decision {
		return decision{strings.TrimPrefix(rule.Source, p.top+"/"), rule.Line, v == Include}
	}
	top := testDirectory{p.top, "."}
	has, _ := top.found(t)
	root, _ := s.Root(p.top, has, top)
	for name, tree := range p.trees {
		if rule, v := root.Match(name, true); v == Ignore {
			for _, f := range tree.below("") {
				said[name+"/"+f] = decided(rule, v)
			}
			continue
		}
		in := testDirectory{p.top, name}
		has, _ := in.found(t)
		dirs := map[string]*Dir{}
		dirs[""], _ = root.Child(name, has, in)
		pruned := map[string]decision{}
		decide := func(p string, isDir bool) (*Dir, decision) {
			parent, base := path.Split(p)
			parent = strings.TrimSuffix(parent, "/")
			if d, ok := pruned[parent]; ok {
				return nil, d
			}
			return dirs[parent], decided(dirs[parent].Match(base, isDir))
		}
		for _, dir := range tree.dirs {
			parent, d := decide(dir, true)
			said[name+"/"+dir] = d
			if d.ignored() {
				pruned[dir] = d
				continue
			}
			sub := testDirectory{p.top, name + "/" + dir}
			has, _ := sub.found(t)
			dirs[dir], _ = parent.Child(path.Base(dir), has, sub)
		}
		for _, f := range tree.files {
			_, said[name+"/"+f] = decide(f, false)
		}
	}
	return said
}

// TestGitTrees holds every decision about random trees, with the line that was
// the reason, against git's.
func TestGitTrees(t *testing.T) {
	needGit(t)
	strict := gitIsStrict(t)
	n := numTrees(t)
	paths, ignored, differences := 0, 0, 0
	for seed := *firstSeed; n > 0 && differences == 0; seed++ {
		top, err := filepath.EvalSymlinks(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		p := newRepo(t, top, seed, min(n, treesPerRepo))
		n -= len(p.trees)
		s, errs := New(p.config(strict))
		for _, err := range errs {
			if _, ok := errors.AsType[*LineError](err); !ok {
				t.Error(err)
			}
		}
		ours := p.decideAll(t, s)
		all := slices.Sorted(maps.Keys(ours))
		theirs := askGit(t, top, all)
		for _, path := range all {
			paths++
			if ours[path].ignored() {
				ignored++
			}
			if ours[path] != theirs[path] {
				differences++
				t.Errorf("seed %d, %q: %+v, git says %+v", seed, path, ours[path], theirs[path])
			}
		}
		if differences > 0 {
			p.explain(t, ours, theirs)
		}
		os.RemoveAll(top)
	}
	t.Logf("%d paths, %d of them ignored", paths, ignored)
	if paths > 1000 && (ignored < paths/10 || ignored > paths*9/10) {
		t.Errorf("of %d paths %d are ignored: too one-sided to prove much", paths, ignored)
	}
}

// TestGitList asks git in another way which of the files that exist are
// ignored, without naming any.
func TestGitList(t *testing.T) {
	needGit(t)
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := newRepo(t, top, *firstSeed, 2*treesPerRepo)
	files := map[string]bool{}
	for name, tree := range p.trees {
		for _, f := range tree.files {
			writeFile(t, filepath.Join(top, name, f), "")
			files[name+"/"+f] = true
		}
	}
	s, _ := New(p.config(gitIsStrict(t)))
	ours := p.decideAll(t, s)
	listed := map[string]bool{}
	for f := range strings.SplitSeq(git(t, top, "", "ls-files", "-o", "-i", "--exclude-standard", "-z"), "\x00") {
		listed[f] = true
	}
	for f := range files {
		if ours[f].ignored() != listed[f] {
			t.Errorf("%q: %+v, git lists it as ignored: %v", f, ours[f], listed[f])
		}
	}
}

// explain prints the rules of a tree with a difference.
func (p *repo) explain(t *testing.T, ours, theirs map[string]decision) {
	for _, path := range slices.Sorted(maps.Keys(ours)) {
		if ours[path] == theirs[path] {
			continue
		}
		name, _, _ := strings.Cut(path, "/")
		for dir, rules := range p.trees[name].rules {
			t.Logf("%s/%s/.gitignore: %q", name, dir, rules)
		}
		t.Logf("exclude: %q\nglobal: %q", p.exclude, p.global)
		return
	}
}

// TestTwin holds the compiled rules of the same trees against the twin, in all
// variants of the dialect.
func TestTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(*firstSeed, 4))
	for range numTrees(t) {
		tree := newTree(r)
		for dir, data := range tree.rules {
			for i, p := range tree.below(dir) {
				checkTwin(t, data, p, i%2 == 0, Options{Fold: i%4 > 1, Strict: r.IntN(2) == 0})
			}
		}
		if t.Failed() {
			return
		}
	}
}

// TestTwinLarge does so for files of many rules, in which tables get large
// enough for the ways that only large ones take. Negated rules are many, so
// that no single strong one hides the others.
func TestTwinLarge(t *testing.T) {
	r := rand.New(rand.NewPCG(*firstSeed, 5))
	for range 1 + numTrees(t)/20 {
		tree := newTree(r)
		paths := tree.below("")
		var b strings.Builder
		for range 20 + r.IntN(200) {
			b.WriteString([]string{"", "!"}[r.IntN(2)] + randomPattern(r, pick(r, paths)) + "\n")
		}
		o := Options{Fold: r.IntN(3) == 0, Strict: r.IntN(2) == 0}
		for i, p := range paths {
			checkTwin(t, b.String(), p, i%2 == 0, o)
		}
		if t.Failed() {
			return
		}
	}
}
