package main

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The messages of a small ONNX file, put together by hand.
func message(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func numberField(id, n uint64) []byte {
	return binary.AppendUvarint(binary.AppendUvarint(nil, id<<3), n)
}

func bytesField(id uint64, b []byte) []byte {
	return append(binary.AppendUvarint(binary.AppendUvarint(nil, id<<3|2), uint64(len(b))), b...)
}

func textField(id uint64, s string) []byte { return bytesField(id, []byte(s)) }

func smallONNX() []byte {
	plain := message(numberField(1, 3), numberField(2, 1), textField(8, "a.bias"), bytesField(9, float32Bytes([]float32{1, 2, 3})))
	matrix := message(numberField(1, 2), numberField(1, 3), numberField(2, 1), textField(8, "onnx::MatMul_7"),
		bytesField(9, float32Bytes([]float32{1, 2, 3, 4, 5, 6})))
	integers := message(numberField(1, 1), numberField(2, 7), textField(8, "n"), bytesField(9, make([]byte, 8)))
	product := message(textField(1, "x"), textField(1, "onnx::MatMul_7"), textField(2, "y"),
		textField(3, "/encoder/layer.0/dense/MatMul"), textField(4, "MatMul"))
	sum := message(textField(1, "a.bias"), textField(1, "y"), textField(3, "/encoder/layer.0/dense/Add"), textField(4, "Add"))
	both := message(textField(1, "x"), textField(1, "y"), textField(3, "/encoder/layer.0/self/MatMul"), textField(4, "MatMul"))
	graph := message(bytesField(1, product), bytesField(1, sum), bytesField(1, both),
		bytesField(5, plain), bytesField(5, matrix), bytesField(5, integers))
	return message(numberField(1, 6), textField(2, "test"), []byte{15<<3 | 5, 1, 2, 3, 4}, []byte{15<<3 | 1, 1, 2, 3, 4, 5, 6, 7, 8}, bytesField(7, graph))
}

func smallSafetensors() []byte {
	header := `{"__metadata__":{"format":"pt"},"a.bias":{"dtype":"F32","shape":[3],"data_offsets":[0,12]},` +
		`"encoder.layer.0.dense.weight":{"dtype":"F32","shape":[3,2],"data_offsets":[12,36]},"n":{"dtype":"I64","shape":[1],"data_offsets":[36,44]}}`
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(append(b, header...), float32Bytes([]float32{1, 2, 3, 1, 4, 2, 5, 3, 6})...), make([]byte, 8)...)
}

// Both hold the same tensors; ONNX has the matrix the other way round.
func TestRead(t *testing.T) {
	for name, read := range map[string]func() (tensors, error){
		"onnx":        func() (tensors, error) { return readONNX(smallONNX()) },
		"safetensors": func() (tensors, error) { return readSafetensors(smallSafetensors()) },
	} {
		all, err := read()
		if err != nil || len(all) != 2 {
			t.Errorf("%s: %v, %v", name, all, err)
			continue
		}
		bias, matrix := all["a.bias"], all["encoder.layer.0.dense.weight"]
		if !slices.Equal(bias.shape, []int{3}) || !slices.Equal(bias.numbers, []float32{1, 2, 3}) {
			t.Errorf("%s: %v", name, bias)
		}
		if !slices.Equal(matrix.shape, []int{3, 2}) || !slices.Equal(matrix.numbers, []float32{1, 4, 2, 5, 3, 6}) {
			t.Errorf("%s: %v", name, matrix)
		}
	}
}

// A file that is cut off anywhere is an error, or lacks a tensor.
func TestCutOff(t *testing.T) {
	st := smallSafetensors()
	for name, c := range map[string]struct {
		content []byte
		read    func([]byte) (tensors, error)
	}{
		"onnx":        {smallONNX(), readONNX},
		"safetensors": {st[:len(st)-8], readSafetensors}, // the last tensor is none of those that are read
	} {
		for end := range c.content {
			if all, err := c.read(c.content[:end]); err == nil && len(all) == 2 {
				t.Errorf("%s: the first %d bytes of %d are taken for all", name, end, len(c.content))
			}
		}
	}
}

// Whatever is read, each tensor has the numbers of its shape.
func consistent(t *testing.T, all tensors) {
	for name, one := range all {
		n := 1
		for _, length := range one.shape {
			n *= length
		}
		if n != len(one.numbers) {
			t.Errorf("%q: shape %v, %d numbers", name, one.shape, len(one.numbers))
		}
	}
}

func FuzzONNX(f *testing.F) {
	f.Add(smallONNX())
	f.Fuzz(func(t *testing.T, b []byte) {
		all, _ := readONNX(b)
		consistent(t, all)
	})
}

func FuzzSafetensors(f *testing.F) {
	f.Add(smallSafetensors())
	f.Add(binary.LittleEndian.AppendUint64(nil, math.MaxUint64))
	f.Fuzz(func(t *testing.T, b []byte) {
		all, _ := readSafetensors(b)
		consistent(t, all)
	})
}

func TestVocabulary(t *testing.T) {
	words, err := vocabulary([]byte(`{"model":{"vocab":{"b":1,"a":0,"##c":2}}}`))
	if err != nil || !slices.Equal(words, []string{"a", "b", "##c"}) {
		t.Errorf("%q, %v", words, err)
	}
	for _, text := range []string{`{"model":{"vocab":{"a":0,"b":0}}}`, `{"model":{"vocab":{"a":1}}}`, `{"model":{"vocab":{"a":-1}}}`, `{`} {
		if words, err := vocabulary([]byte(text)); err == nil {
			t.Errorf("%s: %q", text, words)
		}
	}
}

// A package is refused if it is not the one that was checked, if a tensor is
// missing or has another shape, and if the result is another one.
func TestConvertRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "package.zip")
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, content := range map[string][]byte{
		"weights":   smallONNX(),
		"tokenizer": []byte(`{"model":{"vocab":{"[PAD]":0,"[UNK]":1,"[CLS]":2,"[SEP]":3,"[MASK]":4}}}`),
		"none":      []byte(`{"model":{"vocab":{"[PAD]":0}}}`),
	} {
		entry, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := entry.Write(content); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ weights, tokenizer, want string }{
		{"weights", "tokenizer", "no tensor embeddings.word_embeddings.weight"},
		{"weights", "none", "no [UNK]"},
		{"weights", "absent", "absent"},
		{"tokenizer", "tokenizer", "protocol buffer"},
	} {
		m := published{bert: bert{name: "m", layers: 1, width: 32, inner: 32}, weights: c.weights, tokenizer: c.tokenizer, read: readONNX}
		if _, err := m.convert(b.Bytes()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c, err)
		}
		if _, err := m.fromFile(path); err == nil || !strings.Contains(err.Error(), "SHA-256") {
			t.Errorf("a package that was not checked: %v", err)
		}
	}
	for _, args := range [][]string{{}, {"make", "random"}, {"convert", "no such", path, "x"}, {"sum", "no such"}} {
		if err := run(args); err == nil {
			t.Error(fmt.Sprint(args), "is accepted")
		}
	}
}
