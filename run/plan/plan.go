// Package plan turns what was said on a command line into what it means here and
// now: the configuration of each room, with nothing left to be decided. A plan
// does not change once it is made, and no later code sees the command line.
//
// It must not know how anything is carried out. It asks the world for facts:
// whether a stream is a terminal, what kind of file a path is, what the
// environment says.
package plan

import (
	"math"
	"time"

	"tally/flags"
	"tally/match"
	"tally/match/decode"
	"tally/report"
	"tally/run/input"
	"tally/run/world"
	"tally/walk"
	"tally/walk/ignore"
)

// A Plan is what one run is to do.
type Plan struct {
	Mode Mode
	// Name is the name that the run goes by, before each of its messages; Title
	// is how ripgrep's own messages name it.
	Name, Title string
	// Ripgrep keeps to ripgrep's words and exit codes.
	Ripgrep  bool
	Messages Messages
	// JSON asks modes other than a search for JSON.
	JSON bool

	// Text is what [PrintText] prints, and TextCode its exit code.
	Text     string
	TextCode int
	// Paths are what [Why], [MergeLedgers] and [Serve] are about, as given.
	Paths []string
	// Cache is what [ManageCache] does.
	Cache flags.CacheAction

	Walk   walk.Config
	Ignore ignore.Config
	Sort   Sort
	Syntax match.Syntax
	Search match.Options
	Input  input.Config
	Report report.Config

	// Matches says that files are searched for patterns, Pointless that
	// nothing can match and that nobody asks for more.
	Matches, Pointless bool
	// Absent asserts absence, with AsStored of what files hold as they are
	// stored. Audit lists the universe a second time.
	Absent, AsStored, Audit bool
	// TimeLimit is the time that the run may take, if Limited.
	TimeLimit time.Duration
	Limited   bool
	// AllOf takes only files for results in which every pattern matches.
	AllOf bool
	// ExpectDigest is the digest that the results must have, "" for any.
	ExpectDigest string
	NearMisses   NearMisses
	Rank         RankConfig
	// Meaning asks for what is similar; nil: it is not asked for.
	Meaning *MeaningConfig
}

// Messages says which warnings and errors are printed.
type Messages struct {
	Quiet       bool // --no-messages
	QuietIgnore bool // --no-ignore-messages
	Level       flags.LogLevel
	// Serial says that ripgrep would walk in one thread, where it words errors
	// in another way.
	Serial   bool
	Warnings []string // of the command line itself
	Config   string   // which configuration file was read
}

// A Sort is the order in which files come. The zero value is that of their
// paths, as they are found.
type Sort struct {
	Key     walk.Key
	Reverse bool
	Sorted  bool
}

// NearMisses says whether to look for what nearly matches after a zero.
type NearMisses struct {
	Wanted bool
	// Always looks also after a partial zero, and for as long as it takes.
	Always bool
}

// A planner makes one plan.
type planner struct {
	*Plan
	a *flags.Args
	w *world.World
	// oneFile: there is one root, and it is no directory; fewFiles: ripgrep
	// would map the files into memory; stdin: standard input is searched.
	oneFile, fewFiles, stdin bool
}

