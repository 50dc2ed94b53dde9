package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"tally/docs"
	"tally/run/world"
)

// vault writes a tree with a file of each kind that matters, and what is outside.
func vault(t *testing.T) (served, outside string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	served, outside = filepath.Join(dir, "notes"), filepath.Join(dir, "secret")
	for path, text := range map[string]string{
		"notes/garden.md":      "# Garden\n\nThe slugs got the seedlings last year.\nNext year: copper tape.\n",
		"notes/kitchen.md":     "# Kitchen\n\nBread: 500 g of flour, water, salt.\n",
		"notes/sub/deep.txt":   strings.Repeat("a line of flour\n", 30),
		"notes/long.txt":       strings.Repeat("x", 3000) + "needle" + strings.Repeat("y", 3000) + "\n",
		"notes/binary.dat":     "flour\x00flour\n",
		"notes/latin.txt":      "caf\xe9 flour\n",
		"notes/.hidden.md":     "a hidden word\n",
		"notes/.ignore":        "ignored.md\n",
		"notes/ignored.md":     "an ignored word\n",
		"secret/passwords.txt": "hunter2\n",
	} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, link := range []string{"link.txt", "linked"} {
		to := map[string]string{"link.txt": outside + "/passwords.txt", "linked": outside}[link]
		if err := os.Symlink(to, filepath.Join(served, link)); err != nil {
			t.Fatal(err)
		}
	}
	return served, outside
}

// served starts a server of dirs in this process, and returns a client of it.
func served(t *testing.T, dirs ...string) *sdk.ClientSession {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	w := world.World{Stdin: toServer, Stdout: fromServer, Stderr: io.Discard, Environ: []string{"TALLY_MEANING=off"}}
	s, err := New(w, dirs, docs.Schema)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan int, 1)
	go func() {
		ended <- s.Run(t.Context())
		fromServer.Close()
	}()
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(
		context.Background(), &sdk.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		if code := <-ended; code != 0 {
			t.Errorf("the server ended with exit code %d", code)
		}
	})
	return session
}

// called is what a tool answered.
type called struct {
	text  string
	error bool
	found struct {
		LedgerLine string `json:"ledger_line"`
		Ledger     struct {
			Files           struct{ Matched, InScope *int64 }
			Lines, Matches  *int64
			Truncated       bool
			Complete, Found bool
			Absent          *string
			Verdict         *string
			Explain         *struct{ Findings []struct{ Kind string } }
		}
		NextCursor *string `json:"next_cursor"`
		Results    []struct {
			Type string
			Data struct {
				Path, Lines shown
				Number      int64 `json:"line_number"`
			}
		}
		Answers []struct{ Data struct{ Reason string } }
	}
}

// call calls a tool and holds its answer against the schema that it announces.
func call(t *testing.T, s *sdk.ClientSession, name string, arguments map[string]any) *called {
	t.Helper()
	answer, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: name, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s %v: %v", name, arguments, err)
	}
	c := &called{error: answer.IsError}
	for _, content := range answer.Content {
		c.text += content.(*sdk.TextContent).Text
	}
	if c.error {
		return c
	}
	raw, err := json.Marshal(answer.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &c.found); err != nil {
		t.Fatal(err)
	}
	for tool, err := range s.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		if tool.Name == name {
			satisfies(t, tool.OutputSchema, raw)
		}
	}
	return c
}

func satisfies(t *testing.T, schema any, raw []byte) {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("answer.json", schema); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("answer.json")
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err == nil {
		err = compiled.Validate(value)
	}
	if err != nil {
		t.Errorf("against the announced schema: %v\n%s", err, raw)
	}
}

