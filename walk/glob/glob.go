// Package glob compiles the two dialects of file name patterns that a search
// meets, git's (ignore files) and ripgrep's (-g, --iglob, file types), into
// matchers that answer for thousands of patterns at once. It works on bytes:
// names need not be UTF-8. It must not know where patterns come from, what
// files they are stored in, or how a directory tree is walked.
package glob

// A Verdict is what a list of rules says about one path.
type Verdict uint8

const (
	None    Verdict = iota // no rule matched
	Ignore                 // leave it out
	Include                // keep it, even if a weaker rule would leave it out
)

func (v Verdict) String() string { return [...]string{"none", "ignore", "include"}[v] }

// A winner is the number of the strongest rule (the one added last) that
// matches a name: one for files, and one for directories, which rules that
// apply to directories only can match as well. -1 stands for no rule.
type winner struct{ file, dir int32 }

var noRule = winner{-1, -1}

// add records that rule n matches, unless a stronger one is known.
func (b *winner) add(n int32, dirOnly bool) {
	b.dir = max(b.dir, n)
	if !dirOnly {
		b.file = max(b.file, n)
	}
}

func (b winner) of(isDir bool) int32 {
	if isDir {
		return b.dir
	}
	return b.file
}

// Lower returns s with ASCII capitals in lower case, without allocating if it
// holds none. Neither git nor ripgrep folds more than ASCII in file names.
func Lower(s string) string {
	for i := 0; i < len(s); i++ {
		if isUpper(s[i]) {
			b := []byte(s)
			for ; i < len(b); i++ {
				b[i] = lowerByte(b[i])
			}
			return string(b)
		}
	}
	return s
}

func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }

func lowerByte(c byte) byte {
	if isUpper(c) {
		return c + ('a' - 'A')
	}
	return c
}
