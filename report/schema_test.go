package report

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"tally/match/readings"
	"tally/walk"
)

// A schema is a node of docs/schema.json, as far as the check needs it.
type schema struct {
	Ref           string `json:"$ref"`
	Type          any    // a name or several
	Const         any
	Enum          []any
	AnyOf         []*schema
	Required      []string
	Properties    map[string]*schema
	Additional    any `json:"additionalProperties"`
	PropertyNames *schema
	Items         *schema
	Minimum       *float64
}

// A shape is what the JSON of a value looks like.
type shape struct {
	kind     string // "object", "array", "string", "integer", "number" or "boolean"
	nullable bool
	names    []string // all values of a string, nil: any
}

// A schemaCheck compares Go types with a schema.
type schemaCheck struct {
	defs     map[string]*schema
	problems []string
}

func (c *schemaCheck) failf(path, format string, args ...any) {
	c.problems = append(c.problems, path+": "+fmt.Sprintf(format, args...))
}

// resolve follows references and separates null from what else is allowed.
func (c *schemaCheck) resolve(s *schema) (*schema, bool) {
	nullable := false
	for {
		switch {
		case s.Ref != "":
			s = c.defs[strings.TrimPrefix(s.Ref, "#/$defs/")]
		case len(s.AnyOf) == 2 && s.AnyOf[1].Type == "null":
			s, nullable = s.AnyOf[0], true
		default:
			return s, nullable
		}
		if s == nil {
			return &schema{}, nullable
		}
	}
}

// shape returns what a schema allows.
func (c *schemaCheck) shape(s *schema) shape {
	s, nullable := c.resolve(s)
	out := shape{nullable: nullable}
	types, several := s.Type.([]any)
	if !several && s.Type != nil {
		types = []any{s.Type}
	}
	for _, t := range types {
		if t == "null" {
			out.nullable = true
		} else {
			out.kind = t.(string)
		}
	}
	for _, value := range s.Enum {
		if value == nil {
			out.nullable = true
			continue
		}
		out.kind = "string"
		out.names = append(out.names, value.(string))
	}
	if _, ok := s.Const.(float64); ok {
		out.kind = "integer"
	}
	return out
}

var numberType = reflect.TypeFor[Number]()

// shapeOf returns what the JSON of a Go type looks like.
func shapeOf(t reflect.Type) shape {
	switch t {
	case numberType:
		return shape{kind: "integer", nullable: true}
	case reflect.TypeFor[optionalText]():
		return shape{kind: "string", nullable: true}
	case reflect.TypeFor[score]():
		return shape{kind: "number"}
	case reflect.TypeFor[reasonCounts]():
		return shape{kind: "object"}
	case reflect.TypeFor[readings.Kind]():
		out := shape{kind: "string"}
		for k := range readings.NumKinds {
			out.names = append(out.names, k.String())
		}
		return out
	}
	if n, ok := reflect.Zero(t).Interface().(interface{ allNames() []string }); ok {
		out := shape{kind: "string"}
		for _, name := range n.allNames() {
			if name == "" {
				out.nullable = true
			} else {
				out.names = append(out.names, name)
			}
		}
		return out
	}
	switch t.Kind() {
	case reflect.Pointer:
		out := shapeOf(t.Elem())
		out.nullable = true
		return out
	case reflect.Struct:
		return shape{kind: "object"}
	case reflect.Slice:
		return shape{kind: "array", nullable: !strings.HasPrefix(t.Name(), "list[")}
	case reflect.String:
		return shape{kind: "string"}
	case reflect.Bool:
		return shape{kind: "boolean"}
	case reflect.Int, reflect.Int64:
		return shape{kind: "integer"}
	}
	panic("a type that the ledger does not use: " + t.String())
}

// allNames are the names of all constants.
func (n named[E]) allNames() []string { return n.value.names() }

