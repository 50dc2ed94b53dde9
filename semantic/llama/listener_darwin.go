package llama

import "golang.org/x/sys/unix"

// peer returns the process at the other end of a socket: the one that listened.
func peer(fd int) (int, error) {
	return unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
}
