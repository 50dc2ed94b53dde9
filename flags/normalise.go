package flags

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words is a command line in the one form that the command-line library reads
// without guessing: every flag as --NAME=VALUE, then "--", then the rest.
type words struct {
	flags      []string            // --NAME=VALUE, NAME being the spelling that was used
	used       map[string]spelling // the NAMEs among flags
	positional []string
}

// normalise understands what the library does not: flags after positional
// arguments, bundles of short flags, values that are attached to a short flag
// or begin with a dash, and values left to their default. These rules are
// ripgrep's, that is lexopt's:
//
//   - "--" ends the flags, "-" alone is positional
//   - --NAME=VALUE, or --NAME and the next word as VALUE, whatever it looks like
//   - -abcVALUE, -abc=VALUE or -abc and the next word, if c takes a value; of a
//     bundle without one, no part may have a value
//
// On an error the words before it are returned as well: an error of theirs
// comes first. Suggestions leave tally's own flags out if onlyRipgrep is set.
func normalise(typed []string, onlyRipgrep bool) (words, error) {
	n := normaliser{words: words{used: make(map[string]spelling)}, rest: typed}
	for len(n.rest) > 0 {
		word := n.rest[0]
		n.rest = n.rest[1:]
		var err error
		switch {
		case word == "--":
			n.positional = append(n.positional, n.rest...)
			n.rest = nil
		case strings.HasPrefix(word, "--"):
			err = n.long(word[2:], onlyRipgrep)
		case strings.HasPrefix(word, "-") && word != "-":
			err = n.bundle(word[1:])
		default:
			n.positional = append(n.positional, word)
		}
		if err != nil {
			return n.words, err
		}
	}
	return n.words, nil
}

type normaliser struct {
	words
	rest []string // not read yet
}

// long takes a word that began with two dashes.
func (n *normaliser) long(word string, onlyRipgrep bool) error {
	name, value, attached := strings.Cut(word, "=")
	s, known := spellings[name]
	if !known {
		name = strings.ToValidUTF8(name, string(utf8.RuneError))
		return &unknownFlag{"--" + name, suggest(name, onlyRipgrep)}
	}
	if s.takesValue() {
		if !attached && s.optional != "" {
			value, attached = s.optional, true
		}
		return n.flag(s, value, attached, "--"+name)
	}
	n.emit(s, "")
	if attached {
		return unexpectedValue("--"+name, value)
	}
	return nil
}

// bundle takes a word that began with one dash.
func (n *normaliser) bundle(word string) error {
	for i := 0; i < len(word); {
		r, width := utf8.DecodeRuneInString(word[i:])
		if r == '=' && i > 0 {
			return unexpectedValue("-"+lastRune(word[:i]), word[i+1:])
		}
		s, known := spellings[string(r)]
		if !known || r == utf8.RuneError {
			return &unknownFlag{name: "-" + string(r)}
		}
		i += width
		if s.takesValue() {
			value := strings.TrimPrefix(word[i:], "=")
			return n.flag(s, value, i < len(word), "-"+string(r))
		}
		n.emit(s, "")
	}
	return nil
}

// flag emits a flag with its value, which is the next word if none is attached.
func (n *normaliser) flag(s spelling, value string, attached bool, typed string) error {
	if !attached {
		if len(n.rest) == 0 {
			return &missingValue{s, typed}
		}
		value, n.rest = n.rest[0], n.rest[1:]
	}
	n.emit(s, value)
	return nil
}

func (n *normaliser) emit(s spelling, value string) {
	n.flags = append(n.flags, "--"+s.name+"="+value)
	n.used[s.name] = s
}

func unexpectedValue(typed, value string) error {
	return fmt.Errorf("invalid CLI arguments: unexpected argument for option '%s': %s", typed, quoted(value))
}

func lastRune(s string) string {
	_, width := utf8.DecodeLastRuneInString(s)
	return s[len(s)-width:]
}

// quotes are the escapes of [quoted] that have a letter.
var quotes = map[rune]string{
	0: `\0`, '\t': `\t`, '\n': `\n`, '\r': `\r`, '"': `\"`, '\\': `\\`,
}

// quoted writes a value as ripgrep shows it in an error: \xHH for a byte that
// is no UTF-8, \u{H} for a character that has no shape of its own.
func quoted(s string) string {
	var out strings.Builder
	out.WriteByte('"')
	for len(s) > 0 {
		r, width := utf8.DecodeRuneInString(s)
		letter, named := quotes[r]
		switch {
		case r == utf8.RuneError && width == 1:
			fmt.Fprintf(&out, `\x%02X`, s[0])
		case named:
			out.WriteString(letter)
		case !unicode.IsPrint(r) || unicode.In(r, unicode.Mn, unicode.Me):
			fmt.Fprintf(&out, `\u{%x}`, r)
		default:
			out.WriteRune(r)
		}
		s = s[width:]
	}
	out.WriteByte('"')
	return out.String()
}
