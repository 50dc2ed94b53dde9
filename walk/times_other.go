//go:build unix && !linux && !darwin && !freebsd && !netbsd

package walk

import "golang.org/x/sys/unix"

func modified(st *unix.Stat_t) int64 { return st.Mtim.Nano() }
func accessed(st *unix.Stat_t) int64 { return st.Atim.Nano() }

// created is not told by this system's stat.
func (f *File) created() (int64, error) { return 0, unix.ENOTSUP }
