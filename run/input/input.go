// Package input is the one door to a file. It opens what the walk comes to,
// runs the program of --pre, reads standard input, keeps what is read more than
// once, and watches a file that must not change meanwhile. Whoever reads a file
// for a search, a ranking, a comparison or a closer look reads it here, so that
// all of them see the same text.
//
// It must not know what is looked for, and renders nothing.
package input

import (
	"bytes"
	"io"

	"tally/match"
	"tally/match/decode"
	"tally/match/preprocess"
	"tally/run/world"
	"tally/walk"
	"tally/walk/glob"
)

// A Config says how a run reads files.
type Config struct {
	Decode decode.Config
	// Encoding is the label of the encoding, as typed.
	Encoding string
	// SearchZip takes compressed files apart, by the format that their name
	// speaks of.
	SearchZip bool
	// Explicit says how files that were named are read, Found how the others
	// are.
	Explicit, Found Reading
	// Watch notices a file that changes while it is read.
	Watch bool
	// Pre is the command that is run on files, "" for none; PreGlobs select
	// them, nil for all.
	Pre      string
	PreGlobs *glob.Override
	// KeepStdin keeps what is read of standard input for a second reading, and
	// says what is being waited for when nothing comes.
	KeepStdin bool
	// Cwd is the working directory, which PreGlobs are relative to.
	Cwd string
}

// A Reading is how bytes are taken.
type Reading struct {
	// Detection is what a NUL byte does.
	Detection match.Detection
	// Mapped searches as ripgrep searches a file that it maps into memory.
	Mapped bool
}

// Of returns how a file is read.
func (c *Config) Of(explicit bool) Reading {
	if explicit {
		return c.Explicit
	}
	return c.Found
}

// Format returns the compression that a file's name speaks of, if it matters.
func (c *Config) Format(path []byte) decode.Format {
	if !c.SearchZip {
		return decode.Plain
	}
	return decode.FormatByName(path)
}

// An Input is what one run reads. Its methods may be called by several
// goroutines.
type Input struct {
	cfg   Config
	w     *world.World
	pre   *preprocess.Program // nil: files are searched as they are
	stdin stdin
	// stop, if not nil, ends what waits for bytes.
	stop <-chan struct{}
}

// New returns the input of a run. What a person should know while it is read
// goes to say. When stop is closed, reading what may keep its reader waiting ends
// with [match.ErrStopped]; nil if it is to go on.
func New(cfg Config, w *world.World, say func(string), stop <-chan struct{}) *Input {
	in := &Input{cfg: cfg, w: w, stop: stop, stdin: stdin{r: w.Stdin, say: say, keeps: cfg.KeepStdin}}
	if cfg.Pre != "" {
		in.pre = preprocess.New(cfg.Pre, w.Program(cfg.Pre), w.Dir, w.Environ)
	}
	return in
}

// Config returns how files are read.
func (in *Input) Config() *Config { return &in.cfg }

// Kill ends the programs of --pre that are running; none is started any more.
func (in *Input) Kill() {
	if in.pre != nil {
		in.pre.KillAll()
	}
}

// Preprocessed reports whether a program reads the file at path.
func (in *Input) Preprocessed(path []byte) bool {
	return in.pre != nil && (in.cfg.PreGlobs.Empty() || in.selected(path))
}

// A Door opens one file after another for one goroutine.
type Door struct {
	in *Input
	// Reread says that an earlier walk of this run has read the same files.
	// What can be read only once is not read again.
	Reread bool

	src   Source
	raw   []byte // the room for what is kept
	chunk []byte // the room for pieces of text
	// overlap is the room for pieces with what is around them.
	overlap []byte
	text    *decode.Reader
}

// Door returns a door.
func (in *Input) Door() *Door { return &Door{in: in} }

// Open opens a file that the walk has come to; path is the one that is
// displayed, and must stay as it is until Close. The source that was opened
// before must have been closed.
func (d *Door) Open(f *walk.File, path []byte) (*Source, *walk.Error) {
	s := &d.src
	*s = Source{door: d, file: f, path: path, Explicit: f.Explicit(), regular: f.Regular()}
	fail := func(op walk.Op, err error) (*Source, *walk.Error) {
		return nil, &walk.Error{Path: walk.Displayed(path), Op: op, Err: err, Repeated: f.Repeated()}
	}
	switch {
	case f.Stdin():
		s.kind = fromStdin
		if d.Reread && !d.in.cfg.KeepStdin && !f.Repeated() {
			return fail(walk.OpRead, errOnce)
		}
		return s, nil
	case d.Reread && !s.regular:
		return fail(walk.OpRead, errOnce)
	case d.in.Preprocessed(path):
		s.kind = fromProgram
		var err error
		if s.call, err = d.in.start(string(path)); err != nil {
			return fail(walk.OpOpen, err)
		}
	default:
		s.format = d.in.cfg.Format(path)
		var err error
		if s.handle, err = d.in.open(f); err != nil {
			return fail(walk.OpOpen, err)
		}
		s.open = true
	}
	if d.in.cfg.Watch {
		s.watch()
	}
	return s, nil
}

// OpenPath opens a file that the walk has come to before, by the path that was
// displayed, or any other.
func (d *Door) OpenPath(path string) (*Source, error) {
	s := &d.src
	*s = Source{door: d, path: []byte(path), regular: true}
	switch {
	case path == StdinPath && d.in.stdin.begun:
		s.kind, d.Reread = fromStdin, true
	case d.in.Preprocessed(s.path):
		s.kind = fromProgram
	default:
		file, err := d.in.w.Open(path)
		if err != nil {
			return nil, err
		}
		s.kind, s.named, s.format = fromPath, file, d.in.cfg.Format(s.path)
	}
	return s, nil
}

// StdinPath is how standard input is displayed.
const StdinPath = "<stdin>"

// reader returns the text of a source, decoded.
func (d *Door) reader(h match.Haystack) *decode.Reader {
	if d.text == nil {
		d.text = decode.NewReader(d.in.cfg.Decode)
	}
	d.text.Reset(h.Reader, h.Format)
	return d.text
}

// keep reads r into memory. It gives up what has more than most bytes, unless
// that is negative.
func (d *Door) keep(r io.Reader, most int) (kept []byte, whole bool, err error) {
	if d.raw == nil {
		d.raw = make([]byte, 64<<10)
	}
	n := 0
	for {
		m, err := r.Read(d.raw[n:])
		n += m
		switch {
		case err == io.EOF:
			return d.raw[:n], true, nil
		case err != nil:
			return nil, false, err
		}
		if n < len(d.raw) {
			continue
		}
		if most >= 0 && n >= most {
			return nil, false, nil
		}
		d.raw = append(d.raw, make([]byte, len(d.raw))...)
	}
}

// hasNUL reports whether there is a NUL byte in b.
func hasNUL(b []byte) bool { return bytes.IndexByte(b, 0) >= 0 }
