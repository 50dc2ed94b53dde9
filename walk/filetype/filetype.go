// Package filetype knows the named groups of file name patterns that -t and -T
// choose by: ripgrep's own, and what --type-add and --type-clear make of them.
// It must not know about directories or ignore rules.
package filetype

import (
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"tally/walk/glob"
)

// defaults is ripgrep 15.2's table: on each line the names of a type, a colon,
// and its globs, all parted by blanks.
//
//go:embed types.txt
var defaults string

var errDefinition = errors.New("invalid definition (format is type:glob, e.g., html:*.html)")

// A Builder takes the changes and choices of a command line in their order.
type Builder struct {
	types   map[string][]string
	choices []choice
}

type choice struct {
	name   string
	negate bool
}

// Default starts with ripgrep's types and nothing chosen.
func Default() *Builder {
	b := &Builder{types: map[string][]string{}}
	for text := range strings.Lines(defaults) {
		names, globs, _ := strings.Cut(text, ":")
		for _, name := range strings.Fields(names) {
			b.types[name] = append(b.types[name], strings.Fields(globs)...)
		}
	}
	return b
}

// Add takes a definition of --type-add: "name:glob" adds a glob to a type,
// "name:include:a,b" the globs that other types have at this moment.
func (b *Builder) Add(definition string) error {
	parts := strings.Split(definition, ":")
	switch {
	case slices.Contains(parts, ""):
	case len(parts) == 2:
		return b.add(parts[0], parts[1])
	case len(parts) == 3 && parts[1] == "include":
		return b.include(parts[0], strings.Split(parts[2], ","))
	}
	return errDefinition
}

func (b *Builder) include(name string, from []string) error {
	var globs []string
	for _, t := range from {
		g, ok := b.types[t]
		if !ok {
			return errDefinition
		}
		globs = append(globs, g...)
	}
	return b.add(name, globs...)
}

func (b *Builder) add(name string, globs ...string) error {
	odd := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }
	if name == "all" || strings.ContainsFunc(name, odd) {
		return errDefinition
	}
	b.types[name] = append(b.types[name], globs...)
	return nil
}

// Clear forgets a type (--type-clear).
func (b *Builder) Clear(name string) { delete(b.types, name) }

// Select chooses the files of a type (-t); "all" stands for every type known
// at this moment.
func (b *Builder) Select(name string) { b.choose(name, false) }

// Negate rules out the files of a type (-T); "all" is as in Select.
func (b *Builder) Negate(name string) { b.choose(name, true) }

func (b *Builder) choose(name string, negate bool) {
	if name != "all" {
		b.choices = append(b.choices, choice{name, negate})
		return
	}
	for _, t := range slices.Sorted(maps.Keys(b.types)) {
		b.choices = append(b.choices, choice{t, negate})
	}
}

// List returns what --type-list prints: a line for each type in order of name,
// with its globs in order.
func (b *Builder) List() string {
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(b.types)) {
		globs := slices.Sorted(slices.Values(b.types[name]))
		fmt.Fprintf(&out, "%s: %s\n", name, strings.Join(globs, ", "))
	}
	return out.String()
}

// Selection compiles the choices. It fails if a chosen type does not exist or has
// a malformed glob, in ripgrep's words.
func (b *Builder) Selection() (*Selection, error) {
	s := &Selection{}
	set := glob.SetBuilder{NamesOnly: true}
	for _, c := range b.choices {
		globs, ok := b.types[c.name]
		if !ok {
			return nil, fmt.Errorf("unrecognized file type: %s", c.name)
		}
		for _, g := range globs {
			if err := set.Add(g, false, false); err != nil {
				return nil, fmt.Errorf("error parsing glob '%s': %w", g, err)
			}
			s.definitions = append(s.definitions, c.name+":"+g)
			s.negated = append(s.negated, c.negate)
		}
		s.selects = s.selects || !c.negate
	}
	s.set = set.Set()
	return s, nil
}

// A Selection judges file names by type. It is safe for concurrent use.
type Selection struct {
	set         *glob.Set
	definitions []string // for each glob of the set
	negated     []bool
	selects     bool
}

// Empty reports whether no type was chosen, so that nothing needs to be asked.
func (s *Selection) Empty() bool { return s == nil || len(s.definitions) == 0 }

// Match says what the types decide about a file (never a directory) of the
// given name. The last choice that fits decides; it is returned as "type:glob",
// and empty if the file is left out because no selected type fits.
func (s *Selection) Match(name string) (definition string, v glob.Verdict) {
	if s.Empty() {
		return "", glob.None
	}
	if i := s.set.Last("", name, false); i >= 0 {
		if s.negated[i] {
			return s.definitions[i], glob.Ignore
		}
		return s.definitions[i], glob.Include
	}
	if s.selects {
		return "", glob.Ignore
	}
	return "", glob.None
}

// Identity returns a text that is the same for selections that match alike
// because they are the same.
func (s *Selection) Identity() string {
	if s.Empty() {
		return ""
	}
	return fmt.Sprintf("%q %v %t", s.definitions, s.negated, s.selects)
}
