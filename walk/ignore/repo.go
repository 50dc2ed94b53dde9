package ignore

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"syscall"
)

// excludePath returns the name of info/exclude for a directory that holds
// .git: below .git itself, or where a worktree or submodule says that its
// repository is. It is empty if .git is neither, and, with an error, if .git
// cannot be read. git takes a relative place from the directory, ripgrep from the
// working directory cwd; the latter counts where the former leads nowhere.
func excludePath(in Directory, cwd string) (string, error) {
	const inside = ".git/info/exclude"
	unread := func(name string, err error) error {
		return &ReadError{Source: join(in.Path(), name), Err: cause(err), Common: true}
	}
	data, err := in.ReadFile(".git")
	switch {
	case errors.Is(err, syscall.EISDIR):
		return inside, nil
	case err != nil && !absent(err):
		return "", unread(".git", err)
	}
	gitDir, ok := strings.CutPrefix(firstLine(data), "gitdir: ")
	if err != nil || !ok {
		return "", nil
	}
	data, err = in.ReadFile(filepath.Join(gitDir, "commondir"))
	if absent(err) && !filepath.IsAbs(gitDir) {
		if fromCwd, e := in.ReadFile(filepath.Join(cwd, gitDir, "commondir")); e == nil {
			gitDir, data, err = filepath.Join(cwd, gitDir), fromCwd, nil
		}
	}
	switch {
	case err != nil && !absent(err):
		return "", unread(filepath.Join(gitDir, "commondir"), err)
	case err == nil:
		common := firstLine(data)
		if !filepath.IsAbs(common) {
			common = filepath.Join(gitDir, common)
		}
		gitDir = common
	}
	return filepath.Join(gitDir, "info/exclude"), nil
}

func firstLine(data []byte) string {
	line, _, _ := bytes.Cut(data, []byte("\n"))
	return string(bytes.TrimSuffix(line, []byte("\r")))
}

// join prefixes a name with its directory as displayed.
func join(dir, name string) string {
	if filepath.IsAbs(name) || dir == "" && name[0] != '/' {
		return name
	}
	return dir + "/" + name
}
