package main

import (
	"errors"
	"math"
	"os"

	"tally/flags"
	"tally/match"
	"tally/opt"
	"tally/report"
	"tally/walk"
	"tally/walk/filetype"
	"tally/walk/glob"
	"tally/walk/ignore"

	"golang.org/x/sys/unix"
)

// A plan is what the arguments mean here and now: each room's own options,
// with nothing left to be decided.
type plan struct {
	args    *flags.Args
	say     *messages
	walk    walk.Config
	ignore  ignore.Config
	syntax  match.Syntax
	options match.Options
	report  report.Config
	pre     *preprocessor // nil: files are searched as they are
	// oneFile: there is one root, and it is no directory.
	oneFile bool
	// fewFiles: ripgrep would map files into memory.
	fewFiles bool
}

func newPlan(args *flags.Args, say *messages) (*plan, error) {
	p := &plan{args: args, say: say}
	if args.Absent && args.Mode.Searches() && len(args.Patterns) == 0 {
		return nil, errors.New("--absent has no pattern to claim absence of; give one, or a file with one on each line to -f")
	}
	if !p.ripgrep() && args.Mode.Searches() && args.Inspect == flags.NoInspect && len(args.Patterns) == 0 && !args.InvertMatch {
		// ripgrep says "no match" then, of files that it has not looked at.
		return nil, errors.New("there is no pattern: what was given to -f has no line; give a pattern with -e")
	}
	if err := p.planRoots(); err != nil {
		return nil, err
	}
	if err := p.planWalk(); err != nil {
		return nil, err
	}
	p.planSyntax()
	if err := p.planReport(); err != nil {
		return nil, err
	}
	p.planOptions()
	if err := p.planReading(); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *plan) ripgrep() bool { return p.args.Program == flags.Ripgrep }

// planRoots decides what is searched: the paths, else standard input if it
// can hold something, else the current directory.
func (p *plan) planRoots() error {
	if p.args.Inspect == flags.InspectWhy {
		return nil // the paths are questions, not roots
	}
	p.walk.Roots = p.args.Paths
	p.walk.Stdin = p.args.Mode.Searches() || p.args.Mode == flags.ModeFiles
	if len(p.args.Paths) == 0 {
		p.walk.Roots, p.walk.Implied = []string{"./"}, true
		if p.args.Mode.Searches() && p.args.Inspect == flags.NoInspect && !p.args.StdinConsumed && readableStdin() {
			p.walk.Roots, p.walk.Implied = []string{"-"}, false
		}
	}
	stdin := false
	for _, r := range p.walk.Roots {
		stdin = stdin || r == "-" && p.walk.Stdin
	}
	if stdin && p.args.StdinConsumed {
		return errors.New("error: attempted to read patterns from stdin while also searching stdin")
	}
	if len(p.walk.Roots) == 1 {
		info, err := os.Stat(p.walk.Roots[0])
		p.oneFile = stdin || err != nil || !info.IsDir()
	}
	p.fewFiles = fewFiles(p.args.Paths)
	p.report.Ledger.Stdin = stdin && len(p.walk.Roots) == 1
	p.report.Ledger.Piped = stdin && len(p.args.Paths) == 0
	return nil
}

// readableStdin reports whether standard input is something that a caller has
// put there to be read: a file, a pipe or a socket.
func readableStdin() bool {
	var st unix.Stat_t
	if unix.Fstat(unix.Stdin, &st) != nil {
		return false
	}
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG, unix.S_IFIFO, unix.S_IFSOCK:
		return true
	}
	return false
}

