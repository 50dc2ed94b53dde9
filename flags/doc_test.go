package flags

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var build = BuildInfo{Version: "9.8.7", Revision: "abc", PCRE2: "10.45", PCRE2JIT: true}

func generated(p Program, kind GenerateKind) string {
	return Generated(&Args{Program: p, Generate: kind}, build)
}

func TestVersion(t *testing.T) {
	tally, rg := &Args{Program: Tally}, &Args{Program: Ripgrep}
	if got := Version(tally, false, build); got != "tally 9.8.7 (rev abc)\n" {
		t.Errorf("%q", got)
	}
	if got := Version(rg, false, BuildInfo{Version: "1"}); got != "ripgrep 15.2.0\ntally 1\n" {
		t.Errorf("%q", got)
	}
	want := "ripgrep 15.2.0\ntally 9.8.7 (rev abc)\n\nfeatures:+pcre2\n\nPCRE2 10.45 is available (JIT is available)\n"
	if got := Version(rg, true, build); got != want {
		t.Errorf("%q", got)
	}
	if text, available := PCRE2(rg, BuildInfo{}); available || text != "PCRE2 is not available in this build of ripgrep.\n" {
		t.Errorf("%q", text)
	}
}

func TestVersionAgainstRipgrep(t *testing.T) {
	stdout, _, _ := ripgrep(t, t.TempDir(), "-V")
	if got := Version(&Args{Program: Ripgrep}, false, build); !strings.HasPrefix(got, stdout) {
		t.Errorf("%q does not begin with %q", got, stdout)
	}
	stdout, _, exit := ripgrep(t, t.TempDir(), "--pcre2-version")
	form := regexp.MustCompile(`^PCRE2 [0-9.]+ is available \(JIT is available\)\n$`)
	if got, available := PCRE2(&Args{}, build); !available || exit != 0 || !form.MatchString(got) || !form.MatchString(stdout) {
		t.Errorf("%q, ripgrep prints %q", got, stdout)
	}
}

func TestHelp(t *testing.T) {
	for _, p := range []Program{Tally, Ripgrep} {
		for _, long := range []bool{false, true} {
			text := Help(&Args{Program: p}, long, build)
			for i := range rows {
				if p == Tally && !long {
					continue // see TestScreen
				}
				if !strings.Contains(text, "--"+rows[i].long) || !long && !strings.Contains(text, rows[i].brief) {
					t.Errorf("%s, long %v: --%s is missing", p, long, rows[i].long)
				}
			}
			for line := range strings.SplitSeq(text, "\n") {
				if utf8.RuneCountInString(line) > 80 || strings.HasSuffix(line, " ") {
					t.Errorf("%s, long %v: badly set: %q", p, long, line)
				}
			}
			if strings.Contains(text, "PROGRAM") || !strings.Contains(text, "\n  "+p.String()+" [") && !long {
				t.Errorf("%s, long %v: it is not about %s", p, long, p)
			}
		}
	}
}

// The short help fits on one screen, and names flags that there are.
func TestScreen(t *testing.T) {
	text := Help(&Args{Program: Tally}, false, build)
	if n := strings.Count(text, "\n"); n > 50 {
		t.Errorf("%d lines", n)
	}
	for _, group := range onScreen {
		for _, name := range group.flags {
			if spellings[name].row == nil {
				t.Errorf("there is no --%s", name)
			}
		}
	}
	limit, glob := strings.Index(text, "--limit"), strings.Index(text, "--glob")
	if limit < 0 || glob < limit {
		t.Error("what other searches lack does not come first")
	}
}

