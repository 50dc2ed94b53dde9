package walk

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"tally/walk/filetype"
	"tally/walk/glob"
	"tally/walk/ignore"
	"tally/walk/opt"
	"tally/walk/retry"

	"golang.org/x/sys/unix"
)

// A Config says what the universe of a run is.
type Config struct {
	// Roots are paths as given; "-" is standard input if Stdin allows it.
	Roots []string
	// Implied marks the roots as not given: paths below "./" are displayed
	// without it.
	Implied bool
	// Stdin takes a root "-" for standard input.
	Stdin bool
	// Threads is the number of workers, 0 for one per processor.
	Threads int
	// Hidden puts names that begin with a dot in scope.
	Hidden bool
	// Ignore holds the ignore rules that apply.
	Ignore *ignore.Sources
	// Cwd is the working directory, absolute, which globs are relative to.
	Cwd string
	// Dir is the directory that roots are relative to, absolute; it is empty
	// for the process's own working directory.
	Dir string
	// Override holds the globs of -g and --iglob, nil for none.
	Override *glob.Override
	// Types holds the selection of file types, nil for none.
	Types *filetype.Selection
	// MaxDepth bounds the depth of entries below a root (1: its direct
	// entries), MaxFilesize a file's size in bytes.
	MaxDepth    opt.Value[int]
	MaxFilesize opt.Value[int64]
	// Changed bounds when a file was last modified.
	Changed Span
	// OneFileSystem does not enter directories on another device than their
	// root. Follow follows links.
	OneFileSystem, Follow bool
	// NoNested does not enter repositories below a root: directories that hold a
	// .git of their own, as submodules and worktrees do.
	NoNested bool
	// Beyond visits files that are out of scope as well, and what is below
	// directories that are; see [File.OutOfScope]. Links, special files, other
	// file systems and the output stay left out.
	Beyond bool
	// Watch remembers what the walk comes to, for [Universe.Changed].
	Watch bool
	// Output is left out if it is a regular file, since results are written to
	// it; nil leaves out nothing.
	Output *os.File
	// Failures are what went wrong before the walk; visitors are told first.
	Failures []Error
}

// open returns the path by which the system finds what is given as path.
func (c *Config) open(path string) string {
	if c.Dir == "" || filepath.IsAbs(path) {
		return path
	}
	return strings.TrimSuffix(c.Dir, "/") + "/" + path
}

// given is the inverse of open for a relative path.
func (c *Config) given(path string) string {
	if c.Dir == "" {
		return path
	}
	rest, below := strings.CutPrefix(path, filepath.Clean(c.Dir))
	switch rest = strings.TrimPrefix(rest, "/"); {
	case !below:
		return path
	case rest == "":
		return "."
	}
	return rest
}

// A Universe is the set of files that exist for a run.
type Universe struct {
	c        Config
	roots    []*root
	list     *list        // of a sorted universe: all its files
	asked    []asked      // see Why
	open     atomic.Int32 // directories that are open
	maxOpen  int32
	output   fileID // the file that is written to, zero if none
	failures []Error
	messages func(error)
	ended    *ending
	watched  *watch
	nested   *nested
}

// An ending says how a walk is to end.
type ending struct {
	soon atomic.Bool   // each worker finishes the file it is at
	now  chan struct{} // closed: nor is that waited for
	once sync.Once
}

// Stop ends a walk that is going on: each worker finishes the file it is at.
// It may be called at any time by any goroutine.
func (u *Universe) Stop() { u.ended.soon.Store(true) }

// Abandon ends a walk without waiting for workers that are still at a file. They
// may go on for as long as they like, but nothing comes of it any more.
func (u *Universe) Abandon() {
	u.Stop()
	u.ended.once.Do(func() { close(u.ended.now) })
}

// Stopped reports whether Stop was called.
func (u *Universe) Stopped() bool { return u.ended.soon.Load() }

// maxOpen is how many directories stay open at once, if the system allows
// twice as many files. Deeper or wider trees still work: those above the limit
// are closed and opened again by path.
const maxOpen = 256

// reserved is how many descriptors are not for directories: the standard ones,
// those of the files in work, and those of the Go runtime, which dies if it
// cannot have them.
const reserved = 16

// openLimit is maxOpen or what the system allows.
func openLimit() int32 {
	var l unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &l) != nil {
		return maxOpen
	}
	return int32(min(maxOpen, (max(uint64(l.Cur), reserved)-reserved)/2))
}

