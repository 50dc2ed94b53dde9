package main

import (
	"io"
	"testing"
)

func digestOf(parts ...string) (d digest) {
	for _, p := range parts {
		io.WriteString(&d, p)
	}
	return d
}

func TestDigest(t *testing.T) {
	a, b := digestOf("one\ntwo\n"), digestOf("two\none\n")
	if a.lines != b.lines || a == b {
		t.Error("the order of lines must change the digest and not the sum over lines")
	}
	if a != digestOf("on", "e\ntw", "o\n") {
		t.Error("how an output is cut must not matter")
	}
	for _, other := range []string{"one\ntwo\ntwo\n", "one\ntwp\n", "onetwo\n", "one\ntwo", "", "\none\ntwo\n"} {
		if d := digestOf(other); d.lines == a.lines && d.partial == a.partial {
			t.Errorf("%q is taken for the same lines", other)
		}
	}
}

func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		values  []float64
		q, want float64
	}{
		{[]float64{3}, 0.5, 3},
		{[]float64{1, 3}, 0.5, 2},
		{[]float64{1, 2, 3}, 0.5, 2},
		{[]float64{1, 2, 3, 4, 5}, 0.25, 2},
		{[]float64{1, 2}, 1, 2},
	} {
		if got := quantile(c.values, c.q); got != c.want {
			t.Errorf("quantile(%v, %v) = %v, want %v", c.values, c.q, got, c.want)
		}
	}
}