func (p *plan) planWalk() error {
	a, w := p.args, &p.walk
	w.Threads = clamp(a.Threads.Or(0))
	w.Hidden = a.Hidden
	w.MaxDepth, w.MaxFilesize = opt.Map(a.MaxDepth, clamp), opt.Map(a.MaxFilesize, clamp64)
	w.OneFileSystem, w.Follow = a.OneFileSystem, a.Follow
	w.SkipOutput = a.Mode.Searches()
	cwd, err := os.Getwd()
	if err != nil {
		return err
	}
	w.Cwd = cwd
	p.ignore = ignore.Config{
		Dot:             !a.NoIgnoreDot,
		VCS:             !a.NoIgnoreVCS,
		Exclude:         !a.NoIgnoreExclude,
		Global:          !a.NoIgnoreGlobal,
		Parent:          !a.NoIgnoreParent,
		RequireGit:      !a.NoRequireGit,
		CaseInsensitive: a.IgnoreFileCaseInsensitive,
		LookupEnv:       os.LookupEnv,
		Cwd:             cwd,
	}
	if a.Log != flags.LogOff {
		p.ignore.Loaded = p.say.debugRules
	}
	if !a.NoIgnoreFiles {
		p.ignore.Files = a.IgnoreFiles
	}
	w.Override, err = glob.NewOverride(a.Globs, a.IGlobs, a.GlobCaseInsensitive)
	if err != nil {
		return err
	}
	if len(a.TypeChanges) == 0 {
		return nil // the table is not even made
	}
	types, err := selectTypes(a.TypeChanges)
	if err != nil {
		return err
	}
	w.Types, err = types.Selection()
	return err
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

func (p *plan) planSyntax() {
	a := p.args
	p.syntax = match.Syntax{
		Patterns:  a.Patterns,
		Engine:    [...]match.Engine{flags.EngineDefault: match.DefaultEngine, flags.EnginePCRE2: match.PCRE2Engine, flags.EngineAuto: match.AutoEngine}[a.Engine],
		Fixed:     a.FixedStrings,
		Case:      [...]match.Case{flags.CaseSensitive: match.Sensitive, flags.CaseInsensitive: match.Insensitive, flags.CaseSmart: match.Smart}[a.Case],
		Boundary:  [...]match.Boundary{flags.NoBoundary: match.Anywhere, flags.BoundaryWord: match.Words, flags.BoundaryLine: match.Lines}[a.Boundary],
		Unicode:   !a.NoUnicode,
		MultiLine: a.Multiline,
		DotAll:    a.Multiline && a.MultilineDotall,
		CRLF:      a.CRLF,
		NullData:  a.NullData,
		BanNUL:    a.Binary != flags.BinaryText && !a.NullData && !a.Absent,
	}
	if n, ok := a.RegexSizeLimit.Get(); ok {
		p.syntax.SizeLimit = new(clamp(n))
	}
	if n, ok := a.DFASizeLimit.Get(); ok {
		p.syntax.DFASizeLimit = new(clamp(n))
	}
}

// planOptions follows planReport, which decides what the search must find out.
func (p *plan) planOptions() {
	a := p.args
	before, after := a.Context.Lines()
	o := &p.options
	*o = match.Options{
		Invert:         a.InvertMatch,
		Before:         clamp(before),
		After:          clamp(after),
		Passthru:       a.Context.Passthru,
		MaxCount:       -1,
		StopOnNonmatch: a.StopOnNonmatch,
		Spans:          p.report.NeedsSpans(),
		Numbers:        p.report.LineNumber,
		Threads:        p.walk.Workers(),
	}
	if n, ok := a.MaxCount.Get(); ok {
		o.MaxCount = clamp64(n)
	}
	// Who asks under our own name gets true totals and a digest; ripgrep's
	// own output needs neither.
	honest := !p.ripgrep() || a.OwnFlag
	paths := p.report.Mode == report.FilesWithMatches || p.report.Mode == report.FilesWithoutMatch
	o.FirstOnly = (paths || p.report.Quiet) && !a.Stats && !a.CountOnly && p.report.Mode != report.JSON
	o.CountAll = honest && !o.FirstOnly
	o.Digest = honest && !o.FirstOnly
	o.SinkBinary = p.report.Mode != report.Standard
	if p.report.Mode != report.Standard && p.report.Mode != report.JSON || p.report.Quiet && p.report.Mode != report.JSON {
		o.Before, o.After, o.Passthru = 0, 0, false
	}
}

// detection is what a NUL byte does to a file that was named or found.
func (p *plan) detection(named bool) match.Detection {
	switch {
	case p.args.Binary == flags.BinaryText || p.args.NullData:
		return match.Text
	case named || p.args.Binary == flags.BinarySearch || p.args.Absent:
		return match.Convert
	}
	return match.Quit
}

// mapped reports whether a file is searched as one that is mapped into memory.
// ripgrep decides that by how many files were named; under our own name all
// named files are treated alike. So are all files of which absence is asserted:
// their NUL bytes are then bytes like any other, and only keep lines from the
// display.
func (p *plan) mapped(named bool) bool {
	if p.args.Absent {
		return true
	}
	if on, ok := p.args.Mmap.Get(); ok {
		return on
	}
	return p.fewFiles || named && !p.ripgrep()
}

// fewFiles reports whether all paths are files and there are at most ten.
func fewFiles(paths []string) bool {
	if len(paths) == 0 || len(paths) > 10 {
		return false
	}
	for _, path := range paths {
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			return false
		}
	}
	return true
}

func clamp(n uint64) int     { return int(min(n, math.MaxInt)) }
func clamp64(n uint64) int64 { return int64(min(n, math.MaxInt64)) }
