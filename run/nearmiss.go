package run

import (
	"bytes"
	"slices"
	"sync"
	"time"

	"tally/match"
	"tally/match/readings"
	"tally/report"
	"tally/walk"
)

// This file searches for near misses where nothing was found: one pass over all
// files, in scope and out of it. A sieve finds the few places where any reading
// of the query may match (prober.go looks at these), and what is found is told
// with a way to find it that was tried (hint.go).

// explain puts into the ledger of a zero what nearly matched.
func (s *Session) explain(l *report.Ledger) {
	n := s.NearMisses
	if l.Found || l.StoppedBy != report.NotStopped || !n.Wanted || !l.Complete && !n.Always {
		return
	}
	q := s.zeroQuery()
	var appeared []string
	l.Explanation, appeared = s.findNearMisses(q, readings.Of(q), s.nearMissLimit(2*l.Elapsed))
	for _, path := range appeared {
		e := walk.Error{Path: walk.Displayed(path), Op: walk.OpChange, Err: walk.ErrChanged}
		s.say.failed(&e)
		l.Contradict(e)
	}
}

// nearMissLimit is how long near misses are searched for, 0 for any time: a
// second at least, and as long as it pays where that is longer, but no longer
// than the run may take.
func (s *Session) nearMissLimit(pays time.Duration) time.Duration {
	limit := max(time.Second, pays)
	if s.NearMisses.Always {
		limit = 0
	}
	if !s.Limited {
		return limit
	}
	left := max(s.TimeLimit-time.Since(s.start), time.Nanosecond)
	if limit == 0 {
		return left
	}
	return min(limit, left)
}

var boundaries = map[match.Boundary]readings.Boundary{
	match.Anywhere: readings.Anywhere, match.Words: readings.Words, match.Lines: readings.Lines,
}

func (s *Session) zeroQuery() readings.Query {
	return readings.Query{
		Patterns:    s.Syntax.Patterns,
		Fixed:       s.Syntax.Fixed,
		Insensitive: s.Syntax.Case == match.Insensitive,
		CRLF:        s.Syntax.CRLF,
		Boundary:    boundaries[s.Syntax.Boundary],
	}
}

// explainSyntax says, of patterns that are no regular expressions, how often
// they occur as literal text, or as grep, a glob or a shell reads them.
func (s *Session) explainSyntax() {
	if s.Syntax.Fixed || !s.NearMisses.Wanted {
		return
	}
	q := s.zeroQuery()
	list := append(readings.OfKind(q, readings.Literal), readings.OfKind(q, readings.Dialect)...)
	r, _ := s.findNearMisses(q, list, s.nearMissLimit(0))
	if len(r.Findings) == 0 && r.Complete {
		s.say.print("as literal text the pattern does not occur either")
		return
	}
	for _, line := range r.Lines() {
		s.say.print(line)
	}
}

// A probe is one of the ways to read the query. It is compiled when it is first
// needed, which is seldom.
type probe struct {
	readings.Reading
	syntax match.Syntax
	once   sync.Once
	// all are matchers for each of Reading.All, or one for the patterns; nil:
	// that reading of the query means nothing.
	all []*match.Matcher
}

func (p *probe) matchers() []*match.Matcher {
	p.once.Do(func() {
		patterns := [][]string{p.Patterns}
		if p.All != nil {
			patterns = nil
			for _, one := range p.All {
				patterns = append(patterns, []string{one})
			}
		}
		for _, list := range patterns {
			syntax := p.syntax
			syntax.Patterns = list
			m, err := match.Compile(syntax)
			if err != nil {
				p.all = nil
				return
			}
			p.all = append(p.all, m)
		}
	})
	return p.all
}

// nearMisses is one pass over the files with all probes.
type nearMisses struct {
	*Session
	probes []*probe
	sieves sieves
	known  sifted
	// around is how many lines on each side of a place belong to what may match
	// there.
	around int
	// beyondASCII says that text which is not UTF-8 was searched in vain.
	beyondASCII bool
	git         bool // a root lies in what git keeps
}

