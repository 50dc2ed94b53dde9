//go:build unix && !linux

package world

import "golang.org/x/sys/unix"

const ioctlGetTermios = unix.TIOCGETA
