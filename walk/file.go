package walk

import (
	"io"

	"tally/walk/ignore"

	"golang.org/x/sys/unix"
)

// A File is a file in scope.
type File struct {
	root  *root
	dir   *dir   // nil for a root that is a file
	entry *entry // likewise
}

// Explicit reports whether the file was named as a root, so that no filter
// applies to it.
func (f *File) Explicit() bool { return f.dir == nil }

// Stdin reports whether the file is standard input, named as `-` or implied.
func (f *File) Stdin() bool { return f.root.stdin }

// AppendPath appends the displayed path: the root as it was given and the
// names below it.
func (f *File) AppendPath(dst []byte) []byte {
	if f.dir == nil {
		return append(dst, f.root.display...)
	}
	return appendName(f.dir.appendPath(dst), f.dir.entryName(f.entry))
}

// Open opens the file for reading; it is not for standard input. A pipe that
// has taken the place of a regular file does not block it.
func (f *File) Open() (Handle, error) {
	if f.dir == nil {
		fd, err := openAt(unix.AT_FDCWD, cstring(f.root.path), unix.O_RDONLY)
		return Handle{fd}, err
	}
	flags := unix.O_RDONLY | unix.O_NONBLOCK
	if !f.root.follow {
		flags |= unix.O_NOFOLLOW
	}
	fd, err := f.dir.openEntry(f.entry, flags)
	return Handle{fd}, err
}

// A Handle is an open file.
type Handle struct{ fd int }

// Read reads like an [io.Reader].
func (h *Handle) Read(p []byte) (int, error) {
	n, err := readFD(h.fd, p)
	if n == 0 && err == nil && len(p) > 0 {
		err = io.EOF
	}
	return n, err
}

// Close closes the file. There is nothing to be done about an error.
func (h *Handle) Close() { closeFD(h.fd) }

// A Skip is a path that the universe leaves out.
type Skip struct {
	Reason Reason
	dir    *dir
	entry  *entry
}

// AppendPath appends the displayed path.
func (s *Skip) AppendPath(dst []byte) []byte {
	return appendName(s.dir.appendPath(dst), s.dir.entryName(s.entry))
}

// IsDir reports whether the path is a directory, with everything below it.
func (s *Skip) IsDir() bool { return s.entry.typ == typeDir }

// Rule returns the ignore rule that decided, if one did.
func (s *Skip) Rule() (ignore.Rule, bool) {
	rule, v := s.dir.ign.Match(s.dir.entryName(s.entry), s.IsDir())
	return rule, v == ignore.Ignore
}
