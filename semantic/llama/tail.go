//go:build unix

package llama

import (
	"bytes"
	"strings"
	"sync"
	"unicode"
)

// tailKept is how much of what a child complains about is kept, in bytes.
const tailKept = 2 << 10

// A tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	kept []byte
	cut  bool // something was written before
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, p...)
	if over := len(t.kept) - tailKept; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
		t.cut = true
	}
	return len(p), nil
}

// String returns it from the first whole line on, without what a terminal would
// obey.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := t.kept
	if i := bytes.IndexByte(text, '\n'); t.cut && i >= 0 && i+1 < len(text) {
		text = text[i+1:]
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.TrimSpace(strings.ToValidUTF8(string(text), "\uFFFD")))
}
