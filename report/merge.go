package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tally/match/digest"
)

// Merge adds up the ledgers of runs with one query over disjoint roots, at
// least one. It is as complete as the least complete of them; the time is the
// sum of theirs.
func Merge(ledgers []*Ledger) (*Ledger, error) {
	first := ledgers[0]
	cfg := *first.cfg
	cfg.Ledger.Roots = nil
	sum := *first
	sum.cfg, sum.Explanation, sum.Next = &cfg, nil, ""
	var explanations []*Explanation
	for i, l := range ledgers {
		if l.cfg.Ledger.Query == "" {
			return nil, fmt.Errorf("a run over %s in an order of its own, whose results cannot be added to others", l.cfg.Ledger.Roots)
		}
		if l.cfg.Ledger.Query != first.cfg.Ledger.Query {
			return nil, fmt.Errorf("different searches: the patterns or filters over %s are not those over %s",
				strings.Join(l.cfg.Ledger.Roots, ", "), strings.Join(first.cfg.Ledger.Roots, ", "))
		}
		for _, root := range l.cfg.Ledger.Roots {
			for _, other := range cfg.Ledger.Roots {
				if within(root, other) || within(other, root) {
					return nil, fmt.Errorf("roots that overlap: %s and %s; what is below both would count twice", other, root)
				}
			}
		}
		cfg.Ledger.Roots = append(cfg.Ledger.Roots, l.cfg.Ledger.Roots...)
		explanations = append(explanations, l.Explanation)
		if i > 0 {
			sum.add(l)
		}
	}
	slices.Sort(cfg.Ledger.Roots)
	sum.window.lines = -1
	if n, known := sum.ShownLines.Value(); known {
		sum.window.lines = n
	}
	if !sum.Found {
		sum.Explanation = mergeExplanations(explanations)
	}
	return &sum, nil
}

// within reports whether path is dir or lies below it.
func within(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == filepath.Separator || strings.HasSuffix(dir, string(filepath.Separator)))
}

// add adds another run's ledger.
func (l *Ledger) add(o *Ledger) {
	for _, n := range []struct{ to, from *Number }{
		{&l.InScope, &o.InScope},
		{&l.Searched, &o.Searched},
		{&l.Matched, &o.Matched},
		{&l.Binary, &o.Binary},
		{&l.Compressed, &o.Compressed},
		{&l.Nested, &o.Nested},
		{&l.Lines, &o.Lines},
		{&l.Matches, &o.Matches},
		{&l.ShownFiles, &o.ShownFiles},
		{&l.ShownLines, &o.ShownLines},
		{&l.ShownMatches, &o.ShownMatches},
	} {
		*n.to = n.to.plus(*n.from)
	}
	for _, cut := range o.TruncatedBy {
		if !slices.Contains(l.TruncatedBy, cut) {
			l.TruncatedBy = append(slices.Clone(l.TruncatedBy), cut)
		}
	}
	slices.Sort(l.TruncatedBy)
	l.Truncated = l.Truncated || o.Truncated
	l.Complete = l.Complete && o.Complete
	if l.StoppedBy == NotStopped {
		l.StoppedBy = o.StoppedBy
	}
	l.Found, l.foundRG = l.Found || o.Found, l.foundRG || o.foundRG
	l.Repeated += o.Repeated
	l.GuessedUTF16 += o.GuessedUTF16
	l.Errors = append(slices.Clone(l.Errors), o.Errors...)
	for r := range o.Skipped {
		l.Skipped[r] += o.Skipped[r]
		l.SkippedDirectories[r] += o.SkippedDirectories[r]
	}
	paths := slices.Concat(l.NestedPaths, o.NestedPaths)
	l.NestedPaths = paths[:min(len(paths), nestedNamed)]
	l.addPatterns(o)
	l.ResultDigest = addDigests(l.ResultDigest, o.ResultDigest)
	l.BytesSearched += o.BytesSearched
	l.Elapsed += o.Elapsed
}

// addPatterns adds up the counts of each pattern. Those that an assertion does not
// list are 0 in it, if its totals are established; no other run leaves one out.
func (l *Ledger) addPatterns(o *Ledger) {
	if l.Patterns == nil && (l.Found || !l.Asserted()) || o.Patterns == nil && (o.Found || !o.Asserted()) {
		l.Patterns = nil
		return
	}
	sum := slices.Clone(l.Patterns)
	for _, p := range o.Patterns {
		i := slices.IndexFunc(sum, func(q PatternCount) bool { return q.Pattern == p.Pattern })
		if i < 0 {
			sum = append(sum, p)
			continue
		}
		sum[i].Files = sum[i].Files.plus(p.Files)
		sum[i].Lines = sum[i].Lines.plus(p.Lines)
	}
	l.Patterns = sum
	l.boundPatterns()
}

// addDigests adds two digests, "" if either is unknown.
func addDigests(a, b string) string {
	x, okX := digest.Parse(a)
	y, okY := digest.Parse(b)
	if !okX || !okY {
		return ""
	}
	var sum digest.Results
	sum.Add(x)
	sum.Add(y)
	return sum.Digest().String()
}