func TestSearchGivesTotalsAndPages(t *testing.T) {
	dir, _ := vault(t)
	s := served(t, dir)
	var lines []string
	cursor := ""
	for page := 1; ; page++ {
		arguments := map[string]any{"pattern": "flour", "limit": 10}
		if cursor != "" {
			arguments["cursor"] = cursor
		}
		c := call(t, s, "search", arguments)
		if c.error || *c.found.Ledger.Lines != 32 || *c.found.Ledger.Files.Matched != 3 {
			t.Fatalf("page %d: %s", page, c.text)
		}
		if !strings.HasPrefix(c.text, c.found.LedgerLine+"\n") || !strings.Contains(c.text, "10 of 32") && page < 4 && !strings.HasPrefix(c.text, "tally: ") {
			t.Errorf("page %d begins without the ledger:\n%s", page, c.text)
		}
		for _, r := range c.found.Results {
			lines = append(lines, fmt.Sprint(r.Data.Path.Text, r.Data.Number))
		}
		if c.found.NextCursor == nil {
			break
		}
		cursor = *c.found.NextCursor
	}
	if len(lines) != 32 {
		t.Errorf("the pages have %d lines, not 32: %q", len(lines), lines)
	}
	if err := os.WriteFile(filepath.Join(dir, "new.md"), []byte("more flour\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if c := call(t, s, "search", map[string]any{"pattern": "flour", "limit": 10, "cursor": cursor}); !c.error || !strings.Contains(c.text, "have changed") {
		t.Errorf("a page of results that have changed: %s", c.text)
	}
}

func TestLongLinesAreShownInPart(t *testing.T) {
	dir, _ := vault(t)
	c := call(t, served(t, dir), "search", map[string]any{"pattern": "needle", "window": 60})
	if len(c.text) > 1000 || !strings.Contains(c.text, "needle") || !strings.Contains(c.text, "…") || !c.found.Ledger.Truncated {
		t.Errorf("%s", c.text)
	}
}

func TestAbsent(t *testing.T) {
	dir, _ := vault(t)
	s := served(t, dir)
	for _, c := range []struct {
		patterns any
		want     string
	}{
		{[]string{"nowhere to be found"}, "proven"},
		{[]string{"nowhere to be found", "slugs"}, "refuted"},
		{"salt", "refuted"},
	} {
		a := call(t, s, "absent", map[string]any{"patterns": c.patterns})
		if a.error || *a.found.Ledger.Absent != c.want {
			t.Errorf("%v: %s", c.patterns, a.text)
		}
	}
	if a := call(t, s, "absent", map[string]any{"patterns": []string{"THE SLUGS"}}); a.found.Ledger.Explain == nil || !strings.Contains(a.text, "in another case") {
		t.Errorf("a near miss: %s", a.text)
	}
	if a := call(t, s, "absent", map[string]any{"patterns": []string{}}); !a.error {
		t.Errorf("no patterns: %s", a.text)
	}
}

func TestCount(t *testing.T) {
	dir, _ := vault(t)
	s := served(t, dir)
	c := call(t, s, "count", map[string]any{"pattern": "flour", "globs": []string{"*.txt"}})
	if c.error || *c.found.Ledger.Matches != 31 || len(c.found.Results) != 0 {
		t.Errorf("%s", c.text)
	}
	if c := call(t, s, "count", map[string]any{"pattern": "fl.ur", "regex": true, "paths": []string{"sub"}}); *c.found.Ledger.Lines != 30 {
		t.Errorf("%s", c.text)
	}
}

func TestRank(t *testing.T) {
	dir, _ := vault(t)
	s := served(t, dir)
	c := call(t, s, "rank", map[string]any{"query": "slugs seedlings"})
	if c.error || *c.found.Ledger.Verdict != "found" || !strings.Contains(c.text, "garden.md") || !strings.Contains(c.text, "evidence: slugs: matches: 1, files: 1") {
		t.Errorf("%s", c.text)
	}
	if c := call(t, s, "rank", map[string]any{"query": "zeppelin"}); c.error || *c.found.Ledger.Verdict != "not_found" {
		t.Errorf("%s", c.text)
	}
}

func TestMeaningWithoutAModelIsTheSearch(t *testing.T) {
	dir, _ := vault(t)
	c := call(t, served(t, dir), "meaning", map[string]any{"query": "slugs"})
	if c.error || *c.found.Ledger.Lines != 1 {
		t.Errorf("%s", c.text)
	}
}

func TestWhyAndRead(t *testing.T) {
	dir, _ := vault(t)
	s := served(t, dir)
	c := call(t, s, "why", map[string]any{"paths": []string{"ignored.md", ".hidden.md", "garden.md", "link.txt"}})
	var reasons []string
	for _, a := range c.found.Answers {
		reasons = append(reasons, a.Data.Reason)
	}
	if got := fmt.Sprint(reasons); got != "[ignored hidden in scope symlink]" {
		t.Errorf("%s\n%s", got, c.text)
	}
	c = call(t, s, "read", map[string]any{"path": "sub/deep.txt", "from": 29, "lines": 5})
	if *c.found.Ledger.Lines != 30 || len(c.found.Results) != 2 || c.found.Results[0].Data.Number != 29 || c.found.NextCursor != nil {
		t.Errorf("%s", c.text)
	}
	if c := call(t, s, "read", map[string]any{"path": "ignored.md"}); !c.error || !strings.Contains(c.text, "ignored") {
		t.Errorf("what is left out was read: %s", c.text)
	}
	if c := call(t, s, "read", map[string]any{"path": "ignored.md", "no_ignore": true}); c.error {
		t.Errorf("%s", c.text)
	}
}

// Nothing outside of what is served can be named, and no argument becomes a flag.
func TestNothingElseIsReached(t *testing.T) {
	dir, outside := vault(t)
	s := served(t, dir)
	for _, path := range []string{
		"..", "../secret", "../secret/passwords.txt", outside, outside + "/passwords.txt", "/etc/passwd", "/", "link.txt",
		"linked", "linked/passwords.txt", "sub/../../secret", "./linked/../../secret/passwords.txt", "a\x00b",
	} {
		for tool, arguments := range map[string]map[string]any{
			"search": {"pattern": "hunter2", "paths": []string{path}},
			"count":  {"pattern": "hunter2", "paths": []string{path}},
			"absent": {"patterns": []string{"hunter2"}, "paths": []string{path}},
			"rank":   {"query": "hunter2", "paths": []string{path}},
			"read":   {"path": path},
		} {
			c := call(t, s, tool, arguments)
			reached := c.found.Ledger.Found || strings.Contains(strings.ReplaceAll(c.text, "hunter2: matches: 0", ""), "passwords.txt:1")
			if reached || !c.error && path != "/" && path != ".." && !strings.HasPrefix(path, "/") {
				t.Errorf("%s %q: %s", tool, path, c.text)
			}
		}
	}
	for _, word := range []string{"--pre=touch /tmp/x", "--follow", "-L", "-f/etc/passwd", "--ignore-file=/etc/passwd", "--", "-"} {
		if c := call(t, s, "search", map[string]any{"pattern": word}); c.error || c.found.Ledger.Found {
			t.Errorf("pattern %q: %s", word, c.text)
		}
		if c := call(t, s, "search", map[string]any{"pattern": "hunter2", "paths": []string{word}}); c.found.Ledger.Found {
			t.Errorf("path %q: %s", word, c.text)
		}
		if c := call(t, s, "count", map[string]any{"pattern": "hunter2", "globs": []string{word}}); c.found.Ledger.Found {
			t.Errorf("glob %q: %s", word, c.text)
		}
	}
}

func TestBadArgumentsNameTheWayOut(t *testing.T) {
	dir, _ := vault(t)
	s := served(t, dir)
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		says      string
	}{
		{"search", map[string]any{}, "pattern is missing"},
		{"search", map[string]any{"pattern": "x", "limit": 0}, "a whole number from 1"},
		{"search", map[string]any{"pattern": "x", "limit": 2.5}, "a whole number"},
		{"search", map[string]any{"pattern": "x", "flags": "-u"}, `no argument "flags"`},
		{"search", map[string]any{"pattern": "(", "regex": true}, "unclosed group"},
		{"search", map[string]any{"pattern": "x", "cursor": "nonsense"}, "leave it out"},
		{"search", map[string]any{"pattern": "x", "types": []string{"nonsense"}}, "nonsense"},
		{"search", map[string]any{"pattern": "x", "paths": []string{"nowhere.md"}}, "nowhere.md"},
		{"read", map[string]any{"path": "sub"}, "no regular file"},
	} {
		if a := call(t, s, c.tool, c.arguments); !a.error && a.found.Ledger.Complete || !strings.Contains(a.text, c.says) {
			t.Errorf("%s %v: %s", c.tool, c.arguments, a.text)
		}
	}
}

