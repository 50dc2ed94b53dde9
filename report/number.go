package report

import "strconv"

// A Number is one that was established in this run, or the statement that
// it was not. The zero value is the latter: a lower bound never passes for a
// total.
type Number struct {
	n     int64
	known bool
}

// Known returns the count n.
func Known(n int64) Number { return Number{n, true} }

// KnownIf returns the count n if it was established.
func KnownIf(established bool, n int64) Number {
	if !established {
		return Number{}
	}
	return Known(n)
}

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

// String returns the number in groups of three digits, or "unknown".
func (c Number) String() string {
	if !c.known {
		return "unknown"
	}
	return grouped(c.n)
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
