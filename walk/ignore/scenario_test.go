package ignore

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A scenario is a small tree, a command line, and the files that are left.
type scenario struct {
	name  string
	files map[string]string // contents; a name that ends with a slash is a directory
	links map[string]string
	cwd   string
	roots []string
	flags []string          // of ripgrep's, see scenarioFlags
	env   map[string]string // TOP stands for the tree's top
	want  string            // the files left, below the top, without dot files
	rg    string            // what ripgrep 15.2 leaves, where it differs; or "nothing"
}

var scenarioFlags = map[string]func(*Config){
	"--no-ignore-dot":                func(c *Config) { c.Dot = false },
	"--no-ignore-vcs":                func(c *Config) { c.VCS = false },
	"--no-ignore-exclude":            func(c *Config) { c.Exclude = false },
	"--no-ignore-global":             func(c *Config) { c.Global = false },
	"--no-ignore-parent":             func(c *Config) { c.Parent = false },
	"--no-ignore-files":              func(c *Config) { c.Files = nil },
	"--no-require-git":               func(c *Config) { c.RequireGit = false },
	"--ignore-file-case-insensitive": func(c *Config) { c.CaseInsensitive = true },
}

var scenarios = []scenario{
	{
		name: "each source beats the next",
		files: map[string]string{
			".git/": "", "1": "", "2": "", "3": "", "4": "", "5": "", "6": "", "7": "",
			".rgignore": "!1\n2", ".ignore": "1\n!2\n!3", ".gitignore": "3\n!2\n!4", ".git/info/exclude": "4\n!5", "home/.config/git/ignore": "5\n!6\n7", "more": "6\n!7\n",
		},
		flags: []string{"--ignore-file=more"},
		want:  "1 3 4 5 6 home/.config/git/ignore more",
	},
	{
		name:  "a stronger source beats a deeper one",
		files: map[string]string{".git/": "", ".ignore": "!a", "d/.gitignore": "a\nb", "d/a": "", "d/b": ""},
		want:  "d/a",
	},
	{
		name:  "within a source the deepest file decides, within a file the last line",
		files: map[string]string{".git/": "", ".gitignore": "!a\na\nb", "d/.gitignore": "!a\nb\n!b", "d/a": "", "d/b": "", "a": "", "b": ""},
		want:  "d/a d/b",
	},
	{
		name:  "nothing is re-included below an ignored directory",
		files: map[string]string{".git/": "", ".gitignore": "d/\n!d/a\ne/*\n!e/a", "d/a": "", "e/a": "", "e/b": ""},
		want:  "e/a",
	},
	{
		name:  "git's rules need a repository",
		files: map[string]string{".gitignore": "a", ".ignore": "b", "a": "", "b": "", "c": ""},
		want:  "a c",
	},
	{
		name:  "unless told otherwise",
		files: map[string]string{".gitignore": "a", "a": "", "d/a": "", "c": ""}, flags: []string{"--no-require-git"},
		want: "c",
	},
	{
		name:  "a repository ends the reach of git's rules from above, not of others",
		files: map[string]string{".git/": "", ".gitignore": "a", ".ignore": "b", "sub/.git/": "", "sub/a": "", "sub/b": "", "sub/d/a": ""},
		want:  "sub/a sub/d/a",
	},
	{
		name:  "without the need for repositories they end nothing",
		files: map[string]string{".git/": "", ".gitignore": "a", "sub/.git/": "", "sub/a": "", "sub/b": ""}, flags: []string{"--no-require-git"},
		want: "sub/b",
	},
	{
		name:  "a repository below counts for itself only",
		files: map[string]string{".gitignore": "a", "sub/.git/": "", "sub/.gitignore": "b", "sub/a": "", "sub/b": "", "a": "", "x/b": ""},
		want:  "a sub/a x/b",
	},
	{
		name:  "jj's repositories are as good as git's",
		files: map[string]string{".jj/": "", ".gitignore": "a", "a": "", "b": "", "sub/.jj/": "", "sub/a": ""},
		want:  "b sub/a",
	},
	{
		name:  "a worktree takes info/exclude from its repository",
		files: map[string]string{"main/.git/info/exclude": "a", "main/.git/worktrees/w/commondir": "../..\n", "w/.git": "gitdir: TOP/main/.git/worktrees/w\n", "w/a": "", "w/b": ""},
		want:  "w/b",
	},
	{
		name:  "a submodule has its own",
		files: map[string]string{".git/info/exclude": "b", ".git/modules/s/info/exclude": "a", "s/.git": "gitdir: ../.git/modules/s\n", "s/a": "", "s/b": ""},
		want:  "s/b", rg: "s/a s/b",
	},
	{
		name:  "a .git that leads nowhere still ends a repository",
		files: map[string]string{".git/": "", ".gitignore": "a", "s/.git": "nonsense", "s/a": ""},
		want:  "s/a",
	},
	{
		name:  "rules of parents count for a root below, anchored where they lie",
		files: map[string]string{".git/": "", ".gitignore": "/src/a\n/b\nsrc/d/*.o\n", ".ignore": "src/x", "src/a": "", "src/b": "", "src/x": "", "src/d/a": "", "src/d/c.o": "", "src/d/src/a": ""},
		cwd:   "src", want: "src/b src/d/a src/d/src/a",
	},
	{
		name:  "for each of several roots",
		files: map[string]string{".git/": "", ".gitignore": "/src/foo.py\n/tests/bar.py\n", "src/foo.py": "", "src/bar.py": "", "tests/foo.py": "", "tests/bar.py": ""},
		roots: []string{"src", "tests"}, want: "src/bar.py tests/foo.py",
	},
	{
		name:  "for roots that repeat a component",
		files: map[string]string{".git/": "", ".gitignore": "/a/a/x\n/a/y\n", "a/a/x": "", "a/a/y": "", "a/x": "", "a/y": ""},
		cwd:   "a", roots: []string{"a", "."}, want: "a/a/y a/a/y a/x",
	},
	{
		name:  "for hidden roots and names that begin like them",
		files: map[string]string{".git/": "", ".gitignore": "/foo/bar\n/foobar/baz\n", "foo/bar": "", "foo/baz": "", "foobar/bar": "", "foobar/baz": ""},
		roots: []string{"./foo", "foobar/"}, want: "foo/baz foobar/bar",
	},
	{
		name:  "unless told otherwise, though the repository is still found",
		files: map[string]string{".git/info/exclude": "e", ".gitignore": "a", ".ignore": "b", "src/.gitignore": "c", "src/a": "", "src/b": "", "src/c": "", "src/e": ""},
		cwd:   "src", flags: []string{"--no-ignore-parent"}, want: "src/a src/b src/e",
	},
	{
		name:  "a root that is ignored is searched, what is below is judged by itself",
		files: map[string]string{".git/": "", ".gitignore": "out\n*.o", "out/a": "", "out/b.o": ""},
		roots: []string{"out"}, want: "out/a",
	},
	{
		name:  "no git",
		files: map[string]string{".git/info/exclude": "b", ".gitignore": "a", ".ignore": "c", "home/.config/git/ignore": "d", "a": "", "b": "", "c": "", "d": ""},
		flags: []string{"--no-ignore-vcs"}, want: "a b d home/.config/git/ignore",
	},
	{
		name:  "no exclude, no global",
		files: map[string]string{".git/info/exclude": "b", ".gitignore": "a", "home/.config/git/ignore": "d", "a": "", "b": "", "d": ""},
		flags: []string{"--no-ignore-exclude", "--no-ignore-global"}, want: "b d home/.config/git/ignore",
	},
	{
		name:  "no dot",
		files: map[string]string{".git/": "", ".ignore": "a", ".rgignore": "b", ".gitignore": "c", "a": "", "b": "", "c": ""},
		flags: []string{"--no-ignore-dot"}, want: "a b",
	},
	{
		name:  "without regard to case, but for --ignore-file",
		files: map[string]string{".git/": "", ".gitignore": "/D/A\n*.O", "d/a": "", "d/B": "", "x.o": "", "ign": "b\nC", "c": ""},
		flags: []string{"--ignore-file-case-insensitive", "--ignore-file=ign"}, want: "c d/B ign",
	},
	{
		name:  "a later --ignore-file is stronger, and both are anchored at the working directory",
		files: map[string]string{"i1": "a\n/b\n", "i2": "!a\nc/d\n", "w/a": "", "w/b": "", "w/x/b": "", "w/c/d": "", "w/x/c/d": ""},
		cwd:   "w", flags: []string{"--ignore-file=../i1", "--ignore-file=../i2"}, want: "w/a w/x/b w/x/c/d",
	},
	{
		name:  "--ignore-file for a root outside of the working directory",
		files: map[string]string{"ign": "/x\ny\n**/z\n", "v/x": "", "v/y": "", "v/z": "", "v/k": "", "w/": ""},
		cwd:   "w", roots: []string{"../v"}, flags: []string{"--ignore-file=../ign"}, want: "v/k v/x",
	},
	{
		name:  "the global file from GIT_CONFIG_GLOBAL, in quotes, with a tilde and a blank",
		files: map[string]string{".git/": "", "conf": "[user]\n\tname = excludesFile\n[Core] # x\n\tautocrlf\n\tEXCLUDESFILE = \"~/my ignore\" ; y\n", "home/my ignore": "a", "a": "", "b": ""},
		env:   map[string]string{"GIT_CONFIG_GLOBAL": "TOP/conf"}, want: "b conf home/my ignore", rg: "a b conf home/my ignore",
	},
	{
		name:  "the global file from the system's configuration, the user's beats it",
		files: map[string]string{".git/": "", "sys": "[core]\nexcludesfile = TOP/i1", "i1": "a", "i2": "b", "home/.gitconfig": "[core]\nexcludesfile = TOP/i2\n", "a": "", "b": ""},
		env:   map[string]string{"GIT_CONFIG_SYSTEM": "TOP/sys"}, want: "a i1 i2 sys",
	},
	{
		name:  "GIT_CONFIG_GLOBAL takes the place of the user's files",
		files: map[string]string{".git/": "", "home/.gitconfig": "[core]\nexcludesfile = TOP/i1\n", "i1": "a", "empty": "", "a": ""},
		env:   map[string]string{"GIT_CONFIG_GLOBAL": "TOP/empty"}, want: "a empty i1", rg: "empty i1",
	},
	{
		name:  "a configuration that is included",
		files: map[string]string{".git/": "", "home/.gitconfig": "[include]\npath = more.conf\n", "home/more.conf": "[core]\nexcludesfile = ~/ign", "home/ign": "a", "a": "", "b": ""},
		want:  "b home/ign home/more.conf", rg: "a b home/ign home/more.conf",
	},
	{
		name:  "a key of another section is not git's",
		files: map[string]string{".git/": "", "home/.gitconfig": "[mine]\nexcludesfile = TOP/ign\n", "ign": "a", "a": ""},
		want:  "a ign", rg: "ign",
	},
	{
		name:  "global rules are anchored at the repository's top",
		files: map[string]string{".git/": "", "home/.config/git/ignore": "/a\nw/b", "a": "", "w/a": "", "w/b": ""},
		cwd:   "w", want: "w/a", rg: "w/b",
	},
	{
		name:  "an XDG_CONFIG_HOME of one's own",
		files: map[string]string{".git/": "", "xdg/git/ignore": "a", "home/.config/git/ignore": "b", "a": "", "b": ""},
		env:   map[string]string{"XDG_CONFIG_HOME": "TOP/xdg"}, want: "b home/.config/git/ignore xdg/git/ignore",
	},
	{
		name:  "git does not follow a link for .gitignore, other sources are not git's",
		files: map[string]string{".git/": "", "rules": "a", "more": "b", "d/a": "", "d/b": ""},
		links: map[string]string{".gitignore": "rules", ".ignore": "more"},
		cwd:   "d", want: "d/a", rg: "nothing",
	},
	{
		name:  "braces are letters to git, and a line that is not UTF-8 is a line",
		files: map[string]string{".git/": "", ".gitignore": "{a,b}\n\xff\nc\n", "a": "", "b": "", "c": "", "{a,b}": ""},
		want:  "a b", rg: "c {a,b}",
	},
}

