package run_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// callerFiles is a tree such as these programs search. Each of its lines that
// holds the word may be a hit; who sees it is for wanted to say.
var callerFiles = map[string]string{
	".git/HEAD":              "ref: refs/heads/main\n",
	".gitignore":             "/build/\n*.log\n",
	"README.md":              "# Needles\n\nA needle, and <b>another</b> \"needle\" & more.\n",
	"src/main.go":            "package main\n\nfunc needle() {}\n\n// Needle does nothing.\n\n\n\nvar x = needle\n",
	"src/näme with space.go": "\t// naïve NEEDLE – dash\n",
	"src/crlf.txt":           "one\r\nneedle\r\nthree needle\r\n",
	"notes/10:30 a.md":       "at 10:30: needle\n",
	"notes/last.md":          "no\nneedle",
	"notes/none.md":          "nothing here\n",
	"notes/long.md":          "needle " + strings.Repeat("long ", 600) + "\n",
	".config/hidden.md":      "hidden needle\n",
	"build/out.md":           "ignored needle\n",
	"debug.log":              "ignored needle\n",
}

// A hit is what a caller makes of one result; line is 0 where it asked for
// paths alone.
type hit struct {
	path string
	line int
}

// A caller is a program that runs rg and reads what it prints.
type caller struct {
	name string
	// args are its own, word for word; PATTERN and DIR stand for what the
	// user asks for and for the tree.
	args []string
	// parse does with standard output what the caller does with it.
	parse func(out []byte) ([]hit, error)
	// hidden and caseless say what its flags let in, only the end of the
	// paths that it looks at.
	hidden, caseless bool
	only             string
	// newest: it wants the files that changed last first.
	newest bool
	// atMost is how many hits of one file it wants; 0 for any number.
	atMost int
	paths  bool // hits are files
}

var callers = []caller{
	{
		name:  "codex",
		args:  []string{"--files-with-matches", "--sortr=modified", "--regexp", "PATTERN", "--no-messages", "--", "DIR"},
		parse: pathPerLine, newest: true, paths: true,
	},
	{
		name:  "opencode",
		args:  []string{"--no-config", "--json", "--hidden", "--no-messages", "--glob=!**/.git/**", "--", "PATTERN", "."},
		parse: jsonMatches(textOnly), hidden: true,
	},
	{
		name:  "gemini-cli",
		args:  []string{"--json", "--regexp", "PATTERN", "--threads", "4", "DIR"},
		parse: jsonMatches(textOnly),
	},
	{
		name:  "qwen-code",
		args:  []string{"--json", "--regexp", "PATTERN", "--threads", "4", "DIR"},
		parse: jsonByPrefix,
	},
	{
		name:  "vscode",
		args:  []string{"--hidden", "--no-require-git", "--ignore-case", "--crlf", "--engine", "auto", "--regexp", "PATTERN", "--no-config", "--json", "--", "."},
		parse: jsonMatches(textOrBytes), hidden: true, caseless: true,
	},
	{
		name: "consult",
		args: []string{
			"--null", "--line-buffered", "--color=never", "--max-columns=1000", "--path-separator", "/", "--smart-case",
			"--no-heading", "--with-filename", "--line-number", "--search-zip", "-e", "PATTERN", "DIR",
		},
		parse: perLine(`^([^\x00]+)\x00([0-9]+):(.*)$`), caseless: true,
	},
	{
		name:     "deadgrep",
		args:     []string{"--color=ansi", "--line-number", "--no-heading", "--no-config", "--with-filename", "--fixed-strings", "--smart-case", "--", "PATTERN", "."},
		parse:    perLine(`^\x1b\[0m\x1b\[35m(.+?)\x1b\[0m:\x1b\[0m\x1b\[32m([0-9]+)\x1b\[0m:(.*\x1b\[0m\x1b\[1m\x1b\[31m.*)$`),
		caseless: true,
	},
	{
		name:  "telescope",
		args:  []string{"--color=never", "--no-heading", "--with-filename", "--line-number", "--column", "--smart-case", "--", "PATTERN", "."},
		parse: perLine(`^(.+?):([0-9]+):([0-9]+):(.*)$`), caseless: true,
	},
	{
		name: "snacks",
		args: []string{
			"--color=never", "--no-heading", "--with-filename", "--line-number", "--column", "--smart-case", "--max-columns=500",
			"--max-columns-preview", "-g", "!.git", "--replace", "\x01${0}\x01", "-0", "--", "PATTERN", "DIR",
		},
		parse: perLine(`^([^\x00]+)\x00([0-9]+):([0-9]+):([^\x01]*\x01[^\x01]+\x01.*)$`), caseless: true,
	},
	{
		name:  "obsidian.nvim",
		args:  []string{"--no-config", "--type=md", "--json", "--sortr=modified", "-m=1", "PATTERN", "DIR"},
		parse: jsonMatches(textOnly), only: ".md", newest: true, atMost: 1,
	},
	{
		name: "hermes",
		args: []string{
			"--line-number", "--no-heading", "--with-filename", "--max-columns", "2000", "--max-columns-preview", "PATTERN", "DIR",
		},
		parse: perLine(`^(.+?):([0-9]+):(.*)$`),
	},
}

