package walk

import "golang.org/x/sys/unix"

// hasWriter reports whether a file is open for writing, or mapped for writing with
// its descriptor closed. The kernel then grants no lease for reading. It grants
// leases only to a file's owner and with CAP_LEASE; other files are taken to have no
// writer.
func hasWriter(fd int) bool {
	_, err := unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_RDLCK)
	if err == nil {
		// At once: whoever opens the file for writing waits for its end.
		unix.FcntlInt(uintptr(fd), unix.F_SETLEASE, unix.F_UNLCK)
	}
	return err == unix.EAGAIN
}
