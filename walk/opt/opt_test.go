package opt

import (
	"encoding/json"
	"testing"
)

func TestValue(t *testing.T) {
	double := func(n int) string { return string(rune('0' + 2*n)) }
	for _, c := range []struct {
		value   Value[int]
		or      int
		there   bool
		mapped  string
		encoded string
	}{
		{Value[int]{}, 7, false, "none", "null"},
		{Some(0), 0, true, "0", "0"},
		{Some(3), 3, true, "6", "3"},
	} {
		if n, there := c.value.Get(); there != c.there || there && n != c.or {
			t.Errorf("%v: got %d, %v", c.value, n, there)
		}
		if n := c.value.Or(7); n != c.or {
			t.Errorf("%v or 7 is %d", c.value, n)
		}
		if s := Map(c.value, double).Or("none"); s != c.mapped {
			t.Errorf("%v is mapped to %q", c.value, s)
		}
		if b, err := json.Marshal(c.value); err != nil || string(b) != c.encoded {
			t.Errorf("%v is encoded as %s, %v", c.value, b, err)
		}
	}
}
