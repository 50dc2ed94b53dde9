package plan

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"tally/flags"
	"tally/walk"
	"tally/walk/filetype"
	"tally/walk/glob"
	"tally/walk/ignore"
	"tally/walk/opt"
)

// planRoots decides what is searched: the paths, else standard input if it can
// hold something, else the current directory.
func (p *planner) planRoots() error {
	a := p.a
	p.Walk.Dir = p.w.Dir
	if p.Mode == Why {
		return nil // the paths are questions, not roots
	}
	p.Walk.Roots = a.Paths
	p.Walk.Stdin = a.Mode.Searches() || a.Mode == flags.ModeFiles
	if len(a.Paths) == 0 {
		p.Walk.Roots, p.Walk.Implied = []string{"./"}, true
		if p.Matches && !a.StdinConsumed && p.w.StdinReadable() {
			p.Walk.Roots, p.Walk.Implied = []string{"-"}, false
		}
	}
	for _, r := range p.Walk.Roots {
		p.stdin = p.stdin || r == "-" && p.Walk.Stdin
	}
	if p.stdin && a.StdinConsumed {
		return errors.New("error: attempted to read patterns from stdin while also searching stdin")
	}
	one := len(p.Walk.Roots) == 1
	if one {
		info, err := p.w.Stat(p.Walk.Roots[0])
		// ripgrep takes what it cannot look at for a file, and leaves out names that
		// the walk may yet come to.
		p.oneFile = p.stdin || err != nil && p.Ripgrep || err == nil && !info.IsDir()
	}
	p.fewFiles = p.areFewFiles(a.Paths)
	p.Report.Ledger.Stdin = p.stdin && one
	p.Report.Ledger.Piped = p.stdin && len(a.Paths) == 0
	return nil
}

// areFewFiles reports whether all paths are files and there are at most ten.
func (p *planner) areFewFiles(paths []string) bool {
	if len(paths) == 0 || len(paths) > 10 {
		return false
	}
	for _, path := range paths {
		if info, err := p.w.Stat(path); err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}

// nowhere stands for a working directory that has been removed, where no path is
// relative to it: nothing lies below.
const nowhere = "/dev/null/removed"

// planWalk settles which files are in scope, and in which order they come.
func (p *planner) planWalk() error {
	a, w := p.a, &p.Walk
	w.Threads = threads(a)
	w.Hidden = a.Hidden
	w.MaxDepth, w.MaxFilesize = opt.Map(a.MaxDepth, clamp), opt.Map(a.MaxFilesize, clamp64)
	w.OneFileSystem, w.Follow, w.NoNested = a.OneFileSystem, a.Follow, a.NoNested
	w.Watch = a.Absent
	// ripgrep's --files lists the file that it is written to.
	if a.Mode.Searches() || !p.Ripgrep {
		w.Output = p.w.OutputFile()
	}
	if f := a.ConfigFailure; f != nil {
		w.Failures = []walk.Error{{Path: walk.Displayed(f.Path), Op: walk.OpConfig, Err: f}}
	}
	var err error
	if w.Cwd, err = p.w.Cwd(); err != nil {
		if p.Ripgrep || w.Implied || slices.ContainsFunc(a.Paths, func(path string) bool { return !filepath.IsAbs(path) }) {
			return err
		}
		w.Cwd = nowhere
	}
	if err := p.planChanged(); err != nil {
		return err
	}
	p.planIgnore()
	p.planSort()
	p.Messages.Serial = p.Ripgrep && (a.Sort.Key != flags.SortUnset || p.oneFile || w.Workers() == 1)
	if w.Override, err = glob.NewOverride(a.Globs, a.IGlobs, a.GlobCaseInsensitive); err != nil {
		return err
	}
	if len(a.TypeChanges) == 0 {
		return nil // the table is not even made
	}
	types, err := selectTypes(a.TypeChanges)
	if err != nil {
		return err
	}
	if w.Types, err = types.Selection(); err != nil && !p.Ripgrep {
		err = fmt.Errorf("%w; --type-list shows all types, and -g '*.EXT' needs none", err)
	}
	return err
}

// planChanged settles the times between which files were last changed. The next
// page is to be cut from the same files, so it is told the instant that was meant.
func (p *planner) planChanged() error {
	now := p.w.Now().Truncate(time.Second)
	for _, bound := range []struct {
		flag string
		said flags.Opt[flags.Moment]
		end  *opt.Value[walk.Instant]
	}{
		{"--changed-within", p.a.ChangedWithin, &p.Walk.Changed.Since},
		{"--changed-before", p.a.ChangedBefore, &p.Walk.Changed.Before},
	} {
		moment, given := bound.said.Get()
		if !given {
			continue
		}
		if moment.Local() {
			zone, err := p.w.Zone()
			if err != nil {
				return fmt.Errorf("%s: the local time zone is not known: %w; give the date with one, such as 2026-01-31T00:00:00Z", bound.flag, err)
			}
			now = now.In(zone)
		}
		at := walk.InstantOf(moment.At(now))
		*bound.end = opt.Some(at)
		if moment.Relative() {
			p.Report.Ledger.Pinned += " " + bound.flag + " " + at.String()
		}
	}
	return nil
}

// mostThreads bounds -j: more than this wait for a file system no better, and
// each is a thread that the system may refuse.
const mostThreads = 256

// threads is the number of threads that was asked for, 0 for one per processor.
func threads(a *flags.Args) int { return int(min(a.Threads.Or(0), mostThreads)) }

func (p *planner) planIgnore() {
	a := p.a
	p.Ignore = ignore.Config{
		Dot:             !a.NoIgnoreDot,
		VCS:             !a.NoIgnoreVCS,
		Exclude:         !a.NoIgnoreExclude,
		Global:          !a.NoIgnoreGlobal,
		Parent:          !a.NoIgnoreParent,
		RequireGit:      !a.NoRequireGit,
		Bounded:         !p.Ripgrep,
		CaseInsensitive: a.IgnoreFileCaseInsensitive,
		LookupEnv:       p.w.LookupEnv,
		Cwd:             p.Walk.Cwd,
	}
	if !a.NoIgnoreFiles {
		p.Ignore.Files = a.IgnoreFiles
	}
}

// sortKeys are the orders that are not that of finding.
var sortKeys = map[flags.SortKey]walk.Key{
	flags.SortPath:     walk.ByPath,
	flags.SortModified: walk.ByModified,
	flags.SortAccessed: walk.ByAccessed,
	flags.SortCreated:  walk.ByCreated,
}

func (p *planner) planSort() {
	key, named := sortKeys[p.a.Sort.Key]
	p.Sort = Sort{Key: key, Reverse: p.a.Sort.Reverse, Sorted: named && (key != walk.ByPath || p.a.Sort.Reverse)}
}

// selectTypes applies -t, -T, --type-add and --type-clear in their order.
func selectTypes(changes []flags.TypeChange) (*filetype.Builder, error) {
	b := filetype.Default()
	for _, c := range changes {
		switch c.Op {
		case flags.TypeAdd:
			if err := b.Add(c.Arg); err != nil {
				return nil, err
			}
		case flags.TypeClear:
			b.Clear(c.Arg)
		case flags.TypeSelect:
			b.Select(c.Arg)
		case flags.TypeNegate:
			b.Negate(c.Arg)
		}
	}
	return b, nil
}
