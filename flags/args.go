package flags

import (
	"time"

	"tally/walk/opt"
)

// Args is what was said on the command line and in the configuration file,
// after the rules by which one flag overrides another, and before anything is
// concluded from it: no field depends on whether a terminal, a file or a
// repository is there.
type Args struct {
	// Program is the name that the run goes by.
	Program Program
	// Special asks for a text instead of a run. When it is set, no
	// configuration file was read and Patterns and Paths are empty.
	Special Special
	// Mode is the last mode that was named. It is kept as said: -c with -o
	// is still [ModeCount], though ripgrep counts matches then.
	Mode Mode
	// Inspect is set when questions about the universe are asked instead of
	// a search; Mode then only says whether the answer is JSON.
	Inspect Inspect
	// Cache is what is done with the cache, if Inspect says so.
	Cache CacheAction
	// Generate is meaningful in [ModeGenerate].
	Generate GenerateKind
	// Warnings are messages to print, without the program's name, that do not
	// change the exit code.
	Warnings []string
	// ConfigFailure says why the configuration file could not be read, nil if
	// it could; one of the warnings says so.
	ConfigFailure *FileError
	// OwnFlag is true if a flag was given that ripgrep does not have and that
	// asks for something to be done (neither --rg nor --regex).
	OwnFlag bool

	// Patterns holds what is searched for, without duplicates; it can be empty
	// (-f with an empty file), which matches nothing. Each is valid UTF-8.
	Patterns []string
	// FixedStrings says that the patterns are literal text.
	FixedStrings bool
	// Paths are the roots, as typed; empty if none was given.
	Paths []string
	// StdinConsumed is true if the patterns were read from standard input, so
	// that it cannot be searched any more.
	StdinConsumed bool

	// Input.
	Pre       string // command to run for each file, "" for none
	PreGlobs  []string
	SearchZip bool

	// Search.
	Binary          BinaryMode
	Boundary        Boundary
	Case            CaseMode
	CRLF            bool
	DFASizeLimit    Opt[uint64] // bytes
	Encoding        string      // "auto", "none" or a label as typed
	Engine          Engine
	InvertMatch     bool
	MaxCount        Opt[uint64] // matching lines of a file
	Mmap            Tri
	Multiline       bool
	MultilineDotall bool
	NoUnicode       bool
	NullData        bool
	RegexSizeLimit  Opt[uint64] // bytes
	LineSizeLimit   Opt[uint64] // bytes, 0 for no limit
	StopOnNonmatch  bool
	Threads         Opt[uint64] // never zero when set

	// Filter.
	ChangedBefore             Opt[Moment]
	ChangedWithin             Opt[Moment]
	Follow                    bool
	GlobCaseInsensitive       bool
	Globs                     []string // -g, in order
	IGlobs                    []string // --iglob, in order; they rank above all of Globs
	Hidden                    bool
	IgnoreFiles               []string // --ignore-file, the later ranks higher
	IgnoreFileCaseInsensitive bool
	MaxDepth                  Opt[uint64]
	MaxFilesize               Opt[uint64] // bytes
	NoIgnoreDot               bool
	NoIgnoreExclude           bool
	NoIgnoreFiles             bool
	NoIgnoreGlobal            bool
	NoIgnoreParent            bool
	NoIgnoreVCS               bool
	NoNested                  bool
	NoRequireGit              bool
	OneFileSystem             bool
	TypeChanges               []TypeChange // in order
	Unrestricted              int          // how often -u was given; its effects are applied

	// Output. Separators are bytes, not necessarily UTF-8.
	Buffer                BufferMode
	ByteOffset            bool
	Color                 ColorChoice
	Colors                []string // --colors, as typed, in order
	Column                Tri
	Context               Context
	ContextSeparator      Opt[string] // not set: no separator at all
	FieldContextSeparator string
	FieldMatchSeparator   string
	Heading               Tri
	HostnameBin           string // "" for none
	HyperlinkFormat       string // a format or an alias as typed, "" for none
	IncludeZero           bool
	LineNumber            Tri
	MaxColumns            Opt[uint64] // bytes, never zero when set
	MaxColumnsPreview     bool
	Null                  bool
	OnlyMatching          bool
	PathSeparator         Opt[byte]
	Quiet                 bool
	Replace               Opt[string]
	ReplaceByLetter       bool // it was given as -r
	Sort                  Sort
	Trim                  bool
	Vimgrep               bool
	WithFilename          Tri

	// Logging and other.
	Log              LogLevel
	NoConfig         bool
	NoIgnoreMessages bool
	NoMessages       bool
	Stats            bool

	// What only tally has.
	Absent        bool
	And           []string // patterns that a line must match besides
	AsStored      bool
	Audit         bool
	CountOnly     bool
	Each          bool
	AllOf         bool   // a file needs a match of each pattern
	ExpectDigest  string // "" for none
	ExplainScore  bool
	ExplainZero   When
	Floor         Opt[float64] // of a score, between 0 and 1
	Fuzzy         bool
	JSONText      bool
	TextSafe      bool
	LimitBytes    Opt[uint64]
	Window        Opt[uint64] // bytes, never zero when set
	LedgerFD      int         // with WhenApart
	Ledger        When
	Limit         Opt[uint64] // results displayed
	Meaning       bool
	MeaningBudget Opt[time.Duration]
	MeaningModels []string // as typed, in order
	Offset        uint64   // results passed over before the first displayed one
	Rank          bool
	TimeLimit     Opt[time.Duration]
	Weights       []Weight // in order; the last one that fits a path counts

	sources    []patternSource // -e and -f, in order
	positional []string
	literal    bool // what FixedStrings is under the name tally
	fixed      bool // what FixedStrings is under the name rg
	rg         bool // --rg was given
}

