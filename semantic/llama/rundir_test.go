//go:build unix

package llama

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// An ownerProcess is another tally, as far as this package can tell.
type ownerProcess struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// own starts a process that has a server.
func (b *bench) own(what string) *ownerProcess {
	b.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), ownerDo+"="+what, "TALLY_TEST_OWNER_PROGRAM="+b.cfg.Program, "TALLY_TEST_OWNER_MODEL="+b.cfg.Model)
	cmd.WaitDelay = time.Second
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { cmd.Process.Kill() })
	o := &ownerProcess{b.T, cmd, in, bufio.NewReader(out)}
	o.expect("ready")
	return o
}

func (o *ownerProcess) expect(want string) {
	o.t.Helper()
	if line, err := o.out.ReadString('\n'); strings.TrimSpace(line) != want {
		o.t.Fatalf("the owner said %q, %v; want %q", line, err, want)
	}
}

// dirs are the runtime directories that there are.
func (b *bench) dirs() []string {
	all, err := filepath.Glob(b.run + "/" + prefix() + "*")
	if err != nil {
		b.Fatal(err)
	}
	return all
}

// TestKilledOwner kills an owner: its server ends with it where the system can
// do that, and what is left is swept when the next server is started.
func TestKilledOwner(t *testing.T) {
	b := newBench(t, fakeOptions{})
	o := b.own("live")
	o.cmd.Process.Kill()
	o.cmd.Wait()
	if runtime.GOOS == "linux" {
		eventually(t, "the server's end", func() bool { return !alive(b.starts()[0].PID) })
	}
	if len(b.dirs()) != 1 {
		t.Fatalf("left: %v", b.dirs())
	}
	embed(t, b.server(), "a")
	if len(b.dirs()) != 1 { // the new one
		t.Errorf("left: %v", b.dirs())
	}
}

// orphan kills an owner whose server survives it, here because the program is a
// script that starts the server.
func orphan(b *bench) {
	server := b.cfg.Program
	b.cfg.Program = filepath.Join(b.TempDir(), "script")
	if err := os.WriteFile(b.cfg.Program, []byte("#!/bin/sh\n'"+server+"' \"$@\"\nexit $?\n"), 0o755); err != nil {
		b.Fatal(err)
	}
	o := b.own("live")
	left, err := listener(filepath.Join(b.dirs()[0], socketName))
	if err != nil {
		b.Fatal(err)
	}
	o.cmd.Process.Kill()
	o.cmd.Wait()
	if !alive(left) {
		b.Fatal("the server did not survive; there is nothing to test")
	}
	s := b.server()
	embed(b.T, s, "a")
	eventually(b.T, "the orphan's end", func() bool { return !alive(left) })
	if len(b.dirs()) != 1 {
		b.Errorf("left: %v", b.dirs())
	}
	// And in good order it ends with its script.
	ours, err := listener(s.child.dir.socket())
	if err != nil {
		b.Fatal(err)
	}
	if err := s.Close(); err != nil {
		b.Error(err)
	}
	eventually(b.T, "the server's end", func() bool { return !alive(ours) })
}

// TestLivingOwner: what belongs to another process that lives stays.
func TestLivingOwner(t *testing.T) {
	b := newBench(t, fakeOptions{})
	o := b.own("live")
	for range 3 {
		s := b.server()
		embed(t, s, "a")
		if len(b.dirs()) != 2 {
			t.Fatalf("directories: %v", b.dirs())
		}
		s.Close()
		if _, err := io.WriteString(o.in, "x"); err != nil {
			t.Fatal(err)
		}
		o.expect("answered")
	}
	o.in.Close()
	if err := o.cmd.Wait(); err != nil {
		t.Error(err)
	}
	if n := len(b.starts()); n != 4 {
		t.Errorf("%d starts", n)
	}
}

func TestPanic(t *testing.T) {
	b := newBench(t, fakeOptions{})
	o := b.own("panic")
	var exit *exec.ExitError
	if err := o.cmd.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 2 {
		t.Error(err)
	}
}

