package walk

import "golang.org/x/sys/unix"

func modified(st *unix.Stat_t) int64 { return st.Mtim.Nano() }
func accessed(st *unix.Stat_t) int64 { return st.Atim.Nano() }

// created returns the time of birth, which not every filesystem keeps.
func (f *File) created() (int64, error) {
	var stx unix.Statx_t
	var err error
	path, dirfd := "", unix.AT_FDCWD
	if f.dir != nil && f.dir.fd >= 0 {
		path, dirfd = f.dir.entryName(f.entry), f.dir.fd
	} else {
		path = f.path()
	}
	if err = unix.Statx(dirfd, path, 0, unix.STATX_BTIME, &stx); err != nil {
		return 0, err
	}
	if stx.Mask&unix.STATX_BTIME == 0 {
		return 0, unix.ENOTSUP
	}
	return stx.Btime.Sec*1e9 + int64(stx.Btime.Nsec), nil
}
