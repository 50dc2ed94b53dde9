package walk

import (
	"errors"

	"tally/walk/glob"
	"tally/walk/ignore"
	"tally/walk/retry"

	"golang.org/x/sys/unix"
)

// decideAll gives every entry of d its verdict.
func (u *Universe) decideAll(d *dir) {
	var because *Rule
	if u.c.Watch && u.c.Changed != (Span{}) {
		because = new(Rule)
	}
	for i := range d.entries {
		e := &d.entries[i]
		e.verdict = u.decide(d, e, because)
		if because != nil && because.Bound != (Bound{}) {
			// Were it changed by now, it might be in scope.
			d.sums[i] = because.Bound.stamp.sum()
		}
	}
}

// A Rule is what decided about a path: a line of an ignore file, a glob given
// by hand, the definition of a file type ("rust:*.rs"), or a bound of
// [Config.Changed]. At most one is set; Glob and Type are empty too where it was
// that nothing selects the path.
type Rule struct {
	Ignore ignore.Rule
	Glob   string
	Type   string
	Bound  Bound
}

// decide is the one place that says what becomes of an entry. The rule that
// decided is written to because, if that is not nil.
func (u *Universe) decide(d *dir, e *entry, because *Rule) verdict {
	if because == nil {
		because = new(Rule)
	}
	*because = Rule{}
	if u.tooDeep(d) {
		return skip(MaxDepth) // whatever it is, and wherever it leads
	}
	if !u.resolve(d, e) {
		return failed
	}
	if d.out != 0 && (e.typ == typeDir || e.typ == typeFile) {
		return d.out
	}
	if d.out == 0 {
		if v := u.decideName(d, d.entryName(e), e.typ == typeDir, because); v != search {
			return v
		}
	}
	switch e.typ {
	case typeDir:
		return descend
	case typeLink:
		return skip(Symlink)
	case typeSpecial:
		return skip(Special)
	}
	return u.decideFile(d, e, because)
}

// decideName decides as far as a name and its place tell: search means that
// nothing rules it out. The order is ripgrep's: globs given by hand decide over
// ignore rules, those over file types, and a name that begins with a dot is
// hidden unless one of them asked for it.
func (u *Universe) decideName(d *dir, name string, isDir bool, because *Rule) verdict {
	if u.tooDeep(d) {
		return skip(MaxDepth)
	}
	wanted := false
	if !u.c.Override.Empty() {
		base := ""
		if u.c.Override.NeedsDir() {
			base = d.globPath()
		}
		text, v := u.c.Override.Match(base, name, isDir)
		because.Glob = text
		switch v {
		case glob.Ignore:
			return skip(Glob)
		case glob.Include:
			wanted = true
		}
	}
	if !wanted {
		rule, v := d.ign.Match(name, isDir)
		because.Ignore = rule
		switch v {
		case ignore.Ignore:
			return skip(Ignored)
		case ignore.Include:
			wanted = true
		}
		if !u.c.Types.Empty() && !isDir {
			definition, v := u.c.Types.Match(name)
			switch v {
			case glob.Ignore:
				*because = Rule{Type: definition}
				return skip(Type)
			case glob.Include:
				*because = Rule{Type: definition}
				wanted = true
			}
		}
	}
	if !wanted && !u.c.Hidden && name[0] == '.' {
		return skip(Hidden)
	}
	return search
}

// tooDeep reports whether what lies in d is below --max-depth.
func (u *Universe) tooDeep(d *dir) bool {
	most, ok := u.c.MaxDepth.Get()
	return ok && d.depth+1 > most
}

// decideFile decides about a regular file that nothing else ruled out.
func (u *Universe) decideFile(d *dir, e *entry, because *Rule) verdict {
	mayBeOutput := u.output != fileID{} && (e.ino == 0 || e.ino == u.output.ino)
	most, limited := u.c.MaxFilesize.Get()
	if !mayBeOutput && !limited && u.c.Changed == (Span{}) {
		return search
	}
	st, err := d.stat(e, u.c.Follow)
	if err != nil {
		return failed
	}
	if u.output != (fileID{}) && idOf(&st) == u.output {
		return skip(Output)
	}
	if limited && st.Size > most {
		return skip(TooLarge)
	}
	if bound, out := u.c.Changed.excludes(&st); out {
		*because = Rule{Bound: bound}
		return skip(bound.Reason)
	}
	return search
}

// resolve settles the type of an entry where the listing does not: the system
// did not tell, or a link is to be followed. It reports whether the entry could
// be looked at.
func (u *Universe) resolve(d *dir, e *entry) bool {
	if !d.settle(e) {
		return false
	}
	if e.typ != typeLink || !u.c.Follow {
		return true
	}
	st, err := d.stat(e, true)
	if err != nil {
		return false
	}
	e.typ, e.ino = typeOf(&st), 0
	return true
}

// settle finds out the type of an entry if the system did not tell.
func (d *dir) settle(e *entry) bool {
	if e.typ != typeUnknown {
		return true
	}
	st, err := d.stat(e, false)
	if err != nil {
		return false
	}
	e.typ = typeOf(&st)
	return true
}

func typeOf(st *unix.Stat_t) entryType {
	switch st.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return typeFile
	case unix.S_IFDIR:
		return typeDir
	case unix.S_IFLNK:
		return typeLink
	}
	return typeSpecial
}

func (d *dir) stat(e *entry, follow bool) (unix.Stat_t, error) {
	var st unix.Stat_t
	flags := 0
	if !follow {
		flags = unix.AT_SYMLINK_NOFOLLOW
	}
	dirfd := d.fd
	if dirfd < 0 {
		fd, err := d.reopen()
		if err != nil {
			return st, err
		}
		defer closeFD(fd)
		dirfd = fd
	}
	err := retry.Fstatat(dirfd, d.entryName(e), &st, flags)
	return st, err
}

// failure says again why an entry could not be looked at. The second look may
// find what the first did not; then the entry has changed under the walk.
func (d *dir) failure(e *entry) Error {
	_, err := d.stat(e, true)
	if err == nil {
		err = errors.New("changed while it was looked at")
	}
	return Error{Path: d.displayedEntry(d.entryName(e)), Op: OpStat, Err: err, Repeated: d.elsewhere}
}

// globPath is the path of d that globs given by hand are matched against.
func (d *dir) globPath() string {
	if d.parent == nil {
		return d.root.globBase
	}
	if base := d.parent.globPath(); base != "" {
		return base + "/" + d.name
	}
	return d.name
}
