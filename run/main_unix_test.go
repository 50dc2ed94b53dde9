//go:build unix

package run_test

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
)

// nobody is the user and group that owns nothing.
const nobody = 65534

// asUser replaces this process by a command, run by a user whom permissions
// bind: root reads everything.
func asUser() {
	if os.Geteuid() == 0 {
		must(syscall.Setgroups(nil))
		must(syscall.Setgid(nobody))
		must(syscall.Setuid(nobody))
	}
	path, err := exec.LookPath(os.Args[1])
	must(err)
	must(syscall.Exec(path, os.Args[1:], os.Environ()))
}

// must ends the process with a code that no program under test uses.
func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, os.Args[0]+":", err)
		os.Exit(99)
	}
}