// TestSweep: only a directory that is ours, and whose owner is gone, is swept.
func TestSweep(t *testing.T) {
	base := t.TempDir()
	longAgo := time.Now().Add(-time.Hour)
	tests := []struct {
		name string
		mode fs.FileMode
		lock bool
		held bool
		age  bool
		gone bool
	}{
		{name: prefix() + "dead", mode: 0o700, lock: true, gone: true},
		{name: prefix() + "living", mode: 0o700, lock: true, held: true, age: true},
		{name: prefix() + "newborn", mode: 0o700},
		{name: prefix() + "stillborn", mode: 0o700, age: true, gone: true},
		{name: prefix() + "open", mode: 0o755, lock: true, age: true},
		{name: "x" + prefix(), mode: 0o700, lock: true, age: true},
		{name: prefix()[:len(prefix())-1], mode: 0o700, lock: true, age: true},
	}
	for _, test := range tests {
		dir := filepath.Join(base, test.name)
		if err := errors.Join(os.Mkdir(dir, test.mode), os.Chmod(dir, test.mode)); err != nil {
			t.Fatal(err)
		}
		if test.lock {
			lock, err := own(dir, os.O_CREATE)
			if err != nil {
				t.Fatal(err)
			}
			defer lock.Close()
			if !test.held {
				lock.Close()
			}
		}
		if test.age {
			os.Chtimes(dir, longAgo, longAgo)
		}
	}
	// A link and a file of such a name are not what we make.
	elsewhere := t.TempDir()
	lock, err := own(elsewhere, os.O_CREATE)
	if err != nil {
		t.Fatal(err)
	}
	lock.Close()
	file := filepath.Join(base, prefix()+"file")
	if err := errors.Join(os.Symlink(elsewhere, filepath.Join(base, prefix()+"link")), os.WriteFile(file, nil, 0o700)); err != nil {
		t.Fatal(err)
	}
	sweep(base)
	for _, test := range tests {
		if _, err := os.Lstat(filepath.Join(base, test.name)); (err == nil) == test.gone {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	for _, path := range []string{file, filepath.Join(base, prefix()+"link"), filepath.Join(elsewhere, lockName)} {
		if _, err := os.Lstat(path); err != nil {
			t.Error(err)
		}
	}
	sweep(filepath.Join(base, "nowhere"))
}

// TestMakeAndSweepAtOnce: a directory that is in use is never swept, however the
// two meet.
func TestMakeAndSweepAtOnce(t *testing.T) {
	base := t.TempDir()
	stop := make(chan struct{})
	swept := make(chan struct{})
	go func() {
		defer close(swept)
		for {
			select {
			case <-stop:
				return
			default:
				sweep(base)
			}
		}
	}()
	for range 500 {
		d, err := makeRunDir(base)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(d.socket(), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := own(d.path, 0); err != errOwned {
			t.Fatal(err)
		}
		if err := d.remove(); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	<-swept
}

func TestBases(t *testing.T) {
	private, long := t.TempDir(), filepath.Join(t.TempDir(), strings.Repeat("x", maxSocket))
	public, sticky, file := filepath.Join(private, "public"), filepath.Join(private, "sticky"), filepath.Join(private, "file")
	err := errors.Join(
		os.Mkdir(long, 0o700), os.Mkdir(public, 0o700), os.Chmod(public, 0o777),
		os.Mkdir(sticky, 0o700), os.Chmod(sticky, 0o777|fs.ModeSticky), os.WriteFile(file, nil, 0o600),
	)
	if err != nil {
		t.Fatal(err)
	}
	bad := map[string]string{
		filepath.Join(private, "none"): "no such file", public: "others may write", file: "not a directory", long: "too long",
	}
	var all []string
	for base, want := range bad {
		all = append(all, base)
		if _, err := newRunDir([]string{base}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "XDG_RUNTIME_DIR") {
			t.Errorf("%s: %v", base, err)
		}
	}
	d, err := newRunDir(append(all, sticky, private))
	if err != nil || !strings.HasPrefix(d.path, sticky) {
		t.Fatalf("%v, %v", d, err)
	}
	if err := d.remove(); err != nil {
		t.Error(err)
	}
	if os.Getuid() == 0 {
		if err := os.Chown(private, 65534, -1); err != nil {
			t.Fatal(err)
		}
		if err := trustworthy(private); err == nil || !strings.Contains(err.Error(), "another user") {
			t.Error(err)
		}
		if err := os.Chown(private, 0, -1); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("XDG_RUNTIME_DIR", "relative")
	t.Setenv("TMPDIR", "/tmp")
	if got := bases(os.Getenv); len(got) != 1 || got[0] != "/tmp" {
		t.Errorf("bases %q", got)
	}
}
