package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"strings"
)

// The fields of ONNX's messages that matter here, and a type of its numbers.
const (
	modelGraph       = 7
	graphNode        = 1
	graphInitializer = 5
	nodeInput        = 1
	nodeName         = 3
	nodeType         = 4
	tensorDims       = 1
	tensorType       = 2
	tensorName       = 8
	tensorRaw        = 9

	onnxFloat = 1
)

var errProtobuf = errors.New("not a protocol buffer, or cut off")

// A field of a protobuf message: a number or bytes, as the wire has it.
type field struct {
	id     uint64
	number uint64
	bytes  []byte
}

// fields lists the fields of a message. After the last one, or at the first
// that cannot be read, it sets err.
func fields(b []byte, err *error) iter.Seq[field] {
	const varint, fixed64, bytes, fixed32 = 0, 1, 2, 5
	return func(yield func(field) bool) {
		for len(b) > 0 {
			key, n := binary.Uvarint(b)
			if n <= 0 {
				*err = errProtobuf
				return
			}
			b = b[n:]
			f := field{id: key >> 3}
			length := uint64(0)
			switch key & 7 {
			case varint, bytes:
				if f.number, n = binary.Uvarint(b); n <= 0 {
					*err = errProtobuf
					return
				}
				b = b[n:]
				if key&7 == bytes {
					length = f.number
				}
			case fixed64:
				length = 8
			case fixed32:
				length = 4
			default:
				*err = errProtobuf
				return
			}
			if length > uint64(len(b)) {
				*err = errProtobuf
				return
			}
			f.bytes, b = b[:length], b[length:]
			if !yield(f) {
				return
			}
		}
	}
}

// readONNX reads the constant tensors of single floats. An exporter folds the
// transposition of a matrix into a constant without a name of its own; the
// node that multiplies with it says by its own name what it is, so that
// /encoder/layer.0/output/dense/MatMul gives encoder.layer.0.output.dense.weight.
func readONNX(b []byte) (tensors, error) {
	var err error
	all := tensors{}
	matrices := map[string]string{} // name of the constant: that of the weight
	for top := range fields(b, &err) {
		if top.id != modelGraph {
			continue
		}
		for f := range fields(top.bytes, &err) {
			switch f.id {
			case graphInitializer:
				name, t, failed := onnxTensor(f.bytes)
				if failed != nil {
					return nil, fmt.Errorf("tensor %q: %w", name, failed)
				}
				if t.numbers != nil {
					all[name] = t
				}
			case graphNode:
				constant, weight := onnxProduct(f.bytes, &err)
				if weight != "" {
					matrices[constant] = weight
				}
			}
		}
	}
	if err != nil {
		return nil, err
	}
	for constant, weight := range matrices {
		if t, ok := all[constant]; ok && len(t.shape) == 2 {
			delete(all, constant)
			all[weight] = t.transposed()
		}
	}
	return all, nil
}

// onnxProduct reads a node. Of one that multiplies it returns the name of the
// right factor and that of the weight which this is if it is a constant.
func onnxProduct(b []byte, err *error) (constant, weight string) {
	var inputs []string
	var name, kind string
	for f := range fields(b, err) {
		switch f.id {
		case nodeInput:
			inputs = append(inputs, string(f.bytes))
		case nodeName:
			name = string(f.bytes)
		case nodeType:
			kind = string(f.bytes)
		}
	}
	path, ok := strings.CutSuffix(name, "/MatMul")
	if kind != "MatMul" || !ok || len(inputs) != 2 {
		return "", ""
	}
	return inputs[1], strings.ReplaceAll(strings.TrimPrefix(path, "/"), "/", ".") + ".weight"
}

// onnxTensor reads a tensor; its numbers are nil if they are no single floats.
func onnxTensor(b []byte) (name string, t tensor, err error) {
	var kind uint64
	var raw []byte
	var shape []int
	for f := range fields(b, &err) {
		switch f.id {
		case tensorDims:
			if f.bytes == nil || len(f.bytes) > 0 {
				return name, t, errors.New("packed dimensions are not known here")
			}
			shape = append(shape, int(f.number))
		case tensorType:
			kind = f.number
		case tensorName:
			name = string(f.bytes)
		case tensorRaw:
			raw = f.bytes
		}
	}
	if err != nil || kind != onnxFloat {
		return name, t, err
	}
	t, err = floats(raw, shape)
	return name, t, err
}

func (t tensor) transposed() tensor {
	rows, columns := t.shape[0], t.shape[1]
	flipped := tensor{shape: []int{columns, rows}, numbers: make([]float32, len(t.numbers))}
	for r := range rows {
		for c := range columns {
			flipped.numbers[c*rows+r] = t.numbers[r*columns+c]
		}
	}
	return flipped
}
