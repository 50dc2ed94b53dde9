package main

import (
	"os"
	"os/exec"
	"strings"
	"unicode/utf8"

	"tally/flags"
	"tally/report"

	"golang.org/x/sys/unix"
)

// planReport decides how results look: what depends on a terminal, on the
// number of files, and on other flags is settled here.
func (p *plan) planReport() error {
	a, c := p.args, &p.report
	tty := isTerminal(os.Stdout)
	before, after := a.Context.Lines()
	c.Mode, c.Ripgrep = reportMode(a), p.ripgrep()
	c.Quiet, c.CountOnly = a.Quiet && !a.CountOnly, a.CountOnly
	c.WithPath = a.WithFilename.Or(a.Vimgrep || !p.oneFile)
	c.Heading = !a.Vimgrep && a.Heading.Or(tty)
	c.Column = a.Column.Or(a.Vimgrep)
	c.LineNumber = a.LineNumber.Or(tty && !p.report.Ledger.Stdin || c.Column || a.Vimgrep || c.Mode == report.JSON)
	c.ByteOffset, c.OnlyMatching, c.PerMatch = a.ByteOffset, a.OnlyMatching, a.Vimgrep
	c.Null, c.Trim, c.IncludeZero = a.Null, a.Trim, a.IncludeZero
	if text, ok := a.Replace.Get(); ok {
		t := []byte(text)
		c.Replacement = &t
	}
	c.PathSep = a.PathSeparator.Or(0)
	c.MaxColumns, c.Preview = clamp64(a.MaxColumns.Or(0)), a.MaxColumnsPreview
	c.Context = before+after > 0
	if text, ok := a.ContextSeparator.Get(); ok {
		t := []byte(text)
		c.ContextSeparator = &t
	}
	c.FieldMatch, c.FieldContext = []byte(a.FieldMatchSeparator), []byte(a.FieldContextSeparator)
	c.LineTerm, c.CRLF = '\n', a.CRLF
	if a.NullData {
		c.LineTerm = 0
	}
	c.Invert, c.MultiLine, c.Stats = a.InvertMatch, a.Multiline, a.Stats
	c.Limit, c.Offset = -1, clamp64(a.Offset)
	if n, ok := a.Limit.Get(); ok {
		c.Limit = clamp64(n)
	}
	c.Resorted = a.Sort.Key > flags.SortPath || a.Sort.Reverse
	c.JSONText = a.JSONText
	c.LineBuffered = a.Buffer == flags.BufferLine || a.Buffer == flags.BufferAuto && tty
	p.planLedger()
	return p.planStyle(tty)
}

func reportMode(a *flags.Args) report.Mode {
	switch a.Mode {
	case flags.ModeFilesWithMatches:
		return report.FilesWithMatches
	case flags.ModeFilesWithoutMatch:
		return report.FilesWithoutMatch
	case flags.ModeCount:
		if a.OnlyMatching && !a.InvertMatch {
			return report.CountMatches
		}
		return report.Count
	case flags.ModeCountMatches:
		if a.InvertMatch {
			return report.Count
		}
		return report.CountMatches
	case flags.ModeJSON:
		return report.JSON
	case flags.ModeFiles:
		return report.Paths
	}
	return report.Standard
}

func (p *plan) planLedger() {
	a, l := p.args, &p.report.Ledger
	l.Name = a.Program.String()
	l.JSON = !p.ripgrep() || a.OwnFlag
	l.Terminal = isTerminal(os.Stderr)
	l.Absent = a.Absent && a.Mode.Searches()
	l.Patterns = len(a.Patterns)
	if l.JSON && p.report.Mode == report.JSON {
		l.Roots = p.realRoots()
		if !p.report.Resorted {
			l.Query = p.query()
		}
	}
	switch a.Ledger {
	case flags.WhenAlways:
		l.Mode = report.LedgerAlways
	case flags.WhenNever:
		l.Mode = report.LedgerNever
	case flags.WhenStdout:
		l.Mode = report.LedgerStdout
	case flags.WhenUnset:
		if p.ripgrep() {
			l.Mode = report.LedgerNever
		}
	}
}

// planStyle settles colours and hyperlinks.
func (p *plan) planStyle(tty bool) error {
	a, c := p.args, &p.report
	switch a.Color {
	case flags.ColorAlways, flags.ColorAnsi:
		c.Color = true
	case flags.ColorAuto:
		term, set := os.LookupEnv("TERM")
		_, no := os.LookupEnv("NO_COLOR")
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
	h.Host = hostname(a.HostnameBin)
	if distro := os.Getenv("WSL_DISTRO_NAME"); distro != "" {
		h.WSLPrefix = "wsl$/" + distro
	}
	return err
}

// hostname is what {host} in a hyperlink stands for: what a command says, or
// the system where the command has nothing to say.
func hostname(command string) string {
	if command != "" {
		out, err := exec.Command(command).Output()
		if name := strings.TrimSpace(string(out)); err == nil && name != "" && utf8.ValidString(name) {
			return name
		}
	}
	name, err := os.Hostname()
	if err != nil {
		return ""
	}
	return name
}

func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), ioctlGetTermios)
	return err == nil
}
