package run

import (
	"bytes"
	"errors"
	"math"
	"slices"

	"tally/match"
	"tally/match/decode"
	"tally/match/readings"
	"tally/report"
	"tally/run/input"
	"tally/walk"
)

func (n *nearMisses) visitor(emit func(*probedPart)) walk.Visitor {
	v := &prober{n: n, door: n.input.Door(), emit: emit, part: new(probedPart)}
	v.door.Reread = true
	v.windows = n.newWindows()
	return &fileVisitor{v.file, v.done}
}

// A prober probes the files that one worker comes to.
type prober struct {
	n       *nearMisses
	door    *input.Door
	emit    func(*probedPart)
	part    *probedPart
	path    []byte
	windows *windows
}

func (v *prober) done() {
	if v.part.files > 0 {
		v.emit(v.part)
		v.part = new(probedPart)
	}
}

// inGit reports whether a path leads into what git keeps.
func inGit(path []byte) bool {
	for len(path) > 0 {
		name, rest, _ := bytes.Cut(path, []byte{'/'})
		if string(name) == ".git" {
			return true
		}
		path = rest
	}
	return false
}

func (v *prober) file(f *walk.File) {
	v.path = f.AppendPath(v.path[:0])
	if !f.Regular() && !f.Stdin() || !f.Stdin() && v.n.input.Preprocessed(v.path) {
		return // it cannot be read twice, or is read through a program
	}
	if f.Repeated() || !v.n.git && inGit(v.path) {
		return
	}
	v.part.files++
	scope := report.InScope
	if reason, out := f.OutOfScope(); out {
		scope = reason.String()
	} else if v.n.known.isClean(f, v.path) {
		return
	}
	src, failure := v.door.Open(f, v.path)
	if failure != nil {
		return
	}
	defer src.Close()
	found, seen := v.search(src, scope)
	inScope := scope == report.InScope
	if inScope && seen.notUTF8 {
		v.part.notUTF8++
	}
	if len(found) > 0 && inScope && v.n.quits(src.Explicit) && src.HoldsNUL(v.n.stopped) {
		for _, c := range found {
			if c.kind != readings.UTF16 && c.kind != readings.UTF32 {
				c.scope = walk.Binary.String()
			}
		}
	}
	v.part.found = append(v.part.found, found...)
	if !inScope || v.n.Input.SearchZip {
		return
	}
	switch {
	case decode.FormatByName(v.path) != decode.Plain || decode.FormatOf(seen.head[:]) != decode.Plain:
		v.part.found = append(v.part.found, v.unpacked(src)...)
	case decode.ContainerOf(seen.head[:]) != "":
		v.part.containers++
	}
}

// seen is what stands out in a text.
type seen struct {
	notUTF8 bool
	head    [headSize]byte // how it begins
}

// headSize is how much of a file shows what kind of file it is, in bytes.
const headSize = 80

// search looks at a file's text.
func (v *prober) search(src *input.Source, scope string) (found []*candidate, s seen) {
	term := v.n.term()
	v.windows.begin(v.path, scope)
	large := false
	err := src.Chunks(term, func(c *input.Chunk) bool {
		if c.Base == 0 && c.From == 0 && c.To < len(c.Text) && !c.Decoded && src.Large() {
			large = true
			return false
		}
		return v.windows.take(c)
	}, v.n.stopped)
	v.part.cut = v.part.cut || errors.Is(err, match.ErrStopped)
	found, s = v.windows.found, v.windows.seen
	if large {
		found, s = v.searchLarge(src, scope)
	}
	v.number(found, func(take func(*input.Chunk) bool) { src.Chunks(term, take, v.n.stopped) })
	return found, s
}

// searchLarge looks at the text of a large file with several goroutines.
func (v *prober) searchLarge(src *input.Source, scope string) (found []*candidate, s seen) {
	var all []*windows
	ranges, known := v.n.known.rest[string(v.path)]
	if !known || scope != report.InScope {
		ranges = []input.Range{{To: math.MaxInt64}}
	}
	err := src.Parts(ranges, v.n.term(), max(v.n.Search.Threads, 1), func() func(*input.Chunk) bool {
		w := v.n.newWindows()
		w.begin(v.path, scope)
		all = append(all, w)
		return w.take
	}, v.n.stopped)
	v.part.cut = v.part.cut || err != nil
	for _, w := range all {
		found = merged(found, w.found)
		s.notUTF8 = s.notUTF8 || w.notUTF8
		if w.head != [headSize]byte{} {
			s.head = w.head
		}
	}
	return found, s
}

// unpacked looks at what is in a compressed file.
func (v *prober) unpacked(src *input.Source) []*candidate {
	v.windows.begin(v.path, "compressed")
	err := src.UnpackedChunks(v.n.term(), v.windows.take, v.n.stopped)
	v.part.cut = v.part.cut || errors.Is(err, match.ErrStopped)
	found := v.windows.found
	v.number(found, func(take func(*input.Chunk) bool) { src.UnpackedChunks(v.n.term(), take, v.n.stopped) })
	return found
}

// number finds out the numbers of the lines that were found, in another reading
// of the text.
func (v *prober) number(found []*candidate, read func(take func(*input.Chunk) bool)) {
	last := int64(-1)
	for _, c := range found {
		last = max(last, c.best.offset)
	}
	if last < 0 {
		return
	}
	term, lines := []byte{v.n.term()}, int64(1)
	read(func(c *input.Chunk) bool {
		from, to := c.Base+int64(c.From), c.Base+int64(c.To)
		for _, f := range found {
			if at := f.best.offset; from <= at && at < to {
				f.best.number = lines + int64(bytes.Count(c.Text[c.From:at-c.Base], term))
			}
		}
		lines += int64(bytes.Count(c.Text[c.From:c.To], term))
		return to <= last
	})
}

// term is what ends a line.
func (n *nearMisses) term() byte {
	if n.Syntax.NullData {
		return 0
	}
	return '\n'
}

// merged adds up what was found in pieces of one file.
func merged(all, more []*candidate) []*candidate {
	for _, c := range more {
		i := slices.IndexFunc(all, func(d *candidate) bool { return d.kind == c.kind })
		if i < 0 {
			all = append(all, c)
			continue
		}
		files := all[i].files
		all[i].add(c)
		all[i].files = files
	}
	return all
}