// findNearMisses searches all files for all readings; a limit of 0 is none. It
// also returns files that now hold the query as typed.
func (s *Session) findNearMisses(q readings.Query, list []readings.Reading, limit time.Duration) (r *report.Explanation, appeared []string) {
	n := &nearMisses{Session: s, beyondASCII: readings.BeyondASCII(q)}
	u := s.afresh(func(c *walk.Config) { c.Beyond = true })
	if limit > 0 {
		defer time.AfterFunc(limit, u.Stop).Stop()
	}
	r = &report.Explanation{Reduced: readings.Reduced(q)}
	n.prepare(q, list)
	for _, p := range n.probes {
		r.Tried(p.Kind)
	}
	found := map[place]*candidate{}
	cut := false
	if len(n.probes) > 0 {
		pass(u, n.visitor, func(part *probedPart) error {
			r.Files += part.files
			r.NotUTF8 += part.notUTF8
			r.Containers += part.containers
			cut = cut || part.cut
			for _, c := range part.found {
				if known := found[c.place]; known != nil {
					known.add(c)
				} else {
					found[c.place] = c
				}
			}
			return nil
		})
	}
	r.Complete = !cut && !u.Stopped()
	for _, c := range found {
		if c.place == (place{readings.AsTyped, report.InScope}) {
			// The first search did not find it, and that counts unless it has
			// come since.
			if !n.isThere(c.best.path) {
				continue
			}
			appeared = append(appeared, c.best.path)
		}
		r.Findings = append(r.Findings, n.finding(c))
	}
	r.Sort()
	return r, appeared
}

// prepare makes the probes and what spares most of the reading.
func (n *nearMisses) prepare(q readings.Query, list []readings.Reading) {
	for _, e := range list {
		if (e.Unit > 0 || e.Encoding != "") && n.Syntax.Engine != match.DefaultEngine {
			continue // no other engine searches what is not text
		}
		n.probes = append(n.probes, &probe{Reading: e, syntax: n.syntax(e)})
		if e.MultiLine || e.Within > 1 {
			n.around = max(n.around, 2, e.Within, linesOf(q))
		}
	}
	for _, root := range n.scope.Roots {
		n.git = n.git || inGit([]byte(root))
	}
	n.sieves, n.known = n.sifting.sieves(q), n.sifting.known()
}

// linesOf is over how many lines a query may be broken: one more for each blank,
// up to a limit.
func linesOf(q readings.Query) int {
	most := 0
	for _, p := range q.Patterns {
		most = max(most, len(bytes.Fields([]byte(p)))+1)
	}
	return min(most, 20)
}

// syntax is the query's, changed as a probe needs it.
func (n *nearMisses) syntax(p readings.Reading) match.Syntax {
	s := n.Syntax
	s.BanNUL, s.Fixed = false, false
	if p.Kind == readings.AsTyped {
		return s
	}
	s.MultiLine = p.MultiLine
	if p.AnyCase {
		s.Case = match.Insensitive
	}
	if p.Unit > 0 || p.Unbounded || p.All != nil {
		s.Boundary = match.Anywhere
	}
	return s
}

// probedPart is what a worker has found in some files.
type probedPart struct {
	files, notUTF8, containers int64
	found                      []*candidate
	cut                        bool // a file was not read to its end
}

func (*probedPart) Size() int { return 0 }

// A place is where near misses are counted together.
type place struct {
	kind  readings.Kind
	scope string
}

// A candidate is what one kind has found in files of one scope.
type candidate struct {
	place
	lines, files int64
	best         sample
	texts        map[string]int64 // lines for each text, where these are reported
}

// mostTexts is how many texts are told apart.
const mostTexts = 1000

func (c *candidate) count(text string, lines int64) {
	if c.texts == nil {
		c.texts = map[string]int64{}
	}
	if _, known := c.texts[text]; known || len(c.texts) < mostTexts {
		c.texts[text] += lines
	}
}

// add takes in what was found in later files.
func (c *candidate) add(d *candidate) {
	c.lines += d.lines
	c.files += d.files
	for text, lines := range d.texts {
		c.count(text, lines)
	}
	if d.best.rank() < c.best.rank() {
		c.best = d.best
	}
}

// words are the texts of a candidate, the most frequent first.
func (c *candidate) words() []report.Word {
	words := []report.Word{}
	for text, lines := range c.texts {
		words = append(words, report.Word{Text: text, Lines: lines})
	}
	slices.SortFunc(words, func(a, b report.Word) int {
		switch {
		case a.Lines != b.Lines:
			return int(b.Lines - a.Lines)
		case a.Text < b.Text:
			return -1
		}
		return 1
	})
	return words[:min(len(words), wordsShown)]
}

// wordsShown is how many words are named.
const wordsShown = 5