// newArgs returns what an empty command line says.
func newArgs() *Args {
	return &Args{
		Encoding:              "auto",
		ContextSeparator:      some("--"),
		FieldContextSeparator: "-",
		FieldMatchSeparator:   ":",
		literal:               true,
	}
}

// An Opt is a value that may not have been given.
type Opt[T any] = opt.Value[T]

// Tri is a switch that can be on, off, or left to the circumstances.
type Tri = Opt[bool]

func some[T any](v T) Opt[T] { return opt.Some(v) }

// Context is how many lines around a match are shown.
type Context struct {
	// Passthru shows every line; the numbers are not set then.
	Passthru            bool
	before, after, both Opt[uint64]
}

// Lines returns the numbers of lines shown before and after a match: -A and -B
// each outrank -C for their side, in whatever order they were given.
func (c Context) Lines() (before, after uint64) {
	both := c.both.Or(0)
	return c.before.Or(both), c.after.Or(both)
}

// A Weight is a factor for the scores of files that a glob fits.
type Weight struct {
	Glob   string
	Factor float64
}

// A TypeChange selects file types or redefines them. Since it can do either,
// the order of the changes matters.
type TypeChange struct {
	Op TypeOp
	// Arg is a type's name, or NAME:GLOB for TypeAdd.
	Arg string
}

// A TypeOp is what a TypeChange does.
type TypeOp uint8

const (
	TypeSelect TypeOp = iota // -t
	TypeNegate               // -T
	TypeAdd                  // --type-add
	TypeClear                // --type-clear
)

// Sort is an order of files that was asked for.
type Sort struct {
	Key     SortKey
	Reverse bool
}

// A SortKey is what files are sorted by.
type SortKey uint8

const (
	SortUnset SortKey = iota // nothing was asked for, or "none"
	SortPath
	SortModified
	SortAccessed
	SortCreated
)

// Program is a name that the program is called by. It decides the defaults:
// what a pattern is, whether the ledger is printed, which configuration file
// is read.
type Program uint8

const (
	Tally Program = iota
	Ripgrep
)

// String returns the name as it stands before a message.
func (p Program) String() string {
	return [...]string{Tally: "tally", Ripgrep: "rg"}[p]
}

// ConfigVariable returns the name of the environment variable that holds the
// path of the configuration file.
func (p Program) ConfigVariable() string {
	return [...]string{Tally: "TALLY_CONFIG_PATH", Ripgrep: "RIPGREP_CONFIG_PATH"}[p]
}

// A Special is a text that is asked for instead of a run. It goes before
// every mode.
type Special uint8

const (
	NoSpecial Special = iota
	HelpShort
	HelpLong
	VersionShort
	VersionLong
	PCRE2Version
)

// A Mode is what a run prints. There is one at a time: the last one named.
type Mode uint8

const (
	ModeSearch Mode = iota
	ModeFilesWithMatches
	ModeFilesWithoutMatch
	ModeCount
	ModeCountMatches
	ModeJSON
	ModeFiles
	ModeTypeList
	ModeGenerate
)

// Searches reports whether the mode looks for patterns.
func (m Mode) Searches() bool { return m <= ModeJSON }

// An Inspect is a question about the universe, or about runs that have ended.
// Positional arguments are paths then, and no pattern is needed.
type Inspect uint8

const (
	NoInspect      Inspect = iota
	InspectWhy             // --why: is each path in the universe, and by which rule
	InspectSkipped         // --skipped: everything left out
	InspectLedgers         // --merge-ledgers: what several runs come to
	InspectCache           // --cache: what is in the cache of vectors
	InspectServe           // --mcp: whatever a client asks
)

// A CacheAction is what --cache does.
type CacheAction uint8

const (
	CacheShow CacheAction = iota
	CachePrune
	CacheClear
)

// A GenerateKind is a file that is made from the table of flags.
type GenerateKind uint8

const (
	GenerateMan GenerateKind = iota
	GenerateBash
	GenerateZsh
	GenerateFish
	GeneratePowerShell
)

// BinaryMode is how a NUL byte is taken.
type BinaryMode uint8

const (
	BinaryAuto   BinaryMode = iota // ends the search of a file that was not named
	BinarySearch                   // never ends a search before its first match
	BinaryText                     // is a byte like any other
)

// A Boundary is what a match must be surrounded by.
type Boundary uint8

const (
	NoBoundary Boundary = iota
	BoundaryLine
	BoundaryWord
)

// BufferMode is when output is flushed.
type BufferMode uint8

const (
	BufferAuto BufferMode = iota // by line on a terminal, else by block
	BufferLine
	BufferBlock
)

// CaseMode is how letters' case is compared.
type CaseMode uint8

const (
	CaseSensitive CaseMode = iota
	CaseInsensitive
	CaseSmart // insensitive unless a pattern has an upper-case literal
)

// ColorChoice is when colours and hyperlinks are used.
type ColorChoice uint8

const (
	ColorAuto ColorChoice = iota
	ColorNever
	ColorAlways
	ColorAnsi
)

// An Engine compiles patterns.
type Engine uint8

const (
	EngineDefault Engine = iota
	EngineAuto           // PCRE2 for what the default engine does not accept
	EnginePCRE2
)

// A LogLevel is how much is told on standard error about the run's decisions.
type LogLevel uint8

const (
	LogOff LogLevel = iota
	LogDebug
	LogTrace
)

// When says on which occasions something extra is done or printed.
type When uint8

const (
	WhenUnset  When = iota // not said: the program's name decides
	WhenNever              //
	WhenAuto               // when there is something to say
	WhenAlways             //
	WhenStdout             // always, and on standard output (--ledger only)
	WhenFirst              // likewise, before all else
	WhenApart              // always, and on a descriptor of its own (--ledger only)
)
