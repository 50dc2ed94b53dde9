package filetype

import (
	"testing"

	"tally/walk/glob"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		change     func(*Builder)
		name       string
		definition string
		want       glob.Verdict
	}{
		{func(b *Builder) {}, "x.c", "", glob.None},
		{func(b *Builder) { b.Select("c") }, "x.c", "c:*.[chH]", glob.Include},
		{func(b *Builder) { b.Select("c") }, "x.rs", "", glob.Ignore},
		{func(b *Builder) { b.Negate("c") }, "x.c", "c:*.[chH]", glob.Ignore},
		{func(b *Builder) { b.Negate("c") }, "x.rs", "", glob.None},
		{func(b *Builder) { b.Select("c"); b.Negate("h") }, "x.h", "h:*.h", glob.Ignore},
		{func(b *Builder) { b.Negate("h"); b.Select("c") }, "x.h", "c:*.[chH]", glob.Include},
		{func(b *Builder) { b.Select("make") }, "GNUmakefile", "make:[Gg][Nn][Uu]makefile", glob.Include},
		{func(b *Builder) { b.Select("license") }, "BSD-3", "license:BSD-*[0-9]*", glob.Include},
		{func(b *Builder) { b.Select("all") }, "x.unknown", "", glob.Ignore},
		{func(b *Builder) { b.Negate("all") }, "x.c", "c:*.[chH]", glob.Ignore},
	} {
		b := Default()
		c.change(b)
		s, err := b.Selection()
		if err != nil {
			t.Fatal(err)
		}
		definition, v := s.Match(c.name)
		if v != c.want || definition != c.definition {
			t.Errorf("%s: %q, %v, want %q, %v", c.name, definition, v, c.definition, c.want)
		}
	}
}

// The order of changes counts: an included type's globs are those of that
// moment, a cleared type may be defined anew, and all means those known so far.
func TestOrder(t *testing.T) {
	b := Default()
	steps := []error{b.Add("foo:*.foo"), b.Add("bar:include:foo,zig"), b.Add("foo:*.late")}
	b.Clear("rust")
	b.Clear("nothing")
	steps = append(steps, b.Add("rust:*.rusty"))
	b.Select("all")
	steps = append(steps, b.Add("new:*.new"))
	for i, err := range steps {
		if err != nil {
			t.Errorf("step %d: %v", i, err)
		}
	}
	s, err := b.Selection()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]glob.Verdict{
		"x.foo": glob.Include, "x.late": glob.Include, "x.rusty": glob.Include, "x.rs": glob.Ignore, "x.new": glob.Ignore,
	} {
		if _, v := s.Match(name); v != want {
			t.Errorf("%s: %v, want %v", name, v, want)
		}
	}
	if got := b.types["bar"]; len(got) != 2 {
		t.Errorf("bar took %q from the types it includes", got)
	}
}

func TestErrors(t *testing.T) {
	const invalid = "invalid definition (format is type:glob, e.g., html:*.html)"
	for _, definition := range []string{
		"", "c", ":", "c:", ":*.c", "a:b:c:d", "a:inclde:c", "a:include:", "a:include:nope", "a:include:c,nope",
		"all:*.x", "a-b:*.x", "a b:*.x", "a:include:c,",
	} {
		if err := Default().Add(definition); err == nil || err.Error() != invalid {
			t.Errorf("%q: %v, want %s", definition, err, invalid)
		}
	}
	b := Default()
	b.Select("nope")
	if _, err := b.Selection(); err == nil || err.Error() != "unrecognized file type: nope" {
		t.Errorf("an unknown type: %v", err)
	}
	b = Default()
	if err := b.Add("x:[a"); err != nil {
		t.Errorf("a glob is judged when its type is chosen, not before: %v", err)
	}
	b.Negate("x")
	if _, err := b.Selection(); err == nil || err.Error() != "error parsing glob '[a': unclosed character class; missing ']'" {
		t.Errorf("a malformed glob: %v", err)
	}
}
