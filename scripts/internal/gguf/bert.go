package main

import (
	"fmt"
	"slices"
	"strings"
)

// How the vectors of a text's tokens become the text's.
const (
	poolMean = 1
	poolCLS  = 2
)

// A bert is the shape of a model: everything about it but its weights.
type bert struct {
	name       string
	layers     int
	width      int // of a vector
	inner      int // width between the two halves of a feed-forward part
	pooling    uint32
	vocabulary []string // as WordPiece has it: the later parts of a word begin with ##
}

// The same in every model here.
const (
	heads     = 12
	window    = 512 // tokens, the two special ones among them
	segments  = 2   // of a pair of texts; a single one is all in the first
	normFloor = 1e-12
)

// A part is one tensor: its name here and in the model's published form.
type part struct {
	name, origin string
	shape        []int
	matrix       bool // what may be quantized: large, and multiplied with
}

// layerParts are those of one layer. The letters of a shape: w the model's
// width, i the inner one; a second letter makes a matrix.
var layerParts = []struct{ name, origin, shape string }{
	{"attn_q.weight", "attention.self.query.weight", "ww"},
	{"attn_q.bias", "attention.self.query.bias", "w"},
	{"attn_k.weight", "attention.self.key.weight", "ww"},
	{"attn_k.bias", "attention.self.key.bias", "w"},
	{"attn_v.weight", "attention.self.value.weight", "ww"},
	{"attn_v.bias", "attention.self.value.bias", "w"},
	{"attn_output.weight", "attention.output.dense.weight", "ww"},
	{"attn_output.bias", "attention.output.dense.bias", "w"},
	{"attn_output_norm.weight", "attention.output.LayerNorm.weight", "w"},
	{"attn_output_norm.bias", "attention.output.LayerNorm.bias", "w"},
	{"ffn_up.weight", "intermediate.dense.weight", "iw"},
	{"ffn_up.bias", "intermediate.dense.bias", "i"},
	{"ffn_down.weight", "output.dense.weight", "wi"},
	{"ffn_down.bias", "output.dense.bias", "w"},
	{"layer_output_norm.weight", "output.LayerNorm.weight", "w"},
	{"layer_output_norm.bias", "output.LayerNorm.bias", "w"},
}

func (m bert) parts() []part {
	list := []part{
		{"token_embd.weight", "embeddings.word_embeddings.weight", []int{len(m.vocabulary), m.width}, true},
		{"position_embd.weight", "embeddings.position_embeddings.weight", []int{window, m.width}, false},
		{"token_types.weight", "embeddings.token_type_embeddings.weight", []int{segments, m.width}, false},
		{"token_embd_norm.weight", "embeddings.LayerNorm.weight", []int{m.width}, false},
		{"token_embd_norm.bias", "embeddings.LayerNorm.bias", []int{m.width}, false},
	}
	length := map[rune]int{'w': m.width, 'i': m.inner}
	for layer := range m.layers {
		for _, p := range layerParts {
			var shape []int
			for _, letter := range p.shape {
				shape = append(shape, length[letter])
			}
			list = append(list, part{
				fmt.Sprintf("blk.%d.%s", layer, p.name),
				fmt.Sprintf("encoder.layer.%d.%s", layer, p.origin),
				shape, len(shape) == 2,
			})
		}
	}
	return list
}

// file lays out the model with the weights that are handed to it.
func (m bert) file(quantized bool, weights func(part) ([]float32, error)) ([]byte, error) {
	entries, err := m.entries(quantized)
	if err != nil {
		return nil, err
	}
	var tensors []stored
	for _, p := range m.parts() {
		numbers, err := weights(p)
		if err != nil {
			return nil, err
		}
		t := stored{name: p.name, shape: p.shape, kind: float32s}
		if quantized && p.matrix {
			t.kind, t.data = q8s, q8Bytes(numbers)
		} else {
			t.data = float32Bytes(numbers)
		}
		tensors = append(tensors, t)
	}
	return encode(entries, tensors), nil
}

// specials are the tokens that stand for no text, and the names of the entries
// that say which they are. The fourth is spelt as llama.cpp spells it.
var specials = []struct {
	token string
	keys  []string
}{
	{"[PAD]", []string{"padding"}},
	{"[UNK]", []string{"unknown"}},
	{"[CLS]", []string{"cls", "bos"}},
	{"[SEP]", []string{"seperator", "eos"}},
	{"[MASK]", []string{"mask"}},
}

// entries are the model's description. llama.cpp wants the first part of a word
// marked and the later ones bare, the other way round than WordPiece.
func (m bert) entries(quantized bool) ([]entry, error) {
	const normal, control = 1, 3
	fileType := uint32(0)
	if quantized {
		fileType = 7
	}
	list := []entry{
		{"general.architecture", "bert"},
		{"general.name", m.name},
		{"general.file_type", fileType},
		{"general.quantization_version", uint32(2)},
		{"bert.block_count", uint32(m.layers)},
		{"bert.context_length", uint32(window)},
		{"bert.embedding_length", uint32(m.width)},
		{"bert.feed_forward_length", uint32(m.inner)},
		{"bert.attention.head_count", uint32(heads)},
		{"bert.attention.layer_norm_epsilon", float32(normFloor)},
		{"bert.attention.causal", false},
		{"bert.pooling_type", m.pooling},
		{"tokenizer.ggml.model", "bert"},
		{"tokenizer.ggml.pre", "bert-bge"},
		{"tokenizer.ggml.token_type_count", uint32(segments)},
	}
	tokens, kinds := make([]string, len(m.vocabulary)), make([]int32, len(m.vocabulary))
	for i, word := range m.vocabulary {
		kinds[i] = normal
		if later, ok := strings.CutPrefix(word, "##"); ok {
			tokens[i] = later
		} else if strings.HasPrefix(word, "[") && strings.HasSuffix(word, "]") {
			tokens[i] = word
		} else {
			tokens[i] = "\u2581" + word
		}
	}
	for _, s := range specials {
		id := slices.Index(m.vocabulary, s.token)
		if id < 0 {
			return nil, fmt.Errorf("%s: the vocabulary has no %s", m.name, s.token)
		}
		kinds[id] = control
		for _, key := range s.keys {
			list = append(list, entry{"tokenizer.ggml." + key + "_token_id", uint32(id)})
		}
	}
	return append(list, entry{"tokenizer.ggml.tokens", tokens}, entry{"tokenizer.ggml.token_type", kinds}), nil
}