func TestScenarios(t *testing.T) {
	rg := os.Getenv("TALLY_TEST_RG")
	if rg == "" && (os.Getenv("CI") == "true" || os.Getenv("TALLY_TEST_REQUIRE") == "1") {
		t.Error("TALLY_TEST_RG does not name a ripgrep to compare with")
	}
	for _, s := range scenarios {
		t.Run(s.name, func(t *testing.T) {
			top, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			s.build(t, top)
			if got := s.list(t, top); got != s.want {
				t.Errorf("left are %q, want %q", got, s.want)
			}
			if rg == "" {
				return
			}
			want := s.want
			if s.rg != "" {
				want = s.rg
			}
			if got := s.ripgrep(rg, top); got != want && !(got == "" && want == "nothing") {
				t.Errorf("ripgrep leaves %q, want %q", got, want)
			}
		})
	}
}

func (s *scenario) build(t *testing.T, top string) {
	for name, data := range s.files {
		if dir, ok := strings.CutSuffix(name, "/"); ok {
			if err := os.MkdirAll(filepath.Join(top, dir), 0o777); err != nil {
				t.Fatal(err)
			}
			continue
		}
		writeFile(t, filepath.Join(top, name), strings.ReplaceAll(data, "TOP", top))
	}
	for name, to := range s.links {
		if err := os.Symlink(to, filepath.Join(top, name)); err != nil {
			t.Fatal(err)
		}
	}
}

