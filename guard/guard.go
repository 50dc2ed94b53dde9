// Package guard says what becomes of the process when it cannot go on: where
// memory, threads or files run out under Go's runtime, or where the program has a
// fault. A trace helps nobody who only wanted to search, so that one sentence and
// exit code 2 take its place. With GOTRACEBACK set in the environment everything
// is as Go has it. On other systems than Linux it always is.
//
// It works like this. Before Go's runtime starts, a constructor puts a file in
// memory into the place of standard error, where the runtime writes its last
// words, and a handler for SIGABRT. The runtime is told to end by that signal. The
// handler finds the reason in the last words and says it on the real standard
// error, which the program itself uses. Where limits are so narrow that the runtime
// may give up before it can be told anything, the constructor starts the program
// anew, once, with the setting in the environment.
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