// pathPerLine reads paths.
func pathPerLine(out []byte) (hits []hit, err error) {
	for line := range bytes.Lines(out) {
		hits = append(hits, hit{path: strings.TrimSuffix(string(line), "\n")})
	}
	return hits, nil
}

// perLine reads lines by an expression whose first two groups are a path and a
// line number.
func perLine(expression string) func([]byte) ([]hit, error) {
	re := regexp.MustCompile(expression)
	return func(out []byte) (hits []hit, err error) {
		for line := range bytes.Lines(out) {
			line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
			m := re.FindSubmatch(line)
			if m == nil {
				return nil, fmt.Errorf("line %q cannot be read", line)
			}
			n, _ := strconv.Atoi(string(m[2]))
			hits = append(hits, hit{string(m[1]), n})
		}
		return hits, nil
	}
}

// data is text, or base64 of what is none.
type data struct {
	Text  *string `json:"text"`
	Bytes *string `json:"bytes"`
}

// textOnly is for callers who know no other form.
func textOnly(d data) (string, error) {
	if d.Text == nil {
		return "", errors.New("no text")
	}
	return *d.Text, nil
}

func textOrBytes(d data) (string, error) {
	if d.Bytes == nil {
		return textOnly(d)
	}
	b, err := base64.StdEncoding.DecodeString(*d.Bytes)
	return string(b), err
}

// jsonMatches reads all messages strictly, and takes the hits from matches.
func jsonMatches(read func(data) (string, error)) func([]byte) ([]hit, error) {
	return func(out []byte) (hits []hit, err error) {
		seen := map[string]int{}
		for line := range bytes.Lines(out) {
			var m struct {
				Type string
				Data struct {
					Path       data
					Lines      data
					Line       *int `json:"line_number"`
					Offset     *int `json:"absolute_offset"`
					Submatches []struct {
						Match      data
						Start, End int
					}
					Stats *struct {
						Lines *int `json:"matched_lines"`
					}
				}
			}
			if err := json.Unmarshal(line, &m); err != nil {
				return nil, fmt.Errorf("line %q: %w", line, err)
			}
			seen[m.Type]++
			d := m.Data
			switch m.Type {
			case "match":
				path, err1 := read(d.Path)
				text, err2 := read(d.Lines)
				if err := errors.Join(err1, err2); err != nil || d.Line == nil || d.Offset == nil {
					return nil, fmt.Errorf("%s: fields are missing: %w", line, err)
				}
				for _, s := range d.Submatches {
					if match, err := read(s.Match); err != nil || text[s.Start:s.End] != match {
						return nil, fmt.Errorf("%s: the submatch is not where it says", line)
					}
				}
				hits = append(hits, hit{path, *d.Line})
			case "summary":
				if d.Stats == nil || d.Stats.Lines == nil || *d.Stats.Lines != len(hits) {
					return nil, fmt.Errorf("%s: there were %d hits", line, len(hits))
				}
			}
		}
		if seen["summary"] != 1 || seen["begin"] != seen["end"] {
			return nil, fmt.Errorf("messages: %v", seen)
		}
		return hits, nil
	}
}

// jsonByPrefix keeps the lines that begin as a match does, and trusts them.
func jsonByPrefix(out []byte) ([]hit, error) {
	var kept []byte
	matches := 0
	for line := range bytes.Lines(out) {
		if bytes.HasPrefix(line, []byte(`{"type":"match"`)) {
			kept = append(kept, line...)
			matches++
		}
	}
	end := fmt.Sprintf(`{"type":"summary","data":{"stats":{"matched_lines":%d}}}`, matches)
	return jsonMatches(textOnly)(append(kept, end...))
}

