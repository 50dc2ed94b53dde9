// Command faults runs a program of ours again and again over a small tree, and each
// time has system calls of one kind fail: the first of each thread, then the second,
// and so on, each with every error that there may be. strace does that. Whatever
// fails, the program must end, and what it says must be true:
//
//   - exit code 1, nothing found, is a lie, since every file holds the word;
//   - exit code 0 promises all results;
//   - each file without a result is named as an error, or a directory above it is,
//     or ignore rules that hold for it;
//   - a call that was interrupted, or was to be made again, loses nothing;
//   - absence is not proven if a call on the tree has failed.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// A kind is a system call with the errors that it may end in.
type kind struct {
	call   string
	errors []string
}

var (
	onFiles = []string{"EIO", "EACCES", "EMFILE", "ENFILE", "ENOMEM", "ESTALE", "EINTR", "EAGAIN"}
	onData  = []string{"EIO", "ENOMEM", "ESTALE", "EINTR", "EAGAIN"}
)

// kinds are the calls that a run reads, looks and writes with. Memory and threads
// are asked for by Go's runtime, too, which ends the process in its own way.
var kinds = []kind{
	{"openat", onFiles},
	{"read", onData},
	{"pread64", onData},
	{"getdents64", onData},
	{"fstat", onData},
	{"newfstatat", onFiles},
	{"statx", onFiles},
	{"readlinkat", onFiles},
	{"fcntl", []string{"EACCES", "EAGAIN", "EINTR"}},
	{"close", []string{"EIO", "EINTR"}},
	{"mmap", []string{"ENOMEM", "EAGAIN", "ENODEV"}},
	{"write", []string{"EIO", "ENOSPC", "EINTR", "EAGAIN"}}, // a reader that is gone (EPIPE) has had enough
	{"clone3", []string{"EAGAIN", "ENOMEM"}},
}

// again are the errors after which a call is made again.
var again = []string{"EINTR", "EAGAIN"}

// A fault is what one run is given to bear.
type fault struct {
	call, error string
	when        int // the number of the call, in each thread
	mode        int // in modes
}

func (f fault) String() string {
	return fmt.Sprintf("%s:error=%s:when=%d %s", f.call, f.error, f.when, modes[f.mode].name)
}

// A mode is a kind of run.
type mode struct {
	name  string
	args  []string
	check func(*tree, *outcome) string
}

var modes = []mode{
	{"search", []string{"--json", "-j2", "needle"}, checkSearch},
	{"list", []string{"-l", "-j2", "needle"}, checkList},
	{"absent", []string{"--absent", "--explain-zero=never", "-j2", "nowhere to be found"}, checkAbsent},
}

// An outcome is what one run came to.
type outcome struct {
	fault
	stdout, stderr []byte
	code           int
	hits           []string // the calls that failed, as strace writes them
	onTree         bool     // one of them was about the tree
}

func main() {
	share := flag.Float64("share", 1, "the share of all faults that is tried, drawn by -seed")
	seed := flag.Uint64("seed", 1, "what the share is drawn by")
	depth := flag.Int("depth", 12, "how many calls of each thread are made to fail, one a run")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: faults [flags] PROGRAM")
		os.Exit(2)
	}
	t, err := newTree()
	if err != nil {
		fmt.Fprintln(os.Stderr, "faults:", err)
		os.Exit(2)
	}
	defer os.RemoveAll(t.dir)
	faults := drawn(*share, *seed, *depth)
	tried, hit, wrong := t.tryAll(flag.Arg(0), faults)
	fmt.Printf("%d runs; in %d of them a call failed, in %d one on the tree; survived all but %d\n",
		len(faults), hit, tried, wrong)
	if wrong > 0 || tried == 0 {
		os.Exit(1)
	}
}

// drawn returns the faults to try.
func drawn(share float64, seed uint64, depth int) []fault {
	r := rand.New(rand.NewPCG(seed, 0))
	var list []fault
	for _, k := range kinds {
		for _, e := range k.errors {
			for when := 1; when <= depth; when++ {
				for m := range modes {
					if r.Float64() < share {
						list = append(list, fault{k.call, e, when, m})
					}
				}
			}
		}
	}
	return list
}

// tryAll runs the program once for each fault, and reports those that it does not
// bear: in how many runs a call on the tree failed, in how many any, and how many
// ended wrongly.
func (t *tree) tryAll(program string, faults []fault) (onTree, hit, wrong int) {
	queue := make(chan fault)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range runtime.NumCPU() {
		wg.Go(func() {
			for f := range queue {
				o := t.run(program, f)
				said := verdict(t, o)
				mu.Lock()
				if len(o.hits) > 0 {
					hit++
				}
				if o.onTree {
					onTree++
				}
				if said != "" {
					wrong++
					fmt.Printf("%v: %s\n  exit code %d\n  failed: %s\n  %s\n", f, said, o.code,
						strings.Join(o.hits, "\n          "), bytes.ReplaceAll(bytes.TrimSpace(o.stderr), []byte("\n"), []byte("\n  ")))
				}
				mu.Unlock()
			}
		})
	}
	for _, f := range faults {
		queue <- f
	}
	close(queue)
	wg.Wait()
	return onTree, hit, wrong
}

// Exit codes of runs that have none.
const (
	signalled = -1 // as [os.ProcessState] has it
	endless   = -2
)

// patience is how long a run may take.
const patience = 30 * time.Second

