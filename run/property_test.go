package run_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// This file holds the ledger against the truth: it draws trees and command
// lines, works out by the plainest means what each should say, and compares
// every field. TALLY_TEST_DRAWS sets the number of draws.

const defaultDraws = 200

// A drawnFile is a file of a drawn tree.
type drawnFile struct {
	path    string
	content string
	link    bool
	old     bool // last changed in 2001
}

// A drawnQuery is a command line.
type drawnQuery struct {
	patterns                       []string
	insensitive, word, invert      bool
	hidden, noIgnore, text, absent bool
	countOnly, missing, late       bool
	exclude                        bool // -g '!*.x'
	recent                         bool // --changed-within, since 2020
	maxSize, maxCount              int  // -1 for none
	limit, offset                  int  // -1, 0 for none
	threads                        int
}

var words = []string{"ab", "Ab", "abc", "b", "word", "Word", "-", "é", "x y"}

func drawTree(r *rand.Rand) []drawnFile {
	names := []string{"a", "b.x", "c.log", ".h", "out", "d"}
	seen := map[string]bool{}
	var files []drawnFile
	for range 1 + r.IntN(12) {
		path := names[r.IntN(len(names))]
		for range r.IntN(3) {
			path = names[r.IntN(len(names))] + "d/" + path
		}
		if seen[path] {
			continue
		}
		seen[path] = true
		f := drawnFile{path: path, link: r.IntN(12) == 0, old: r.IntN(3) == 0}
		for range r.IntN(8) {
			for range r.IntN(4) {
				f.content += words[r.IntN(len(words))] + []string{" ", "", "\t"}[r.IntN(3)]
			}
			f.content += "\n"
		}
		if r.IntN(10) == 0 {
			// What stands before a NUL byte is searched as far as the first
			// match, as ripgrep does it.
			f.content = "\x00 ab\nword\n" + f.content
		}
		f.content = strings.TrimSuffix(f.content, []string{"", "\n"}[r.IntN(2)])
		files = append(files, f)
	}
	files = append(files, drawnFile{path: ".ignore", content: "*.log\noutd/\n"})
	slices.SortFunc(files, func(a, b drawnFile) int {
		return slices.Compare(strings.Split(a.path, "/"), strings.Split(b.path, "/"))
	})
	return files
}

func drawQuery(r *rand.Rand) drawnQuery {
	one := func(n int) bool { return r.IntN(n) == 0 }
	q := drawnQuery{
		insensitive: one(4), word: one(5), invert: one(8), hidden: one(4), noIgnore: one(4), text: one(8), absent: one(4),
		countOnly: one(8), missing: one(20), late: one(40), exclude: one(5), recent: one(5),
		maxSize: -1, maxCount: -1, limit: -1, threads: 1 + r.IntN(4),
	}
	pool := append([]string{"abcd", "WORD", "zz", "b a"}, words...)
	for range 1 + r.IntN(2) {
		if p := pool[r.IntN(len(pool))]; !slices.Contains(q.patterns, p) {
			q.patterns = append(q.patterns, p)
		}
	}
	if one(6) {
		q.maxSize = r.IntN(60)
	}
	if one(5) {
		q.maxCount = 1 + r.IntN(3)
	}
	if one(3) {
		q.limit = r.IntN(6)
	}
	if one(3) {
		q.offset = r.IntN(8)
	}
	return q
}

func (q *drawnQuery) args() []string {
	args := []string{"--json", "-j", strconv.Itoa(q.threads)}
	for _, p := range q.patterns {
		args = append(args, "-e", p)
	}
	for _, f := range []struct {
		on   bool
		flag string
	}{
		{q.insensitive, "-i"},
		{q.word, "-w"},
		{q.invert, "-v"},
		{q.hidden, "--hidden"},
		{q.noIgnore, "--no-ignore"},
		{q.text, "-a"},
		{q.absent, "--absent"},
		{q.countOnly, "--count-only"},
		{q.late, "--time-limit=1ns"},
		{q.exclude, "-g=!*.x"},
		{q.recent, "--changed-within=2020-01-01"},
		{q.maxSize >= 0, fmt.Sprintf("--max-filesize=%d", q.maxSize)},
		{q.maxCount >= 0, fmt.Sprintf("-m%d", q.maxCount)},
		{q.limit >= 0, fmt.Sprintf("--limit=%d", q.limit)},
		{q.offset > 0, fmt.Sprintf("--offset=%d", q.offset)},
	} {
		if f.on {
			args = append(args, f.flag)
		}
	}
	args = append(args, ".")
	if q.missing {
		args = append(args, "missing")
	}
	return args
}

