package llama

import "golang.org/x/sys/unix"

// peer returns the process at the other end of a socket: the one that listened.
func peer(fd int) (int, error) {
	cred, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, err
	}
	return int(cred.Pid), nil
}
