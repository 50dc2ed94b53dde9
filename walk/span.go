package walk

import (
	"cmp"
	"time"

	"tally/walk/opt"

	"golang.org/x/sys/unix"
)

// A Span is a time without beginning or without end, if these are not set: Since
// is the first instant in it, and Before the first one behind it.
type Span struct {
	Since, Before opt.Value[Instant]
}

// An Instant is a time as file systems keep it: seconds since 1970, some of which
// lie beyond what a number of nanoseconds can tell.
type Instant struct{ Sec, Nsec int64 }

// InstantOf returns the instant that t is.
func InstantOf(t time.Time) Instant { return Instant{t.Unix(), int64(t.Nanosecond())} }

// String returns the instant in the notation of RFC 3339, in UTC.
func (i Instant) String() string { return time.Unix(i.Sec, i.Nsec).UTC().Format(time.RFC3339Nano) }

func (i Instant) before(j Instant) bool {
	return cmp.Or(cmp.Compare(i.Sec, j.Sec), cmp.Compare(i.Nsec, j.Nsec)) < 0
}

// A Bound is an end of a [Span] that leaves out a file.
type Bound struct {
	Reason   Reason  // the side on which the file lies
	At       Instant // the end
	Modified Instant // when the file was last changed
	stamp    Stamp   // its state then
}

// excludes returns the end of s beyond which a file lies, and whether there is one.
func (s *Span) excludes(st *unix.Stat_t) (Bound, bool) {
	modified := Instant{int64(st.Mtim.Sec), int64(st.Mtim.Nsec)}
	if since, bounded := s.Since.Get(); bounded && modified.before(since) {
		return Bound{TooOld, since, modified, newStamp(st)}, true
	}
	if before, bounded := s.Before.Get(); bounded && !modified.before(before) {
		return Bound{TooNew, before, modified, newStamp(st)}, true
	}
	return Bound{}, false
}
