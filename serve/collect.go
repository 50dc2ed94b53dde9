package serve

import (
	"bytes"
	"encoding/json"
)

// A collector takes the JSON messages of a session and keeps no more of them than an
// answer may hold, whatever comes.
type collector struct {
	most int // bytes of messages that are kept
	// mostOf bounds the summary, which is kept beside them.
	mostSummary int

	kept    []json.RawMessage
	size    int
	results int // that are kept
	full    bool
	// tooLong counts results that no answer could hold, each for itself.
	tooLong int
	summary json.RawMessage

	line     []byte // that has begun
	skipping bool   // it is too long
}

// startMost is how much of a message says what it is, in bytes.
const startMost = 64

// What messages begin with. ripgrep sorts the keys of its summary.
var (
	summaryStart = []byte(`{"data":`)
	beginStart   = []byte(`{"type":"begin"`)
	endStart     = []byte(`{"type":"end"`)
	contextStart = []byte(`{"type":"context"`)
	evidence     = []byte(`{"type":"evidence"`)
	notBinary    = []byte(`"binary_offset":null`)
)

// isResult reports whether a message is a result, of those that a limit counts.
func isResult(message []byte) bool {
	return !bytes.HasPrefix(message, endStart) && !bytes.HasPrefix(message, contextStart) && !bytes.HasPrefix(message, evidence)
}

func (c *collector) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		piece, rest, ended := bytes.Cut(p, []byte("\n"))
		c.add(piece)
		if ended {
			c.take()
		}
		p = rest
	}
	return n, nil
}

// add adds a piece to the line that has begun. Of one that is too long its beginning
// is kept.
func (c *collector) add(piece []byte) {
	if n := min(len(summaryStart)-len(c.line), len(piece)); n > 0 {
		c.line, piece = append(c.line, piece[:n]...), piece[n:]
	}
	most := c.most
	if bytes.HasPrefix(c.line, summaryStart) {
		most = c.mostSummary
	}
	if len(c.line)+len(piece) > most {
		c.skipping = true
	}
	if c.skipping {
		piece = piece[:min(len(piece), max(0, startMost-len(c.line)))]
	}
	c.line = append(c.line, piece...)
}

// take takes the line that has ended.
func (c *collector) take() {
	line, skipped := c.line, c.skipping
	c.line, c.skipping = c.line[:0], false
	switch {
	case len(line) == 0, bytes.HasPrefix(line, beginStart), bytes.HasPrefix(line, endStart) && bytes.Contains(line, notBinary):
	case bytes.HasPrefix(line, summaryStart):
		if !skipped {
			c.summary = bytes.Clone(line)
		}
	case c.full:
	case skipped && isResult(line):
		c.tooLong++
	case skipped:
	case c.size+len(line) > c.most:
		c.full = true
	default:
		c.size += len(line)
		c.kept = append(c.kept, bytes.Clone(line))
		if isResult(line) {
			c.results++
		}
	}
}
