package main

import (
	"encoding/binary"
	"fmt"
	"math"
)

// A GGUF file (version 3, little endian) is the magic, the version, the number
// of tensors, the number of entries, the entries (key, type, value), for each
// tensor its name, dimensions (fastest first), type and offset, and then the
// tensors' data, each at a multiple of alignment from the data's beginning,
// which is at one itself. A string is its length (64 bits) and its bytes.
const (
	magic     = "GGUF"
	version   = 3
	alignment = 32
)

// The types of values.
const (
	typeUint32  = 4
	typeInt32   = 5
	typeFloat32 = 6
	typeBool    = 7
	typeString  = 8
	typeArray   = 9
)

// The types of tensors.
const (
	float32s = 0
	q8s      = 8
)

type entry struct {
	key   string
	value any // uint32, float32, bool, string, []string or []int32
}

// A stored tensor has its numbers as they stand in the file.
type stored struct {
	name  string
	shape []int // slowest first, as the weights' own formats have it
	kind  uint32
	data  []byte
}

var order = binary.LittleEndian

// encode lays out a whole file.
func encode(entries []entry, tensors []stored) []byte {
	b := append([]byte(magic), 0, 0, 0, 0)
	order.PutUint32(b[4:], version)
	b = order.AppendUint64(b, uint64(len(tensors)))
	b = order.AppendUint64(b, uint64(len(entries)))
	for _, e := range entries {
		b = appendValue(appendString(b, e.key), e.value)
	}
	offset := 0
	for _, t := range tensors {
		b = order.AppendUint32(appendString(b, t.name), uint32(len(t.shape)))
		for i := len(t.shape) - 1; i >= 0; i-- {
			b = order.AppendUint64(b, uint64(t.shape[i]))
		}
		b = order.AppendUint32(b, t.kind)
		b = order.AppendUint64(b, uint64(offset))
		offset += aligned(len(t.data))
	}
	for _, t := range tensors {
		b = append(pad(b), t.data...)
	}
	return pad(b)
}

func aligned(n int) int { return (n + alignment - 1) / alignment * alignment }

func pad(b []byte) []byte { return append(b, make([]byte, aligned(len(b))-len(b))...) }

func appendString(b []byte, s string) []byte {
	return append(order.AppendUint64(b, uint64(len(s))), s...)
}

func appendValue(b []byte, value any) []byte {
	switch v := value.(type) {
	case uint32:
		return order.AppendUint32(order.AppendUint32(b, typeUint32), v)
	case float32:
		return order.AppendUint32(order.AppendUint32(b, typeFloat32), math.Float32bits(v))
	case bool:
		b = append(order.AppendUint32(b, typeBool), 0)
		if v {
			b[len(b)-1] = 1
		}
		return b
	case string:
		return appendString(order.AppendUint32(b, typeString), v)
	case []string:
		b = appendArray(b, typeString, len(v))
		for _, s := range v {
			b = appendString(b, s)
		}
		return b
	case []int32:
		b = appendArray(b, typeInt32, len(v))
		for _, n := range v {
			b = order.AppendUint32(b, uint32(n))
		}
		return b
	}
	panic(fmt.Sprintf("no type for %T", value))
}

func appendArray(b []byte, kind uint32, length int) []byte {
	return order.AppendUint64(order.AppendUint32(order.AppendUint32(b, typeArray), kind), uint64(length))
}

func float32Bytes(numbers []float32) []byte {
	b := make([]byte, 0, 4*len(numbers))
	for _, n := range numbers {
		b = order.AppendUint32(b, math.Float32bits(n))
	}
	return b
}

// A block of q8_0 is 32 numbers: a scale as a half, then each number over the
// scale as a signed byte.
const q8Block = 32

// q8Bytes quantizes as ggml's reference does; the numbers are whole blocks.
func q8Bytes(numbers []float32) []byte {
	b := make([]byte, 0, len(numbers)/q8Block*(2+q8Block))
	for ; len(numbers) > 0; numbers = numbers[q8Block:] {
		block := numbers[:q8Block]
		var largest float32
		for _, n := range block {
			largest = max(largest, n, -n)
		}
		scale := largest / math.MaxInt8
		var inverse float32
		if scale != 0 {
			inverse = 1 / scale
		}
		b = order.AppendUint16(b, half(scale))
		for _, n := range block {
			b = append(b, byte(int8(math.Round(float64(n*inverse)))))
		}
	}
	return b
}

// half is the IEEE half nearest to f, to even in a tie; f is not negative.
func half(f float32) uint16 {
	const smallestNormal, infinity = 0x1p-14, 0x7c00
	if f < smallestNormal {
		return uint16(math.RoundToEven(float64(f) * 0x1p24))
	}
	bits := math.Float32bits(f)
	bits += 0xfff + bits>>13&1 - (127-15)<<23
	return uint16(min(bits>>13, infinity))
}
