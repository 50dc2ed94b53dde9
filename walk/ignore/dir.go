package ignore

import (
	"errors"
	"slices"
	"syscall"
)

// Found is the set of names in a directory's listing that matter to the rules.
// A directory of such a name is no file of rules; what is neither that nor a file
// is an error when it is read.
type Found uint8

const (
	HasGitignore Found = 1 << iota // not to be set for a link: git does not follow it
	HasIgnore
	HasRgignore
	HasGit // a directory, or a file in worktrees and submodules
	HasJJ
)

var foundNames = map[string]Found{
	".gitignore": HasGitignore,
	".ignore":    HasIgnore,
	".rgignore":  HasRgignore,
	".git":       HasGit,
	".jj":        HasJJ,
}

// FoundName returns the bit of a listed name, 0 for most names.
func FoundName(name string) Found {
	if len(name) < 3 || len(name) > 10 || name[0] != '.' {
		return 0
	}
	return foundNames[name]
}

// A Directory gives access to a directory whose rules are to be read.
type Directory interface {
	// Path is the directory as displayed, for the sources of rules. It is
	// asked for only if there is something to read.
	Path() string
	// ReadFile reads a file whose name is absolute or relative to the
	// directory; it may lead out of it ("../.git/modules/x/info/exclude").
	ReadFile(name string) ([]byte, error)
}

// A kind is a source of rules. The order is their precedence.
type kind uint8

const (
	fromRgignore kind = iota
	fromIgnore
	fromGitignore
	fromExclude
	fromGlobal
	fromFile
)

// A Dir holds all rules that count for the entries of a directory. Directories
// for which the same rules count in the same way share one. It is safe for
// concurrent use.
type Dir struct {
	src    *Sources
	groups []group // strongest first
	inRepo bool
}

// A group is one file's rules, and what is left of their patterns here.
type group struct {
	kind  kind
	rules *Rules
	state []*node
}

// Child returns the node of a subdirectory. has tells which of the names that
// matter its listing holds; in is used only if it holds any. Errors are of type
// *[LineError] and *[ReadError]; the node is good in spite of them.
func (d *Dir) Child(name string, has Found, in Directory) (*Dir, []error) {
	child := d.enter(name)
	if has&d.src.relevant == 0 {
		return child, nil
	}
	return child.open(has, in)
}

// enter returns the node of a subdirectory before its own files count.
func (d *Dir) enter(name string) *Dir {
	var groups []group // nil as long as nothing differs
	for i, g := range d.groups {
		state := g.rules.enter(g.state, name)
		if groups == nil && len(state) > 0 && &state[0] == &g.state[0] {
			continue
		}
		if groups == nil {
			groups = slices.Clone(d.groups[:i:i])
			groups = slices.Grow(groups, len(d.groups)-i)
		}
		if len(state) > 0 {
			groups = append(groups, group{g.kind, g.rules, state})
		}
	}
	if groups == nil {
		return d
	}
	return &Dir{src: d.src, groups: groups, inRepo: d.inRepo}
}

// open adds the rules that lie in the directory itself; with a nil in, only
// the fact that a repository does.
func (d *Dir) open(has Found, in Directory) (*Dir, []error) {
	c := d.src.config
	has &= d.src.relevant
	opened := &Dir{src: d.src, groups: slices.Clone(d.groups), inRepo: d.inRepo}
	if has&(HasGit|HasJJ) != 0 {
		opened.enterRepo()
	}
	if in == nil {
		return opened, nil
	}
	var errs []error
	read := func(k kind, name string, missing missing) {
		if r := d.src.load(in, name, missing, &errs); r != nil {
			opened.insert(group{k, r, r.start()})
		}
	}
	if has&HasRgignore != 0 {
		read(fromRgignore, ".rgignore", missingIsWrong)
	}
	if has&HasIgnore != 0 {
		read(fromIgnore, ".ignore", missingIsWrong)
	}
	if has&HasGitignore != 0 && (opened.inRepo || !c.RequireGit) {
		read(fromGitignore, ".gitignore", missingIsWrong)
	}
	if has&HasGit != 0 && c.Exclude {
		name, err := excludePath(in, c.Cwd)
		if err != nil {
			errs = append(errs, err)
		}
		if name != "" {
			read(fromExclude, name, missingIsFine)
		}
	}
	return opened, errs
}

// enterRepo forgets what git forgets at the top of a repository, and anchors
// git's global rules here. Without RequireGit only the latter happens.
func (d *Dir) enterRepo() {
	d.inRepo = true
	outer := d.src.config.RequireGit
	d.groups = slices.DeleteFunc(d.groups, func(g group) bool {
		return g.kind == fromGlobal || outer && (g.kind == fromGitignore || g.kind == fromExclude)
	})
	if g := d.src.global; g != nil {
		d.insert(group{fromGlobal, g, g.start()})
	}
}

// insert adds a group before those of its kind, which come from above.
func (d *Dir) insert(g group) {
	i := slices.IndexFunc(d.groups, func(o group) bool { return o.kind >= g.kind })
	if i < 0 {
		i = len(d.groups)
	}
	d.groups = slices.Insert(d.groups, i, g)
}

// missing says what it means that there is no such file of rules.
type missing bool

const (
	missingIsFine  missing = false
	missingIsWrong missing = true // it was listed, or asked for by name
)

// load reads a file of rules in a directory.
func (s *Sources) load(in Directory, name string, missing missing, errs *[]error) *Rules {
	source := join(in.Path(), name)
	data, err := in.ReadFile(name)
	if err == nil && s.config.Bounded {
		err = bounded(data)
	}
	switch {
	case err == nil:
		return s.compile(source, data, s.options(), errs)
	case !absent(err):
		*errs = append(*errs, &ReadError{Source: source, Err: cause(err)})
	case missing == missingIsWrong && !errors.Is(err, syscall.EISDIR):
		*errs = append(*errs, &ReadError{Source: source, Err: errNowhere})
	}
	return nil
}

// Match says what the rules decide about an entry of the directory, and by
// which line. Whether a directory above is ignored is not asked again: what is
// ignored is not entered.
func (d *Dir) Match(name string, isDir bool) (Rule, Verdict) {
	for i := range d.groups {
		g := &d.groups[i]
		if line := g.rules.find(g.state, name, isDir); line >= 0 {
			return g.rules.verdict(line)
		}
	}
	return Rule{}, None
}
