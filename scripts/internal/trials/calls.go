package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

func pause() { time.Sleep(time.Millisecond) }

// The calls that change something, or that reach another process or machine.
const watched = "trace=openat,open,creat,mkdir,mkdirat,unlink,unlinkat,rename,renameat,renameat2,link,linkat,symlink,symlinkat," +
	"chmod,fchmod,fchmodat,truncate,ftruncate,mknod,mknodat,chown,fchown,fchownat,setxattr,socket,connect,bind,execve,kill"

var (
	call      = regexp.MustCompile(`^\d+ +(\w+)\((.*)`)
	quoted    = regexp.MustCompile(`"((?:[^"\\]|\\.)*)"`)
	directory = regexp.MustCompile(`^(?:AT_FDCWD|\d+)<([^>]*)>`)
	writing   = regexp.MustCompile(`O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_APPEND`)
)

// model describes whatever model the environment names.
const model = "--meaning-model=name=trial,floor=0.1"

// calls runs commands of every kind and looks at what they do to the rest of the system:
// nothing is written outside of the directories of the cache and of the run, nothing is
// connected to but a Unix socket, no program is started but what the command line names.
func calls(t *trials) error {
	if _, err := exec.LookPath("strace"); err != nil {
		return fmt.Errorf("%w; it is needed to see what calls are made", err)
	}
	notes := filepath.Join(t.dir, "notes")
	if err := os.Mkdir(notes, 0o777); err != nil {
		return err
	}
	for name, text := range map[string]string{"a.md": "# Slugs\n\nthey ate the lettuce\n", "b.txt": "plain text\n", ".gitignore": "*.log\n", "c.log": "log\n"} {
		if err := os.WriteFile(filepath.Join(notes, name), []byte(text), 0o666); err != nil {
			return err
		}
	}
	allowed := []string{filepath.Join(t.dir, "cache", "tally"), filepath.Join(t.dir, "run", "tally-")}
	env := append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(t.dir, "cache"), "XDG_RUNTIME_DIR="+filepath.Join(t.dir, "run"))
	if err := os.Mkdir(filepath.Join(t.dir, "run"), 0o700); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"slug"},
		{"--json", "lettuce"},
		{"--absent", "--audit", "snail"},
		{"snail"},
		{"--regex", "-P", `l(?=ettuce)`},
		{"--files"},
		{"--why", "c.log"},
		{"--skipped"},
		{"--rank", "what eats lettuce"},
		{"--fuzzy", "letuce"},
		{"-z", "lettuce"},
		{"--sort=modified", "-l", "t"},
		{"--changed-within=1d", "lettuce"},
		{"--meaning", model, "what eats salad"},
		{"--rank", "--meaning", model, "what eats salad"},
		{"--cache=show"},
		{"--cache=clear"},
		{"--generate=man"},
		{"--help"},
		{"--mcp", "."},
	} {
		log := filepath.Join(t.dir, "log")
		strace := []string{"-f", "-qq", "-y", "-s", "4096", "-o", log, "-e", watched, t.program}
		program := t.program
		t.program = "strace"
		_, err := t.outcomeOf(append(strace, args...), func(cmd *exec.Cmd) { cmd.Dir, cmd.Env = notes, env })
		t.program = program
		if err != nil {
			return err
		}
		if err := t.readCalls(log, args, allowed); err != nil {
			return err
		}
	}
	return t.modes(allowed[0])
}

// readCalls looks through a log for what must not be.
func (t *trials) readCalls(log string, args, allowed []string) error {
	f, err := os.Open(log)
	if err != nil {
		return err
	}
	defer f.Close()
	server := os.Getenv("TALLY_LLAMA_SERVER")
	scanner := bufio.NewScanner(f)
	scanner.Buffer(nil, 1<<20)
	seen := 0
	for ; scanner.Scan(); seen++ {
		m := call.FindStringSubmatch(scanner.Text())
		if m == nil {
			continue // a signal, an end, or a call that goes on
		}
		name, rest := m[1], m[2]
		path := pathOf(rest)
		fine := false
		switch name {
		case "socket":
			fine = strings.HasPrefix(rest, "AF_UNIX")
		case "connect", "bind":
			fine = strings.Contains(rest, "AF_UNIX")
		case "execve":
			fine = path == t.program || path == filepath.Join(filepath.Dir(t.program), "tally-mcp") || server != "" && path == server
		case "open", "openat":
			fine = !writing.MatchString(rest) || inside(path, allowed) || strings.HasPrefix(path, "/dev/") || strings.HasPrefix(path, "/proc/self/")
		case "kill":
			fine = true // of what it has started
		case "fchmod", "ftruncate", "fchown":
			fine = true // of a file whose opening was looked at
		default:
			fine = inside(path, allowed) || inside(path+"/", allowed) || name == "mkdirat" && strings.HasPrefix(allowed[0], path)
		}
		if !fine {
			t.untrue("%q: %s", args, scanner.Text())
		}
	}
	if seen == 0 {
		t.untrue("%q: no call was seen", args)
	}
	return scanner.Err()
}

// pathOf returns the first path among a call's arguments, behind that of the directory it
// is relative to.
func pathOf(arguments string) string {
	q := quoted.FindStringSubmatch(arguments)
	if q == nil {
		return ""
	}
	if in := directory.FindStringSubmatch(arguments); in != nil && !strings.HasPrefix(q[1], "/") {
		return in[1] + "/" + q[1]
	}
	return q[1]
}

func inside(path string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(path, p) {
			return true
		}
	}
	return false
}

// modes are for nobody else to read.
func (t *trials) modes(dir string) error {
	return filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil // nothing was kept
		}
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.untrue("%s has mode %o", path, info.Mode().Perm())
		}
		return nil
	})
}