// Many requests at once are answered like one.
func TestManyAtOnce(t *testing.T) {
	dir, _ := vault(t)
	s := served(t, dir)
	var wg sync.WaitGroup
	for i := range 200 {
		wg.Go(func() {
			a, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "count", Arguments: map[string]any{"pattern": "flour"}})
			if err != nil || a.IsError {
				t.Errorf("request %d: %v %v", i, err, a)
				return
			}
			if text := a.Content[0].(*sdk.TextContent).Text; !strings.Contains(text, "32 lines in 3") {
				t.Errorf("request %d: %s", i, text)
			}
		})
	}
	wg.Wait()
}

// talk sends lines to a server of dir and returns what it answers until its end.
func talk(t *testing.T, dir string, in io.Reader) string {
	t.Helper()
	var out bytes.Buffer
	s, err := New(world.World{Stdin: in, Stdout: &out, Stderr: io.Discard}, []string{dir}, docs.Schema)
	if err != nil {
		t.Fatal(err)
	}
	if code := s.Run(t.Context()); code != 0 {
		t.Errorf("exit code %d", code)
	}
	return out.String()
}

const (
	hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`
	asks = `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"count","arguments":{"pattern":"flour"}}}
`
)

// A broken frame does not end the server.
func TestBrokenFrames(t *testing.T) {
	dir, _ := vault(t)
	for _, broken := range []string{
		"no JSON\n", "{\n", "[]\n", "null\n", "\n\n", "{}\n", `{"jsonrpc":"2.0","id":9,"method":"nonsense"}` + "\n", "\xff\xfe\n", `"text"` + "\n",
		`{"jsonrpc":"2.0","id":{},"method":"tools/list"}` + "\n", strings.Repeat("x", mostFrame+10) + "\n",
		`{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"nonsense"}}` + "\n", `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":[]}` + "\n",
	} {
		if out := talk(t, dir, strings.NewReader(hello+broken+asks)); !strings.Contains(out, "32 lines in 3") {
			t.Errorf("after %.40q the request was not answered:\n%.500s", broken, out)
		}
	}
}

