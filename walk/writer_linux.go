package walk

import "golang.org/x/sys/unix"

// hasWriter reports whether a file is open for writing, a mapping included whose
// descriptor was closed. The kernel knows: it grants no lease for reading then.
// Whose file it is not, is not told, and there it is supposed that it has none.
func hasWriter(fd int) bool {
	_, err := unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_RDLCK)
	if err == nil {
		// At once: whoever opens the file for writing waits for its end.
		unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_UNLCK)
	}
	return err == unix.EAGAIN
}
