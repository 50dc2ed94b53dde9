package outline

import "bytes"

// A Role says what a value of front matter is to its text.
type Role uint8

// The roles of values.
const (
	Other   Role = iota // the whole line, with its key
	Title               // the text's name
	Subject             // another name of it, or what it is about in a word
	Summary             // what it is about in sentences
	name                // Title if nothing else is, or Subject
)

// roles are those of keys.
var roles = map[string]Role{
	"title": Title, "name": name,
	"alias": Subject, "aliases": Subject, "tag": Subject, "tags": Subject,
	"keyword": Subject, "keywords": Subject, "category": Subject, "categories": Subject,
	"subtitle": Summary, "description": Summary, "summary": Summary,
}

// Front is the front matter of a text. Jekyll and Pandoc have it in YAML,
// between lines of ---, and Hugo also in TOML, between lines of +++.
type Front struct {
	// Start and End are where the borders begin and end; both are where the text
	// begins, behind a mark of the byte order, if there is no front matter.
	Start, End int
	// Values are the lines between the borders, in their order.
	Values []Value
	titled bool // one of them is a title that says something
}

// A Value is a line, or what stands behind the key in it.
type Value struct {
	Role
	Start, End int // in the text
}

// maxFront is how many bytes front matter has at most: what is longer is text.
const maxFront = 16 << 10

// borders end front matter, by the line that begins it.
var borders = map[string][]string{"---": {"---", "..."}, "+++": {"+++"}}

// front reads the front matter of a text. It understands the simple forms that
// people write: keys at the beginnings of lines, and values behind them or, as
// lists, below. The values are appended to others.
func (s *Syntax) front(text []byte, values []Value) (f Front) {
	f.Values = values
	f.Start = len(text) - len(bytes.TrimPrefix(text, []byte("\ufeff")))
	f.End = f.Start
	if s == nil || f.Start == len(text) || text[f.Start] != '-' && text[f.Start] != '+' {
		return f
	}
	text = text[:min(len(text), f.Start+maxFront)]
	first, next := trimmedLine(text, f.Start)
	ends := borders[string(first)]
	if ends == nil {
		return f
	}
	for at := next; at < len(text); {
		l, end := trimmedLine(text, at)
		if string(l) == ends[0] || string(l) == ends[len(ends)-1] {
			f.End = end
			f.read(text[:at], next, text[f.Start] == '+')
			return f
		}
		at = end
	}
	return f // a rule
}

// trimmedLine returns the line of text from at on, without white space at its
// end, and where the next one begins.
func trimmedLine(text []byte, at int) (line []byte, next int) {
	next = at + lineLength(text[at:])
	return trimRight(text[at:next]), next
}

// read divides the lines of text from at on into values.
func (f *Front) read(text []byte, at int, toml bool) {
	assign := byte(':')
	if toml {
		assign = '='
	}
	role, inTable := Other, false
	for at < len(text) {
		line, next := trimmedLine(text, at)
		v := Value{Other, at, next}
		at = next
		switch inTable = inTable || toml && len(line) > 0 && line[0] == '['; {
		case inTable: // of TOML, whose keys say nothing of the text as a whole
		case len(line) == 0 || line[0] == ' ' || line[0] == '\t' || line[0] == '-':
			v.Role = role
		default:
			key, _, found := bytes.Cut(line, []byte{assign})
			role = Other
			if found {
				role = roleOf(key)
			}
			if v.Role = role; role != Other {
				v.Start += len(key) + 1
			}
		}
		f.Values = append(f.Values, v)
	}
	named := Subject
	if f.titled = f.says(text, Title); !f.titled {
		named, f.titled = Title, f.says(text, name)
	}
	for i := range f.Values {
		if f.Values[i].Role == name {
			f.Values[i].Role = named
		}
	}
}

// roleOf returns the role of a key, which may stand between quotes.
func roleOf(key []byte) Role {
	for len(key) > 0 && isFrame(key[0]) {
		key = key[1:]
	}
	for len(key) > 0 && isFrame(key[len(key)-1]) {
		key = key[:len(key)-1]
	}
	var small [16]byte // longer than any key that has a role
	if len(key) > len(small) {
		return Other
	}
	for i, b := range key {
		if 'A' <= b && b <= 'Z' {
			b |= 0x20
		}
		small[i] = b
	}
	return roles[string(small[:len(key)])]
}

// isFrame reports whether a byte is a quote or white space, which may stand
// around a key or a value.
func isFrame(b byte) bool {
	return b == '"' || b == '\'' || b == ' ' || '\t' <= b && b <= '\r'
}

// says reports whether a value of some role holds more than quotes.
func (f *Front) says(text []byte, role Role) bool {
	for _, v := range f.Values {
		if v.Role != role {
			continue
		}
		for _, b := range text[v.Start:v.End] {
			if !isFrame(b) {
				return true
			}
		}
	}
	return false
}