// A root is a place where the walk begins.
type root struct {
	c       *Config
	path    string    // to be opened
	display Displayed // before the names below it
	// globBase is where the root lies seen from the working directory, as
	// far as that can be told from its path.
	globBase string
	stdin    bool
	follow   bool    // links below it are followed
	beyond   bool    // what is out of scope is visited too
	again    bool    // standard input, and given before
	census   *census // nil: nothing is reached more than once
	id       fileID  // of a directory, where a census may be kept
	place    place   // likewise of a file
	sum      uint64  // likewise of its stamp, if it was noted
	info     fs.FileInfo
	err      error // it cannot be looked at
}

func (r *root) isDir() bool { return r.info != nil && r.info.IsDir() }

// New describes the universe of c. Roots that do not exist are reported when
// the walk comes to them. Warnings about malformed ignore rules go to messages,
// which may be called by several goroutines, in any order.
func New(c Config, messages func(error)) *Universe {
	u := &Universe{c: c, messages: messages, maxOpen: openLimit(), ended: &ending{now: make(chan struct{})}, watched: new(watch), nested: new(nested)}
	stdin := false
	for _, p := range c.Roots {
		r := &root{c: &u.c, path: c.open(p), display: Displayed(p), follow: c.Follow, beyond: c.Beyond}
		switch {
		case p == "-" && c.Stdin:
			r.stdin, r.again, stdin = true, stdin, true
			r.display = "<stdin>"
		default:
			if c.Implied {
				r.display = ""
			}
			r.info, r.err = retry.Stat(r.path)
			r.globBase = globBase(p, c.Cwd)
		}
		u.roots = append(u.roots, r)
	}
	census := newCensus(u.roots, c.Follow)
	for _, r := range u.roots {
		r.census = census
	}
	if c.Output != nil {
		u.output = regularFile(c.Output)
	}
	u.failures = c.Failures
	for _, e := range c.Ignore.Unread() {
		// Rules say nothing of files that were given as roots.
		if e.Asked || len(u.roots) == 0 || slices.ContainsFunc(u.roots, (*root).isDir) {
			u.failures = append(slices.Clip(u.failures), unreadRules(e, false))
		}
	}
	return u
}

// globBase returns path relative to cwd if it lies below, else as it is.
func globBase(path, cwd string) string {
	path = filepath.Clean(path)
	if path == "." || path == cwd {
		return ""
	}
	if rest, ok := strings.CutPrefix(path, strings.TrimSuffix(cwd, "/")+"/"); ok {
		return rest
	}
	return path
}

