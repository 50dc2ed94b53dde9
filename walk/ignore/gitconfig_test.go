package ignore

import (
	"errors"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestConfigValue reads core.excludesFile as git config does.
func TestConfigValue(t *testing.T) {
	needGit(t)
	for _, text := range []string{
		"", "[core]", "[core]\n", "[core]\nexcludesfile = a", "[CORE]\n\tExcludesFile=a\n", "[core] excludesFile = a b  c \t \n",
		"[core]\nexcludesFile = \"a b \"\n", "[core]\nexcludesFile = \"a\"b\" c\" ; d\n", "[core]\nexcludesFile = a#b\n", "[core]\nexcludesFile = \"a#b;c\"#d\n",
		"[core]\nexcludesFile = a\\\nb\n", "[core]\nexcludesFile = a \\\n  b\n", "[core]\nexcludesFile = a\\tb\\\\c\\\"d\n", "[core]\r\nexcludesFile = a\r\n",
		"[core \"x\"]\nexcludesFile = a\n", "[core]\nx = y\n[other]\nexcludesFile = a\n[core]\nexcludesFile = b\nexcludesFile = c\n", "[core]\nexcludesFile =\n",
		"# x\n; y [core]\n[core] ; z\n# excludesFile = a\n  excludesFile   =   b\n", "\xef\xbb\xbf[core]\nexcludesFile = a\n", "[alias]\nx = \"!f() { [core] }\"\n[core]\nexcludesFile = é\n",
		"[core]\nexcludesFile = \"\"\n", "[core]\nexcludesFile = a \"b\" c\n", "[core]\nexcludesFile = \"a\\\nb\"\n", "[a.b]x=1\n[core]excludesFile=~/x\n",
	} {
		file := filepath.Join(t.TempDir(), "config")
		writeFile(t, file, text)
		var r configReader
		r.read(file, 0)
		got, set := r.value.Get()
		out, err := exec.Command("git", "config", "--file", file, "--null", "--get", "core.excludesfile").Output()
		var exit *exec.ExitError
		if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
			t.Errorf("%q: git config: %v", text, err)
			continue
		}
		want, wantSet := "", err == nil
		if wantSet {
			want = string(out[:len(out)-1])
		}
		if got != want || set != wantSet {
			t.Errorf("%q: %q, %v; git says %q, %v", text, got, set, want, wantSet)
		}
	}
}
