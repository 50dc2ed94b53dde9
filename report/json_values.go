package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"tally/walk"
)

// These types say how values look in JSON, so that a struct of them needs
// nothing but tags.

// appendJSON appends a value that can always be encoded. Unlike [json.Marshal]
// it escapes nothing for HTML.
func appendJSON(b []byte, v any) []byte {
	var encoded bytes.Buffer
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		panic(err)
	}
	return append(b, bytes.TrimSuffix(encoded.Bytes(), []byte("\n"))...)
}

// A text is a string that is escaped as little as possible ([appendString]).
type text string

// MarshalJSON writes the text.
func (t text) MarshalJSON() ([]byte, error) { return appendString(nil, []byte(t)), nil }

// An optionalText is a text that is null where it is empty.
type optionalText string

// MarshalJSON writes the text, or null.
func (t optionalText) MarshalJSON() ([]byte, error) {
	if t == "" {
		return []byte("null"), nil
	}
	return text(t).MarshalJSON()
}

// A list is a slice whose JSON is an array even where it is nil.
type list[T any] []T

// MarshalJSON writes the elements.
func (l list[T]) MarshalJSON() ([]byte, error) {
	if l == nil {
		return []byte("[]"), nil
	}
	return appendJSON(nil, []T(l)), nil
}

// A score is a number in as few digits as tell it from all others.
type score float64

// MarshalJSON writes the number.
func (s score) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(s), 'g', -1, 64), nil
}

// An enum is a type of constants with a table of their names. The name "" is
// null in JSON.
type enum interface {
	~uint8
	names() []string
}

// A named constant is its name in JSON.
type named[E enum] struct {
	value   E
	unknown bool // a later version gave it a name; value is then the first
}

func byName[E enum](value E) named[E] { return named[E]{value: value} }

// MarshalJSON writes the name.
func (n named[E]) MarshalJSON() ([]byte, error) {
	return optionalText(n.value.names()[n.value]).MarshalJSON()
}

// UnmarshalJSON reads a name.
func (n *named[E]) UnmarshalJSON(b []byte) error {
	var s optionalText
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	i := slices.Index(n.value.names(), string(s))
	n.value, n.unknown = E(max(0, i)), i < 0
	return nil
}

// reasonCounts is a number for each reason why paths are out of scope.
type reasonCounts [walk.NumReasons]int64

// MarshalJSON writes an object with all reasons, in their order.
func (c reasonCounts) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for reason, n := range c {
		b = fmt.Appendf(appendComma(b, reason), `"%s":%d`, walk.Reason(reason), n)
	}
	return append(b, '}'), nil
}

// UnmarshalJSON reads such an object. Reasons that are missing count 0, those
// of a later version are passed over.
func (c *reasonCounts) UnmarshalJSON(b []byte) error {
	var counts map[string]int64
	err := json.Unmarshal(b, &counts)
	for reason := range walk.NumReasons {
		c[reason] = counts[reason.String()]
	}
	return err
}