// run lets the program search the tree with calls that fail.
func (t *tree) run(program string, f fault) *outcome {
	o := &outcome{fault: f}
	log, err := os.CreateTemp("", "faults-*.strace")
	if err != nil {
		panic(err)
	}
	defer os.Remove(log.Name())
	log.Close()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	args := []string{
		"-f", "-y", "-qq", "-o", log.Name(), "-e", "trace=" + f.call,
		"-e", fmt.Sprintf("inject=%s:error=%s:when=%d", f.call, f.error, f.when), program,
	}
	cmd := exec.CommandContext(ctx, "strace", append(append(args, modes[f.mode].args...), ".")...)
	cmd.Dir = t.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "XDG_CONFIG_HOME="+t.dir+"/none")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	var exited *exec.ExitError
	switch {
	case ctx.Err() != nil:
		o.code = endless
	case errors.As(err, &exited):
		o.code = exited.ExitCode()
	case err != nil:
		panic(err)
	}
	o.stdout, o.stderr = stdout.Bytes(), stderr.Bytes()
	calls, err := os.ReadFile(log.Name())
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(string(calls)) {
		if strings.Contains(line, "(INJECTED)") {
			o.hits = append(o.hits, strings.TrimSpace(line))
			o.onTree = o.onTree || t.about(line)
		}
	}
	return o
}

// about reports whether a call, as strace writes it, is about the tree: by a
// descriptor in it, or by a relative path.
func (t *tree) about(call string) bool {
	here := "AT_FDCWD<" + t.dir + ">, \""
	if at := strings.Index(call, here); at >= 0 {
		path := call[at+len(here):]
		return !strings.HasPrefix(path, "/") || strings.HasPrefix(path, t.dir)
	}
	return strings.Contains(call, t.dir)
}

// verdict says what is wrong with an outcome, "" for nothing.
func verdict(t *tree, o *outcome) string {
	// Our code did not begin; and if memory cannot be had, the loader ends by a signal.
	loader := o.code == 127 || bytes.Contains(o.stderr, []byte("error while loading shared libraries")) ||
		o.code == signalled && o.call == "mmap"
	switch {
	case loader:
		return ""
	case o.code == endless:
		return "it did not end"
	case o.code == signalled:
		return "it ended by a signal"
	case o.code > 2:
		return "an exit code of no meaning"
	case bytes.Contains(o.stderr, []byte("panic:")):
		return "a panic"
	case bytes.Contains(o.stderr, []byte("goroutine ")):
		if o.ofRuntime() {
			return "" // Go's runtime asked, and has its own words
		}
		return "a trace"
	case o.code == 2 && len(bytes.TrimSpace(o.stderr)) == 0 && o.call != "write":
		return "exit code 2 without a word"
	case o.code != modes[o.mode].right() && len(o.hits) > 0 && slices.Contains(again, o.error) && o.retried():
		return "what is to be done again was not"
	}
	return modes[o.mode].check(t, o)
}

// ofRuntime reports whether the call is one that Go's runtime makes for itself.
func (o *outcome) ofRuntime() bool { return o.call == "mmap" || o.call == "clone3" }

// retried reports whether the call is one to make again after [again]. A thread
// that cannot be had is none, nor is a lease that another program has (fcntl).
func (o *outcome) retried() bool { return !o.ofRuntime() && o.call != "fcntl" && o.onTree }

func (m *mode) right() int { return 0 }

// checkSearch looks at messages in JSON.
func checkSearch(t *tree, o *outcome) string {
	found, excused, whole := map[string]bool{}, []string{}, false
	for line := range bytes.Lines(o.stdout) {
		var m struct {
			Type string
			Data struct {
				Path  struct{ Text string }
				Tally struct {
					Errors   []struct{ Path string }
					Complete bool
				}
			}
		}
		if json.Unmarshal(line, &m) != nil {
			if o.code == 2 {
				continue // the output broke off, and that is said
			}
			return "a message that is no JSON"
		}
		switch m.Type {
		case "begin":
			found[m.Data.Path.Text] = true
		case "summary":
			whole = true
			for _, e := range m.Data.Tally.Errors {
				excused = append(excused, e.Path)
			}
		}
	}
	if o.code == 1 {
		return "a false zero"
	}
	if !whole {
		if o.code != 2 {
			return "no summary"
		}
		return ""
	}
	for _, file := range t.files {
		if !found[file] && !covered(file, excused) {
			return "lost without an error: " + file
		}
	}
	if o.code == 0 && len(found) != len(t.files) {
		return "exit code 0 without all results"
	}
	return ""
}

// covered reports whether an error speaks for a file: its own, a directory's above
// it, or that of rules, which may hold for anything.
func covered(file string, errors []string) bool {
	return slices.ContainsFunc(errors, func(e string) bool {
		e = filepath.Clean(e)
		name := filepath.Base(e)
		return e == "." || e == filepath.Clean(file) || strings.HasPrefix(filepath.Clean(file), e+"/") ||
			name == ".ignore" || name == ".gitignore" || !strings.HasPrefix(filepath.Clean(file), strings.Split(e, "/")[0]+"/") && filepath.IsAbs(e)
	})
}

// checkList looks at a list of paths.
func checkList(t *tree, o *outcome) string {
	lines := strings.Split(strings.TrimSuffix(string(o.stdout), "\n"), "\n")
	switch {
	case o.code == 1:
		return "a false zero"
	case o.code == 0 && !slices.Equal(lines, t.files):
		return "exit code 0 without all results"
	}
	return ""
}

// checkAbsent looks at a claim of absence. Closing a file, or asking how it lies in
// memory, may fail and leave what was read as it was.
func checkAbsent(_ *tree, o *outcome) string {
	decisive := slices.Contains([]string{"openat", "read", "pread64", "getdents64"}, o.call)
	switch {
	case o.code == 1:
		return "present, where it is not"
	case o.code == 0 && o.onTree && decisive && !slices.Contains(again, o.error):
		return "proven, though a call on the tree failed"
	}
	return ""
}
