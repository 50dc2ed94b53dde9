package report

import "strconv"

// A Number is one that was established in this run, a lower bound of one that
// was not, or the statement that nothing is known. The zero value is the last.
// A lower bound never passes for a total: people read "at least", JSON says null.
type Number struct {
	n            int64
	known, bound bool
}

// Known returns the count n.
func Known(n int64) Number { return Number{n: n, known: true} }

// AtLeast returns the lower bound n.
func AtLeast(n int64) Number { return Number{n: n, bound: true} }

// KnownIf returns the count n if it was established.
func KnownIf(established bool, n int64) Number {
	if !established {
		return Number{}
	}
	return Known(n)
}

// KnownOrBound returns the count n if it was established, else n as a lower bound.
func KnownOrBound(established bool, n int64) Number {
	if established {
		return Known(n)
	}
	return AtLeast(n)
}

// bounded returns c as a lower bound of what it was taken for.
func (c Number) bounded() Number { return Number{n: c.n, bound: c.known || c.bound} }

// plus adds numbers of disjoint parts.
func (c Number) plus(o Number) Number {
	switch {
	case c.known && o.known:
		return Known(c.n + o.n)
	case c == Number{} && o == Number{}:
		return c
	}
	return AtLeast(c.n + o.n)
}

// stated reports whether there is something to say: a number or a bound.
func (c Number) stated() bool { return c.known || c.bound }

// Value returns the number, and whether it is known.
func (c Number) Value() (int64, bool) { return c.n, c.known }

// appendJSON appends the number, or null.
func (c Number) appendJSON(b []byte) []byte {
	if !c.known {
		return append(b, "null"...)
	}
	return strconv.AppendInt(b, c.n, 10)
}

// MarshalJSON writes the number, or null.
func (c Number) MarshalJSON() ([]byte, error) { return c.appendJSON(nil), nil }

// UnmarshalJSON reads a number or null.
func (c *Number) UnmarshalJSON(b []byte) error {
	if string(b) == "null" {
		*c = Number{}
		return nil
	}
	n, err := strconv.ParseInt(string(b), 10, 64)
	*c = Known(n)
	return err
}

// String returns the number in groups of three digits.
func (c Number) String() string {
	switch {
	case c.known:
		return grouped(c.n)
	case c.bound:
		return "at least " + grouped(c.n)
	}
	return "unknown"
}

// of returns the number with the noun that it counts.
func (c Number) of(one, many string) string {
	switch {
	case c.known:
		return some(c.n, one, many)
	case c.bound:
		return "at least " + some(c.n, one, many)
	}
	return "an unknown number of " + many
}

// grouped returns n with commas between groups of three digits.
func grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// some returns n with the noun it counts.
func some(n int64, one, many string) string {
	return grouped(n) + " " + plural(n, one, many)
}

// SoFar says how far a search has come.
func SoFar(files, matched int64) string {
	text := some(files, "file", "files") + " searched so far"
	if matched > 0 {
		text += ", " + grouped(matched) + " with matches"
	}
	return text
}

// plural returns the form of a noun that goes with n.
func plural(n int64, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// size returns a number of bytes for people to read, in decimal units.
func size(n int64) string {
	tenths := func(unit int64) string {
		t := (n + unit/20) / (unit / 10)
		return grouped(t/10) + "." + strconv.FormatInt(t%10, 10)
	}
	switch {
	case n < 1e3:
		return some(n, "byte", "bytes")
	case n < 1e6:
		return tenths(1e3) + " kB"
	}
	return tenths(1e6) + " MB"
}