func (s *scenario) environ(top string) map[string]string {
	env := map[string]string{"HOME": filepath.Join(top, "home"), "GIT_CONFIG_SYSTEM": "/dev/null"}
	for name, value := range s.env {
		env[name] = strings.ReplaceAll(value, "TOP", top)
	}
	return env
}

func (s *scenario) allRoots() []string {
	if s.roots == nil {
		return []string{"."}
	}
	return s.roots
}

// list walks the roots as a search does.
func (s *scenario) list(t *testing.T, top string) string {
	env := s.environ(top)
	c := Config{
		Dot: true, VCS: true, Exclude: true, Global: true, Parent: true, RequireGit: true, Cwd: filepath.Join(top, s.cwd),
		LookupEnv: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
	}
	for _, f := range s.flags {
		if file, ok := strings.CutPrefix(f, "--ignore-file="); ok {
			c.Files = append(c.Files, file)
			continue
		}
		scenarioFlags[f](&c)
	}
	src, errs := New(c)
	if len(errs) > 0 {
		t.Error(errs)
	}
	var left []string
	for _, r := range s.allRoots() {
		abs := filepath.Join(c.Cwd, r)
		rel, _ := filepath.Rel(top, abs)
		in := testDirectory{top, rel}
		has, _ := in.found(t)
		d, errs := src.Root(abs, has, in)
		if len(errs) > 0 {
			t.Error(errs)
		}
		left = append(left, walk(t, d, in)...)
	}
	return inOrder(left)
}