// New makes the plan of a command line. An error is a sentence for the user
// that says what to do next; the plan that comes with it has the name that
// belongs before it.
func New(a *flags.Args, w *world.World, build flags.BuildInfo) (*Plan, error) {
	p := &planner{a: a, w: w, Plan: &Plan{
		Mode: modeOf(a), Name: a.Program.String(), Title: a.Program.String(), Ripgrep: a.Program == flags.Ripgrep,
		JSON: a.Mode == flags.ModeJSON, Paths: a.Paths, Cache: a.Cache,
		Absent: a.Absent, AsStored: a.AsStored, Audit: a.Audit, ExpectDigest: a.ExpectDigest,
	}}
	if p.Ripgrep {
		p.Title = "ripgrep"
	}
	p.planMessages()
	if done, err := p.planText(build); done || err != nil {
		return p.Plan, err
	}
	if err := refused(a, p.Mode); err != nil {
		return p.Plan, err
	}
	if p.Mode == MergeLedgers || p.Mode == ManageCache || p.Mode == Serve {
		return p.Plan, nil
	}
	p.TimeLimit, p.Limited = a.TimeLimit.Get()
	p.Matches = searches(a, p.Mode)
	for _, step := range []func() error{
		p.planRoots, p.planWalk, p.planSyntax, p.planReport, p.planInput, p.planSearch, p.planRank, p.planMeaning,
	} {
		if err := step(); err != nil {
			return p.Plan, err
		}
	}
	p.planNearMisses()
	p.planIdentity()
	return p.Plan, nil
}

// planMessages settles what is said beside the results.
func (p *planner) planMessages() {
	a := p.a
	m := &p.Messages
	m.Quiet, m.QuietIgnore, m.Level, m.Warnings = a.NoMessages, a.NoIgnoreMessages, a.Log, a.Warnings
	variable := a.Program.ConfigVariable()
	switch path := p.w.Getenv(variable); {
	case a.NoConfig:
		m.Config = "no configuration file is read: --no-config"
	case path == "":
		m.Config = "no configuration file is read: " + variable + " is not set"
	default:
		m.Config = "configuration file, by " + variable + ": " + path
	}
}

// planText settles what is printed where a text is asked for instead of a run,
// and reports whether one is.
func (p *planner) planText(build flags.BuildInfo) (done bool, err error) {
	a := p.a
	switch {
	case a.Special == flags.VersionShort, a.Special == flags.VersionLong:
		p.Text = flags.Version(a, a.Special == flags.VersionLong, build)
	case a.Special == flags.PCRE2Version:
		text, available := flags.PCRE2(a, build)
		p.Text = text
		if !available {
			p.TextCode = 1
		}
	case a.Special != flags.NoSpecial:
		p.Text = flags.Help(a, a.Special == flags.HelpLong, build)
	case a.Mode == flags.ModeGenerate:
		p.Text = flags.Generated(a, build)
	case a.Mode == flags.ModeTypeList:
		types, err := selectTypes(a.TypeChanges)
		if err != nil {
			return false, err
		}
		if _, err := types.Selection(); err != nil {
			return false, err
		}
		p.Text = types.List()
	default:
		return false, nil
	}
	p.Mode = PrintText
	return true, nil
}

// honest reports whether true totals and a digest are owed: under our own name,
// and where a flag of ours was given. ripgrep's own output needs neither.
func (p *planner) honest() bool { return !p.Ripgrep || p.a.OwnFlag }

func (p *planner) planNearMisses() {
	a := p.a
	when := a.ExplainZero
	if when == flags.WhenUnset {
		when = flags.WhenNever
		if !p.Ripgrep && a.Ledger != flags.WhenNever {
			when = flags.WhenAuto
		}
	}
	p.NearMisses = NearMisses{
		Wanted: when != flags.WhenNever && (p.Mode == Search || p.Mode == Fuzzy) &&
			p.Report.Mode != report.FilesWithoutMatch && !a.InvertMatch && len(p.Syntax.Patterns) > 0 && !combined(a),
		Always: when == flags.WhenAlways,
	}
}

func clamp(n uint64) int     { return int(min(n, math.MaxInt)) }
func clamp64(n uint64) int64 { return int64(min(n, math.MaxInt64)) }

// Refused is the plan of a command line that could not be read to its end: its
// name alone.
func Refused(a *flags.Args) *Plan {
	return &Plan{Name: a.Program.String(), Ripgrep: a.Program == flags.Ripgrep}
}

// CheckEncoding refuses a label that names no encoding.
func CheckEncoding(label string) error {
	_, err := decode.Lookup(label)
	return err
}
