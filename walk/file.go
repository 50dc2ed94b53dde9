package walk

import (
	"errors"
	"io"

	"golang.org/x/sys/unix"

	"tally/walk/retry"
)

// A File is a file in scope.
type File struct {
	root   *root
	dir    *dir    // nil for a root that is a file, and for a listed file
	entry  *entry  // likewise
	at     int     // its place among the entries
	listed *listed // of a sorted universe
	out    verdict // out of scope for this reason; 0 if it is not

	asked, repeated bool // see Repeated
}

// OutOfScope returns why the file is out of scope, and whether it is: only a
// universe that goes beyond its scope ([Config.Beyond]) has such files.
func (f *File) OutOfScope() (r Reason, out bool) {
	if f.out == 0 {
		return 0, false
	}
	return Reason(f.out - skipped), true
}

// Explicit reports whether the file was named as a root, so that no filter
// applies to it.
func (f *File) Explicit() bool {
	if f.listed != nil {
		return f.listed.names() == ""
	}
	return f.dir == nil
}

// Stdin reports whether the file is standard input, named as `-` or implied.
func (f *File) Stdin() bool { return f.root.stdin }

// Regular reports whether the file is a regular one, which ends where a read
// says so; others may have more to come.
func (f *File) Regular() bool {
	return !f.Explicit() || f.root.info != nil && f.root.info.Mode().IsRegular()
}

// AppendPath appends the displayed path: the root as it was given and the
// names below it.
func (f *File) AppendPath(dst []byte) []byte {
	switch {
	case f.listed != nil:
		return append(dst, f.listed.path...)
	case f.dir == nil:
		return append(dst, f.root.display...)
	}
	return appendName(f.dir.appendDisplayed(dst), f.dir.entryName(f.entry))
}

// path returns a path by which the file can be opened.
func (f *File) path() string {
	switch {
	case f.dir != nil:
		return string(appendName(f.dir.appendPath(nil), f.dir.entryName(f.entry)))
	case f.Explicit():
		return f.root.path
	}
	return string(appendName([]byte(f.root.path), f.listed.names()))
}

// Open opens the file for reading; it is not for standard input. A pipe that
// has taken the place of a regular file does not block it.
func (f *File) Open() (Handle, error) {
	if !f.Regular() {
		// It may block for as long as it likes, so the scheduler is told.
		fd, err := retry.Open(f.root.path, unix.O_RDONLY|unix.O_CLOEXEC)
		return Handle{fd: fd, blocks: true}, err
	}
	flags := unix.O_RDONLY | unix.O_NONBLOCK
	var fd int
	var err error
	switch {
	case f.dir == nil:
		fd, err = openPath(f.path(), flags)
	default:
		if !f.root.follow {
			flags |= unix.O_NOFOLLOW
		}
		fd, err = f.dir.openEntry(f.entry, flags)
	}
	return Handle{fd: fd, unsure: true}, err
}

// A Handle is an open file.
type Handle struct {
	fd     int
	blocks bool
	// unsure: nothing has been read yet, so that an end at once may be that
	// of a pipe that has taken the file's place.
	unsure bool
}

// errNotRegular is the error of a file that is none any more.
var errNotRegular = errors.New("is no longer a regular file")

// Read reads like an [io.Reader].
func (h *Handle) Read(p []byte) (int, error) {
	var n int
	var err error
	if h.blocks {
		n, err = retry.Value(func() (int, error) { return unix.Read(h.fd, p) })
		n = max(n, 0)
	} else {
		n, err = readFD(h.fd, p)
	}
	if n == 0 && err == nil && len(p) > 0 {
		err = io.EOF
		var st unix.Stat_t
		if h.unsure && retry.Fstat(h.fd, &st) == nil && st.Mode&unix.S_IFMT != unix.S_IFREG {
			err = errNotRegular
		}
	}
	h.unsure = false
	return n, err
}

// ReadAt reads like an [io.ReaderAt]. It may be called by several goroutines.
func (h *Handle) ReadAt(p []byte, off int64) (int, error) {
	total := 0
	for total < len(p) {
		n, err := retry.Value(func() (int, error) { return unix.Pread(h.fd, p[total:], off+int64(total)) })
		switch {
		case err != nil:
			return total, err
		case n == 0:
			return total, io.EOF
		}
		total += n
	}
	return total, nil
}

// Descriptor returns the file's descriptor.
func (h *Handle) Descriptor() int { return h.fd }

// Size returns the size of a regular file as it is now.
func (h *Handle) Size() (int64, error) {
	var st unix.Stat_t
	err := retry.Fstat(h.fd, &st)
	return st.Size, err
}

// Close closes the file. There is nothing to be done about an error.
func (h *Handle) Close() { closeFD(h.fd) }

// A Skip is a path that the universe leaves out. It is valid during the call.
type Skip struct {
	Reason Reason
	IsDir  bool // a directory, which stands for everything below it
	u      *Universe
	dir    *dir
	entry  *entry
	kept   *keptSkip

	asked, repeated bool // see Repeated
}

// keptSkip is what outlives the directory.
type keptSkip struct {
	path     Displayed
	rule     Rule
	repeated bool
}

// AppendPath appends the displayed path.
func (s *Skip) AppendPath(dst []byte) []byte {
	if s.kept != nil {
		return append(dst, s.kept.path...)
	}
	return appendName(s.dir.appendDisplayed(dst), s.dir.entryName(s.entry))
}

// Rule finds out again which rule decided.
func (s *Skip) Rule() Rule {
	if s.kept != nil {
		return s.kept.rule
	}
	var r Rule
	s.u.decide(s.dir, s.entry, &r)
	return r
}

// keep returns a copy that stays valid.
func (s *Skip) keep() *Skip {
	return &Skip{
		Reason: s.Reason,
		IsDir:  s.IsDir,
		kept:   &keptSkip{Displayed(s.AppendPath(nil)), s.Rule(), s.Repeated()},
	}
}
