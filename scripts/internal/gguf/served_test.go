package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// needed returns the path that an environment variable names. Where the tests
// must be complete, scripts/test sets TALLY_TEST_REQUIRE and its absence is a
// failure, unless the thing is optional.
func needed(t *testing.T, variable string, optional bool) string {
	t.Helper()
	path := os.Getenv(variable)
	if path == "" {
		if !optional && os.Getenv("TALLY_TEST_REQUIRE") == "1" {
			t.Fatalf("%s is not set", variable)
		}
		t.Skipf("%s is not set", variable)
	}
	return path
}

// A server is a real llama-server with one model.
type server struct {
	t      *testing.T
	client http.Client
}

// serve starts the server and waits until it answers; the test ends it.
func serve(t *testing.T, program, model string) server {
	t.Helper()
	dir, err := os.MkdirTemp("", "gguf")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket := filepath.Join(dir, "s.sock")
	var said bytes.Buffer
	ctx, stop := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, program, "--model", model, "--embedding", "--host", socket,
		"-np", "1", "-c", "512", "-b", "512", "-ub", "512", "-t", "2", "-lv", "1")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() { stop(); <-ended })
	s := server{t: t, client: http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "unix", socket)
		},
	}}}
	t.Cleanup(s.client.CloseIdleConnections)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		answer, err := s.client.Get("http://llama/health")
		if err == nil {
			answer.Body.Close()
			if answer.StatusCode == http.StatusOK {
				return s
			}
		}
		select {
		case err := <-ended:
			ended <- err
			t.Fatalf("llama-server ended: %v: %s", err, said.Bytes())
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("llama-server does not get ready: %v", err)
		}
	}
}

func (s server) post(path string, question, answer any) {
	s.t.Helper()
	body, err := json.Marshal(question)
	if err != nil {
		s.t.Fatal(err)
	}
	response, err := s.client.Post("http://llama"+path, "application/json", bytes.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", response.Status, text)
	}
	if err == nil {
		err = json.Unmarshal(text, answer)
	}
	if err != nil {
		s.t.Fatalf("%s: %v", path, err)
	}
}

func (s server) tokens(text string) []int {
	s.t.Helper()
	var answer struct{ Tokens []int }
	s.post("/tokenize", map[string]any{"content": text, "add_special": true}, &answer)
	return answer.Tokens
}

// vector embeds a text, or the numbers of its tokens.
func (s server) vector(text any) []float32 {
	s.t.Helper()
	var answer struct {
		Data []struct{ Embedding []float32 }
	}
	s.post("/v1/embeddings", map[string]any{"input": text}, &answer)
	if len(answer.Data) != 1 {
		s.t.Fatalf("%d vectors for one text", len(answer.Data))
	}
	return answer.Data[0].Embedding
}

func cosine(a, b []float32) float64 {
	var product, squareA, squareB float64
	for i := range a {
		x, y := float64(a[i]), float64(b[i])
		product, squareA, squareB = product+x*y, squareA+x*x, squareB+y*y
	}
	return product / math.Sqrt(squareA*squareB)
}

// The converted models, served by the real server, against what other programs
// made of the published ones; see testdata/reference.py.
func TestPublishedAgainstReference(t *testing.T) {
	for _, m := range models {
		t.Run(m.name, func(t *testing.T) {
			variable := map[string]string{"bge-small-en-v1.5": "TALLY_TEST_BGE", "all-MiniLM-L6-v2": "TALLY_TEST_MINILM"}[m.name]
			model := needed(t, variable, true)
			s := serve(t, needed(t, "TALLY_TEST_LLAMA_SERVER", false), model)
			content, err := os.ReadFile("testdata/" + m.name + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var cases []struct {
				Text   string
				Tokens []int
				Vector string
			}
			if err := json.Unmarshal(content, &cases); err != nil || len(cases) == 0 {
				t.Fatal(len(cases), err)
			}
			least := 1.0
			for _, c := range cases {
				same := slices.Equal(s.tokens(c.Text), c.Tokens)
				if reason := otherTokens[c.Text]; same != (reason == "") {
					t.Errorf("%q: same tokens: %t, but a reason for others: %q", c.Text, same, reason)
				}
				raw, err := base64.StdEncoding.DecodeString(c.Vector)
				if err != nil {
					t.Fatal(err)
				}
				want, err := floats(raw, []int{m.width})
				if err != nil {
					t.Fatal(err)
				}
				near := cosine(s.vector(c.Tokens), want.numbers)
				// q8_0 costs so much; what the two marks alone make, which
				// is all of an empty text, is the most sensitive.
				goal := 0.999
				if c.Text == "" {
					goal = 0.998
				} else {
					least = min(least, near)
				}
				if !(near > goal) {
					t.Errorf("%q: cosine %.6f", c.Text, near)
				}
			}
			t.Logf("%d texts, least cosine %.6f", len(cases), least)
		})
	}
}

func made(t *testing.T, kind string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), kind+".gguf")
	if err := run([]string{"make", kind, path}); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestMadeConcept(t *testing.T) {
	s := serve(t, needed(t, "TALLY_TEST_LLAMA_SERVER", false), made(t, "concept"))
	note := s.vector("the slugs got the seedlings last year")
	if near := cosine(s.vector("Protecting young plants from snails!"), note); near < 0.8 {
		t.Errorf("the same concepts: cosine %.3f", near)
	}
	if far := cosine(s.vector("a bread recipe"), note); math.Abs(far) > 0.2 {
		t.Errorf("other concepts: cosine %.3f", far)
	}
	for _, n := range s.vector("nothing of this is known") {
		if n != 0 {
			t.Fatal("unknown words have a vector that is not zero")
		}
	}
}

func TestMadeRandom(t *testing.T) {
	s := serve(t, needed(t, "TALLY_TEST_LLAMA_SERVER", false), made(t, "random"))
	one, two := s.vector("the slugs got the seedlings"), s.vector("the seedlings got the slugs")
	if len(one) != madeShape.width {
		t.Errorf("%d numbers in a vector", len(one))
	}
	if near := cosine(one, two); near > 0.99999 {
		t.Errorf("the order of words does not count: cosine %v", near)
	}
	if got := len(s.tokens("abc d?")); got != 7 {
		t.Errorf("%d tokens, want one for each letter and two more", got)
	}
}

// otherTokens are the texts that llama.cpp itself cuts into other tokens than
// the published tokenizer, and why. Given the right tokens the vectors agree.
var otherTokens = map[string]string{
	"日本語のメモ、中文笔记。한국어 메모":                                                                      "Hangul syllables are not decomposed",
	"العربية עברית हिन्दी ไทย":                                                                "spacing vowel signs are dropped with the accents",
	strings.Repeat("x", 99) + " " + strings.Repeat("y", 100) + " " + strings.Repeat("z", 101): "a word of more than 100 characters is not made unknown",
}
