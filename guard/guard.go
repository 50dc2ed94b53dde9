// Package guard says what becomes of a process that was given narrow limits
// (ulimit -v, -d, -u, -n, GOMEMLIMIT) when memory, threads or files run out under
// Go's runtime. A trace helps nobody who only wanted to search, so that one
// sentence and exit code 2 take its place. Without such limits it does nothing.
// With GOTRACEBACK set in the environment, and on other systems than Linux,
// everything is as Go has it.
//
// It works like this. Before Go's runtime starts, a constructor starts the program
// anew, once, with a setting that has the runtime end by SIGABRT. In that process
// it puts a file in memory into the place of standard error, where the runtime
// writes its last words, and a handler for the signal. The handler finds the reason
// in the last words and says it on the real standard error, which the program
// itself uses.
package guard

// #include "guard.h"
import "C"

import (
	"os"
	"runtime/debug"
	"strings"
	"syscall"
)

func init() {
	if C.tally_guard_stderr() >= 0 {
		debug.SetTraceback("crash")
	}
}

// Stderr is what messages go to.
func Stderr() *os.File {
	if fd := C.tally_guard_stderr(); fd >= 0 {
		return os.NewFile(uintptr(fd), "/dev/stderr")
	}
	return os.Stderr
}

// mark is set in a process that was started anew, together with GOTRACEBACK.
const mark = "TALLY_GUARDED="

// Environ is the environment that the process was given.
func Environ() []string {
	env := os.Environ()
	kept := make([]string, 0, len(env))
	anew := false
	for _, v := range env {
		if strings.HasPrefix(v, mark) {
			anew = true
			continue
		}
		kept = append(kept, v)
	}
	if !anew {
		return env
	}
	env = kept[:0]
	for _, v := range kept {
		if !strings.HasPrefix(v, "GOTRACEBACK=") {
			env = append(env, v)
		}
	}
	return env
}

// Default gives a signal back its effect in a process that knows of no handlers,
// also where Go would print a trace.
func Default(sig syscall.Signal) { C.tally_guard_default(C.int(sig)) }
