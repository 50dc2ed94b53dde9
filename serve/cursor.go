package serve

import (
	"encoding/base64"
	"errors"
	"regexp"
	"strconv"
)

// A cursor is where the next page begins and the digest of the results that it is a
// page of: the flags of the ledger's member next, in a form that nobody is tempted to
// change.

// nextFlags is what the ledger's member next looks like, by docs/schema.json.
var nextFlags = regexp.MustCompile(`^--offset ([0-9]+)(?: --expect-digest ([0-9a-f]{32}))?$`)

// cursorOf is the cursor of a ledger's member next.
func cursorOf(next string) string { return base64.RawURLEncoding.EncodeToString([]byte(next)) }

// cursorWords are the words of a command line that a cursor stands for.
func cursorWords(cursor string) ([]string, error) {
	text, err := base64.RawURLEncoding.DecodeString(cursor)
	m := nextFlags.FindStringSubmatch(string(text))
	if err != nil || m == nil {
		return nil, errors.New("cursor is not one that an answer gave; leave it out to begin at the first page")
	}
	if _, err := strconv.ParseInt(m[1], 10, 64); err != nil {
		return nil, errors.New("cursor is beyond any result; leave it out to begin at the first page")
	}
	words := []string{"--offset=" + m[1]}
	if m[2] != "" {
		words = append(words, "--expect-digest="+m[2])
	}
	return words, nil
}
