package serve

import (
	"bytes"
	"encoding/json"
)

// Bounds of what is kept of a session, in bytes. The first is more than limit_bytes
// can be: what is listed without that flag is bounded by limit.
const (
	mostResults = 2 << 20
	mostSummary = 1 << 20 // errors and near misses are listed in it
	mostNotes   = 64 << 10
)

// A collector takes the JSON messages of a session and keeps no more of them than an
// answer may hold, whatever comes.
type collector struct {
	results []json.RawMessage
	summary json.RawMessage
	size    int  // of the results
	over    bool // there was more than is kept

	line     []byte // that has begun
	skipping bool   // it is too long
}

// What messages begin with that are no results. ripgrep sorts the keys of its summary.
var (
	summaryStart = []byte(`{"data":`)
	beginStart   = []byte(`{"type":"begin"`)
	endStart     = []byte(`{"type":"end"`)
	ofText       = []byte(`"binary_offset":null`)
)

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

// add adds a piece to the line that has begun, unless that is too long.
func (c *collector) add(piece []byte) {
	if n := min(len(summaryStart)-len(c.line), len(piece)); n > 0 {
		c.line, piece = append(c.line, piece[:n]...), piece[n:]
	}
	most := mostResults - c.size
	if bytes.HasPrefix(c.line, summaryStart) {
		most = mostSummary
	}
	if c.skipping = c.skipping || len(c.line)+len(piece) > most; !c.skipping {
		c.line = append(c.line, piece...)
	}
}

// take takes the line that has ended.
func (c *collector) take() {
	line := c.line
	switch {
	case c.skipping:
		c.over = true
	case bytes.HasPrefix(line, summaryStart):
		c.summary = bytes.Clone(line)
	case bytes.HasPrefix(line, beginStart), bytes.HasPrefix(line, endStart) && bytes.Contains(line, ofText):
	default:
		c.size += len(line)
		c.results = append(c.results, bytes.Clone(line))
	}
	c.line, c.skipping = c.line[:0], false
}

// notes hold what a session says on standard error.
type notes struct{ bytes.Buffer }

func (n *notes) Write(p []byte) (int, error) {
	n.Buffer.Write(p[:min(len(p), max(0, mostNotes-n.Len()))])
	return len(p), nil
}
