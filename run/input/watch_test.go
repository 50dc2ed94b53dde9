package input

import (
	"errors"
	"io"
	"os"
	"testing"
	"time"

	"tally/run/world"
	"tally/walk"
	"tally/walk/ignore"
)

type noPart struct{}

func (noPart) Size() int { return 0 }

// visitFiles is a visitor of files alone.
type visitFiles func(*walk.File)

func (v visitFiles) File(f *walk.File) { v(f) }
func (v visitFiles) Skip(*walk.Skip)   {}
func (v visitFiles) Fail(walk.Error)   {}
func (v visitFiles) Done()             {}

// A file that is not the same before and after it was read was not read.
func TestWitness(t *testing.T) {
	const name = "file"
	for _, c := range []struct {
		change string
		do     func() error
		want   error
	}{
		{"nothing", func() error { return nil }, nil},
		{"is read", func() error { _, err := os.ReadFile(name); return err }, nil},
		{"grows", func() error {
			f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
			if err == nil {
				_, err = f.WriteString("more")
				f.Close()
			}
			return err
		}, walk.ErrChanged},
		{"shrinks", func() error { return os.Truncate(name, 1) }, walk.ErrChanged},
		{"is written over", func() error { return os.WriteFile(name, []byte("other text"), 0o666) }, walk.ErrChanged},
		{"is written over and has its time set back", func() error {
			info, err := os.Stat(name)
			return errors.Join(err, os.WriteFile(name, []byte("other text"), 0o666), os.Chtimes(name, time.Time{}, info.ModTime()))
		}, walk.ErrChanged},
	} {
		t.Run(c.change, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			if err := os.WriteFile(name, []byte("first text"), 0o666); err != nil {
				t.Fatal(err)
			}
			// File systems keep time in ticks of a few milliseconds.
			time.Sleep(20 * time.Millisecond)
			sources, _ := ignore.New(ignore.Config{Cwd: dir})
			seen := 0
			u := walk.New(walk.Config{Roots: []string{"."}, Cwd: dir, Ignore: sources}, func(error) {})
			in := New(Config{Watch: true}, &world.World{}, nil, nil)
			for range walk.Map(u, func(func(noPart)) walk.Visitor {
				return visitFiles(func(f *walk.File) {
					seen++
					src, failure := in.Door().Open(f, []byte(name))
					if failure != nil {
						t.Error(failure.Err)
						return
					}
					defer src.Close()
					r, err := src.Reader()
					if err != nil {
						t.Error(err)
					}
					if _, err := io.ReadAll(r); err != nil {
						t.Error(err)
					}
					if err := c.do(); err != nil {
						t.Error(err)
					}
					changed := src.Changed()
					if (changed == nil) != (c.want == nil) || changed != nil && (changed.Err != c.want || changed.Op != walk.OpChange) {
						t.Errorf("error %v, want %v", changed, c.want)
					}
					// That a file cannot be looked at is no change.
					src.watched.stamp = func() (walk.Stamp, error) { return walk.Stamp{}, io.ErrUnexpectedEOF }
					if failed := src.Changed(); failed == nil || failed.Op != walk.OpStat {
						t.Errorf("unlooked at: %v", failed)
					}
				})
			}) {
			}
			if seen != 1 {
				t.Errorf("%d files", seen)
			}
		})
	}
}
