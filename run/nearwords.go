package run

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tally/match"
	"tally/rank"
	"tally/report"
	"tally/report/escape"
	"tally/run/input"
	"tally/walk"
)

// findNearWords finds the words of the universe that may be meant by each
// pattern, and compiles them.
func (t *fuzzySearch) findNearWords() error {
	var patterns []string
	for _, pattern := range t.Syntax.Patterns {
		q, err := rank.ParseQuery(pattern)
		if err != nil {
			return err
		}
		words := t.gather(q)
		groups := make([]string, len(words))
		for i, ways := range words {
			groups[i] = oneOf(ways)
		}
		if !slices.Contains(groups, "") {
			patterns = append(patterns, strings.Join(groups, dividers))
		}
	}
	if patterns == nil {
		return nil
	}
	s := t.Syntax
	s.Patterns, s.Fixed, s.Case, s.Boundary, s.Unicode = patterns, false, match.Sensitive, match.Words, true
	var err error
	t.near, err = match.Compile(s)
	return err
}

// dividers are what stands between the words of a pattern, and between their parts.
const dividers = `[^\pL\pN\n]+`

// oneOf returns an expression for the ways to write a word, "" if there is none.
func oneOf(ways [][][]string) string {
	var list []string
	for _, parts := range ways {
		var groups []string
		for _, spellings := range parts {
			var quoted []string
			for _, s := range spellings {
				quoted = append(quoted, regexp.QuoteMeta(s))
			}
			groups = append(groups, "(?:"+strings.Join(quoted, "|")+")")
		}
		list = append(list, strings.Join(groups, dividers))
	}
	if list == nil {
		return ""
	}
	return "(?:" + strings.Join(list, "|") + ")"
}

// gather reads the universe for the words that may be meant. What cannot be
// read is reported when it is searched.
func (t *fuzzySearch) gather(q *rank.Query) [][][][]string {
	all := q.NewVocabulary()
	reread := t.names.gathered // an earlier pattern has read the same files
	t.names.gathered = true
	pass(t.afresh(nil), func(emit func(*gathered)) walk.Visitor {
		g := &gatherer{t: t, door: t.input.Door(), words: q.NewVocabulary(), name: q.NewVocabulary(), emit: emit}
		g.door.Reread = reread
		return &fileVisitor{g.file, g.done}
	}, func(part *gathered) error {
		all.Add(part.words)
		t.names.add(part.names)
		return nil
	})
	return all.Spellings()
}

// gathered are the words of some files, and those files that have them in
// their name.
type gathered struct {
	words *rank.Vocabulary
	names []nearName
}

func (g *gathered) Size() int { return 64 * len(g.names) }

// A gatherer gathers words for one worker.
type gatherer struct {
	t     *fuzzySearch
	door  *input.Door
	path  []byte
	words *rank.Vocabulary
	name  *rank.Vocabulary // of one file's name
	names []nearName
	emit  func(*gathered)
}

func (g *gatherer) file(f *walk.File) {
	g.path = f.AppendPath(g.path[:0])
	if words := g.name.In([]byte(filepath.Base(string(g.path)))); words != nil && !f.Stdin() {
		g.names = append(g.names, nearName{string(g.path), words})
	}
	src, failure := g.door.Open(f, g.path)
	if failure != nil {
		return
	}
	defer src.Close()
	if src.Keep() != nil {
		return
	}
	_, plain := src.Plain()
	quit := !plain && g.t.quits(src.Explicit)
	read := func(text []byte) bool {
		if quit && bytes.IndexByte(text, 0) >= 0 {
			return false // nor does the search go on here
		}
		g.words.Read(text)
		return true
	}
	src.Pieces(read, g.t.stopped)
	if !plain && src.Guessed() {
		// The file may go on as bytes. If such words are there, the search says so.
		quit = false
		src.PiecesAsBytes(read, g.t.stopped)
	}
}

func (g *gatherer) done() {
	g.emit(&gathered{g.words.Take(), g.names})
	g.names = nil
}

// A nearName is a file with near words in its name.
type nearName struct {
	path  string
	words []string
}

// nearNames are such files, in path order.
type nearNames struct {
	list     []nearName
	seen     map[string]bool // several patterns may find one
	gathered bool
}

func (n *nearNames) add(names []nearName) {
	if n.seen == nil {
		n.seen = map[string]bool{}
	}
	for _, name := range names {
		if !n.seen[name.path] {
			n.seen[name.path] = true
			n.list = append(n.list, name)
		}
	}
}

// namesShown is how many of these are named.
const namesShown = 10

// say names the files beside the ledger. They are no lines, so that no total
// counts them.
func (n *nearNames) say(s *Session) {
	mode, out := s.form.Ledger.Mode, s.say.out
	if len(n.list) == 0 || s.form.Quiet || mode == report.LedgerNever {
		return
	}
	if mode == report.LedgerStdout {
		out = s.world.Stdout
	}
	list := make([]string, 0, namesShown+1)
	for _, name := range n.list[:min(namesShown, len(n.list))] {
		list = append(list, escape.Name(name.path)+"  ~ "+strings.Join(name.words, ", "))
	}
	if more := len(n.list) - namesShown; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	files := "files"
	if len(n.list) == 1 {
		files = "file"
	}
	fmt.Fprintf(out, "%s: in the names of %d %s: %s\n", s.Name, len(n.list), files, escape.Line(strings.Join(list, "; ")))
}