// check compares a Go type with a schema.
func (c *schemaCheck) check(path string, t reflect.Type, s *schema) {
	want, got := shapeOf(t), c.shape(s)
	if want.kind == "string" && want.names == nil {
		got.names = nil // a string of Go's may have few values
	}
	if got.kind != want.kind || got.nullable != want.nullable || !slices.Equal(got.names, want.names) {
		c.failf(path, "%+v in the schema, %+v in the struct", got, want)
		return
	}
	s, _ = c.resolve(s)
	if (want.kind == "integer") && s.Const == nil && (s.Minimum == nil || *s.Minimum < 0) {
		c.failf(path, "a count without a minimum")
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == reflect.TypeFor[reasonCounts]():
		c.reasons(path, s)
	case want.kind == "object":
		c.object(path, t, s)
	case want.kind == "array":
		if s.Items == nil {
			c.failf(path, "an array of anything")
			return
		}
		c.check(path+"[]", t.Elem(), s.Items)
	}
}

// object compares the fields of a struct with the properties of an object.
func (c *schemaCheck) object(path string, t reflect.Type, s *schema) {
	if s.Additional != false {
		c.failf(path, "has room for more properties")
	}
	var keys []string
	for i := range t.NumField() {
		key, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if key == "-" {
			continue
		}
		keys = append(keys, key)
		if property := s.Properties[key]; property != nil {
			c.check(path+"."+key, t.Field(i).Type, property)
		} else {
			c.failf(path, "%s is not in the schema", key)
		}
	}
	for key := range s.Properties {
		if !slices.Contains(keys, key) {
			c.failf(path, "%s is not in the struct", key)
		}
	}
	if want := slices.Sorted(slices.Values(keys)); !slices.Equal(slices.Sorted(slices.Values(s.Required)), want) {
		c.failf(path, "required is %v, not %v", s.Required, want)
	}
}

// reasons compares the reasons why a path is out of scope.
func (c *schemaCheck) reasons(path string, s *schema) {
	var want []string
	for reason := range walk.NumReasons {
		want = append(want, reason.String())
	}
	if !slices.Equal(s.Required, want) {
		c.failf(path, "required is %v, not %v", s.Required, want)
	}
	if s.PropertyNames == nil || !slices.Equal(c.shape(s.PropertyNames).names, want) {
		c.failf(path, "property names are not %v", want)
	}
	if additional, ok := s.Additional.(map[string]any); !ok || additional["$ref"] != "#/$defs/count" {
		c.failf(path, "values are not counts")
	}
}

