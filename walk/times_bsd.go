//go:build darwin || freebsd || netbsd

package walk

import (
	"golang.org/x/sys/unix"
)

func modified(st *unix.Stat_t) int64 { return st.Mtim.Nano() }
func accessed(st *unix.Stat_t) int64 { return st.Atim.Nano() }

// created returns the time of birth.
func (f *File) created() (int64, error) {
	var st unix.Stat_t
	var err error
	if f.dir != nil {
		st, err = f.dir.stat(f.entry, true)
	} else {
		err = unix.Stat(f.path(), &st)
	}

	return st.Btim.Nano(), err
}
