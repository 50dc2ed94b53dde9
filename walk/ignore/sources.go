package ignore

import (
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

	// Bounded calls a file unreadable if it holds more rules than anybody needs,
	// since compiling them would take minutes and gigabytes.
	Bounded bool

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
	unread   []*ReadError

	mu      sync.Mutex
	parents map[string]*Dir
}

// New reads the sources that hold everywhere. Errors are of type *[LineError]; the
// rest is used in spite of them, and of what [Sources.Unread] returns.
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
		path, unread := c.excludesFile()
		s.unread = append(s.unread, unread...)
		if path != "" {
			s.global = s.read(path, s.options(), &ReadError{Source: path}, &errs)
		}
	}
	for _, name := range c.Files {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(c.Cwd, path)
		}
		if r := s.read(path, Options{Strict: c.StrictStars}, &ReadError{Source: name, Asked: true, Common: true}, &errs); r != nil {
			s.files = append(s.files, r)
		}
	}
	return s, errs
}

// Unread returns the sources that hold everywhere and could not be read.
func (s *Sources) Unread() []*ReadError { return s.unread }

func (s *Sources) options() Options {
	return Options{Fold: s.config.CaseInsensitive, Strict: s.config.StrictStars}
}

// read reads a source that holds everywhere. failure is the error to note if that
// fails; none is noted of a file that is missing and was not asked for.
func (s *Sources) read(path string, o Options, failure *ReadError, errs *[]error) *Rules {
	data, err := readFile(path)
	if err == nil && s.config.Bounded {
		err = bounded(data)
	}
	if err == nil {
		return s.compile(failure.Source, data, o, errs)
	}
	if failure.Asked || !absent(err) {
		failure.Err = err
		s.unread = append(s.unread, failure)
	}
	return nil
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
	relevant := s.relevant & (HasGit | HasJJ)
	var in Directory
	if s.config.Parent {
		relevant, in = s.relevant, osDirectory(path)
	}
	has, err := osDirectory(path).found(relevant)
	var d *Dir
	var errs, more []error
	if path == "/" {
		d, more = s.top().open(has, in)
	} else {
		up, name := filepath.Split(path)
		d, errs = s.parent(filepath.Clean(up))
		d, more = d.Child(name, has, in)
	}
	if err != nil {
		more = append(more, err)
	}
	s.parents[path] = d
	return d, append(errs, more...)
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
