package report

import (
	"fmt"
	"strconv"
	"strings"
)

// reset ends whatever style is in force.
const reset = "\x1b[0m"

// Colors are the styles of the parts of the output that can have one.
type Colors struct {
	path, line, column, match, highlight style
}

// A style is one way to print text on an ANSI terminal.
type style struct {
	fg, bg                           color
	bold, intense, underline, italic bool
}

// A color is one of ANSI's eight, of a palette of 256, or mixed from red,
// green and blue; the zero color is the terminal's own.
type color struct {
	kind    colorKind
	r, g, b uint8 // an index is in r
}

type colorKind uint8

const (
	noColor colorKind = iota
	ansiColor
	paletteColor
	rgbColor
)

// empty reports whether s leaves text as it is.
func (s style) empty() bool { return s == style{} }

// open is the sequence that begins s. It ends what went before, so that an
// empty style is not an empty sequence.
func (s style) open() []byte {
	b := []byte(reset)
	for _, on := range []struct {
		set  bool
		code string
	}{{s.bold, "1"}, {s.italic, "3"}, {s.underline, "4"}} {
		if on.set {
			b = fmt.Appendf(b, "\x1b[%sm", on.code)
		}
	}
	b = s.fg.appendTo(b, '3', s.intense)
	return s.bg.appendTo(b, '4', s.intense)
}

// appendTo appends the sequence that selects c; ground is '3' for the text
// and '4' for what is behind it.
func (c color) appendTo(b []byte, ground byte, intense bool) []byte {
	switch {
	case c.kind == ansiColor && intense:
		return fmt.Appendf(b, "\x1b[%c8;5;%dm", ground, c.r+8)
	case c.kind == ansiColor:
		return fmt.Appendf(b, "\x1b[%c%dm", ground, c.r)
	case c.kind == paletteColor:
		return fmt.Appendf(b, "\x1b[%c8;5;%dm", ground, c.r)
	case c.kind == rgbColor:
		return fmt.Appendf(b, "\x1b[%c8;2;%d;%d;%dm", ground, c.r, c.g, c.b)
	}
	return b
}

// DefaultColors are the styles before any specification changes them.
func DefaultColors() Colors {
	return Colors{
		path:  style{fg: color{kind: ansiColor, r: 5}},
		line:  style{fg: color{kind: ansiColor, r: 2}},
		match: style{fg: color{kind: ansiColor, r: 1}, bold: true},
	}
}

var ansiNames = map[string]uint8{
	"black": 0, "red": 1, "green": 2, "yellow": 3,
	"blue": 4, "magenta": 5, "cyan": 6, "white": 7,
}

var styleNames = map[string]func(*style){
	"bold":        func(s *style) { s.bold = true },
	"nobold":      func(s *style) { s.bold = false },
	"intense":     func(s *style) { s.intense = true },
	"nointense":   func(s *style) { s.intense = false },
	"underline":   func(s *style) { s.underline = true },
	"nounderline": func(s *style) { s.underline = false },
	"italic":      func(s *style) { s.italic = true },
	"noitalic":    func(s *style) { s.italic = false },
}

// A specError is a fault in what the user wrote, in ripgrep's words and with
// its full stop.
type specError string

func (e specError) Error() string { return string(e) }

func specErrorf(format string, args ...any) error {
	return specError(fmt.Sprintf(format, args...))
}

// ParseColorSpecs applies specifications such as "match:fg:blue" to the
// default colors, in order. Its errors have ripgrep's words, without a prefix.
func ParseColorSpecs(specs []string) (Colors, error) {
	colors := DefaultColors()
	for _, spec := range specs {
		if err := colors.apply(spec); err != nil {
			return Colors{}, err
		}
	}
	return colors, nil
}

func (c *Colors) apply(spec string) error {
	invalid := specErrorf("invalid color spec format: '%s'. Valid format is "+
		"'(path|line|column|match|highlight):(fg|bg|style):(value)'.", spec)
	parts := strings.Split(spec, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return invalid
	}
	out, known := map[string]*style{
		"path": &c.path, "line": &c.line, "column": &c.column,
		"match": &c.match, "highlight": &c.highlight,
	}[strings.ToLower(parts[0])]
	if !known {
		return specErrorf("unrecognized output type '%s'. Choose from: "+
			"path, line, column, match, highlight.", parts[0])
	}
	set, known := map[string]func(string) error{
		"none":  func(string) error { *out = style{}; return nil },
		"style": out.setAttribute,
		"fg":    out.fg.parse,
		"bg":    out.bg.parse,
	}[strings.ToLower(parts[1])]
	if !known {
		return specErrorf("unrecognized spec type '%s'. Choose from: "+
			"fg, bg, style, none.", parts[1])
	}
	if strings.EqualFold(parts[1], "none") {
		return set("")
	}
	if len(parts) < 3 {
		return invalid
	}
	return set(parts[2])
}

func (s *style) setAttribute(name string) error {
	set, known := styleNames[strings.ToLower(name)]
	if !known {
		return specErrorf("unrecognized style attribute '%s'. Choose from: "+
			"nobold, bold, nointense, intense, nounderline, "+
			"underline, noitalic, italic.", name)
	}
	set(s)
	return nil
}

func (c *color) parse(s string) error {
	if n, known := ansiNames[strings.ToLower(s)]; known {
		*c = color{kind: ansiColor, r: n}
		return nil
	}
	parts := strings.Split(s, ",")
	values := make([]uint8, len(parts))
	valid := true
	for i, part := range parts {
		var ok bool
		values[i], ok = parseByte(part)
		valid = valid && ok
	}
	switch {
	case len(parts) == 1 && valid:
		*c = color{kind: paletteColor, r: values[0]}
	case len(parts) == 3 && valid:
		*c = color{kind: rgbColor, r: values[0], g: values[1], b: values[2]}
	case len(parts) > 1:
		return specErrorf("unrecognized RGB color triple, "+
			"should be '[0-255],[0-255],[0-255]' (or a hex triple), but is '%s'", s)
	case strings.Trim(s, "0123456789abcdefABCDEF") == "":
		return specErrorf("unrecognized ansi256 color number, "+
			"should be '[0-255]' (or a hex number), but is '%s'", s)
	default:
		return specErrorf("unrecognized color name '%s'. Choose from: "+
			"black, blue, green, red, cyan, magenta, yellow, white", s)
	}
	return nil
}

// parseByte reads a decimal number, or a hexadecimal one after "0x".
func parseByte(s string) (uint8, bool) {
	base := 10
	if hex, found := strings.CutPrefix(s, "0x"); found {
		s, base = hex, 16
	}
	// A plus sign is allowed, as the original's integer parser has it.
	n, err := strconv.ParseUint(strings.TrimPrefix(s, "+"), base, 8)
	return uint8(n), err == nil
}
