package report

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tally/walk/opt"
)

// randomFiles are a few files in which some lines hold "hit", each line only
// once in all files.
func randomFiles(r *rand.Rand) []testFile {
	var files []testFile
	for i := range r.IntN(5) {
		var b strings.Builder
		density := r.IntN(4) + 1
		for line := range r.IntN(12) {
			word := "miss"
			if r.IntN(4) < density {
				word = "hit"
			}
			fmt.Fprintf(&b, "file %d line %d %s\n", i, line, word)
		}
		files = append(files, testFile{fmt.Sprintf("f%d", i), []byte(b.String())})
	}
	return files
}

// results are the lines of an output that are no separators, headings, or
// messages about a file: those that must be on exactly one page.
func results(out string) []string {
	var lines []string
	for line := range strings.Lines(out) {
		switch {
		case line == "--\n", line == "\n", strings.HasPrefix(line, "f") && !strings.Contains(line, "line"),
			strings.HasPrefix(line, `{"type":"begin"`), strings.HasPrefix(line, `{"type":"end"`),
			strings.Contains(line, `"type":"summary"`):
		default:
			lines = append(lines, line)
		}
	}
	return lines
}

// FuzzPages holds that pages join to the whole, that every number but those
// about the display is the same on each of them, and that none of this depends
// on how the work is divided.
func FuzzPages(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 0))
		files := randomFiles(r)
		s := newSearch("hit")
		cfg := testConfig()
		cfg.Mode = []Mode{Standard, Standard, JSON, Count, FilesWithMatches, FilesWithoutMatch, Paths}[r.IntN(7)]
		cfg.LineNumber, cfg.Heading = true, r.IntN(3) == 0
		switch r.IntN(3) {
		case 0:
			s.before, s.after = r.IntN(3), r.IntN(3)
			cfg.Context = s.before+s.after > 0
		case 1:
			s.passthru = r.IntN(2) == 0
		}
		s.multiLine = r.IntN(4) == 0
		cfg.MultiLine = s.multiLine
		cfg.IncludeZero = r.IntN(2) == 0

		rows := cfg.form().rows
		whole, _, all := runReport(t, cfg, s, files, r.Uint64())
		want := results(whole)
		if rows {
			want = slices.Collect(strings.Lines(whole))
		}
		total := all.units
		size := int64(r.IntN(4) + 1)
		var got []string
		lastNext := -size     // the last page that knew of another
		lastShown := int64(0) // the last page that showed a result
		for offset := int64(0); offset <= total; offset += size {
			page := cfg
			page.Offset, page.Limit = offset, opt.Some(size)
			page.LineBuffered = r.IntN(2) == 0
			out, _, l := runReport(t, page, s, files, r.Uint64())
			again, _, _ := runReport(t, page, s, files, r.Uint64())
			if mask(out) != mask(again) {
				t.Fatalf("page at %d depends on the division of work:\n%s\n%s", offset, out, again)
			}
			if rows {
				got = append(got, slices.Collect(strings.Lines(out))...)
			} else {
				got = append(got, results(out)...)
				checkPage(t, out, cfg.Heading)
			}
			checkTotals(t, l, all)
			if want := offset > 0 && total > 0 || l.window.after; l.Truncated != want {
				t.Fatalf("page at %d of %d, size %d: truncated is %t", offset, total, size, l.Truncated)
			}
			if l.window.lines > 0 {
				lastShown = offset
			}
			if l.Next != "" {
				lastNext = offset
			}
			if want := fmt.Sprint("--offset ", offset+size); l.Next != "" && l.Next != want {
				t.Fatalf("page at %d of %d: next is %q", offset, total, l.Next)
			}
		}
		// Each page but the last one that shows a result knows of the next one;
		// so may that one if lines that belong to no result are behind it.
		if lastNext != lastShown-size && (!s.passthru || lastNext < lastShown-size) {
			t.Fatalf("pages of %d of %d: the last result is on the page at %d, the last page that has a next one is at %d",
				size, total, lastShown, lastNext)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("pages of %d:\n%s\nwhole:\n%s", size, strings.Join(got, ""), strings.Join(want, ""))
		}
	})
}

func mask(s string) string { return volatile.ReplaceAllString(s, "T") }

// checkPage holds that no separator is left dangling on a page.
func checkPage(t *testing.T, out string, heading bool) {
	t.Helper()
	if strings.HasPrefix(out, "--\n") || strings.HasSuffix(out, "--\n") ||
		strings.Contains(out, "--\n--\n") || strings.HasPrefix(out, "\n") || strings.HasSuffix(out, "\n\n") ||
		heading && strings.Contains(out, "\n\n--\n") {
		t.Fatalf("a separator separates nothing:\n%s", out)
	}
}

// checkTotals holds that what there is does not depend on what is displayed.
func checkTotals(t *testing.T, l, all *Ledger) {
	t.Helper()
	totals := func(l *Ledger) string {
		return fmt.Sprintln(l.InScope, l.Searched, l.Matched, l.Lines, l.Matches, l.units, l.Complete, l.ResultDigest)
	}
	if totals(l) != totals(all) {
		t.Fatalf("totals of a page %s, of the whole %s", totals(l), totals(all))
	}
}

