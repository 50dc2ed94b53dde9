package plan

import (
	"slices"

	"tally/flags"
	"tally/match"
	"tally/match/decode"
	"tally/report"
	"tally/run/input"
	"tally/walk/glob"
	"tally/walk/opt"
)

var (
	engines = [...]match.Engine{
		flags.EngineDefault: match.DefaultEngine, flags.EnginePCRE2: match.PCRE2Engine, flags.EngineAuto: match.AutoEngine,
	}
	cases = [...]match.Case{
		flags.CaseSensitive: match.Sensitive, flags.CaseInsensitive: match.Insensitive, flags.CaseSmart: match.Smart,
	}
	boundaries = [...]match.Boundary{
		flags.NoBoundary: match.Anywhere, flags.BoundaryWord: match.Words, flags.BoundaryLine: match.Lines,
	}
)

// planSyntax settles what the patterns mean.
func (p *planner) planSyntax() error {
	a := p.a
	p.Syntax = match.Syntax{
		Patterns:  a.Patterns,
		And:       others(a),
		Engine:    engines[a.Engine],
		Fixed:     a.FixedStrings || p.Mode == Fuzzy,
		Case:      cases[a.Case],
		Boundary:  boundaries[a.Boundary],
		Unicode:   !a.NoUnicode,
		MultiLine: a.Multiline,
		DotAll:    a.Multiline && a.MultilineDotall,
		CRLF:      a.CRLF,
		NullData:  a.NullData,
		BanNUL:    a.Binary != flags.BinaryText && !a.NullData && !a.Absent,
	}
	if n, ok := a.RegexSizeLimit.Get(); ok {
		p.Syntax.SizeLimit = new(clamp(n))
	}
	if n, ok := a.DFASizeLimit.Get(); ok {
		p.Syntax.DFASizeLimit = new(clamp(n))
	}
	return nil
}

// others are the patterns of --and that demand something more.
func others(a *flags.Args) (list []string) {
	for _, pattern := range a.And {
		alone := len(a.Patterns) == 1 && a.Patterns[0] == pattern
		if !alone && !slices.Contains(list, pattern) {
			list = append(list, pattern)
		}
	}
	return list
}

// planInput decides how files become text. What ripgrep does not do, such as
// recognising things by their content, is for our own name.
func (p *planner) planInput() error {
	a, own := p.a, !p.Ripgrep
	encoding, err := decode.Lookup(a.Encoding)
	if err != nil {
		return err
	}
	p.Input = input.Config{
		Decode: decode.Config{
			Encoding: encoding,
			Guess:    own && encoding == decode.Auto && !a.NullData,
			Unpack:   own && a.SearchZip,
			Strict:   own,
			Inspect:  a.Absent,
		},
		Encoding:  a.Encoding,
		SearchZip: a.SearchZip,
		Explicit:  p.reading(true),
		Found:     p.reading(false),
		Watch:     a.Absent,
		Pre:       a.Pre,
		KeepStdin: p.honest(),
		Cwd:       p.Walk.Cwd,
	}
	p.Input.PreGlobs, err = glob.NewOverride(a.PreGlobs, nil, false)
	return err
}

// reading is what a NUL byte does to a file that was named or found, and whether
// the file is searched as one that is mapped into memory.
//
// ripgrep decides the latter by how many files were named; under our own name
// all named files are treated alike. So are all files of which absence is
// asserted: their NUL bytes are then bytes like any other, and only keep lines
// from the display.
func (p *planner) reading(explicit bool) input.Reading {
	a := p.a
	r := input.Reading{Detection: match.Quit, Mapped: explicit && (p.fewFiles || !p.Ripgrep)}
	switch {
	case a.Binary == flags.BinaryText || a.NullData:
		r.Detection = match.Text
	case explicit || a.Binary == flags.BinarySearch || a.Absent:
		r.Detection = match.Convert
	}
	if on, ok := a.Mmap.Get(); ok {
		r.Mapped = on
	}
	if a.Absent {
		r.Mapped = true
	}
	return r
}

// defaultLineLimit is how long a line may be, in bytes: it is in memory once, and
// once more if it is displayed.
const defaultLineLimit = 2 << 30

// planSearch follows planReport, which decides what the search must find out.
func (p *planner) planSearch() error {
	a, c := p.a, &p.Report
	before, after := a.Context.Lines()
	o := &p.Search
	*o = match.Options{
		Invert:         a.InvertMatch,
		Before:         clamp(before),
		After:          clamp(after),
		Passthru:       a.Context.Passthru,
		StopOnNonmatch: a.StopOnNonmatch,
		Spans:          c.NeedsSpans(),
		Numbers:        c.LineNumber,
		Threads:        p.Walk.Workers(),
		Decode:         p.Input.Decode,
		MapDerived:     !p.Ripgrep || a.Absent,
		LongBuffer:     p.Ripgrep,
	}
	o.MaxCount = opt.Map(a.MaxCount, clamp64)
	if !p.Ripgrep {
		o.LineLimit = clamp64(a.LineSizeLimit.Or(defaultLineLimit))
	}
	paths := c.Mode == report.FilesWithMatches || c.Mode == report.FilesWithoutMatch
	o.FirstOnly = (paths || c.Quiet) && !a.Stats && !a.CountOnly && c.Mode != report.JSON
	p.AllOf = a.AllOf && p.Mode == Search
	p.planEach()
	o.CountAll = p.honest() && !o.FirstOnly
	o.Digest = c.Ledger.Digest && !o.FirstOnly
	o.SinkBinary = c.Mode != report.Standard
	if c.Mode != report.Standard && c.Mode != report.JSON || c.Quiet && c.Mode != report.JSON {
		o.Before, o.After, o.Passthru = 0, 0, false
	}
	// ripgrep does not even look at the files then. Under our own name they are
	// searched nevertheless, so that the ledger is true.
	p.Pointless = !p.honest() && a.Mode.Searches() && (len(a.Patterns) == 0 && !a.InvertMatch || o.MaxCount.Or(1) == 0)
	return nil
}

// planEach decides whether it is counted what each pattern matches alone: where
// that is asked for, where several are to be absent, and where they have to stand
// together, so that a zero shows which of them are there at all. Unless it is asked
// for, a file's search still ends at its first match where that is enough.
func (p *planner) planEach() {
	a, o, each := p.a, &p.Search, &p.Report.Ledger.Each
	several := p.Report.Ledger.Absent && len(a.Patterns) > 1
	if !p.Matches || p.Mode != Search || a.InvertMatch || !a.Each && !several && !combined(a) {
		return
	}
	o.Each = true
	if (a.Each || several) && !p.Report.Quiet {
		o.FirstOnly = false
	}
	each.Patterns = slices.Concat(a.Patterns, p.Syntax.And)
	each.Asked, each.Zeros = a.Each, a.Each || combined(a)
	switch {
	case p.AllOf:
		each.Together = "in one file"
	case len(p.Syntax.And) > 0:
		each.Together = "in one line"
	}
}
