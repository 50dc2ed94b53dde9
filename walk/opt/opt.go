// Package opt holds values that may not be there. It knows no other room, so
// that each may use it.
package opt

import "encoding/json"

// A Value is one that may not be there; the zero Value is not.
type Value[T any] struct {
	value T
	set   bool
}

// Some returns the value v, which is there.
func Some[T any](v T) Value[T] { return Value[T]{v, true} }

// Get returns the value and whether there is one.
func (o Value[T]) Get() (T, bool) { return o.value, o.set }

// Or returns the value, or fallback if there is none.
func (o Value[T]) Or(fallback T) T {
	if o.set {
		return o.value
	}
	return fallback
}

// Map applies f to the value if there is one.
func Map[T, U any](o Value[T], f func(T) U) Value[U] {
	if !o.set {
		return Value[U]{}
	}
	return Some(f(o.value))
}

// MarshalJSON encodes the value, or null. Without it all values would be alike
// where a query is identified by its encoding.
func (o Value[T]) MarshalJSON() ([]byte, error) {
	if !o.set {
		return []byte("null"), nil
	}
	return json.Marshal(o.value)
}
