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
	NumReasons
)

var reasonNames = [NumReasons]string{
	"ignored", "hidden", "type", "glob", "too_large", "symlink",
	"other_filesystem", "special", "binary", "max_depth", "output",
}

// String returns the reason as the ledger's JSON names it.
func (r Reason) String() string { return reasonNames[r] }

// An Error is a path that could not be read, and why.
type Error struct {
	Path string // as displayed
	Op   string // "open", "list", "stat", "audit", or what a visitor was doing
	Err  error
}
