package walk

import "testing"

func TestOpNames(t *testing.T) {
	for o := OpOpen; o < numOps; o++ {
		if got, ok := OpNamed(o.String()); o.String() == "" || !ok || got != o {
			t.Errorf("operation %d is called %q, which is that of %d, %v", o, o, got, ok)
		}
	}
	if o, ok := OpNamed(""); ok {
		t.Errorf("no name at all is that of %v", o)
	}
}
