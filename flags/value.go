package flags

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

func utf8Value(in said) (string, error) {
	if !utf8.ValidString(in.value) {
		return "", errors.New("value is not valid UTF-8")
	}
	return in.value, nil
}

var errTooLarge = errors.New("number too large to fit in target type")

// parseNumber reads an unsigned number as ripgrep does: decimal digits after an
// optional plus sign. Errors are found from left to right.
func parseNumber(s string) (uint64, error) {
	if s == "" {
		return 0, errors.New("cannot parse integer from empty string")
	}
	digits := s
	if len(s) > 1 {
		digits = strings.TrimPrefix(s, "+")
	}
	var n uint64
	for _, c := range []byte(digits) {
		d := uint64(c - '0')
		if c < '0' || c > '9' {
			return 0, errors.New("invalid digit found in string")
		}
		if n > (math.MaxUint64-d)/10 {
			return 0, errTooLarge
		}
		n = n*10 + d
	}
	return n, nil
}

// parseSize reads a number of bytes with an optional suffix, a power of 1024.
func parseSize(s string) (uint64, error) {
	suffix := strings.TrimLeft(s, "0123456789")
	digits := s[:len(s)-len(suffix)]
	badFormat := fmt.Errorf("invalid format for size '%s', which should be a non-empty sequence of digits followed by an optional 'K', 'M' or 'G' suffix", s)
	if digits == "" {
		return 0, badFormat
	}
	n, err := parseNumber(digits)
	if err != nil {
		return 0, fmt.Errorf("invalid integer found in size '%s': %w", s, err)
	}
	unit, known := sizeUnits[suffix]
	if !known {
		return 0, badFormat
	}
	if n > math.MaxUint64/unit {
		return 0, fmt.Errorf("size too big in '%s'", s)
	}
	return n * unit, nil
}

var sizeUnits = map[string]uint64{"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30}

// parseDuration reads a length of time greater than zero: Go's notation (1m30s,
// 250ms), or a bare number of seconds.
func parseDuration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil {
		if seconds, numErr := strconv.ParseUint(s, 10, 32); numErr == nil {
			d, err = time.Duration(seconds)*time.Second, nil
		}
	}
	if err != nil || d <= 0 {
		return 0, fmt.Errorf("'%s' is not a duration greater than zero, such as 500ms, 10s or 1m30s", s)
	}
	return d, nil
}

// escapes are the characters that stand for one byte after a backslash.
var escapes = map[byte]byte{'0': 0, '\\': '\\', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape replaces \0 \\ \n \r \t and \xHH by the bytes they stand for. What
// only begins like such a sequence stays as it is, up to and including the
// character that spoils it.
func unescape(s string) string {
	var out strings.Builder
	for len(s) > 0 {
		length, stands := escapeSequence(s)
		out.WriteString(stands)
		s = s[length:]
	}
	return out.String()
}

// escapeSequence returns the length of what s, which is not empty, begins with,
// and the bytes that it stands for.
func escapeSequence(s string) (length int, stands string) {
	if s[0] != '\\' || len(s) == 1 {
		return 1, s[:1]
	}
	if b, known := escapes[s[1]]; known {
		return 2, string([]byte{b})
	}
	if s[1] != 'x' {
		return 2, s[:2]
	}
	end := 2
	for end < min(len(s), 4) && isHexDigit(s[end]) {
		end++
	}
	if end == 4 {
		n, _ := strconv.ParseUint(s[2:4], 16, 8) // two hexadecimal digits
		return 4, string([]byte{byte(n)})
	}
	end = min(end+1, len(s))
	return end, s[:end]
}

// isDigest reports whether a word is a digest of results.
func isDigest(word string) bool {
	return len(word) == 32 && strings.Trim(word, "0123456789abcdef") == ""
}

func isHexDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
