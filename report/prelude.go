package report

import (
	"strconv"

	"tally/report/escape"
)

// styles are the escape sequences of a run; without colors all are empty.
type styles struct {
	path, line, column, match, highlight []byte
	reset                                []byte
	matched                              bool // matches are styled
	highlighted                          bool // so is the rest of a matching line
	links                                bool
}

func newStyles(c *Config) styles {
	if !c.Color {
		return styles{}
	}
	return styles{
		path: c.Colors.path.open(), line: c.Colors.line.open(), column: c.Colors.column.open(),
		match: c.Colors.match.open(), highlight: c.Colors.highlight.open(),
		reset:       []byte(reset),
		matched:     !c.Colors.match.empty(),
		highlighted: !c.Colors.highlight.empty(),
		links:       !c.Hyperlink.Format.Empty(),
	}
}

// A prelude is what comes before the text of a line. What is the same for all
// lines of a file is composed once.
type prelude struct {
	ready   bool
	path    []byte // with what ends it
	pathEnd int    // length of that
	escapes int64  // bytes of escape sequences in path
	field   []byte // separator of the other fields

	// numbered is path with the line number and its separator. Line numbers
	// are mostly one, or few, more than the last, so that the digits between
	// first and last are counted up in place.
	numbered    []byte
	number      int64
	first, last int
}

// noNumber is no line's number, nor the one before.
const noNumber = -2

// compose readies p for the file, with the given separator.
func (w *Worker) compose(p *prelude, field []byte) {
	p.ready, p.field, p.number = true, field, noNumber
	p.path, p.escapes = p.path[:0], 0
	if w.cfg.WithPath && !w.cfg.Heading {
		end := w.pathEnd(string(field))
		p.path = append(p.path, w.styles.path...)
		p.path = w.displayPath(p.path)
		p.path = append(p.path, w.styles.reset...)
		p.path = append(p.path, end...)
		p.pathEnd = len(end)
		p.escapes = int64(len(w.styles.path) + len(w.styles.reset))
	}
}

// preludeFor returns the prelude of matching lines, or of context.
func (w *Worker) preludeFor(context bool) *prelude {
	p, field := &w.match, w.cfg.FieldMatch
	if context {
		p, field = &w.context, w.cfg.FieldContext
	}
	if !p.ready {
		w.compose(p, field)
	}
	return p
}

// writePrelude writes the fields before the text of a line. A column of 0 is
// one that there is not.
func (w *Worker) writePrelude(context bool, number, column, offset int64) {
	p := w.preludeFor(context)
	if !w.cfg.LineNumber {
		number = 0
	}
	// A link takes in all fields, but not the separator after the last. Below
	// a heading, which is linked itself, only a link to the line is of use.
	linked := w.styles.links && w.cfg.WithPath &&
		(!w.cfg.Heading || w.cfg.Hyperlink.Format.has("line")) && w.openLink(number, column)
	separator := 0
	if len(p.path) > 0 {
		w.part.buf = append(w.part.buf, p.path...)
		w.file.escapes += p.escapes
		separator = p.pathEnd
	}
	field := func(n int64, open []byte) {
		w.escape(open)
		w.part.buf = strconv.AppendInt(w.part.buf, n, 10)
		w.escape(w.styles.reset)
		w.part.buf = append(w.part.buf, p.field...)
		separator = len(p.field)
	}
	if number > 0 {
		field(number, w.styles.line)
	}
	if w.cfg.Column && column > 0 {
		field(column, w.styles.column)
	}
	if w.cfg.ByteOffset {
		field(offset, w.styles.column)
	}
	if linked {
		end := len(w.part.buf) - separator
		w.scratch = append(w.scratch[:0], w.part.buf[end:]...)
		w.part.buf = w.part.buf[:end]
		w.closeLink()
		w.part.buf = append(w.part.buf, w.scratch...)
	}
}

// pathEnd is what follows a path that is written.
func (w *Worker) pathEnd(otherwise string) string {
	if w.cfg.Null {
		return "\x00"
	}
	return otherwise
}

// displayPath appends the path of the file as it is displayed.
func (w *Worker) displayPath(b []byte) []byte {
	if !w.cfg.Terminal && !w.cfg.ValidText {
		return w.separatedPath(b)
	}
	w.scratch = w.separatedPath(w.scratch[:0])
	if w.cfg.Terminal {
		return escape.AppendName(b, w.scratch)
	}
	return appendValid(b, w.scratch)
}

// separatedPath appends the path of the file, with the separator that was asked for.
func (w *Worker) separatedPath(b []byte) []byte {
	n := len(b)
	b = append(b, w.file.path...)
	if sep := w.cfg.PathSep; sep != 0 {
		for i := n; i < len(b); i++ {
			if b[i] == '/' {
				b[i] = sep
			}
		}
	}
	return b
}

// writePath writes the path, styled and linked.
func (w *Worker) writePath() {
	linked := w.styles.links && w.openLink(0, 0)
	w.escape(w.styles.path)
	w.part.buf = w.displayPath(w.part.buf)
	w.escape(w.styles.reset)
	if linked {
		w.closeLink()
	}
}

// openLink begins a link to the file and reports whether there can be one. A
// line or column of 0 is not known.
func (w *Worker) openLink(line, column int64) bool {
	if !w.targetReady {
		w.targetReady = true
		w.target = linkTarget(w.target[:0], string(w.separatedPath(nil)))
	}
	if len(w.target) == 0 {
		return false
	}
	n := len(w.part.buf)
	w.part.buf = w.cfg.Hyperlink.appendOpen(w.part.buf, w.target, line, column)
	w.file.escapes += int64(len(w.part.buf) - n)
	return true
}

// closeLink ends a link.
func (w *Worker) closeLink() {
	w.part.buf = append(w.part.buf, linkOpen+linkClose...)
	w.file.escapes += int64(len(linkOpen + linkClose))
}

// escape appends a sequence, which does not count as printed.
func (w *Worker) escape(seq []byte) {
	w.part.buf = append(w.part.buf, seq...)
	w.file.escapes += int64(len(seq))
}

// at returns the prelude of line n.
func (p *prelude) at(n int64, s *styles) []byte {
	if n == p.number+1 {
		for i := p.last; i >= p.first; i-- {
			if p.numbered[i] != '9' {
				p.numbered[i]++
				p.number = n
				return p.numbered
			}
			p.numbered[i] = '0'
		}
	} else if n == p.number {
		return p.numbered
	}
	b := append(p.numbered[:0], p.path...)
	b = append(b, s.line...)
	p.first = len(b)
	b = strconv.AppendInt(b, n, 10)
	p.last = len(b) - 1
	b = append(b, s.reset...)
	p.numbered, p.number = append(b, p.field...), n
	return p.numbered
}
