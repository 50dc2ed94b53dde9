package walk

import (
	"encoding/binary"
	"unsafe"

	"golang.org/x/sys/unix"

	"tally/walk/retry"
)

// Raw system calls: a worker is locked to its thread, and these return so
// soon (the page cache) that telling the Go scheduler about each costs more
// than it gains.

// openAt opens name, which ends with a NUL byte, relative to a directory.
func openAt(dirfd int, name *byte, flags int) (int, error) {
	var tries retry.Tries
	for {
		fd, _, e := unix.RawSyscall6(unix.SYS_OPENAT, uintptr(dirfd), uintptr(unsafe.Pointer(name)),
			uintptr(flags|unix.O_CLOEXEC), 0, 0, 0)
		switch {
		case e == 0:
			return int(fd), nil
		case !tries.Again(e):
			return -1, e
		}
	}
}

func closeFD(fd int) { unix.RawSyscall(unix.SYS_CLOSE, uintptr(fd), 0, 0) }

func readFD(fd int, p []byte) (int, error) {
	var tries retry.Tries
	for {
		n, _, e := unix.RawSyscall(unix.SYS_READ, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(p))), uintptr(len(p)))
		switch {
		case e == 0:
			return int(n), nil
		case !tries.Again(e):
			return 0, e
		}
	}
}

// listSize is the room for one getdents64: 64 KiB hold about 2,000 names.
const listSize = 64 << 10

// readDir reads all names of the directory into l, in no order.
func readDir(fd int, buf []byte, l *listing) error {
	var tries retry.Tries
	for {
		n, _, e := unix.RawSyscall(unix.SYS_GETDENTS64, uintptr(fd), uintptr(unsafe.Pointer(unsafe.SliceData(buf))), uintptr(len(buf)))
		switch {
		case e != 0 && tries.Again(e):
			continue
		case e != 0:
			return e
		case n == 0:
			return nil
		}
		for b := buf[:n]; len(b) > 0; {
			// struct linux_dirent64: u64 ino, s64 off, u16 reclen, u8 type, name
			reclen := binary.NativeEndian.Uint16(b[16:])
			name := b[19:reclen]
			for i, c := range name {
				if c == 0 {
					name = name[:i]
					break
				}
			}
			l.add(name, fileType(b[18]), binary.NativeEndian.Uint64(b))
			b = b[reclen:]
		}
	}
}

// fileType translates the type in a directory entry.
func fileType(d byte) entryType {
	switch d {
	case unix.DT_REG:
		return typeFile
	case unix.DT_DIR:
		return typeDir
	case unix.DT_LNK:
		return typeLink
	case unix.DT_UNKNOWN:
		return typeUnknown
	}
	return typeSpecial
}
