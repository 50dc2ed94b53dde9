package rank

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"
)

// A word is rare if one file holds it, or one in fifty; its forms and what only
// resembles it do not count.
func TestHoldRare(t *testing.T) {
	for _, c := range []struct {
		query          string // "" for two words
		files, holders int
		text           string // of those that hold it
		rare           bool
	}{
		{"", 3, 1, "the Meridian talks", true},
		{"", 3, 2, "the Meridian talks", false},
		{"", 99, 2, "the Meridian talks", false},
		{"", 100, 2, "the meridian talks", true},
		{"", 100, 3, "the meridian talks", false},
		{"", 3, 1, "the meridians", false},
		{"", 3, 1, "the meridain", false},
		{`"meridian talks" the`, 3, 1, "the meridian talks", true},
		{`"meridian talks" the`, 3, 1, "talks of the meridian", false},
	} {
		q, err := ParseQuery(cmp.Or(c.query, "the meridian"))
		if err != nil {
			t.Fatal(err)
		}
		coll := Collection{Query: q, Files: c.files}
		s := q.NewScanner(true)
		var want []string
		for i := range c.files {
			path := fmt.Sprintf("%03d", i)
			text := "the plan"
			if i < c.holders {
				text = c.text
				if c.rare {
					want = append(want, path)
				}
			}
			s.Begin("x")
			s.Write([]byte(text))
			if n := s.End(); n != nil {
				n.Path = path
				coll.Notes = append(coll.Notes, n)
			}
		}
		if got := slices.Sorted(maps.Keys(coll.HoldRare())); !slices.Equal(got, want) {
			t.Errorf("%d of %d files hold %q: %v, want %v", c.holders, c.files, c.text, got, want)
		}
	}
}
