package run_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"
)

// The fake llama-server understands a few words. What it does besides:
//
//	FAKE_LOG    the file to which it writes "start", and each text that it embeds
//	FAKE_DELAY  how long each request for vectors takes
//	FAKE_FAIL   it ends at once, with these last words
//
// A text with the word "poison" is refused, and one of more than 512 tokens;
// each z is a token, and each word. That of a text with the word "chaos" is a
// vector of what is no number.

// concepts are groups of words that mean the same to it. What else a text says
// counts little.
var concepts = [][]string{
	{"slug", "slugs", "snail", "snails"},
	{"seedling", "seedlings", "young", "plants"},
	{"budget", "money", "spending"},
	{"train", "trains", "railway", "station"},
	{"bread", "dough", "oven"},
}

const fakeDim = 384

// fakeVector is the direction that a text points in; nil for one without words.
func fakeVector(text string) []float32 {
	text = strings.TrimPrefix(text, "Represent this sentence for searching relevant passages: ")
	v := make([]float32, fakeDim)
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) }) {
		if i := slices.IndexFunc(concepts, func(c []string) bool { return slices.Contains(c, word) }); i >= 0 {
			v[i] = 1
			continue
		}
		h := fnv.New32a()
		h.Write([]byte(word))
		v[len(concepts)+int(h.Sum32()%(fakeDim-uint32(len(concepts))))] = 0.2
	}
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if strings.Contains(text, "chaos") {
		sum = math.NaN()
	}
	for i := range v {
		v[i] /= float32(math.Sqrt(max(sum, 1e-9)))
	}
	return v
}

func fakeTokens(text string) int { return 2 + len(strings.Fields(text)) + strings.Count(text, "z") }

// fakeLlama is the program.
func fakeLlama() {
	if last := os.Getenv("FAKE_FAIL"); last != "" {
		fmt.Fprintln(os.Stderr, last)
		os.Exit(1)
	}
	flags := flag.NewFlagSet("fakellama", flag.ExitOnError)
	host := flags.String("host", "", "")
	for _, name := range []string{"model", "np", "c", "b", "ub", "t", "lv"} {
		flags.String(name, "", "")
	}
	flags.Bool("embedding", false, "")
	flags.Parse(os.Args[1:])
	log := func(string) {}
	if path := os.Getenv("FAKE_LOG"); path != "" {
		log = func(line string) {
			f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
			if err == nil {
				fmt.Fprintln(f, line)
				f.Close()
			}
		}
	}
	delay, _ := time.ParseDuration(os.Getenv("FAKE_DELAY"))
	socket, err := net.Listen("unix", *host)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	log("start")
	term := make(chan os.Signal, 1)
	signal.Notify(term, syscall.SIGTERM)
	go func() {
		<-term
		os.Exit(0)
	}()
	http.Serve(socket, fakeHandler(log, delay))
}

func fakeHandler(log func(string), delay time.Duration) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/health", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"status":"ok"}`) })
	mux.HandleFunc("/tokenize", func(w http.ResponseWriter, r *http.Request) {
		var question struct{ Content string }
		json.NewDecoder(r.Body).Decode(&question)
		fmt.Fprintf(w, `{"tokens":[0%s]}`, strings.Repeat(",0", fakeTokens(question.Content)-1))
	})
	mux.HandleFunc("/v1/embeddings", func(w http.ResponseWriter, r *http.Request) {
		var question struct{ Input []string }
		json.NewDecoder(r.Body).Decode(&question)
		time.Sleep(delay)
		type embedding struct {
			Index     int    `json:"index"`
			Embedding string `json:"embedding"`
		}
		var answer struct {
			Data []embedding `json:"data"`
		}
		for i, text := range question.Input {
			if fakeTokens(text) > 512 || strings.Contains(text, "poison") {
				w.WriteHeader(http.StatusInternalServerError)
				io.WriteString(w, `{"error":{"code":500,"message":"input is too large or not to be had","type":"server_error"}}`)
				return
			}
			log(strings.ReplaceAll(text, "\n", "|"))
			var b bytes.Buffer
			binary.Write(&b, binary.LittleEndian, fakeVector(text))
			answer.Data = append(answer.Data, embedding{i, base64.StdEncoding.EncodeToString(b.Bytes())})
		}
		json.NewEncoder(w).Encode(answer)
	})
	return mux
}

// fakeModel writes the beginning of a model's file, which is all that we read
// of one: fakemodel FILE NAME LAYERS POOLING.
func fakeModel() {
	var b bytes.Buffer
	number := func(n any) { binary.Write(&b, binary.LittleEndian, n) }
	text := func(s string) {
		number(uint64(len(s)))
		b.WriteString(s)
	}
	var layers, pooling uint32
	fmt.Sscan(os.Args[3], &layers)
	fmt.Sscan(os.Args[4], &pooling)
	b.WriteString("GGUF")
	number(uint32(3))
	number(uint64(0))
	number(uint64(7))
	for _, kv := range []struct {
		key   string
		value any
	}{
		{"bert.embedding_length", uint32(fakeDim)},
		{"bert.block_count", layers},
		{"tokens", []string{"a", "b"}},
		{"bert.context_length", uint32(512)},
		{"general.name", os.Args[2]},
		{"general.architecture", "bert"},
		{"bert.pooling_type", pooling},
	} {
		text(kv.key)
		switch v := kv.value.(type) {
		case uint32:
			number(uint32(4))
			number(v)
		case string:
			number(uint32(8))
			text(v)
		case []string:
			number(uint32(9))
			number(uint32(8))
			number(uint64(len(v)))
			for _, s := range v {
				text(s)
			}
		}
	}
	if err := os.WriteFile(os.Args[1], b.Bytes(), 0o666); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
