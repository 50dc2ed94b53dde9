package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"tally/walk"
)

// schemaVariable names, in the environment of a program under test, the schema
// that every line must satisfy which it prints with --json.
const schemaVariable = "TALLY_TEST_SCHEMA"

var compiledSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	path := os.Getenv(schemaVariable)
	if path == "" {
		path = "docs/schema.json"
	}
	return jsonschema.NewCompiler().Compile(path)
})

// validate returns an error if a line of output does not satisfy the schema.
func validate(output []byte) error {
	schema, err := compiledSchema()
	if err != nil {
		return err
	}
	for line := range bytes.Lines(output) {
		v, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
		if err == nil {
			err = schema.Validate(v)
		}
		if err != nil {
			return fmt.Errorf("%s\n%v", line, err)
		}
	}
	return nil
}

// checked runs the program and holds what it prints against the schema if it
// prints JSON. A wrong line makes the exit code one that no test expects.
func checked(argv []string) int {
	if os.Getenv(schemaVariable) == "" || !slices.Contains(argv, "--json") {
		return run(argv)
	}
	stdout := os.Stdout
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	os.Stdout = w
	var output bytes.Buffer
	var copied sync.WaitGroup
	copied.Go(func() { io.Copy(io.MultiWriter(stdout, &output), r) })
	code := run(argv)
	w.Close()
	copied.Wait()
	if err := validate(output.Bytes()); err != nil {
		fmt.Fprintln(os.Stderr, "against the schema:", err)
		return 97
	}
	return code
}

// The schema names what the code can say, and refuses what it cannot.
func TestSchema(t *testing.T) {
	text, err := os.ReadFile("docs/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	var schema struct {
		Defs struct {
			Reasons struct{ Required []string }
		} `json:"$defs"`
	}
	if err := json.Unmarshal(text, &schema); err != nil {
		t.Fatal(err)
	}
	var reasons []string
	for r := range walk.NumReasons {
		reasons = append(reasons, r.String())
	}
	if !slices.Equal(schema.Defs.Reasons.Required, reasons) {
		t.Errorf("reasons %v, want %v", schema.Defs.Reasons.Required, reasons)
	}
	good := `{"type":"why","data":{"path":{"text":"a"},"in_scope":true,"exists":true,"directory":false,"reason":"in scope"}}`
	if err := validate([]byte(good)); err != nil {
		t.Error(err)
	}
	for _, change := range [][2]string{
		{`"why"`, `"who"`},
		{`"in scope"`, `"because"`},
		{`{"text":"a"}`, `"a"`},
		{`"exists":true,`, ``},
		{`"exists":true`, `"exists":true,"extra":1`},
		{`"exists":true`, `"exists":null`},
	} {
		if validate([]byte(strings.Replace(good, change[0], change[1], 1))) == nil {
			t.Errorf("%s for %s satisfies the schema", change[1], change[0])
		}
	}
	if validate([]byte("no JSON")) == nil {
		t.Error("what is no JSON satisfies the schema")
	}
}