func FuzzFrames(f *testing.F) {
	for _, seed := range []string{"no JSON\n", "{}\n", asks, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"read","arguments":{"path":"../x"}}}`} {
		f.Add(seed)
	}
	dir := f.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("flour\n"), 0o644); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, frames string) {
		out := talk(t, dir, strings.NewReader(hello+frames+"\n"))
		for line := range strings.Lines(out) {
			if !json.Valid([]byte(line)) {
				t.Errorf("an answer that is no JSON: %q", line)
			}
		}
	})
}

// A client that goes away leaves nothing behind.
func TestClientGoesAway(t *testing.T) {
	dir, _ := vault(t)
	before := runtime.NumGoroutine()
	for range 5 {
		in, client := io.Pipe()
		done := make(chan struct{})
		go func() {
			defer close(done)
			defer in.Close() // as the process's end does
			s, err := New(world.World{Stdin: in, Stdout: brokenPipe{}, Stderr: io.Discard}, []string{dir}, docs.Schema)
			if err == nil {
				s.Run(t.Context())
			}
		}()
		io.WriteString(client, hello)
		io.WriteString(client, asks)
		client.Close()
		select {
		case <-done:
		case <-time.After(20 * time.Second):
			t.Fatal("the server goes on without a client")
		}
	}
	for wait := 0; runtime.NumGoroutine() > before+2; wait++ {
		if wait == 100 {
			buf := make([]byte, 1<<16)
			t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, buf[:runtime.Stack(buf, true)])
		}
		time.Sleep(20 * time.Millisecond)
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// The program itself answers the SDK's client, and ends when the client does.
func TestProgram(t *testing.T) {
	dir, _ := vault(t)
	bin := t.TempDir()
	build := exec.Command("go", "build", "-tags", "urfave_cli_no_docs", "-o", bin+"/", "tally", "tally/tally-mcp")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command(filepath.Join(bin, "tally"), "--mcp", dir)
	session, err := sdk.NewClient(&sdk.Implementation{Name: "test"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if c := call(t, session, "search", map[string]any{"pattern": "slugs"}); c.error || *c.found.Ledger.Lines != 1 {
		t.Errorf("%s", c.text)
	}
	if err := session.Close(); err != nil {
		t.Errorf("the program ended with %v", err)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"--mcp"}, "needs the directories"},
		{[]string{"--mcp", dir + "/nowhere"}, "cannot be served"},
		{[]string{"--mcp", dir + "/garden.md"}, "not a directory"},
		{[]string{"--mcp", "--hidden", dir}, "does not go with --mcp"},
	} {
		cmd := exec.Command(filepath.Join(bin, "tally"), c.args...)
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState.ExitCode() != 2 || !strings.Contains(string(out), c.says) {
			t.Errorf("%q: %v\n%s", c.args, err, out)
		}
	}
	if err := os.Remove(filepath.Join(bin, "tally-mcp")); err != nil {
		t.Fatal(err)
	}
	out, _ := exec.Command(filepath.Join(bin, "tally"), "--mcp", dir).CombinedOutput()
	if !strings.Contains(string(out), "belongs beside tally") {
		t.Errorf("without the server's program: %s", out)
	}
}

// An answer of a gigabyte stays in bounds.
func TestLargeAnswer(t *testing.T) {
	dir := t.TempDir()
	file, err := os.Create(filepath.Join(dir, "large.txt"))
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(file, 1<<20)
	line := strings.Repeat("flour ", 200) + "\n"
	for range 50_000 {
		w.WriteString(line)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	file.Close()
	c := call(t, served(t, dir), "search", map[string]any{"pattern": "flour", "limit": 1000, "limit_bytes": 20_000, "window": 2000})
	if c.error || *c.found.Ledger.Lines != 50_000 || !c.found.Ledger.Truncated || len(c.text) > 60_000 {
		t.Errorf("%.300s", c.text)
	}
}
