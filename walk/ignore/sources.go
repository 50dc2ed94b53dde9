package ignore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"tally/walk/glob"
)

// A Config says which sources count. The zero value reads none.
type Config struct {
	Dot     bool // .ignore and .rgignore
	VCS     bool // .gitignore; without it neither Exclude nor Global counts
	Exclude bool // .git/info/exclude
	Global  bool // git's core.excludesFile
	Parent  bool // files in the parents of a root
	// Files are further files of rules (--ignore-file), relative to Cwd as
	// their patterns are. A later one is stronger.
	Files []string
	// RequireGit limits git's sources to repositories, and .gitignore files to
	// those between an entry and the top of the repository that it is in.
	// Without it a repository is a directory like any other.
	RequireGit bool
	// CaseInsensitive ignores ASCII case in all sources but Files.
	CaseInsensitive bool
	// StrictStars reads ** as git does since 2.52, see [Options].
	StrictStars bool

	// Loaded, if not nil, is told of each file of rules that was read, and
	// how many rules it holds; goroutines may call it at the same time.
	Loaded func(source string, rules int)

	LookupEnv func(string) (string, bool) // as [os.LookupEnv]; nil: no variables
	Cwd       string                      // the working directory, absolute and without links
}

// Sources are the rules that hold for all roots, and those of the parents of
// roots, which are read once. They are safe for concurrent use.
type Sources struct {
	config   Config
	relevant Found // what a directory's listing can hold that matters
	global   *Rules
	files    []*Rules // as in Config.Files, without those that cannot be read

	mu      sync.Mutex
	parents map[string]*Dir
}

// New reads the sources that hold everywhere. Errors are of type *[LineError]
// and *[ReadError]; the rest is used in spite of them.
func New(c Config) (*Sources, []error) {
	s := &Sources{config: c, parents: map[string]*Dir{}}
	var errs []error
	if c.Dot {
		s.relevant |= HasIgnore | HasRgignore
	}
	if c.VCS {
		s.relevant |= HasGitignore | HasGit | HasJJ
	}
	if c.VCS && c.Global {
		if path := c.excludesFile(); path != "" {
			s.global = s.read(path, path, s.options(), &errs, missingIsFine)
		}
	}
	for _, name := range c.Files {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.Cwd, path)
		}
		if r := s.read(name, path, Options{Strict: c.StrictStars}, &errs, missingIsAnError); r != nil {
			s.files = append(s.files, r)
		}
	}
	return s, errs
}

const (
	missingIsFine    = false
	missingIsAnError = true
)

func (s *Sources) options() Options {
	return Options{Fold: s.config.CaseInsensitive, Strict: s.config.StrictStars}
}

func (s *Sources) read(source, path string, o Options, errs *[]error, needed bool) *Rules {
	data, err := os.ReadFile(path)
	if err != nil {
		if needed || !absent(err) {
			*errs = append(*errs, &ReadError{source, cause(err)})
		}
		return nil
	}
	return s.compile(source, data, o, errs)
}

// compile compiles a file and collects its errors; nil if it has no rules.
func (s *Sources) compile(source string, data []byte, o Options, errs *[]error) *Rules {
	r, bad := Compile(source, data, o)
	*errs = append(*errs, bad...)
	if s.config.Loaded != nil {
		s.config.Loaded(source, len(r.lines))
	}
	if len(r.lines) == 0 {
		return nil
	}
	return r
}

// cause strips the path from an error of the file system.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// Root returns the node of a directory that is searched. absDir is its absolute
// path; links in it are resolved, since a directory's parents are the real
// ones. has and in are the root's own, as for [Dir.Child].
func (s *Sources) Root(absDir string, has Found, in Directory) (*Dir, []error) {
	if real, err := filepath.EvalSymlinks(absDir); err == nil {
		absDir = real
	}
	absDir = filepath.Clean(absDir)
	s.mu.Lock()
	defer s.mu.Unlock()
	if absDir == "/" {
		d, errs := s.top().open(has, in)
		return d, errs
	}
	parent, name := filepath.Split(absDir)
	d, errs := s.parent(filepath.Clean(parent))
	root, more := d.Child(name, has, in)
	return root, append(errs, more...)
}

// parent returns the node of a directory above a root. Its errors are returned
// the first time only.
func (s *Sources) parent(path string) (*Dir, []error) {
	if d := s.parents[path]; d != nil {
		return d, nil
	}
	has := osDirectory(path).found(s.relevant)
	var in Directory
	if s.config.Parent {
		in = osDirectory(path)
	}
	var d *Dir
	var errs []error
	if path == "/" {
		d, errs = s.top().open(has, in)
	} else {
		up, name := filepath.Split(path)
		d, errs = s.parent(filepath.Clean(up))
		var more []error
		d, more = d.Child(name, has, in)
		errs = append(errs, more...)
	}
	s.parents[path] = d
	return d, errs
}

// top returns the node of the file system's root before its own files count.
func (s *Sources) top() *Dir {
	d := &Dir{src: s}
	if s.global != nil && !s.config.RequireGit {
		d.groups = append(d.groups, group{fromGlobal, s.global, s.global.at(s.config.Cwd)})
	}
	for _, r := range slices.Backward(s.files) {
		d.groups = append(d.groups, group{fromFile, r, r.at(s.config.Cwd)})
	}
	return d
}

// at returns the state that the file system's root has for rules that are
// anchored at a directory below it: a chain of nodes leads there, and what may
// match at any depth counts outside of the anchor, too.
func (r *Rules) at(anchor string) []*node {
	to := r.root
	names := strings.Split(strings.Trim(filepath.Clean(anchor), "/"), "/")
	for _, name := range slices.Backward(names) {
		if name != "" {
			if r.fold {
				name = glob.Lower(name)
			}
			to = &node{dirs: []dirEdge{{name, to}}}
		}
	}
	return appendNode(slices.Clip(slices.Clone(r.deep)), to)
}

// An osDirectory is a directory above a root, which nobody lists.
type osDirectory string

func (d osDirectory) Path() string { return strings.TrimSuffix(string(d), "/") }

func (d osDirectory) ReadFile(name string) ([]byte, error) {
	if !filepath.IsAbs(name) {
		name = filepath.Join(string(d), name)
	}
	return os.ReadFile(name)
}

func (d osDirectory) found(relevant Found) Found {
	var has Found
	for name, bit := range foundNames {
		if relevant&bit == 0 {
			continue
		}
		stat := os.Stat
		if bit == HasGitignore {
			stat = os.Lstat
		}
		info, err := stat(filepath.Join(string(d), name))
		if err == nil && (info.Mode().IsRegular() || bit&(HasGit|HasJJ) != 0) {
			has |= bit
		}
	}
	return has
}
