package rank

import (
	"slices"
	"testing"
)

func collect(t *testing.T, question string, texts map[string]string) *Collection {
	t.Helper()
	q, err := ParseQuery(question)
	if err != nil {
		t.Fatal(err)
	}
	c := &Collection{Query: q, Files: len(texts)}
	s := q.NewScanner(false)
	for path, text := range texts {
		s.Begin(path)
		s.Write([]byte(text))
		if n := s.End(); n != nil {
			n.Path = path
			c.Notes = append(c.Notes, n)
		}
	}
	return c
}

func TestWeighs(t *testing.T) {
	for _, test := range []struct {
		files, all int64
		want       bool
	}{
		{0, 0, true},
		{0, 9, true},
		{1, 1, true},
		{1, 2, true},
		{2, 2, false},
		{1, 3, true},
		{2, 3, false},
		{2, 4, true},
		{3, 4, false},
		{50, 100, true},
		{51, 100, false},
	} {
		if got := Weighs(test.files, test.all); got != test.want {
			t.Errorf("%d of %d files: %t", test.files, test.all, got)
		}
	}
}

func TestWordsOfWeight(t *testing.T) {
	c := collect(t, "the slugs of spin_lock and zeppelins", map[string]string{
		"a.txt": "the slug of it and", "b.txt": "the end of a spin", "c.txt": "the lock of it and", "d.txt": "the locks of it and",
	})
	// A form counts as its word does; of spin_lock one part weighs.
	if got, want := c.WordsOfWeight(), []bool{false, true, false, true, false, true}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestOffered(t *testing.T) {
	texts := map[string]string{"a.txt": "the slugs", "b.txt": "the end", "c.txt": "the last", "d.txt": "the one at the end"}
	for _, test := range []struct {
		question string
		want     []string
	}{
		{"the slugs and zeppelins", []string{"a.txt"}},
		{"the zeppelins", nil},
		{`"the end" zeppelins`, []string{"b.txt", "d.txt"}},
		{`"the zeppelins" slugs`, nil},
	} {
		c := collect(t, test.question, texts)
		_, below := c.Rank(1)
		var got []string
		for _, r := range c.Offered(below) {
			got = append(got, r.Path)
		}
		if slices.Sort(got); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.question, got, test.want)
		}
	}
}
