package walk

import (
	"fmt"
	"testing"
)

// What is entered is named, once, in path order; what is left out is not.
func TestNested(t *testing.T) {
	tree(t, append(nestedTree, "hid/.h/.git/f", "dead/.git -> nowhere", "l -> sub", "plain/.gitignore=a\n")...)
	for _, test := range []struct {
		roots []string
		f     func(*Config)
		want  string
	}{
		{[]string{"."}, nil, "[./odd ./sub ./sub/tree]"},
		{[]string{"sub", "."}, nil, "[./odd sub/tree]"},
		{[]string{"sub/tree"}, nil, "[]"},
		{[]string{"."}, func(c *Config) { c.NoNested = true }, "[]"},
		{[]string{"."}, func(c *Config) { c.Hidden = true }, "[./hid/.h ./odd ./sub ./sub/tree]"},
	} {
		for _, threads := range []int{1, 4} {
			u := universe(t, func(c *Config) {
				c.Threads = threads
				if test.f != nil {
					test.f(c)
				}
			}, test.roots...)
			tell(u, nil)
			if got := fmt.Sprint(u.Nested()); got != test.want {
				t.Errorf("%q: %s, want %s", test.roots, got, test.want)
			}
		}
	}
}
