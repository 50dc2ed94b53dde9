// Package docs has the documents that the program itself needs.
package docs

import _ "embed"

// Schema is schema.json, which describes all JSON that the program prints.
//
//go:embed schema.json
var Schema []byte
