package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"tally/match"
	"tally/match/decode"
	"tally/rank"
	"tally/report"
	"tally/walk"
)

// expand finds the words that may be meant by each pattern, and compiles them.
func (f *forgiver) expand() error {
	var patterns []string
	for _, pattern := range f.args.Patterns {
		q, err := rank.ParseQuery(pattern)
		if err != nil {
			return err
		}
		words := f.gather(q)
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
	s := f.syntax
	s.Patterns, s.Fixed, s.Case, s.Boundary, s.Unicode = patterns, false, match.Sensitive, match.Words, true
	var err error
	f.near, err = match.Compile(s)
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
func (f *forgiver) gather(q *rank.Query) [][][][]string {
	all := q.NewVocabulary()
	universe := walk.New(f.walk, func(error) {})
	f.watcher.follow(universe)
	for part := range walk.Map(universe, func(emit func(*gathered)) walk.Visitor {
		asBytes := f.options.Decode
		asBytes.Guess = false
		return &gatherer{
			in: f.inputs(), bytes: decode.NewReader(asBytes), f: f,
			words: q.NewVocabulary(), name: q.NewVocabulary(), emit: emit,
		}
	}) {
		all.Add(part.words)
		for _, n := range part.names {
			if !f.named[n.path] {
				f.named[n.path], f.names = true, append(f.names, n)
			}
		}
	}
	return all.Spellings()
}

// gathered are the words of some files, and those files that have them in
// their name.
type gathered struct {
	words *rank.Vocabulary
	names []foundName
}

func (g *gathered) Size() int { return 64 * len(g.names) }

// A gatherer gathers words for one worker.
type gatherer struct {
	in    inputs
	bytes *decode.Reader // reads what was taken for UTF-16 as it is
	f     *forgiver
	words *rank.Vocabulary
	name  *rank.Vocabulary // of one file's name
	names []foundName
	emit  func(*gathered)
}

func (g *gatherer) File(f *walk.File) {
	g.in.path = f.AppendPath(g.in.path[:0])
	if words := g.name.In([]byte(filepath.Base(string(g.in.path)))); words != nil && !f.Stdin() {
		g.names = append(g.names, foundName{string(g.in.path), words})
	}
	in, err := g.in.open(f)
	if err != nil {
		return
	}
	defer in.close()
	g.in.look(in)
	quit := !in.plain && g.f.detection(f.Explicit()) == match.Quit
	read := func(text []byte) bool {
		if quit && bytes.IndexByte(text, 0) >= 0 {
			return false // nor does the search go on here
		}
		g.words.Read(text)
		return true
	}
	g.in.pieces(in, read)
	if !in.plain && g.in.text.Facts().Guessed {
		// It may be no UTF-16 further on, which the search finds out if such
		// words are there.
		quit = false
		text := g.in.text
		g.in.text = g.bytes
		g.in.pieces(in, read)
		g.in.text = text
	}
}

func (g *gatherer) Skip(*walk.Skip) {}
func (g *gatherer) Fail(walk.Error) {}
func (g *gatherer) Done() {
	g.emit(&gathered{g.words.Take(), g.names})
	g.names = nil
}

// A foundName is a file with words in its name that may be meant.
type foundName struct {
	path  string
	words []string
}

// namesShown is how many of these are named.
const namesShown = 10

// sayNames names the files that have the words in their names, beside the
// ledger. They are no lines, so that no total counts them.
func (f *forgiver) sayNames() {
	mode, out := f.report.Ledger.Mode, os.Stderr
	if len(f.names) == 0 || f.report.Quiet || mode == report.LedgerNever {
		return
	}
	if mode == report.LedgerStdout {
		out = os.Stdout
	}
	list := make([]string, 0, namesShown+1)
	for _, n := range f.names[:min(namesShown, len(f.names))] {
		list = append(list, n.path+"  ~ "+strings.Join(n.words, ", "))
	}
	if more := len(f.names) - namesShown; more > 0 {
		list = append(list, fmt.Sprintf("and %d more", more))
	}
	files := "files"
	if len(f.names) == 1 {
		files = "file"
	}
	fmt.Fprintf(out, "%s: in the names of %d %s: %s\n", f.args.Program, len(f.names), files, strings.Join(list, "; "))
}