// scope decides about a file. out is why it is out of scope, at what was left
// out: the file or a directory above it.
func (q *drawnQuery) scope(f *drawnFile) (out, at string) {
	parts := strings.Split(f.path, "/")
	for i, name := range parts {
		at = strings.Join(parts[:i+1], "/")
		switch dir := i < len(parts)-1; {
		case q.exclude && strings.HasSuffix(name, ".x"):
			return "glob", at
		case !q.noIgnore && (strings.HasSuffix(name, ".log") || dir && name == "outd"):
			return "ignored", at
		case !q.hidden && name[0] == '.':
			return "hidden", at
		}
	}
	switch {
	case f.link:
		return "symlink", at
	case q.maxSize >= 0 && len(f.content) > q.maxSize:
		return "too_large", at
	case q.recent && f.old:
		return "too_old", at
	case strings.Contains(f.content, "\x00") && !q.text && !q.absent:
		return "binary", at
	}
	return "", ""
}

// count returns the number of matches in a line.
func (q *drawnQuery) count(line string, insensitive bool) int {
	patterns := slices.Clone(q.patterns)
	if insensitive {
		line = strings.ToLower(line)
		for i := range patterns {
			patterns[i] = strings.ToLower(patterns[i])
		}
	}
	isWord := func(s string) bool { return s != "" && strings.Trim(s, " \t-\x00\n") == s }
	n := 0
	for i := 0; i < len(line); {
		step := 1
		for _, p := range patterns {
			before, after := line[max(0, i-1):i], line[min(len(line), i+len(p)):min(len(line), i+len(p)+1)]
			if strings.HasPrefix(line[i:], p) && !(q.word && (isWord(before) || isWord(after))) {
				n, step = n+1, len(p)
				break
			}
		}
		i += step
	}
	return n
}

// A truth is what a ledger must say.
type truth struct {
	inScope, matched, lines, matches, binary int
	caseLines                                int // of a probe that ignores case
	shownFiles, shownLines, shownMatches     int
	cut                                      bool
	skipped                                  map[string]int
	units                                    int
	results                                  string // all of them
	perPattern                               map[string][2]int
}

func (q *drawnQuery) truth(files []drawnFile) truth {
	t := truth{skipped: map[string]int{}, perPattern: map[string][2]int{}}
	left := map[string]bool{}
	for i := range files {
		f := &files[i]
		if out, at := q.scope(f); out != "" {
			if !left[at] {
				t.skipped[out]++
			}
			left[at] = true
			continue
		}
		t.inScope++
		if strings.Contains(f.content, "\x00") {
			t.binary++
		}
		inFile, shown := 0, false
		for n, line := range strings.Split(f.content, "\n") {
			if line == "" && n == strings.Count(f.content, "\n") {
				break // behind the last end there is no line
			}
			if q.count(line, true) > 0 {
				t.caseLines++
			}
			matches := q.count(line, q.insensitive)
			if (matches > 0) == q.invert {
				continue
			}
			inFile++
			t.lines++
			t.matches += matches
			t.results += fmt.Sprintf("%s:%d:%s\n", f.path, n+1, line)
			if q.maxCount >= 0 && inFile > q.maxCount {
				t.cut = true
				continue
			}
			if t.units >= q.offset && (q.limit < 0 || t.units < q.offset+q.limit) {
				t.shownLines++
				t.shownMatches += matches
				if !shown {
					t.shownFiles++
					shown = true
				}
			}
			t.units++
		}
		if inFile > 0 {
			t.matched++
		}
		q.countEach(f, t.perPattern)
	}
	if q.countOnly {
		t.shownFiles, t.shownLines, t.shownMatches = 0, 0, 0
	}
	return t
}

