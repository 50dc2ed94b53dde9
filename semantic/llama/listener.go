//go:build unix

package llama

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"syscall"
	"time"
)

var (
	errNobody  = errors.New("nobody listens")
	errUnknown = errors.New("the system does not say who listens")
)

// endListener kills the process that listens on a socket, and reports whether
// nobody does now.
func endListener(socket string) bool {
	for range 100 {
		pid, err := listener(socket)
		if err != nil {
			return errors.Is(err, errNobody)
		}
		// The handle stays with the process if its number goes to another, so
		// it is enough that the listener still has that number.
		process, err := os.FindProcess(pid)
		if err != nil {
			return false
		}
		if again, _ := listener(socket); again == pid {
			process.Kill()
		}
		process.Release()
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

// listener returns the process that listens on a socket. It is ours: nobody else
// can get to what is in a directory of mode 0700, and a server of ours is the
// only one that is told of it.
func listener(socket string) (int, error) {
	conn, err := net.DialTimeout("unix", socket, time.Second)
	switch {
	case errors.Is(err, syscall.ECONNREFUSED), errors.Is(err, fs.ErrNotExist):
		return 0, errNobody
	case err != nil:
		return 0, err
	}
	defer conn.Close()
	raw, err := conn.(*net.UnixConn).SyscallConn()
	if err != nil {
		return 0, err
	}
	pid := 0
	if controlErr := raw.Control(func(fd uintptr) { pid, err = peer(int(fd)) }); controlErr != nil {
		return 0, controlErr
	}
	if err == nil && pid <= 1 { // one outside our own process name space
		err = errUnknown
	}
	return pid, err
}