// wanted is what a caller must find in callerFiles, by a scan that knows
// nothing but the tree.
func (c *caller) wanted(word string) (hits []hit) {
	if c.caseless {
		word = strings.ToLower(word)
	}
	for name, text := range callerFiles {
		switch {
		case strings.HasPrefix(name, ".git/"), strings.HasPrefix(name, "build/"), strings.HasSuffix(name, ".log"),
			name[0] == '.' && !c.hidden, !strings.HasSuffix(name, c.only):
			continue
		}
		found := 0
		for i, line := range strings.Split(text, "\n") {
			if c.caseless {
				line = strings.ToLower(line)
			}
			if !strings.Contains(line, word) || c.atMost > 0 && found == c.atMost {
				continue
			}
			if found++; c.paths {
				hits = append(hits, hit{path: name})
				break
			}
			hits = append(hits, hit{name, i + 1})
		}
	}
	return hits
}

// writeCallerFiles writes the tree. In the order of their names, the files
// have changed one after the other.
func writeCallerFiles(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	names := make([]string, 0, len(callerFiles))
	for name := range callerFiles {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		path := filepath.Join(dir, name)
		changed := time.Unix(1_700_000_000+int64(i*7%len(names)), 0)
		err := errors.Join(
			os.MkdirAll(filepath.Dir(path), 0o777),
			os.WriteFile(path, []byte(callerFiles[name]), 0o666),
			os.Chtimes(path, changed, changed))
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// An ending is what a caller sees of a run.
type ending struct {
	stdout, stderr string
	exit           int
}

var times = regexp.MustCompile(`"elapsed(_total)?":\{[^}]*\}`)

// call runs a program with a caller's arguments and, before them, more. Its
// standard input is the null device.
func call(t *testing.T, program, dir, word string, args []string, more ...string) ending {
	t.Helper()
	for _, a := range args {
		more = append(more, strings.NewReplacer("PATTERN", word, "DIR", dir).Replace(a))
	}
	var out, errOut bytes.Buffer
	cmd := exec.Command(program, more...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errOut
	err := cmd.Run()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		t.Fatal(err)
	}
	return ending{times.ReplaceAllString(out.String(), `"elapsed$1":{}`), errOut.String(), cmd.ProcessState.ExitCode()}
}

// realRipgrep is the program to compare with; without it the test has failed
// where it must not be missing, and else looks at tally alone.
func realRipgrep(t *testing.T) string {
	path := os.Getenv("TALLY_TEST_RG")
	if path == "" && (os.Getenv("CI") == "true" || os.Getenv("TALLY_TEST_REQUIRE") == "1") {
		t.Fatal("TALLY_TEST_RG does not say where the real ripgrep is")
	}
	return path
}

// TestCallers runs the command lines of programs that call rg, reads the
// answers as they do, and holds them against the tree and against the real
// ripgrep, byte for byte.
func TestCallers(t *testing.T) {
	ours, err := exec.LookPath("rg")
	if err != nil {
		t.Fatal(err)
	}
	real := realRipgrep(t)
	dir := writeCallerFiles(t)
	for _, c := range callers {
		for _, word := range []string{"needle", "Needle", "another", "zzz"} {
			t.Run(c.name+"/"+word, func(t *testing.T) {
				c := c
				c.caseless = c.caseless && (c.name == "vscode" || word == strings.ToLower(word))
				got := call(t, ours, dir, word, c.args)
				hits, err := c.parse([]byte(got.stdout))
				if err != nil {
					t.Fatal(err)
				}
				for i := range hits {
					hits[i].path = strings.TrimPrefix(strings.TrimPrefix(hits[i].path, dir+"/"), "./")
				}
				want := c.wanted(word)
				slices.SortFunc(want, compareHits)
				sorted := slices.SortedFunc(slices.Values(hits), compareHits)
				if !slices.Equal(sorted, want) {
					t.Errorf("hits\n%v, want\n%v", sorted, want)
				}
				if exit := map[bool]int{true: 0, false: 1}[len(want) > 0]; got.exit != exit || got.stderr != "" {
					t.Errorf("exit code %d, want %d; standard error %q, want nothing", got.exit, exit, got.stderr)
				}
				if real == "" {
					return
				}
				// Where the caller asks for no order, ours is the path's.
				order := []string{"--sort=path"}
				if c.newest {
					order = nil
				}
				if judge := call(t, real, dir, word, c.args, order...); got != judge {
					t.Errorf("tally: %+v\nrg:    %+v", got, judge)
				}
			})
		}
	}
}

func compareHits(a, b hit) int {
	if d := strings.Compare(a.path, b.path); d != 0 {
		return d
	}
	return a.line - b.line
}
