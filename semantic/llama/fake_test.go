//go:build unix

package llama

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// The test binary started again is a server with the real one's manners, or a
// process that owns one. Variables of these names are not scrubbed.
const (
	fakeMode = "TALLY_TEST_FAKE_MODE" // a fakeOptions in JSON
	fakeLog  = "TALLY_TEST_FAKE_LOG"  // where each fake adds a fakeStart
	ownerDo  = "TALLY_TEST_OWNER"     // what an owner is to do
)

func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 1 && os.Args[1] == "--model":
		fake()
	case os.Getenv(ownerDo) != "":
		owner(os.Getenv(ownerDo))
	default:
		os.Exit(m.Run())
	}
}

// fakeOptions are the misfortunes of a fake.
type fakeOptions struct {
	Exit     string // what it says before it ends at once, with status 1
	Crash    bool   // it dies of a request,
	After    int    // once it has answered so many
	Loading  bool   // it never becomes ready
	Stubborn bool   // SIGTERM does nothing
}

// A fakeStart is what a fake remembers of its start.
type fakeStart struct {
	PID  int
	Mask int // umask(2)
	Env  []string
	Args []string
}

// fake is a llama-server as far as this package can tell.
func fake() {
	var o fakeOptions
	if mode := os.Getenv(fakeMode); mode != "" {
		must(json.Unmarshal([]byte(mode), &o))
	}
	record()
	flags := flag.NewFlagSet("llama-server", flag.ExitOnError)
	flags.String("model", "", "")
	flags.Bool("embedding", false, "")
	host := flags.String("host", "", "")
	context := flags.Int("c", 0, "")
	for _, name := range []string{"np", "b", "ub", "t", "lv"} {
		flags.Int(name, 0, "")
	}
	flags.Parse(os.Args[1:])
	if o.Exit != "" {
		fmt.Fprint(os.Stderr, o.Exit)
		os.Exit(1)
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: *host, Net: "unix"})
	if err != nil {
		fmt.Fprintln(os.Stderr, "couldn't bind:", err)
		os.Exit(1)
	}
	listener.SetUnlinkOnClose(false)
	f := &fakeServer{fakeOptions: o, limit: *context}
	go http.Serve(listener, f)
	if o.Stubborn {
		signal.Ignore(syscall.SIGTERM)
	}
	if !o.Loading {
		time.Sleep(20 * time.Millisecond)
		term := make(chan os.Signal, 1)
		if !o.Stubborn { // while it loads, SIGTERM just ends it
			signal.Notify(term, syscall.SIGTERM)
		}
		f.ready.Store(true)
		<-term
		f.open.Lock() // for as long as somebody waits for an answer
		os.Exit(0)
	}
	select {}
}

// record adds this process to the log.
func record() {
	name := os.Getenv(fakeLog)
	if name == "" {
		return
	}
	line, err := json.Marshal(fakeStart{os.Getpid(), syscall.Umask(0o077), os.Environ(), os.Args})
	must(err)
	log, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	must(err)
	_, err = log.Write(append(line, '\n'))
	must(err)
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(99)
	}
}

type fakeServer struct {
	fakeOptions
	limit    int
	ready    atomic.Bool
	answered atomic.Int32
	open     sync.RWMutex // a request holds it for reading
}

func (f *fakeServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.open.RLock()
	defer f.open.RUnlock()
	switch {
	case !f.ready.Load():
		f.refuse(w, http.StatusServiceUnavailable, "Loading model")
	case r.URL.Path == "/health":
		f.answer(w, map[string]string{"status": "ok"})
	case r.URL.Path == "/tokenize":
		var in struct {
			Content string
			Special bool `json:"add_special"`
		}
		must(json.NewDecoder(r.Body).Decode(&in))
		tokens := make([]int, len(words(in.Content)))
		if in.Special {
			tokens = append(tokens, 0, 0)
		}
		f.answer(w, map[string]any{"tokens": tokens})
	case r.URL.Path == "/v1/embeddings":
		f.embeddings(w, r)
	default:
		f.refuse(w, http.StatusNotFound, "File Not Found")
	}
}

func (f *fakeServer) embeddings(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Input  []string
		Format string `json:"encoding_format"`
	}
	must(json.NewDecoder(r.Body).Decode(&in))
	if f.Crash && int(f.answered.Add(1)) > f.After {
		fmt.Fprintln(os.Stderr, "a shot in the foot")
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
	if len(in.Input) == 0 || in.Format != "base64" {
		f.refuse(w, http.StatusInternalServerError, "unexpected request")
		return
	}
	type item struct {
		Index     int    `json:"index"`
		Embedding string `json:"embedding"`
	}
	var data []item
	for i, text := range in.Input {
		tokens := len(words(text)) + 2
		switch {
		case tokens > f.limit:
			f.refuse(w, http.StatusInternalServerError, fmt.Sprintf(
				"input (%d tokens) is too large to process. increase the physical batch size (current batch size: %d)", tokens, f.limit))
			return
		case text == "slow":
			<-r.Context().Done()
			return
		case text == "wrong":
			f.refuse(w, http.StatusInternalServerError, "something else")
			return
		}
		data = append(data, item{i, vectorOf(text)})
	}
	f.answer(w, map[string]any{"object": "list", "data": data})
}

func (f *fakeServer) answer(w http.ResponseWriter, value any) { json.NewEncoder(w).Encode(value) }

func (f *fakeServer) refuse(w http.ResponseWriter, status int, message string) {
	w.WriteHeader(status)
	f.answer(w, map[string]any{"error": map[string]any{"code": status, "message": message, "type": "server_error"}})
}

// words are a text's tokens.
func words(text string) []string { return strings.Fields(text) }

// vectorOf makes a vector of a text: one of length 3, so that it shows whether
// it is brought to 1, or of length 0 for a text of unknown words.
func vectorOf(text string) string {
	var raw []byte
	h := fnv.New64a()
	h.Write([]byte(text))
	angle := float64(h.Sum64()%1000) / 1000
	long := 3.0
	if text == "unknown" {
		long = 0
	}
	for _, x := range []float64{math.Cos(angle), math.Sin(angle), 0, 0} {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(long*x)))
	}
	return base64.StdEncoding.EncodeToString(raw)
}

// owner is a process that has a server: it embeds a text, says so on standard
// output, and does what it is told.
func owner(what string) {
	s := New(Config{Program: os.Getenv("TALLY_TEST_OWNER_PROGRAM"), Model: os.Getenv("TALLY_TEST_OWNER_MODEL")})
	defer s.Close()
	_, err := s.Embed(context.Background(), []string{"a"})
	must(err)
	fmt.Println("ready")
	switch what {
	case "panic":
		panic("on purpose")
	case "live": // and answer once more for each line
		buf := make([]byte, 1)
		for {
			if _, err := os.Stdin.Read(buf); err != nil {
				return
			}
			if s.child.hasExited() {
				must(errors.New("the server is gone"))
			}
			_, err := s.Embed(context.Background(), []string{"a"})
			must(err)
			fmt.Println("answered")
		}
	}
}