func inOrder(paths []string) string {
	slices.Sort(paths)
	return strings.Join(paths, " ")
}

// walk lists the files below a directory that no rule leaves out.
func walk(t *testing.T, d *Dir, in testDirectory) (left []string) {
	_, entries := in.found(t)
	for _, e := range entries {
		p := filepath.Join(in.dir, e.Name())
		if _, v := d.Match(e.Name(), e.IsDir()); v == Ignore || e.Name() == ".git" || e.Name() == ".jj" {
			continue
		}
		switch {
		case e.IsDir():
			sub := testDirectory{in.top, p}
			has, _ := sub.found(t)
			child, errs := d.Child(e.Name(), has, sub)
			if len(errs) > 0 {
				t.Error(errs)
			}
			left = append(left, walk(t, child, sub)...)
		case e.Type().IsRegular() && e.Name()[0] != '.':
			left = append(left, p)
		}
	}
	return left
}

// ripgrep lists what the real one leaves.
func (s *scenario) ripgrep(rg, top string) string {
	cmd := exec.Command(rg, slices.Concat([]string{"--no-config", "--files", "--hidden", "--glob=!.git", "--glob=!.jj"}, s.flags, s.roots)...)
	cmd.Dir = filepath.Join(top, s.cwd)
	for name, value := range s.environ(top) {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	out, _ := cmd.Output()
	var left []string
	for line := range strings.Lines(string(out)) {
		p, _ := filepath.Rel(top, filepath.Join(cmd.Dir, strings.TrimSuffix(line, "\n")))
		if filepath.Base(p)[0] != '.' {
			left = append(left, p)
		}
	}
	return inOrder(left)
}