// Every spelling can be found in the long help, the manual and every
// completion.
func TestEverySpellingIsDocumented(t *testing.T) {
	page := strings.NewReplacer(`\-`, "-", `\fB`, "", `\fP`, "").Replace(generated(Tally, GenerateMan))
	texts := map[string]string{
		"help":       Help(&Args{}, true, build),
		"man":        page,
		"bash":       generated(Tally, GenerateBash),
		"zsh":        generated(Tally, GenerateZsh),
		"powershell": generated(Tally, GeneratePowerShell),
	}
	for where, text := range texts {
		for _, s := range spellings {
			whole := regexp.MustCompile(regexp.QuoteMeta(s.String()) + `([^-0-9a-z]|$)`)
			if !whole.MatchString(text) {
				t.Errorf("%s: no %s", where, s)
			}
		}
	}
	fish := generated(Tally, GenerateFish)
	for _, s := range spellings {
		option := " -l " + s.name
		if s.short {
			option = " -s " + s.name
		}
		if !strings.Contains(fish, option+" ") {
			t.Errorf("fish: no%s", option)
		}
	}
}

// Lines of the manual that begin with a dot are the macros that are meant, and
// no other backslash sequence than those below occurs.
func TestManPage(t *testing.T) {
	macros := regexp.MustCompile(`^\.(TH|SH|SS|TP|PP|IP|RS|RE|EX|EE|br|nh|ad)( |$)`)
	sequences := strings.NewReplacer(`\-`, "", `\fB`, "", `\fI`, "", `\fP`, "", `\e`, "", `\(aq`, "", `\(bu`, "", `\&`, "", "\\`", "")
	page := generated(Ripgrep, GenerateMan)
	for line := range strings.SplitSeq(strings.TrimSuffix(page, "\n"), "\n") {
		if line == "" || line[0] == '.' && !macros.MatchString(line) || line[0] == '\'' || strings.Contains(sequences.Replace(line), `\`) {
			t.Errorf("%q", line)
		}
	}
	if strings.Count(page, ".EX\n") != strings.Count(page, ".EE\n") || strings.Count(page, ".RS") != strings.Count(page, ".RE") {
		t.Error("examples or indentations are not closed")
	}
	if !strings.HasPrefix(page, ".TH RG 1 ") {
		t.Errorf("it begins with %q", page[:20])
	}
}

// bashWords is what bash calls the words of a command line: "=" stands alone.
var bashWords = []struct{ words, want string }{
	{"tally --follo", "--follow"},
	{"tally --no-foll", "--no-follow"},
	{"tally pattern --color ''", "never auto always ansi"},
	{"tally --color = a", "auto always ansi"},
	{"tally --color =", "never auto always ansi"},
	{"tally -t c", "c cpp"},
	{"tally --type = p", "py"},
	{"tally --explain-zero a", ""},
	{"tally --explain-zero = a", "auto always"},
	{"tally -A ''", ""},
	{"tally -- --follo", ""},
	{"tally x ''", ""},
	{"tally --maxd", "--maxdepth"},
}

func TestBashCompletion(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		bash = tool(t, "TALLY_TEST_BASH")
	}
	dir := t.TempDir()
	script := generated(Tally, GenerateBash) + `
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
_tally
echo "${COMPREPLY[*]}"
`
	program := "#!/bin/sh\nprintf '%s\\n' 'c: *.c' 'cpp: *.cpp' 'py: *.py'\n"
	for name, text := range map[string]string{"complete.bash": script, "tally": program} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range bashWords {
		cmd := exec.Command(bash, append([]string{filepath.Join(dir, "complete.bash")}, line(test.words)...)...)
		cmd.Env = []string{"PATH=" + dir + ":/usr/bin:/bin"}
		out, err := cmd.CombinedOutput()
		if got := strings.TrimSpace(string(out)); err != nil || got != test.want {
			t.Errorf("%s: %q, want %q (%v)", test.words, got, test.want, err)
		}
	}
}

// The overview for newcomers leaves out no flag of ours.
func TestReadmeNamesOurFlags(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(readme), "\n## Flags of its own\n")
	table, _, _ = strings.Cut(table, "\n## ")
	for _, r := range ourRows {
		if !regexp.MustCompile("`--" + r.long + "[`= \\[]").MatchString(table) {
			t.Errorf("the table in README.md lacks --%s", r.long)
		}
	}
}