// checkSchema holds a ledger in a schema and the struct to each other.
func checkSchema(t *testing.T, document string) []string {
	t.Helper()
	var root struct {
		Defs map[string]*schema `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(document), &root); err != nil {
		t.Fatal(err)
	}
	c := schemaCheck{defs: root.Defs}
	c.check("ledger", reflect.TypeFor[ledgerJSON](), &schema{Ref: "#/$defs/ledger"})
	return c.problems
}

func TestSchemaIsTheStruct(t *testing.T) {
	document, err := os.ReadFile("../docs/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range checkSchema(t, string(document)) {
		t.Error(problem)
	}
	for _, change := range [][2]string{
		{`"repeated", `, ``},
		{`"repeated": {`, `"again": {`},
		{`"truncated": {"description"`, `"cut": {"type": "boolean"}, "truncated": {"description"`},
		{`"bytes_searched": {"$ref": "#/$defs/count"}`, `"bytes_searched": {"$ref": "#/$defs/number"}`},
		{`"searched": {"$ref": "#/$defs/number"}`, `"searched": {"$ref": "#/$defs/count"}`},
		{`"enum": ["proven", "refuted", "unknown", null]`, `"enum": ["proven", "refuted", "unknown"]`},
		{`"window", "stop_on_nonmatch"]`, `"window"]`},
		{`"items": {"$ref": "#/$defs/kind"}`, `"items": {"type": "string"}`},
		{`"spaces", "quotes"`, `"quotes", "spaces"`},
		{`"floor": {"description": "The score from which on a file is similar.", "type": ["number", "null"]}`, `"floor": {"type": "number"}`},
		{`"line": {"type": ["integer", "null"], "minimum": 1}`, `"line": {"type": ["string", "null"]}`},
		{`"reason": {"type": "string"}}`, `"reason": {"type": "boolean"}}`},
		{`"anyOf": [{"$ref": "#/$defs/meaning"}, {"type": "null"}]`, `"$ref": "#/$defs/meaning"`},
		{`"type": ["array", "null"]`, `"type": "array"`},
		{`"propertyNames": {"enum": ["ignored", `, `"propertyNames": {"enum": [`},
		{`"additionalProperties": {"$ref": "#/$defs/count"}`, `"additionalProperties": true`},
		{`"count": {"type": "integer", "minimum": 0}`, `"count": {"type": "integer"}`},
	} {
		changed := strings.Replace(string(document), change[0], change[1], 1)
		if changed == string(document) {
			t.Errorf("%s is not in the schema", change[0])
		} else if checkSchema(t, changed) == nil {
			t.Errorf("%s for %s goes unnoticed", change[1], change[0])
		}
	}
}

// What is written is read as the same.
func TestLedgerJSONIsReadBack(t *testing.T) {
	unknown, seven := Number{}, Known(7)
	floor := score(1e-7)
	kinds := list[readings.Kind]{readings.AsTyped, readings.Combined}
	for _, j := range []*ledgerJSON{
		{
			Version: ledgerVersion, Elapsed: newElapsedJSON(0), Roots: list[text]{}, TruncatedBy: list[named[Cut]]{}, Errors: list[errorJSON]{},
			Absent: byName(notAsserted), StoppedBy: byName(NotStopped), NestedRepositories: nestedJSON{Paths: list[text]{}},
		},
		{
			Version: ledgerVersion, Query: "00000000000000ff", Roots: list[text]{"<stdin>", "/a \"&\u2028\u00e9"}, Found: true, Absent: byName(refuted),
			Files: filesJSON{seven, unknown, Known(0), seven, seven}, Lines: seven, Matches: unknown, Shown: shownJSON{seven, unknown, Known(-1)},
			Truncated: true, TruncatedBy: list[named[Cut]]{byName(CutByMaxCount), byName(CutByNonmatch)}, Next: "--offset 3", Complete: true,
			StoppedBy: byName(OutputGone), Patterns: []patternJSON{{"<p>", Known(1), unknown}},
			Meaning:  &meaningJSON{byName(MeaningFailed), "why", "", &floor, seven, unknown, seven, seven},
			Explain:  &Explanation{true, 3, kinds, list[Finding]{{readings.Case, InScope, 1, 2, list[Word]{{"a<", 1}}, Example{"p<&>", Known(4)}, "-i '<'", true}}, 2, 1, 0},
			Repeated: 1, GuessedUTF16: 2, Errors: list[errorJSON]{{"e", "open", "denied"}}, Skipped: reasonCounts{walk.Hidden: 3},
			SkippedDirectories: reasonCounts{walk.Output: 1}, ResultDigest: "ff000000000000000000000000000000", BytesSearched: 1 << 60,
			Elapsed: newElapsedJSON(1234567890123), NestedRepositories: nestedJSON{seven, list[text]{"a/\"b"}},
		},
		{Version: ledgerVersion, Roots: list[text]{}, TruncatedBy: list[named[Cut]]{}, Errors: list[errorJSON]{}, Patterns: []patternJSON{}, NestedRepositories: nestedJSON{unknown, list[text]{}}},
	} {
		encoded := appendJSON(nil, j)
		var got ledgerJSON
		if err := json.Unmarshal(encoded, &got); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(&got, j) {
			t.Errorf("%s\n got %+v\nwant %+v", encoded, got, *j)
		}
	}
}

// A later version may add names.
func TestNamesOfLaterVersions(t *testing.T) {
	var j ledgerJSON
	err := json.Unmarshal([]byte(`{"version":1,"absent":"perhaps","truncated_by":["whim","offset"],"stopped_by":"whim","skipped":{"whim":1,"glob":2}}`), &j)
	if err != nil {
		t.Fatal(err)
	}
	l, err := j.ledger()
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(l.TruncatedBy) != "[offset]" || l.StoppedBy != NotStopped || !l.Asserted() || l.Skipped[walk.Glob] != 2 {
		t.Errorf("%+v", l)
	}
}