// countEach counts files and lines for each pattern alone.
func (q *drawnQuery) countEach(f *drawnFile, counts map[string][2]int) {
	for _, p := range q.patterns {
		alone := *q
		alone.patterns = []string{p}
		lines := 0
		for _, line := range strings.Split(f.content, "\n") {
			if alone.count(line, q.insensitive) > 0 {
				lines++
			}
		}
		if lines > 0 {
			c := counts[p]
			counts[p] = [2]int{c[0] + 1, c[1] + lines}
		}
	}
}

// tallyIn runs the program in a directory.
func tallyIn(t *testing.T, dir string, args []string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := exec.Command("tally", args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &errs
	var exited *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exited) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

func TestLedgerTellsTheTruth(t *testing.T) {
	draws := defaultDraws
	if n, err := strconv.Atoi(os.Getenv("TALLY_TEST_DRAWS")); err == nil {
		draws = n
	}
	digests := map[string]string{} // of results
	results := map[string]string{} // of digests
	seed := uint64(7)
	r := rand.New(rand.NewPCG(seed, 0))
	var dir string
	var files []drawnFile
	for draw := range draws {
		if draw%4 == 0 { // a tree serves a few command lines
			os.RemoveAll(dir)
			dir = filepath.Join(t.TempDir(), "t")
			files = drawTree(r)
			plant(t, dir, files)
		}
		q := drawQuery(r)
		stdout, stderr, code := tallyIn(t, dir, q.args())
		if err := validate([]byte(stdout)); err != nil {
			t.Errorf("%v", err)
		}
		want := q.truth(files)
		got := summary(t, stdout)
		if digest, known := got["result_digest"].(string); known && !q.late {
			signature := want.results + "."
			was, seen := digests[signature]
			if seen && was != digest || results[digest] != "" && results[digest] != signature {
				t.Errorf("digest %s, was %s", digest, was)
			}
			digests[signature], results[digest] = digest, signature
		}
		for _, complaint := range q.judge(want, got, code) {
			t.Errorf("%s", complaint)
		}
		if code == 1 && !q.absent && got["complete"] != true {
			t.Errorf("a zero of a partial run")
		}
		if t.Failed() {
			t.Fatalf("draw %d of seed %d: tally %s\n%s%s%+v", draw, seed, strings.Join(q.args(), " "), stdout, stderr, files)
		}
	}
}

func plant(t *testing.T, dir string, files []drawnFile) {
	t.Helper()
	for _, f := range files {
		path := filepath.Join(dir, f.path)
		err := os.MkdirAll(filepath.Dir(path), 0o777)
		if err == nil && f.link {
			err = os.Symlink("nowhere", path)
		} else if err == nil {
			err = os.WriteFile(path, []byte(f.content), 0o666)
		}
		if err == nil && f.old && !f.link {
			err = os.Chtimes(path, time.Time{}, time.Unix(1e9, 0))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// summary returns the ledger in a run's output.
func summary(t *testing.T, stdout string) map[string]any {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	var m struct {
		Data struct{ Tally map[string]any }
	}
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &m); err != nil || m.Data.Tally == nil {
		t.Fatalf("no ledger in %q: %v", stdout, err)
	}
	return m.Data.Tally
}

// judge compares a ledger with the truth, field by field.
func (q *drawnQuery) judge(want truth, got map[string]any, code int) (complaints []string) {
	check := func(field string, want any) {
		value := any(got)
		for _, key := range strings.Split(field, ".") {
			value, _ = value.(map[string]any)[key]
		}
		if n, ok := want.(int); ok {
			want = float64(n)
		}
		if !reflect.DeepEqual(value, want) {
			complaints = append(complaints, fmt.Sprintf("%s is %v, want %v", field, value, want))
		}
	}
	if q.late {
		check("complete", false)
		check("stopped_by", "time_limit")
		check("files.in_scope", nil)
		check("lines", nil)
		if found := got["found"] == true; code != map[bool]int{false: 2, true: map[bool]int{false: 0, true: 1}[q.absent]}[found] {
			complaints = append(complaints, fmt.Sprintf("exit code %d", code))
		}
		return complaints
	}
	found := want.lines > 0
	check("found", found)
	check("files.in_scope", want.inScope)
	check("files.searched", want.inScope)
	total := func(field string, n int, known bool) {
		if known && !q.missing {
			check(field, n)
		} else {
			check(field, nil)
		}
	}
	total("files.matched", want.matched, true)
	total("files.binary", want.binary, q.absent)
	total("lines", want.lines, true)
	total("matches", want.matches, !q.invert || !found)
	if _, known := got["result_digest"].(string); known == q.missing {
		complaints = append(complaints, fmt.Sprintf("result_digest is %v", got["result_digest"]))
	}
	check("complete", !q.missing)
	check("stopped_by", nil)
	check("repeated", 0)
	check("shown.files", want.shownFiles)
	check("shown.lines", want.shownLines)
	if !q.invert {
		check("shown.matches", want.shownMatches)
	}
	var cuts []any
	for _, c := range []struct {
		by string
		on bool
	}{
		{"limit", q.limit >= 0 && want.units > q.offset+q.limit},
		{"offset", min(q.offset, want.units) > 0},
		{"max_count", want.cut},
	} {
		if c.on && !q.countOnly {
			cuts = append(cuts, c.by)
		}
	}
	check("truncated", cuts != nil)
	if cuts == nil {
		cuts = []any{}
	}
	check("truncated_by", cuts)
	next := any(nil)
	if q.limit > 0 && !q.missing && cuts[:min(1, len(cuts))] != nil && slices.Contains(cuts, any("limit")) {
		next = fmt.Sprintf("--offset %d --expect-digest %v", q.offset+q.limit, got["result_digest"])
	}
	check("next", next)
	skipped := map[string]int{}
	for reason, n := range got["skipped"].(map[string]any) {
		if n != 0.0 {
			skipped[reason] = int(n.(float64))
		}
	}
	if !maps.Equal(skipped, want.skipped) {
		complaints = append(complaints, fmt.Sprintf("skipped %v, want %v", skipped, want.skipped))
	}
	unproven := q.missing || want.skipped["too_large"] > 0 || want.inScope == 0
	absent, wantCode := any(nil), 0
	switch {
	case q.absent && found:
		absent, wantCode = "refuted", 1
	case q.absent && unproven:
		absent, wantCode = "unknown", 2
	case q.absent:
		absent = "proven"
	case q.missing, want.inScope == 0:
		wantCode = 2
	case !found:
		wantCode = 1
	}
	check("absent", absent)
	if code != wantCode {
		complaints = append(complaints, fmt.Sprintf("exit code %d, want %d", code, wantCode))
	}
	if q.absent && len(q.patterns) > 1 && !q.invert && found {
		complaints = append(complaints, judgePatterns(want, got, !q.missing)...)
	}
	if !found && !q.invert && !q.missing {
		complaints = append(complaints, judgeExplanation(q, want, got)...)
	}
	return complaints
}

// judgePatterns looks at which patterns match, and how often where that is known.
func judgePatterns(want truth, got map[string]any, known bool) []string {
	counts := map[string][2]int{}
	list, _ := got["patterns"].([]any)
	for _, p := range list {
		p := p.(map[string]any)
		pattern := p["pattern"].(string)
		if known {
			counts[pattern] = [2]int{int(p["files"].(float64)), int(p["lines"].(float64))}
			continue
		}
		if p["files"] != nil || p["lines"] != nil {
			return []string{fmt.Sprintf("patterns %v, though something was not read", list)}
		}
		counts[pattern] = want.perPattern[pattern]
	}
	if !maps.Equal(counts, want.perPattern) {
		return []string{fmt.Sprintf("patterns %v, want %v", counts, want.perPattern)}
	}
	return nil
}

// judgeExplanation looks at what it says of case, which is easily known, and
// that it is silent about what was found as typed.
func judgeExplanation(q *drawnQuery, want truth, got map[string]any) (complaints []string) {
	e, ok := got["explain"].(map[string]any)
	if !ok {
		return []string{"no explanation"}
	}
	if e["complete"] != true {
		return nil // a slow machine
	}
	lines := 0
	for _, f := range e["findings"].([]any) {
		f := f.(map[string]any)
		if f["scope"] != "in_scope" {
			continue
		}
		switch f["kind"] {
		case "case":
			lines = int(f["lines"].(float64))
		case "as_typed":
			complaints = append(complaints, "found after all")
		}
	}
	if !q.insensitive && want.binary == 0 && lines != want.caseLines {
		complaints = append(complaints, fmt.Sprintf("%d lines in another case, want %d", lines, want.caseLines))
	}
	return complaints
}
