package serve

import (
	"encoding/json"
	"fmt"
	"strings"
)

// outputSchema is a definition of docs/schema.json as a schema of its own, with the
// definitions that it refers to. Descriptions are left out: they would be a third of
// what a client reads before its first request.
func outputSchema(schema []byte, name string) (map[string]any, error) {
	var all struct {
		Defs map[string]map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(schema, &all); err != nil {
		return nil, fmt.Errorf("the schema of the answers: %w", err)
	}
	def, known := all.Defs[name]
	if !known {
		return nil, fmt.Errorf("the schema does not define %s", name)
	}
	used := map[string]any{}
	var visit func(any)
	visit = func(value any) {
		switch value := value.(type) {
		case []any:
			for _, v := range value {
				visit(v)
			}
		case map[string]any:
			if _, said := value["description"].(string); said {
				delete(value, "description")
			}
			if ref, ok := value["$ref"].(string); ok {
				to := strings.TrimPrefix(ref, "#/$defs/")
				if _, seen := used[to]; !seen {
					used[to] = all.Defs[to]
					visit(all.Defs[to])
				}
			}
			for _, v := range value {
				visit(v)
			}
		}
	}
	visit(def)
	def["$defs"] = used
	return def, nil
}
