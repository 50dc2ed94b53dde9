package world

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// ErrorText words a system's error as Rust's standard library does, which is
// what readers of ripgrep's messages look for.
func ErrorText(err error) string {
	var errno unix.Errno
	if !errors.As(err, &errno) {
		return err.Error()
	}
	text := errno.Error()
	if r, n := utf8.DecodeRuneInString(text); n > 0 {
		text = string(unicode.ToUpper(r)) + text[n:]
	}
	return fmt.Sprintf("%s (os error %d)", strings.TrimSuffix(text, "."), int(errno))
}
