package report

// A window is the part of the results that is displayed, and how far the
// display of it has come. A result that holds several lines is in the window in
// which its first line is, so that pages join to the whole without overlap or
// gap; what holds none (lines around no match, the message about a binary file)
// is where the next result would be.
type window struct {
	end int64 // -1 for no limit

	position     int64           // lines, or paths, that went by
	files        int64           // files displayed
	shown        map[uint64]bool // these, by the hash of their path, if a file may come twice
	lines        int64
	matches      int64
	repeats      shown
	first, last  int64 // positions of what was displayed, as [first, last)
	written      int64 // bytes of results
	full         bool  // they are as many as may be displayed
	before       bool  // something is before the window
	after        bool  // something is after it
	elided       bool
	printed      int64  // bytes, escape sequences included
	head         []byte // of the file that goes by, with the separator
	separatorLen int
	path         uint64 // likewise
	opened       bool   // something of that file was displayed
	joined       bool   // its last result was
	repeated     bool   // it was displayed before, by another path
}

// isFull reports whether no later result can be in the window.
func (w *window) isFull() bool { return w.full || w.position >= w.end }

// endMessage is more than the message has that ends a file's results in JSON,
// apart from what the message that begins them has too.
const endMessage = 420

// fits reports whether b, and what must follow, may be displayed; if not, nothing
// may any more.
func (p *Printer) fits(b []byte, more int) bool {
	win := &p.window
	if len(win.head) > 0 && p.cfg.form().messages {
		more += len(win.head) + endMessage
	}
	if !win.full && win.written+int64(len(b)+more) > p.cfg.limitBytes() {
		win.full = true
	}
	return !win.full
}

// printWindow writes what of a part is in the window.
func (p *Printer) printWindow(part *Part) error {
	win := &p.window
	mark := 0
	for _, b := range part.blocks {
		at := b.headEnd
		if b.continued {
			// These lines follow the last result of the part before.
			if win.joined && p.fits(part.buf[b.start:b.headEnd], 0) {
				p.write(part.buf[b.start:b.headEnd])
			}
		} else {
			win.head = append(win.head[:0], part.buf[b.start:b.headEnd]...)
			win.separatorLen = b.separatorEnd - b.start
			win.opened, win.joined, win.path, win.repeated = false, false, b.path, b.repeated
		}
		for ; mark < b.marks; mark++ {
			m := &part.marks[mark]
			p.printRegion(part.buf[at:m.end], m)
			at = m.end
		}
		switch tail := part.buf[b.tail:b.end]; {
		case !win.opened || len(tail) == 0:
		case p.cfg.form().messages:
			p.write(tail)
			// ripgrep's count leaves this message out, as it is in it.
			win.printed -= int64(len(tail))
		case p.fits(tail, 0):
			p.write(tail)
		}
	}
	if part.delta.blanks > 0 && !win.full {
		win.after = true
	}
	p.full.Store(win.isFull())
	if len(part.buf) == 0 || !p.started {
		return nil
	}
	_, err := p.out.Write(nil) // the error that stuck, if any
	return err
}

// printRegion writes a result if it is in the window.
func (p *Printer) printRegion(region []byte, m *mark) {
	win := &p.window
	position := win.position
	win.position += int64(m.lines)
	switch {
	case position < p.cfg.Offset:
		win.before, win.joined = true, false
		return
	case position >= win.end:
		win.after, win.joined = true, false
		return
	}
	head := win.head
	if !p.started {
		head = head[win.separatorLen:]
	}
	if !win.joined {
		region = region[m.separator:]
	}
	more := 0
	if !win.opened {
		more = len(head)
	}
	if !p.fits(region, more) {
		win.joined = false
		return
	}
	if !win.opened {
		p.write(head)
		win.opened = true
		if !p.cfg.Twice || !win.shown[win.path] {
			win.files++
		}
		if win.repeated {
			win.repeats.files++
		}
		if p.cfg.Twice {
			win.shown[win.path] = true
		}
	}
	p.write(region)
	if win.lines == 0 && m.lines > 0 {
		win.first = position
	}
	win.lines += int64(m.lines)
	win.last = win.position
	win.matches += int64(m.matches)
	if win.repeated {
		win.repeats.add(shown{lines: int64(m.lines), matches: int64(m.matches)})
	}
	win.elided = win.elided || m.elided
	win.joined = true
}

// write writes to the buffer, which keeps an error until it is flushed.
func (p *Printer) write(b []byte) {
	if len(b) > 0 {
		p.started = true
		p.window.printed += int64(len(b))
		p.window.written += int64(len(b))
		p.out.Write(b)
	}
}
