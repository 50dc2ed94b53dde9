package plan

import (
	"tally/flags"
	"tally/report"
	"tally/run/world"
	"tally/walk/opt"
)

// modes are the forms in which results are displayed.
var modes = [...]report.Mode{
	flags.ModeSearch:            report.Standard,
	flags.ModeFilesWithMatches:  report.FilesWithMatches,
	flags.ModeFilesWithoutMatch: report.FilesWithoutMatch,
	flags.ModeCount:             report.Count,
	flags.ModeCountMatches:      report.CountMatches,
	flags.ModeJSON:              report.JSON,
	flags.ModeFiles:             report.Paths,
}

// rankedForms are those of a ranking.
var rankedForms = map[flags.Mode]report.RankedForm{
	flags.ModeJSON: report.RankedJSON, flags.ModeFilesWithMatches: report.RankedPaths,
}

func reportMode(a *flags.Args) report.Mode {
	switch {
	case a.Mode == flags.ModeCount && a.OnlyMatching && !a.InvertMatch:
		return report.CountMatches
	case a.Mode == flags.ModeCountMatches && a.InvertMatch:
		return report.Count
	}
	return modes[a.Mode]
}

// planReport decides how results look: what depends on a terminal, on the
// number of files, and on other flags is settled here.
func (p *planner) planReport() error {
	a, c := p.a, &p.Report
	tty := world.IsTerminal(p.w.Stdout)
	before, after := a.Context.Lines()
	c.Mode, c.Ripgrep = reportMode(a), p.Ripgrep
	c.Terminal = tty && !p.Ripgrep
	c.Quiet, c.CountOnly = a.Quiet && !a.CountOnly, a.CountOnly
	c.WithPath = a.WithFilename.Or(a.Vimgrep || !p.oneFile)
	c.Heading = !a.Vimgrep && a.Heading.Or(tty)
	c.Column = a.Column.Or(a.Vimgrep)
	c.LineNumber = a.LineNumber.Or(tty && !c.Ledger.Stdin || c.Column || a.Vimgrep || c.Mode == report.JSON)
	c.ByteOffset, c.OnlyMatching, c.PerMatch = a.ByteOffset, a.OnlyMatching, a.Vimgrep
	c.Null, c.Trim, c.IncludeZero = a.Null, a.Trim, a.IncludeZero
	c.Replacement = bytesOf(a.Replace)
	c.PathSep = a.PathSeparator.Or(0)
	c.MaxColumns, c.Preview = clamp64(a.MaxColumns.Or(0)), a.MaxColumnsPreview
	c.Context = before+after > 0
	c.ContextSeparator = bytesOf(a.ContextSeparator)
	c.FieldMatch, c.FieldContext = []byte(a.FieldMatchSeparator), []byte(a.FieldContextSeparator)
	c.LineTerm, c.CRLF = '\n', a.CRLF
	if a.NullData {
		c.LineTerm = 0
	}
	c.Invert, c.Stats = a.InvertMatch, a.Stats
	c.Limit, c.Offset = opt.Map(a.Limit, clamp64), clamp64(a.Offset)
	c.Resorted = resorted(a)
	c.Twice = p.Mode == Fuzzy
	c.LimitBytes, c.Window = opt.Map(a.LimitBytes, clamp64), clamp64(a.Window.Or(0))
	c.JSONText, c.ValidText = a.JSONText || a.TextSafe, a.TextSafe
	c.LineBuffered = a.Buffer == flags.BufferLine || a.Buffer == flags.BufferAuto && tty
	if err := p.planLedger(); err != nil {
		return err
	}
	return p.planStyle(tty)
}

// bytesOf is the text of an option, nil if it is not set.
func bytesOf(text flags.Opt[string]) *[]byte {
	if text, ok := text.Get(); ok {
		return new([]byte(text))
	}
	return nil
}

// ledgerModes say when the ledger line is printed if something was said of it.
var ledgerModes = map[flags.When]report.LedgerMode{
	flags.WhenAuto: report.LedgerAuto, flags.WhenAlways: report.LedgerAlways,
	flags.WhenNever: report.LedgerNever, flags.WhenStdout: report.LedgerStdout,
	flags.WhenFirst: report.LedgerFirst, flags.WhenApart: report.LedgerApart,
}

func (p *planner) planLedger() (err error) {
	a, l := p.a, &p.Report.Ledger
	l.Name = p.Name
	l.JSON = p.honest()
	l.Digest = l.JSON && p.Report.Messages() || a.ExpectDigest != ""
	l.Terminal = world.IsTerminal(p.w.Stderr)
	l.Absent = a.Absent && a.Mode.Searches()
	l.Patterns = len(a.Patterns) + len(p.Syntax.And)
	l.Mode = ledgerModes[a.Ledger]
	if a.Ledger == flags.WhenUnset && p.Ripgrep {
		l.Mode = report.LedgerNever
	}
	if l.Mode == report.LedgerApart {
		l.Apart, err = p.w.Output(a.LedgerFD)
	}
	return err
}

// planStyle settles colours and hyperlinks.
func (p *planner) planStyle(tty bool) error {
	a, c := p.a, &p.Report
	switch a.Color {
	case flags.ColorAlways, flags.ColorAnsi:
		c.Color = true
	case flags.ColorAuto:
		term, set := p.w.LookupEnv("TERM")
		_, no := p.w.LookupEnv("NO_COLOR")
		c.Color = tty && set && term != "dumb" && !no
	}
	var err error
	if c.Colors, err = report.ParseColorSpecs(a.Colors); err != nil {
		return err
	}
	if a.HyperlinkFormat == "" {
		return nil
	}
	h := &c.Hyperlink
	h.Format, err = report.ParseHyperlinkFormat(a.HyperlinkFormat)
	h.Host = p.w.Hostname(a.HostnameBin)
	if distro := p.w.Getenv("WSL_DISTRO_NAME"); distro != "" {
		h.WSLPrefix = "wsl$/" + distro
	}
	return err
}