// regularFile identifies a file if it is a regular one.
func regularFile(f *os.File) fileID {
	var st unix.Stat_t
	if retry.Fstat(int(f.Fd()), &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFREG {
		return fileID{}
	}
	return idOf(&st)
}

func idOf(st *unix.Stat_t) fileID { return fileID{uint64(st.Dev), uint64(st.Ino)} }

// Workers returns the number of workers that a walk has.
func (c *Config) Workers() int {
	if c.Threads > 0 {
		return c.Threads
	}
	return runtime.NumCPU()
}

// enter opens and reads the directory that s stands for, decides about each
// of its entries, and returns it. The directory is nil if it cannot be read, or,
// without an error, if it is left out for a reason that only a look at it tells.
func (u *Universe) enter(s *segment, buf []byte) (*dir, Reason, []Error) {
	d := &dir{root: s.root, ord: s.from, fd: -1}
	if s.dir != nil {
		e := &s.dir.entries[s.from]
		d.parent, d.depth = s.dir, s.dir.depth+1
		d.name = strings.Clone(s.dir.entryName(e))
		if d.out = s.dir.out; d.out == 0 && e.verdict >= skipped {
			d.out = e.verdict
		}
	}
	fail := func(op Op, err error) []Error {
		if op == OpList && u.tooDeep(d) {
			return nil // nothing in it was meant to be read
		}
		again := s.dir != nil && s.dir.elsewhere
		if op == OpList {
			again = s.listedElsewhere()
		}
		return []Error{{Path: d.displayed(), Op: op, Err: err, Repeated: again}}
	}
	fd, err := u.openDir(d, s)
	if err != nil {
		return nil, 0, fail(OpList, err)
	}
	d.fd = fd
	u.open.Add(1)
	if u.c.Follow || u.c.OneFileSystem || d.root.census != nil {
		if skip, err := u.identify(d, s); skip || err != nil {
			d.close(u)
			if err != nil {
				return nil, 0, fail(OpFollow, err)
			}
			return nil, OtherFilesystem, nil
		}
	}
	var errs []Error
	if u.c.Watch {
		if err := u.watch(d); err != nil {
			errs = fail(OpRelist, err)
		}
	}
	if err := readDir(fd, buf, &d.listing); err != nil {
		// What was listed before the error is still searched.
		errs = append(errs, fail(OpList, err)...)
	}
	d.sort()
	if u.c.Watch {
		d.sums = make([]uint64, len(d.entries))
	}
	if d.out == 0 {
		has := d.rules()
		if has&ignore.HasGit != 0 && d.parent != nil {
			switch {
			case !u.c.NoNested:
				u.nested.note(d)
			case !d.root.beyond:
				d.close(u)
				return nil, Nested, errs
			default:
				d.out = skip(Nested)
			}
		}
		if d.out == 0 {
			errs = append(errs, u.loadRules(d, has)...)
		}
	}
	u.decideAll(d)
	if u.open.Load() > u.maxOpen {
		d.close(u)
	}
	return d, 0, errs
}

func (u *Universe) openDir(d *dir, s *segment) (int, error) {
	if s.dir == nil {
		return openPath(d.root.path, openDirFlags)
	}
	flags := openDirFlags
	if !u.c.Follow {
		flags |= unix.O_NOFOLLOW
	}
	return s.dir.openEntry(&s.dir.entries[s.from], flags)
}

// identify notes which directory d is, and reports whether it is not to be
// entered: it lies on another device, or is its own ancestor by a link.
func (u *Universe) identify(d *dir, s *segment) (skip bool, err error) {
	var st unix.Stat_t
	if err := retry.Fstat(d.fd, &st); err != nil {
		return false, err
	}
	d.id = idOf(&st)
	d.elsewhere = d.root.census != nil && d.root.census.elsewhere(d)
	// As for ripgrep, only a link closes a loop: that of an entry whose number the
	// listing does not tell, or that is not the entry's own.
	link := u.c.Follow && s.dir != nil && s.dir.entries[s.from].ino == 0
	for a := d.parent; a != nil; a = a.parent {
		if link && a.id == d.id {
			return true, &LoopError{Ancestor: a.displayed()}
		}
		if a.parent == nil && u.c.OneFileSystem && a.id.dev != d.id.dev {
			return true, nil
		}
	}
	return false, nil
}

// A LoopError is a link that leads back to a directory it lies in.
type LoopError struct{ Ancestor Displayed }

func (e *LoopError) Error() string { return "points to an ancestor " + string(cmp.Or(e.Ancestor, ".")) }

// rules returns what the listing of d shows that means something for the rules.
func (d *dir) rules() ignore.Found {
	var has ignore.Found
	for i := range d.entries {
		e := &d.entries[i]
		if d.arena[e.off] != '.' {
			continue
		}
		has |= d.found(e)
	}
	return has
}

// loadRules reads the ignore files that the listing of d shows. Those that it cannot
// read leave open what is meant to be in the universe.
func (u *Universe) loadRules(d *dir, has ignore.Found) []Error {
	var errs []error
	if d.parent == nil {
		abs := d.root.path
		if !filepath.IsAbs(abs) { // relative to the process's own directory
			abs = filepath.Join(u.c.Cwd, abs)
		}
		d.ign, errs = u.c.Ignore.Root(abs, has, d)
	} else {
		d.ign, errs = d.parent.ign.Child(d.name, has, d)
	}
	var unread []Error
	for _, err := range errs {
		e, ok := errors.AsType[*ignore.ReadError](err)
		switch {
		case !ok:
			u.messages(err)
		case !u.tooDeep(d):
			unread = append(unread, unreadRules(e, d.elsewhere))
		}
	}
	return unread
}

func unreadRules(e *ignore.ReadError, repeated bool) Error {
	return Error{Path: Displayed(e.Source), Op: OpRules, Err: e, Repeated: repeated}
}

// found returns what an entry means for the rules. No directory is a file of them,
// git does not follow a link that stands for a .gitignore, and a link that leads
// nowhere makes no repository.
func (d *dir) found(e *entry) ignore.Found {
	f := ignore.FoundName(d.entryName(e))
	if f == 0 || !d.settle(e) {
		return f
	}
	switch {
	case f == ignore.HasJJ:
	case f == ignore.HasGit && e.typ == typeLink:
		if _, err := d.stat(e, true); err != nil {
			return 0
		}
	case f == ignore.HasGit:
	case e.typ == typeDir || f == ignore.HasGitignore && e.typ == typeLink:
		return 0
	}
	return f
}

// Path returns the displayed path; with [dir.ReadFile] it serves the ignore
// rules.
func (d *dir) Path() string { return string(d.displayed()) }

// ReadFile reads a file of rules by its path relative to d.
func (d *dir) ReadFile(name string) ([]byte, error) {
	fd, err := openAt(d.fd, cstring(name), unix.O_RDONLY|unix.O_NONBLOCK)
	if err != nil {
		return nil, err
	}
	defer closeFD(fd)
	return ignore.ReadAll(fd)
}
