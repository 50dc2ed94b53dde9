package llama

import "syscall"

// attributes put the child into a process group of its own, so that it does not
// get the terminal's Ctrl-C before we do, and let the system end it with us.
func attributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
