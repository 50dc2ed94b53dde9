package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
)

// readSafetensors reads a safetensors file: the length of a JSON object
// (64 bits, little endian), the object, which gives each tensor's type, shape
// and place in the rest, and the rest. Numbers are single floats here; other
// tensors are left out.
func readSafetensors(b []byte) (tensors, error) {
	if len(b) < 8 || order.Uint64(b) > uint64(len(b)-8) {
		return nil, errors.New("the header is cut off")
	}
	header, rest := b[8:8+order.Uint64(b)], b[8+order.Uint64(b):]
	var places map[string]json.RawMessage
	if err := json.Unmarshal(header, &places); err != nil {
		return nil, err
	}
	all := tensors{}
	for name, text := range places {
		if name == "__metadata__" {
			continue
		}
		var place struct {
			Type    string `json:"dtype"`
			Shape   []int  `json:"shape"`
			Offsets [2]int `json:"data_offsets"`
		}
		if err := json.Unmarshal(text, &place); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		if place.Type != "F32" {
			continue
		}
		from, to := place.Offsets[0], place.Offsets[1]
		if from < 0 || to < from || to > len(rest) {
			return nil, fmt.Errorf("%s: bytes %d to %d of %d", name, from, to, len(rest))
		}
		t, err := floats(rest[from:to], place.Shape)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all[name] = t
	}
	return all, nil
}

// floats reads little-endian single floats, as many as the shape holds.
func floats(b []byte, shape []int) (tensor, error) {
	each := len(b) / 4 // numbers for each step of the dimensions so far
	whole := len(b)%4 == 0
	for _, n := range shape {
		whole = whole && n > 0 && each%n == 0
		if !whole {
			break
		}
		each /= n
	}
	if !whole || each != 1 {
		return tensor{}, fmt.Errorf("%d bytes are not the numbers of a shape %v", len(b), shape)
	}
	t := tensor{shape: shape, numbers: make([]float32, len(b)/4)}
	for i := range t.numbers {
		t.numbers[i] = math.Float32frombits(order.Uint32(b[4*i:]))
	}
	return t, nil
}
