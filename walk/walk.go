// Package walk decides which files exist for a run (the universe) and visits
// them in parallel while what comes of each arrives in path order. It must not
// know what is done with a file (match), how results look (report), or what
// was typed (flags).
package walk

// A Reason says why the universe leaves a path out.
type Reason uint8

const (
	Ignored         Reason = iota // an ignore rule matched
	Hidden                        // the name begins with a dot
	Type                          // not of a selected file type, or of one ruled out
	Glob                          // ruled out by -g or --iglob
	TooLarge                      // larger than --max-filesize
	Symlink                       // a link that is not followed
	OtherFilesystem               // on another device than its root
	Special                       // a FIFO, socket or device
	Binary                        // holds a NUL byte, so that its search was cut short
	MaxDepth                      // below --max-depth
	Output                        // the file that standard output is written to
	TooOld                        // changed before what --changed-within says
	TooNew                        // not changed before what --changed-before says
	Nested                        // a repository below a root
	NumReasons
)

var reasonNames = [NumReasons]string{
	Ignored:         "ignored",
	Hidden:          "hidden",
	Type:            "type",
	Glob:            "glob",
	TooLarge:        "too_large",
	Symlink:         "symlink",
	OtherFilesystem: "other_filesystem",
	Special:         "special",
	Binary:          "binary",
	MaxDepth:        "max_depth",
	Output:          "output",
	TooOld:          "too_old",
	TooNew:          "too_new",
	Nested:          "nested",
}

// String returns the reason as the ledger's JSON names it.
func (r Reason) String() string { return reasonNames[r] }

// A Displayed path is what a reader is shown: the root as it was given and the
// names below it. It is not there to be opened: the root may be standard input,
// or be left out because nobody gave it.
type Displayed string

// An Error is a path that could not be read, and why.
type Error struct {
	Path Displayed
	Op   Op
	Err  error
	// Repeated says that the same was told before, or is, by another path.
	Repeated bool
}

// An Op is what was being done when an [Error] occurred.
type Op uint8

const (
	OpOpen       Op = iota + 1 // opening a file
	OpRead                     // reading it
	OpList                     // listing a directory
	OpStat                     // looking at what a path leads to
	OpFollow                   // following a link
	OpAudit                    // comparing with the second walker's list
	OpChange                   // reading what must stay the same meanwhile
	OpDecompress               // decoding a compressed file, which was searched in part
	OpPreprocess               // running a program on a file, whose output was searched
	OpReread                   // reading a file again
	OpRelist                   // finding a directory as it was when it was listed
	OpWatch                    // watching a file that others may write to
	OpUnpack                   // searching what a file holds compressed
	OpRules                    // reading a file of ignore rules, or what names one
	OpConfig                   // reading the configuration file
	numOps
)

var opNames = [numOps]string{
	OpOpen:       "open",
	OpRead:       "read",
	OpList:       "list",
	OpStat:       "stat",
	OpFollow:     "follow",
	OpAudit:      "audit",
	OpChange:     "change",
	OpDecompress: "decompress",
	OpPreprocess: "preprocess",
	OpReread:     "reread",
	OpRelist:     "relist",
	OpWatch:      "watch",
	OpUnpack:     "unpack",
	OpRules:      "rules",
	OpConfig:     "config",
}

// OfScope reports whether the error leaves open which files are meant, however well
// each of them was read.
func (o Op) OfScope() bool {
	return o == OpList || o == OpRelist || o == OpRules || o == OpConfig
}

// String returns the operation as the ledger's JSON names it.
func (o Op) String() string { return opNames[o] }

// OpNamed returns the operation that String names so.
func OpNamed(name string) (Op, bool) {
	for o := OpOpen; o < numOps; o++ {
		if opNames[o] == name {
			return o, true
		}
	}
	return 0, false
}
