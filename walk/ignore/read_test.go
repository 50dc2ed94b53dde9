package ignore

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A faultyDirectory is one of whose files each has its own error.
type faultyDirectory map[string]error

func (d faultyDirectory) Path() string { return "top" }

func (d faultyDirectory) ReadFile(name string) ([]byte, error) {
	if err, there := d[name]; there {
		return []byte("*\n"), err
	}
	return nil, fs.ErrNotExist
}

func TestUnread(t *testing.T) {
	const all = HasGitignore | HasIgnore | HasRgignore | HasGit
	git := func(err error) faultyDirectory {
		return faultyDirectory{".gitignore": nil, ".ignore": nil, ".rgignore": nil, ".git": err}
	}
	with := func(d faultyDirectory, name string, err error) faultyDirectory {
		d[name] = err
		return d
	}
	for _, c := range []struct {
		name string
		has  Found
		in   faultyDirectory
		want string
	}{
		{"all is well", all, git(syscall.EISDIR), ""},
		{"a failing disk", all, with(git(syscall.EISDIR), ".gitignore", syscall.EIO), "top/.gitignore: input/output error"},
		{"and another file", HasIgnore, faultyDirectory{".ignore": syscall.EIO}, "top/.ignore: input/output error"},
		{"listed and gone", HasRgignore, faultyDirectory{}, "top/.rgignore: " + errNowhere.Error()},
		{"a directory", HasIgnore, faultyDirectory{".ignore": syscall.EISDIR}, ""},
		{"excludes", HasGit, with(faultyDirectory{".git": syscall.EISDIR}, ".git/info/exclude", syscall.EACCES), "top/.git/info/exclude: permission denied"},
		{"no excludes", HasGit, faultyDirectory{".git": syscall.EISDIR}, ""},
		{"where the repository is", HasGit, faultyDirectory{".git": syscall.EIO}, "top/.git: input/output error"},
		{"not in a repository", HasGitignore, faultyDirectory{".gitignore": syscall.EIO}, ""},
	} {
		s, errs := New(Config{Dot: true, VCS: true, Exclude: true, RequireGit: true, Cwd: t.TempDir()})
		if len(errs)+len(s.Unread()) > 0 {
			t.Fatal(errs, s.Unread())
		}
		_, errs = s.top().Child("top", c.has, c.in)
		var got []string
		for _, err := range errs {
			e, ok := errors.AsType[*ReadError](err)
			if !ok {
				t.Fatalf("%s: %T", c.name, err)
			}
			got = append(got, e.Source+": "+e.Error())
		}
		if strings.Join(got, "; ") != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestUnreadEverywhere(t *testing.T) {
	top := t.TempDir()
	loop := filepath.Join(top, "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(top, "include"), "[include]\npath = "+loop+"\n[core]\nexcludesFile = "+loop+"\n")
	for _, c := range []struct {
		global string
		files  []string
		want   string
	}{
		{"/dev/null", nil, ""},
		{filepath.Join(top, "none"), nil, ""},
		{"/dev/zero", nil, "/dev/zero"},
		{loop, nil, loop},
		{filepath.Join(top, "include"), nil, loop + " " + loop},
		{"/dev/null", []string{"include", "none", "loop"}, "none loop"},
	} {
		env := map[string]string{"GIT_CONFIG_GLOBAL": c.global, "GIT_CONFIG_SYSTEM": "/dev/null"}
		s, _ := New(Config{
			VCS: true, Global: true, Cwd: top, Files: c.files,
			LookupEnv: func(name string) (string, bool) { v, ok := env[name]; return v, ok },
		})
		var got []string
		for _, e := range s.Unread() {
			got = append(got, e.Source)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s, %q: %q, want %q", c.global, c.files, got, c.want)
		}
	}
}
