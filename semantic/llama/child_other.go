//go:build unix && !linux

package llama

import "syscall"

// attributes put the child into a process group of its own, so that it does not
// get the terminal's Ctrl-C before we do. If we are killed it stays, until the
// next run sweeps it.
func attributes() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }
