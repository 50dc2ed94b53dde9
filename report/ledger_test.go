package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"tally/match"
	"tally/match/digest"
	"tally/walk"
	"tally/walk/opt"
)

// An account is a run in terms of its outcomes: files that match so many
// lines, and what else happened.
type account struct {
	cfg     func(*Config)
	files   []match.Outcome
	quit    bool
	skipped map[walk.Reason]int
	pruned  int // ignored directories
	errors  []walk.Error
	binary  int // that many files hold a NUL byte
	changed int // and that many more change
	final   Final
}

func (a account) run(t *testing.T) (line, stdout, stderr string, l *Ledger) {
	t.Helper()
	cfg := testConfig()
	cfg.Ledger.Name = "tally"
	if a.cfg != nil {
		a.cfg(&cfg)
	}
	var out, errs bytes.Buffer
	p := New(cfg, &out, &errs)
	w := p.Worker(func(part *Part) { p.Print(part) })
	for i, o := range a.files {
		path := fmt.Appendf(nil, "f%06d", i)
		if cfg.Mode == Paths {
			w.Path(path, false)
			continue
		}
		w.Begin(path)
		if cfg.Mode == Standard && !cfg.silent() {
			for n := range o.Lines {
				w.Matched(&match.Line{Bytes: []byte("x\n"), Number: n + 1})
			}
		}
		if i < a.binary {
			w.Binary()
		}
		w.End(o, 0, a.quit)
	}
	for range a.changed {
		w.Begin([]byte("moving"))
		w.Fail(walk.Error{Path: "moving", Op: walk.OpChange, Err: errors.New("changed")})
	}
	for reason, n := range a.skipped {
		for range n {
			w.Skip(reason, false)
		}
	}
	for range a.pruned {
		w.Skip(walk.Ignored, true)
	}
	for _, e := range a.errors {
		w.Fail(e)
	}
	if part := w.Take(); part != nil {
		p.Print(part)
	}
	l = p.Ledger(a.final)
	err := p.Finish(l)
	if err != nil {
		t.Fatal(err)
	}
	return l.Line(), out.String(), errs.String(), l
}

func asserted(c *Config) { c.Ledger.Absent = true }

// outcomes returns n files of which matched have so many lines each.
func outcomes(n, matched int, lines, bytes int64) []match.Outcome {
	files := make([]match.Outcome, n)
	for i := range files {
		files[i] = match.Outcome{BinaryOffset: -1, Bytes: bytes}
		if i < matched {
			files[i].Lines = lines
		}
	}
	return files
}

func denied(op walk.Op, path string) walk.Error {
	return walk.Error{Path: walk.Displayed(path), Op: op, Err: fs.ErrPermission}
}

func inMode(mode Mode) func(*Config) {
	return func(c *Config) { c.Mode = mode }
}

func paged(mode Mode, offset, limit int64) func(*Config) {
	return func(c *Config) { c.Mode, c.Offset, c.Limit = mode, offset, opt.Some(limit) }
}

func TestLedgerLine(t *testing.T) {
	late := outcomes(2, 1, 3, 1e6)
	late[0].BinaryOffset, late[0].Stopped = 70000, true
	for _, c := range []struct {
		name   string
		run    account
		line   string
		tally  int // exit codes under the two names
		rg     int
		absent int // with --absent
	}{
		{
			"a page of files",
			account{cfg: paged(FilesWithMatches, 0, 50), files: outcomes(1780, 869, 1, 14101)},
			"50 of 869 files shown (1-50); truncated by --limit; next: --offset 50", 0, 0, 1,
		},
		{
			"a page of counts",
			account{cfg: paged(Count, 0, 50), files: outcomes(1780, 869, 4, 14101)},
			"50 of 869 files shown (1-50), 3,476 lines in all; truncated by --limit; next: --offset 50", 0, 0, 1,
		},
		{
			"a page in the middle",
			account{cfg: paged(Standard, 100, 50), files: outcomes(90, 10, 100, 10)},
			"50 of 1,000 lines shown (101-150), 10 files in all; truncated by --limit, --offset; next: --offset 150", 0, 0, 1,
		},
		{
			"the last result alone",
			account{cfg: paged(Standard, 999, 50), files: outcomes(90, 10, 100, 10)},
			"1 of 1,000 lines shown (1,000), 10 files in all; truncated by --offset", 0, 0, 1,
		},
		{
			"past the end",
			account{cfg: paged(FilesWithMatches, 900, 50), files: outcomes(1780, 869, 1, 14101)},
			"0 at this offset, 869 files in all; truncated by --offset", 0, 0, 1,
		},
		{
			"all that there is",
			account{cfg: paged(Standard, 0, 50), files: outcomes(2, 1, 50, 500)},
			"50 lines in 1 of 2 files (1.0 kB)", 0, 0, 1,
		},
		{
			"absent",
			account{
				files:   outcomes(1780, 0, 0, 14101),
				skipped: map[walk.Reason]int{walk.Ignored: 34, walk.Hidden: 3, walk.Binary: 2},
			},
			"absent: 0 matches in all 1,780 files in scope (25.1 MB); out of scope: 34 ignored, 3 hidden, 2 binary", 1, 1, 0,
		},
		{
			"absent, with directories out of scope",
			account{files: outcomes(1, 0, 0, 1), pruned: 2, skipped: map[walk.Reason]int{walk.TooLarge: 1}},
			"absent: 0 matches in the 1 file in scope (1 byte); out of scope: 2 ignored (2 directories), 1 too large", 1, 1, 2,
		},
		{
			"absent, though only paths were asked for",
			account{cfg: inMode(FilesWithMatches), files: outcomes(3, 0, 0, 10)},
			"absent: 0 matches in all 3 files in scope (30 bytes)", 1, 1, 0,
		},
		{
			"standard input",
			account{cfg: func(c *Config) { c.Ledger.Stdin = true }, files: outcomes(1, 0, 0, 0)},
			"absent: 0 matches in standard input (0 bytes)", 1, 1, 0,
		},
		{
			"nothing in scope",
			account{skipped: map[walk.Reason]int{walk.Hidden: 1}},
			"nothing was searched: 0 files in scope; out of scope: 1 hidden", 1, 1, 2,
		},
		{
			"partial",
			account{files: outcomes(1778, 0, 0, 1), errors: []walk.Error{denied(walk.OpOpen, "a"), denied(walk.OpRead, "b")}},
			"PARTIAL: 2 of 1,780 files could not be read; this result is no proof of absence", 2, 2, 2,
		},
		{
			"partial, but found",
			account{files: outcomes(3, 1, 2, 10), errors: []walk.Error{denied(walk.OpList, "d"), denied(walk.OpStat, "x")}},
			"PARTIAL: 1 directory could not be listed, 1 path could not be examined; at least 2 lines in 1 file (30 bytes); this result is no proof of absence", 2, 2, 1,
		},
		{
			"partial by a file and a directory",
			account{files: outcomes(3, 0, 0, 10), errors: []walk.Error{denied(walk.OpList, "d"), denied(walk.OpOpen, "x")}},
			"PARTIAL: 1 file could not be read, 1 directory could not be listed; this result is no proof of absence", 2, 2, 2,
		},
		{
			"stopped by a match",
			account{cfg: func(c *Config) { c.Quiet = true }, files: outcomes(3, 1, 1, 10), final: Final{StoppedBy: Enough}},
			"present; the run stopped when that was known", 0, 0, 1,
		},
		{
			"out of time without a match",
			account{files: outcomes(3, 0, 0, 10), final: Final{StoppedBy: TimeLimit}},
			"PARTIAL: the run was ended by --time-limit after 3 files; this result is no proof of absence", 2, 2, 2,
		},
		{
			"out of time with a match",
			account{files: outcomes(3, 1, 1, 10), final: Final{StoppedBy: TimeLimit}},
			"PARTIAL: the run was ended by --time-limit after 3 files with matches in 1 so far; this result is no proof of absence", 0, 0, 1,
		},
		{
			"out of time, and cut",
			account{cfg: paged(Standard, 0, 2), files: outcomes(3, 2, 3, 10), final: Final{StoppedBy: TimeLimit}},
			"PARTIAL: the run was ended by --time-limit after 3 files with matches in 2 so far; truncated by --limit; this result is no proof of absence", 0, 0, 1,
		},
		{
			"out of time within a file, with a match",
			account{
				files: outcomes(3, 1, 1, 10), errors: []walk.Error{{Path: "x", Op: walk.OpRead, Err: match.ErrStopped}},
				final: Final{StoppedBy: TimeLimit},
			},
			"PARTIAL: the run was ended by --time-limit after 3 files with matches in 1 so far; this result is no proof of absence", 0, 0, 1,
		},
		{
			"out of time with a match, and a file that cannot be read",
			account{files: outcomes(3, 1, 1, 10), errors: []walk.Error{denied(walk.OpOpen, "x")}, final: Final{StoppedBy: TimeLimit}},
			"PARTIAL: the run was ended by --time-limit after 3 files with matches in 1 so far; this result is no proof of absence", 2, 2, 1,
		},
		{
			"binary files are out of scope",
			account{
				cfg: func(c *Config) { c.Mode, c.Ripgrep = Count, true }, quit: true,
				files: []match.Outcome{{BinaryOffset: 3, Stopped: true}, {BinaryOffset: 9000, Lines: 1, Stopped: true}, {BinaryOffset: -1}},
			},
			"absent: 0 matches in the 1 file in scope (0 bytes); out of scope: 2 binary", 1, 1, 0,
		},
		{
			"a binary file whose beginning matched",
			account{quit: true, files: late},
			"1 of 2 files (2.0 MB)", 0, 0, 1,
		},
		{
			"asserted",
			account{cfg: asserted, files: outcomes(3, 0, 0, 10), binary: 1, skipped: map[walk.Reason]int{walk.Symlink: 1}},
			"absent: 0 matches in all 3 files in scope (30 bytes), 1 of them binary and searched to the end; out of scope: 1 symlink", 1, 1, 0,
		},
		{
			"asserted, but there",
			account{cfg: asserted, files: outcomes(3, 1, 2, 10)},
			"present: 2 lines in 1 of 3 files (30 bytes)", 0, 0, 1,
		},
		{
			"asserted with a limit of size",
			account{cfg: asserted, files: outcomes(3, 0, 0, 10), skipped: map[walk.Reason]int{walk.TooLarge: 2}},
			"PARTIAL: 2 files are larger than --max-filesize and not searched; this result is no proof of absence", 1, 1, 2,
		},
		{
			"asserted of nothing",
			account{cfg: asserted, skipped: map[walk.Reason]int{walk.Glob: 1}},
			"nothing was searched: 0 files in scope; out of scope: 1 glob; this result is no proof of absence", 1, 1, 2,
		},
		{
			"asserted of what moves",
			account{cfg: asserted, files: outcomes(3, 0, 0, 10), changed: 1},
			"PARTIAL: 1 file changed during the run; this result is no proof of absence", 2, 2, 2,
		},
		{
			"paths",
			account{cfg: paged(Paths, 0, 2), files: outcomes(3, 0, 0, 0)},
			"2 of 3 files shown (1-2); truncated by --limit; next: --offset 2", 0, 0, 1,
		},
		{
			"files without a match",
			account{cfg: inMode(FilesWithoutMatch), files: outcomes(3, 1, 1, 0)},
			"2 of 3 files without a match", 0, 0, 1,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			line, _, _, l := c.run.run(t)
			if line != c.line {
				t.Errorf("line\n got %s\nwant %s", line, c.line)
			}
			codes := []int{l.ExitCode(Rules{}), l.ExitCode(Rules{RG: true}), l.ExitCode(Rules{Absent: true})}
			if want := []int{c.tally, c.rg, c.absent}; fmt.Sprint(codes) != fmt.Sprint(want) {
				t.Errorf("exit codes %v, want %v", codes, want)
			}
			if !json.Valid(l.AppendJSON(nil)) {
				t.Errorf("no JSON: %s", l.AppendJSON(nil))
			}
			again, err := ReadLedgers(bytes.NewReader(l.AppendJSON(nil)))
			if err != nil {
				t.Fatal(err)
			}
			if code := again[0].ExitCode(Rules{}); code != c.tally {
				t.Errorf("read again, exit code %d, want %d", code, c.tally)
			}
		})
	}
}

// The line is printed where it was asked for, and unasked only if there is
// something to say.
func TestLedgerLineIsDue(t *testing.T) {
	found, absent := outcomes(2, 1, 1, 1), outcomes(2, 0, 0, 1)
	for _, c := range []struct {
		name           string
		files          []match.Outcome
		errors         []walk.Error
		cfg            func(*Config)
		stdout, stderr bool
	}{
		{name: "found", files: found},
		{name: "absent", files: absent, stderr: true},
		{name: "partial", files: found, errors: []walk.Error{denied(walk.OpOpen, "x")}, stderr: true},
		{name: "truncated", files: found, cfg: func(c *Config) { c.Limit = opt.Some[int64](0) }, stderr: true},
		{name: "terminal", files: found, cfg: func(c *Config) { c.Ledger.Terminal = true }, stderr: true},
		{name: "always", files: found, cfg: func(c *Config) { c.Ledger.Mode = LedgerAlways }, stderr: true},
		{name: "never", files: absent, cfg: func(c *Config) { c.Ledger.Mode = LedgerNever }},
		{name: "stdout", files: found, cfg: func(c *Config) { c.Ledger.Mode = LedgerStdout }, stdout: true},
		{name: "count only", files: absent, cfg: func(c *Config) { c.CountOnly = true }, stdout: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, stdout, stderr, _ := account{files: c.files, errors: c.errors, cfg: c.cfg}.run(t)
			if got := strings.Contains(stdout, "tally: "); got != c.stdout {
				t.Errorf("standard output: %q", stdout)
			}
			if got := stderr != ""; got != c.stderr {
				t.Errorf("standard error: %q", stderr)
			}
		})
	}
}

// What was not established is null, never a lower bound.
func TestUnknownNumbers(t *testing.T) {
	known := outcomes(3, 2, 5, 10)
	for i := range known {
		known[i].MatchesKnown, known[i].Matches = true, 2*known[i].Lines
	}
	stopped := outcomes(3, 2, 5, 10)
	stopped[1].Stopped = true
	capped := outcomes(3, 2, 5, 10)
	capped[0].Cut = true
	for _, c := range []struct {
		name                    string
		run                     account
		matched, lines, matches string
		by                      string
	}{
		{"everything", account{files: known}, "2", "10", "20", ""},
		{"no spans", account{files: outcomes(3, 2, 5, 10)}, "2", "10", "unknown", ""},
		{"no match", account{files: outcomes(3, 0, 0, 10)}, "0", "0", "0", ""},
		{"stopped", account{files: stopped}, "2", "unknown", "unknown", ""},
		{"-m, counted on", account{files: capped}, "2", "10", "unknown", "[max_count]"},
		{"-l", account{cfg: inMode(FilesWithMatches), files: known}, "2", "unknown", "unknown", ""},
		{"-l, nothing", account{cfg: inMode(FilesWithMatches), files: outcomes(3, 0, 0, 10)}, "0", "0", "0", ""},
		{"--files-without-match", account{cfg: inMode(FilesWithoutMatch), files: known}, "2", "unknown", "unknown", ""},
		{"--files", account{cfg: inMode(Paths), files: known}, "unknown", "unknown", "unknown", ""},
		{"-q", account{cfg: func(c *Config) { c.Quiet = true }, files: known, final: Final{StoppedBy: Enough}}, "at least 2", "unknown", "unknown", ""},
	} {
		_, _, _, l := c.run.run(t)
		if got := fmt.Sprint(l.Matched, l.Lines, l.Matches); got != fmt.Sprint(c.matched, " ", c.lines, " ", c.matches) {
			t.Errorf("%s: %s, want %s %s %s", c.name, got, c.matched, c.lines, c.matches)
		}
		if got := fmt.Sprint(l.TruncatedBy); got != c.by && c.by+got != "[]" {
			t.Errorf("%s: truncated by %s, want %s", c.name, got, c.by)
		}
	}
}

func TestLedgerJSON(t *testing.T) {
	_, stdout, _, _ := account{
		cfg: func(c *Config) {
			c.Mode, c.Limit, c.Ledger.JSON = JSON, opt.Some[int64](1), true
		},
		files:   outcomes(2, 0, 0, 10),
		skipped: map[walk.Reason]int{walk.Hidden: 2},
		errors:  []walk.Error{{Path: "d\"/\xff", Op: walk.OpOpen, Err: errors.New("permission denied")}},
		final:   Final{Elapsed: 1500 * time.Millisecond, Nested: []walk.Displayed{"d/a", "d/\"b"}},
	}.run(t)
	want := `{"data":{"elapsed_total":{"human":"1.500000s","nanos":500000000,"secs":1},` +
		`"stats":{"bytes_printed":0,"bytes_searched":20,"elapsed":{"human":"0.000000s","nanos":0,"secs":0},` +
		`"matched_lines":0,"matches":0,"searches":2,"searches_with_match":0},"tally":{"version":1,` +
		`"query":null,"roots":[],"found":false,"absent":null,"files":{"in_scope":3,"searched":2,"matched":null,"binary":null,"compressed":null},"lines":null,"matches":null,` +
		`"shown":{"files":0,"lines":0,"matches":0},"truncated":false,"truncated_by":[],"next":null,` +
		`"complete":false,"stopped_by":null,"patterns":null,"verdict":null,"unsure":null,"meaning":null,"explain":null,"repeated":0,"guessed_utf16":0,"errors":[{"path":"d\"/` + "\uFFFD" + `","operation":"open","reason":"permission denied"}],` +
		`"skipped":{"ignored":0,"hidden":2,"type":0,"glob":0,"too_large":0,"symlink":0,"other_filesystem":0,` +
		`"special":0,"binary":0,"max_depth":0,"output":0,"too_old":0,"too_new":0,"nested":0},` +
		`"skipped_directories":{"ignored":0,"hidden":0,"type":0,"glob":0,"too_large":0,"symlink":0,` +
		`"other_filesystem":0,"special":0,"binary":0,"max_depth":0,"output":0,"too_old":0,"too_new":0,"nested":0},` +
		`"nested_repositories":{"count":2,"paths":["d/a","d/\"b"]},"result_digest":null,"bytes_searched":20,` +
		`"elapsed":{"secs":1,"nanos":500000000,"human":"1.500000s"}}},"type":"summary"}` + "\n"
	if stdout != want {
		t.Errorf("got  %s\nwant %s", stdout, want)
	}
}

// The digest changes when any result does.
func TestDigestIsOfTheResults(t *testing.T) {
	sum := func(change func([]match.Outcome)) string {
		files := outcomes(4, 3, 2, 10)
		for i := range files[:3] {
			files[i].Digest = digest.Lines{uint64(i) + 7, 9}
		}
		change(files)
		_, _, _, l := account{cfg: func(c *Config) { c.Ledger.Digest = true }, files: files}.run(t)
		return l.ResultDigest
	}
	seen := map[string]string{}
	for name, change := range map[string]func([]match.Outcome){
		"as it was":           func([]match.Outcome) {},
		"another lower half":  func(f []match.Outcome) { f[1].Digest[0]++ },
		"another upper half":  func(f []match.Outcome) { f[1].Digest[1]++ },
		"one line more":       func(f []match.Outcome) { f[1].Lines++ },
		"one file less":       func(f []match.Outcome) { f[1].Lines = 0 },
		"lines changed hands": func(f []match.Outcome) { f[0].Digest, f[1].Digest = f[1].Digest, f[0].Digest },
	} {
		d := sum(change)
		if other, found := seen[d]; found {
			t.Errorf("%s: the same digest as %s", name, other)
		}
		seen[d] = name
	}
	if a, b := sum(func(f []match.Outcome) { f[3].Bytes = 99 }), sum(func([]match.Outcome) {}); a != b {
		t.Error("the digest depends on more than the results")
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bytes", 1: "1 byte", 999: "999 bytes", 1000: "1.0 kB", 999_949: "999.9 kB",
		1_000_000: "1.0 MB", 25_099_780: "25.1 MB", 1_234_567_890: "1,234.6 MB",
	} {
		if got := size(n); got != want {
			t.Errorf("%d bytes: %s, want %s", n, got, want)
		}
	}
}
