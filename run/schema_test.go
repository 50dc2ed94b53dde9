package run_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"tally/walk"
)

// schemaFile describes all JSON that the program prints.
const schemaFile = "../docs/schema.json"

// schemaVariable names, in the environment of a program under test, the schema
// that every line must satisfy which it prints with --json.
const schemaVariable = "TALLY_TEST_SCHEMA"

var compiledSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	path := os.Getenv(schemaVariable)
	if path == "" {
		path = schemaFile
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

// checked runs a program and holds what it prints against the schema. A wrong
// line makes the exit code one that no test expects.
func checked() {
	var output bytes.Buffer
	cmd := exec.Command(os.Args[1], os.Args[2:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, io.MultiWriter(os.Stdout, &output), os.Stderr
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		for s := range signals {
			cmd.Process.Signal(s)
		}
	}()
	err := cmd.Run()
	var exited *exec.ExitError
	if err != nil && !errors.As(err, &exited) {
		fmt.Fprintln(os.Stderr, "checked:", err)
		os.Exit(98)
	}
	if err := validate(output.Bytes()); err != nil {
		fmt.Fprintln(os.Stderr, "against the schema:", err)
		os.Exit(97)
	}
	os.Exit(cmd.ProcessState.ExitCode())
}

// The schema names what the code can say, and refuses what it cannot.
func TestSchema(t *testing.T) {
	text, err := os.ReadFile(schemaFile)
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
