package report

// rankedPathForm lists the paths of a ranking, for another program.
var rankedPathForm = form{rows: true, ranked: true, list: pathList{}, end: statsEnd{}}

// A pathList shows one path a line; counts go beside it.
type pathList struct{}

func (pathList) evidence(p *Printer, b []byte, list []Evidence) ([]byte, bool) {
	b, _ = textList{}.evidence(p, b, list)
	return b, true
}

func (pathList) between() string { return "" }

func (pathList) claims() bool { return true }

func (pathList) ranked(p *Printer, b []byte, _ Verdict, _ int, f *RankedFile) []byte {
	return p.appendPathLine(b, f.Path)
}

func (pathList) similar(p *Printer, b []byte, _ Verdict, _ int, f *SimilarFile) []byte {
	return p.appendPathLine(b, f.Path)
}

// shownPath is a path as it is displayed.
func (p *Printer) shownPath(path []byte) []byte {
	w := Worker{cfg: &p.cfg, file: file{path: path}}
	return w.displayPath(nil)
}

// appendPathLine appends a path and its end.
func (p *Printer) appendPathLine(b, path []byte) []byte {
	b = append(b, p.shownPath(path)...)
	if p.cfg.Null {
		return append(b, 0)
	}
	return append(b, '\n')
}