func TestLimitIsTruncatedOnlyIfSomethingIsLeftOut(t *testing.T) {
	file := func(n int) []testFile {
		return []testFile{{"f", []byte(strings.Repeat("hit\n", n))}}
	}
	cfg := testConfig()
	cfg.Limit = opt.Some[int64](50)
	for n, truncated := range map[int]bool{0: false, 49: false, 50: false, 51: true, 5000: true} {
		_, _, l := runReport(t, cfg, newSearch("hit"), file(n), 0)
		if l.Truncated != truncated || l.Lines != Known(int64(n)) || l.ShownLines != Known(int64(min(n, 50))) {
			t.Errorf("%d results: truncated %t, lines %v, shown %v", n, l.Truncated, l.Lines, l.ShownLines)
		}
	}
}

// A file whose results are long is handed on in pieces, which must not show.
func TestLongFilesInPieces(t *testing.T) {
	var long strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&long, "line %d hit, and quite some more text after it\n", i)
	}
	files := []testFile{{"f1", []byte(long.String())}, {"f2", []byte("line hit\n")}, {"f3", []byte(long.String())}}
	for _, mode := range []Mode{Standard, JSON} {
		cfg := testConfig()
		cfg.Mode, cfg.Heading, cfg.LineNumber = mode, true, true
		s := newSearch("hit")
		whole, _, l := runReport(t, cfg, s, files, 0)
		if l.ShownFiles != Known(3) || l.ShownLines != Known(6001) {
			t.Errorf("shown: %v files, %v lines", l.ShownFiles, l.ShownLines)
		}
		want := results(whole)
		cfg.Offset, cfg.Limit = 2990, opt.Some[int64](20)
		page, _, l := runReport(t, cfg, s, files, 0)
		if got := results(page); !slices.Equal(got, want[2990:3010]) {
			t.Errorf("page:\n%s", page)
		}
		if l.ShownFiles != Known(3) || l.ShownLines != Known(20) {
			t.Errorf("shown on the page: %v files, %v lines", l.ShownFiles, l.ShownLines)
		}
	}
}

// FuzzPagesOfBytes holds that pages cut by [Config.LimitBytes] are no longer than
// that and join to the whole, each beginning where the one before says.
func FuzzPagesOfBytes(f *testing.F) {
	for seed := range uint64(300) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		files := randomFiles(r)
		s := newSearch("hit")
		cfg := testConfig()
		cfg.Mode = []Mode{Standard, Standard, JSON, Count, FilesWithMatches, Paths}[r.IntN(6)]
		cfg.LineNumber, cfg.Heading = true, r.IntN(3) == 0
		if r.IntN(2) == 0 {
			s.before, s.after = r.IntN(3), r.IntN(3)
			cfg.Context = s.before+s.after > 0
		}
		if r.IntN(3) == 0 {
			cfg.Limit = opt.Some(int64(r.IntN(4) + 1))
		}
		unlimited := cfg
		unlimited.Limit = opt.Value[int64]{}
		whole, _, all := runReport(t, unlimited, s, files, r.Uint64())
		budget := int64(r.IntN(400))
		if cfg.Mode == JSON {
			budget += 600
		}
		var got []string
		for offset, pages := int64(0), 0; ; pages++ {
			page := cfg
			page.Offset, page.LimitBytes = offset, opt.Some(budget)
			page.LineBuffered = r.IntN(2) == 0
			out, _, l := runReport(t, page, s, files, r.Uint64())
			again, _, _ := runReport(t, page, s, files, r.Uint64())
			if mask(out) != mask(again) {
				t.Fatalf("page at %d depends on the division of work:\n%s\n%s", offset, out, again)
			}
			size := len(out)
			if cfg.Mode == JSON {
				size = strings.Index(out, `{"data":{"elapsed_total"`)
			}
			if int64(size) > budget {
				t.Fatalf("page at %d: %d bytes of %d:\n%s", offset, size, budget, out)
			}
			checkTotals(t, l, all)
			if cfg.form().rows {
				got = append(got, slices.Collect(strings.Lines(out))...)
			} else {
				got = append(got, results(out)...)
			}
			if cut := l.window.lines+offset < all.units; l.Truncated != (cut || offset > 0 && all.units > 0) {
				t.Fatalf("page at %d of %d with %d: truncated is %t", offset, all.units, l.window.lines, l.Truncated)
			}
			if l.Next == "" {
				if l.Truncated && l.window.lines > 0 && l.window.last < all.units {
					t.Fatalf("page at %d of %d: no next page", offset, all.units)
				}
				if l.window.full && l.window.lines == 0 {
					return // the next result is longer than a page
				}
				break
			}
			next, err := strconv.ParseInt(strings.TrimPrefix(l.Next, "--offset "), 10, 64)
			if err != nil || next <= offset {
				t.Fatalf("page at %d: next is %q", offset, l.Next)
			}
			offset = next
		}
		want := results(whole)
		if cfg.form().rows {
			want = slices.Collect(strings.Lines(whole))
		}
		if s.before+s.after > 0 {
			return // lines between two results can be on both their pages
		}
		if !slices.Equal(got, want) {
			t.Fatalf("pages of %d bytes:\n%s\nwhole:\n%s", budget, strings.Join(got, ""), strings.Join(want, ""))
		}
	})
}
