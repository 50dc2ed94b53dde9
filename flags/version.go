package flags

import "fmt"

// RipgrepVersion is the version of ripgrep whose behaviour this is.
const RipgrepVersion = "15.2.0"

// BuildInfo is what a build knows about itself.
type BuildInfo struct {
	// Version is tally's version.
	Version string
	// Revision identifies the source; it may be empty.
	Revision string
	// PCRE2 is the version of PCRE2 that is built in, "" if none is.
	PCRE2 string
	// PCRE2JIT says whether PCRE2 compiles patterns to machine code here.
	PCRE2JIT bool
}

// Version returns the version text. In place of ripgrep it begins with the
// version of ripgrep, which wrappers read, and then names tally.
func Version(args *Args, long bool, info BuildInfo) string {
	text := "tally " + info.Version
	if info.Revision != "" {
		text += " (rev " + info.Revision + ")"
	}
	if args.Program == Ripgrep {
		text = "ripgrep " + RipgrepVersion + "\n" + text
	}
	text += "\n"
	if !long {
		return text
	}
	sign := "-"
	if info.PCRE2 != "" {
		sign = "+"
	}
	pcre2, _ := PCRE2(args, info)
	return text + "\nfeatures:" + sign + "pcre2\n\n" + pcre2
}

// PCRE2 returns the text of --pcre2-version, and whether there is PCRE2; if
// not, the run has failed.
func PCRE2(args *Args, info BuildInfo) (text string, available bool) {
	if info.PCRE2 == "" {
		name := "tally"
		if args.Program == Ripgrep {
			name = "ripgrep"
		}
		return fmt.Sprintf("PCRE2 is not available in this build of %s.\n", name), false
	}
	jit := "JIT is not available"
	if info.PCRE2JIT {
		jit = "JIT is available"
	}
	return fmt.Sprintf("PCRE2 %s is available (%s)\n", info.PCRE2, jit), true
}
