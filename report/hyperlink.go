package report

import (
	"path/filepath"
	"strconv"
	"strings"
)

// A Hyperlink says how paths are made into links (OSC 8) that a terminal can
// follow. The zero value makes none.
type Hyperlink struct {
	Format HyperlinkFormat
	// Host stands for {host} and WSLPrefix for {wslprefix}.
	Host, WSLPrefix string
}

// A HyperlinkFormat is a parsed link template.
type HyperlinkFormat struct {
	parts []linkPart
}

// A linkPart is literal text, or the name of a variable.
type linkPart struct {
	text     string
	variable bool
}

const (
	linkOpen  = "\x1b]8;;"
	linkClose = "\x1b\\"
)

// linkAliases are the names that stand for a template, in the order in which
// an error message offers them.
var linkAliases = []struct{ name, format string }{
	{"default", "file://{host}{path}"},
	{"none", ""},
	{"cursor", "cursor://file{path}:{line}:{column}"},
	{"file", "file://{host}{path}"},
	{"grep+", "grep+://{path}:{line}"},
	{"kitty", "file://{host}{path}#{line}"},
	{"macvim", "mvim://open?url=file://{path}&line={line}&column={column}"},
	{"textmate", "txmt://open?url=file://{path}&line={line}&column={column}"},
	{"vscode", "vscode://file{path}:{line}:{column}"},
	{"vscode-insiders", "vscode-insiders://file{path}:{line}:{column}"},
	{"vscodium", "vscodium://file{path}:{line}:{column}"},
}

// ParseHyperlinkFormat reads a template or an alias. An empty one is valid and
// makes no links. Its errors have ripgrep's words, without a prefix.
func ParseHyperlinkFormat(s string) (HyperlinkFormat, error) {
	for _, alias := range linkAliases {
		if s == alias.name {
			s = alias.format
			break
		}
	}
	parts, err := splitTemplate(s)
	if err != nil {
		return HyperlinkFormat{}, err
	}
	f := HyperlinkFormat{parts}
	return f, f.validate()
}

// splitTemplate separates a template's text from its variables; a doubled
// brace is text.
func splitTemplate(s string) ([]linkPart, error) {
	var parts []linkPart
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			parts = append(parts, linkPart{text: text.String()})
			text.Reset()
		}
	}
	for s != "" {
		i := strings.IndexAny(s, "{}")
		if i < 0 {
			text.WriteString(s)
			break
		}
		text.WriteString(s[:i])
		brace, rest := s[i], s[i+1:]
		switch {
		case rest != "" && rest[0] == brace:
			text.WriteByte(brace)
			s = rest[1:]
		case brace == '}':
			return nil, specErrorf("unopened variable: found '}' without a corresponding '{' preceding it")
		default:
			name, after, closed := strings.Cut(rest, "}")
			if !closed {
				return nil, specErrorf("unclosed variable: found '{' without a corresponding '}' following it")
			}
			switch name {
			case "path", "line", "column", "host", "wslprefix":
			default:
				return nil, specErrorf("invalid hyperlink format variable: '%s', choose "+
					"from: path, line, column, host, wslprefix", name)
			}
			flush()
			parts = append(parts, linkPart{name, true})
			s = after
		}
	}
	flush()
	return parts, nil
}

func (f HyperlinkFormat) validate() error {
	if len(f.parts) == 0 {
		return nil
	}
	variables := false
	for _, p := range f.parts {
		variables = variables || p.variable
	}
	switch {
	case !variables:
		names := make([]string, len(linkAliases))
		for i, alias := range linkAliases {
			names[i] = alias.name
		}
		return specErrorf("at least a {path} variable is required in a hyperlink format, "+
			"or otherwise use a valid alias: %s", strings.Join(names, ", "))
	case !f.has("path"):
		return specErrorf("the {path} variable is required in a hyperlink format")
	case f.has("column") && !f.has("line"):
		return specErrorf("the hyperlink format contains a {column} variable, " +
			"but no {line} variable is present")
	}
	scheme, _, found := strings.Cut(f.parts[0].text, ":")
	valid := func(r rune) bool {
		return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' ||
			r == '+' || r == '-' || r == '.'
	}
	if f.parts[0].variable || !found || scheme == "" ||
		strings.IndexFunc(scheme, func(r rune) bool { return !valid(r) }) >= 0 {
		return specErrorf("the hyperlink format must start with a valid URL scheme, i.e., [0-9A-Za-z+-.]+:")
	}
	return nil
}

// Empty reports whether f makes no links.
func (f HyperlinkFormat) Empty() bool { return len(f.parts) == 0 }

func (f HyperlinkFormat) has(variable string) bool {
	for _, p := range f.parts {
		if p.variable && p.text == variable {
			return true
		}
	}
	return false
}

// appendOpen appends the sequence that begins a link to the file at target (as
// [linkTarget] returns it). A line or column of 0 is not known.
func (h *Hyperlink) appendOpen(b, target []byte, line, column int64) []byte {
	b = append(b, linkOpen...)
	for _, p := range h.Format.parts {
		switch {
		case !p.variable:
			b = append(b, p.text...)
		case p.text == "path":
			b = append(b, target...)
		case p.text == "host":
			b = append(b, h.Host...)
		case p.text == "wslprefix":
			b = append(b, h.WSLPrefix...)
		case p.text == "line":
			b = strconv.AppendInt(b, max(line, 1), 10)
		case p.text == "column":
			b = strconv.AppendInt(b, max(column, 1), 10)
		}
	}
	return append(b, linkClose...)
}

// linkTarget appends the absolute path of a file without links and dots in it,
// escaped for a URL. It appends nothing if the path leads to no file.
func linkTarget(b []byte, path string) []byte {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return b
	}
	if real, err = filepath.Abs(real); err != nil {
		return b
	}
	const hex = "0123456789ABCDEF"
	for i := range len(real) {
		c := real[i]
		if c >= 0x80 || c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' ||
			strings.IndexByte("/:-._~", c) >= 0 {
			b = append(b, c)
		} else {
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return b
}
