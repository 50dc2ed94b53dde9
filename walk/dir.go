package walk

import (
	"encoding/binary"
	"strings"
	"sync/atomic"
	"unsafe"

	"tally/walk/ignore"

	"golang.org/x/sys/unix"
)

type entryType uint8

const (
	typeUnknown entryType = iota
	typeFile
	typeDir
	typeLink
	typeSpecial
)

// verdict is what the universe says of an entry: 0 to search it, or a reason
// to leave it out (verdictOf), or to go into it.
type verdict uint8

const (
	search verdict = iota
	descend
	failed  // the entry could not be looked at; see dir.failure
	skipped // skipped+Reason
)

func skip(r Reason) verdict { return skipped + verdict(r) }

// An entry is one name of a directory.
type entry struct {
	key     uint64 // the name's first 8 bytes, so that most comparisons are one
	off     uint32 // of the name in the listing's arena
	len     uint16
	typ     entryType
	verdict verdict
	ino     uint64 // 0 where the system does not tell
}

// A listing holds the names of a directory.
type listing struct {
	arena   []byte // the names, each with a NUL behind it
	entries []entry
}

func (l *listing) add(name []byte, typ entryType, ino uint64) {
	if len(name) == 0 || name[0] == '.' && (len(name) == 1 || len(name) == 2 && name[1] == '.') {
		return
	}
	e := entry{off: uint32(len(l.arena)), len: uint16(len(name)), typ: typ, ino: ino}
	var key [8]byte
	copy(key[:], name)
	e.key = binary.BigEndian.Uint64(key[:])
	l.arena = append(append(l.arena, name...), 0)
	l.entries = append(l.entries, e)
}

// bytes returns the name, which is followed by a NUL byte in memory.
func (l *listing) bytes(e *entry) []byte { return l.arena[e.off : e.off+uint32(e.len)] }

// entryName returns the name as a string that lives as long as the listing.
func (l *listing) entryName(e *entry) string {
	return unsafe.String(&l.arena[e.off], int(e.len))
}

// A dir is a directory being walked. It stays open until all that was found
// in it has been visited.
type dir struct {
	root   *root
	parent *dir // nil for a root
	name   string
	ord    int // position among the parent's entries, or of the root
	depth  int // 0 for a root
	// out is the verdict by which d, and so all that is below it, is out of
	// scope; 0 if it is not. Only a universe that goes beyond its scope has
	// such directories.
	out verdict

	listing
	fd   int          // -1 when it was closed early to spare descriptors
	refs atomic.Int32 // segments that still need it
	ign  *ignore.Dir
	id   fileID // only where links are followed, devices matter or roots overlap
	// stamp is its state before it was listed, sums are made of those of its files
	// when they were noted; only where the universe is watched.
	stamp Stamp
	sums  []uint64
	// elsewhere: another root accounts for what is left out here.
	elsewhere bool
}

type fileID struct{ dev, ino uint64 }

// release says that one segment of d is done.
func (d *dir) release(u *Universe) {
	if d.refs.Add(-1) == 0 {
		d.close(u)
		if !u.c.Watch {
			d.listing = listing{}
		}
	}
}

func (d *dir) close(u *Universe) {
	if d.fd >= 0 {
		closeFD(d.fd)
		d.fd = -1
		u.open.Add(-1)
	}
}

// appendDisplayed appends the displayed path of d, without a slash behind it.
func (d *dir) appendDisplayed(dst []byte) []byte {
	if d.parent == nil {
		return append(dst, d.root.display...)
	}
	return appendName(d.parent.appendDisplayed(dst), d.name)
}

func (d *dir) displayed() Displayed { return Displayed(d.appendDisplayed(nil)) }

// displayedEntry returns the displayed path of an entry of d.
func (d *dir) displayedEntry(name string) Displayed {
	return Displayed(appendName(d.appendDisplayed(nil), name))
}

// appendPath appends a path by which d can be opened.
func (d *dir) appendPath(dst []byte) []byte {
	if d.parent == nil {
		return append(dst, d.root.path...)
	}
	return appendName(d.parent.appendPath(dst), d.name)
}

func appendName(dst []byte, name string) []byte {
	if n := len(dst); n > 0 && dst[n-1] != '/' {
		dst = append(dst, '/')
	}
	return append(dst, name...)
}

// openEntry opens an entry of d. Where d is no longer open the way goes from
// the root again.
func (d *dir) openEntry(e *entry, flags int) (int, error) {
	if d.fd >= 0 {
		return openAt(d.fd, &d.arena[e.off], flags)
	}
	dirfd, err := d.reopen()
	if err != nil {
		return -1, err
	}
	defer closeFD(dirfd)
	return openAt(dirfd, &d.arena[e.off], flags)
}

// maxStep is how long a path one system call is given at most; every system
// allows at least this much.
const maxStep = 1000

// reopen opens d again by its path from the root.
func (d *dir) reopen() (int, error) {
	return openPath(string(d.appendPath(nil)), openDirFlags)
}

// openPath opens a path of any length, in steps that the kernel's limit on the
// length of a path allows.
func openPath(path string, flags int) (int, error) {
	fd := unix.AT_FDCWD
	for {
		step, rest := path, ""
		if len(path) > maxStep {
			cut := strings.LastIndexByte(path[:maxStep], '/')
			if cut <= 0 {
				return -1, unix.ENAMETOOLONG
			}
			step, rest = path[:cut], strings.TrimLeft(path[cut:], "/")
		}
		f := flags
		if rest != "" {
			f = openDirFlags
		}
		next, err := openAt(fd, cstring(step), f)
		if fd != unix.AT_FDCWD {
			closeFD(fd)
		}
		if err != nil || rest == "" {
			return next, err
		}
		fd, path = next, rest
	}
}

const openDirFlags = unix.O_RDONLY | unix.O_DIRECTORY

func cstring(s string) *byte {
	b := append([]byte(s), 0)
	return &b[0]
}
