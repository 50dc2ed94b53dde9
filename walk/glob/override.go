package glob

import (
	"fmt"
	"strings"
	"unicode"
)

// An Override holds the globs of the command line (-g, --iglob), which outrank
// every other rule. A glob selects, ! before it excludes, and the last one that
// matches decides; if any selects, a file that none matches is left out. Its
// zero value has no globs and says nothing.
type Override struct {
	set     *Set
	globs   []overrideGlob
	selects bool // some glob is without !
}

type overrideGlob struct {
	text          string
	exclude, fold bool
}

// NewOverride compiles the globs of -g and of --iglob, which come after all
// others and ignore case; with foldAll the former ignore it as well. An error
// is worded as ripgrep does.
func NewOverride(globs, iglobs []string, foldAll bool) (*Override, error) {
	o := &Override{}
	var b SetBuilder
	for i, text := range append(globs[:len(globs):len(globs)], iglobs...) {
		if err := o.add(&b, text, foldAll || i >= len(globs)); err != nil {
			return nil, err
		}
	}
	o.set = b.Set()
	return o, nil
}

// add reads a glob as ripgrep does, namely like a line of an ignore file, with
// comments and all.
func (o *Override) add(b *SetBuilder, text string, fold bool) error {
	if strings.HasPrefix(text, "#") {
		return nil
	}
	if !strings.HasSuffix(text, `\ `) {
		text = strings.TrimRightFunc(text, unicode.IsSpace)
	}
	if text == "" {
		return nil
	}
	g := overrideGlob{text: text, fold: fold}
	rest, anchored := text, false
	if strings.HasPrefix(rest, `\!`) || strings.HasPrefix(rest, `\#`) {
		rest = rest[1:]
	} else {
		rest, g.exclude = strings.CutPrefix(rest, "!")
		rest, anchored = strings.CutPrefix(rest, "/")
	}
	rest, dirOnly := strings.CutSuffix(rest, "/")
	if dirOnly {
		rest = strings.TrimSuffix(rest, `\`)
	}
	if !anchored && !strings.Contains(rest, "/") && rest != "**" {
		rest = "**/" + rest
	}
	if strings.HasSuffix(rest, "/**") {
		rest += "/*" // what is below, but not the directory itself
	}
	if err := b.Add(rest, fold, dirOnly); err != nil {
		return fmt.Errorf("error parsing glob '%s': %w", text, err)
	}
	o.globs = append(o.globs, g)
	o.selects = o.selects || !g.exclude
	return nil
}

// Empty reports whether there is no glob, so that nothing needs to be asked.
func (o *Override) Empty() bool { return o == nil || len(o.globs) == 0 }

// Match says what the globs decide about an entry. dir is the path of its
// directory relative to the working directory, empty for the working directory
// itself; for entries elsewhere, the path as it is displayed. The deciding glob
// is returned as it was given, empty if the file was left out because no glob
// selects it. Directories are never left out for that.
func (o *Override) Match(dir, name string, isDir bool) (glob string, v Verdict) {
	if o.Empty() {
		return "", None
	}
	if i := o.set.Last(dir, name, isDir); i >= 0 {
		if g := o.globs[i]; g.exclude {
			return g.text, Ignore
		} else {
			return g.text, Include
		}
	}
	if o.selects && !isDir {
		return "", Ignore
	}
	return "", None
}

// NeedsDir reports whether any glob looks at more than names; if not, Match
// may be given an empty dir.
func (o *Override) NeedsDir() bool { return !o.Empty() && len(o.set.programs) > 0 }

// Identity returns a text that is the same for globs that match alike because
// they are the same.
func (o *Override) Identity() string {
	if o.Empty() {
		return ""
	}
	var b strings.Builder
	for _, g := range o.globs {
		fmt.Fprintf(&b, "%q %t,", g.text, g.fold)
	}
	return b.String()
}
