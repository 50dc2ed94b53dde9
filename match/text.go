package match

import "bytes"

// SearchText counts in a text that is in memory and is as [Searcher.Search]
// would come to see it: decoded, and without a NUL byte unless NUL is text like
// any other. It spares the way through a buffer where one text is searched for
// many things. The error is the engine's.
func (s *Searcher) SearchText(text []byte) (Outcome, error) {
	if s.multi() {
		return s.Search(Haystack{Reader: bytes.NewReader(text)}, nil)
	}
	r := &s.r
	*r = run{
		Searcher: s, muted: true, detect: Text,
		out: Outcome{BinaryOffset: -1, Bytes: int64(len(text))},
		st:  scanState{number: 1}, ctr: counter{number: 1},
		rows: r.rows, spans: r.spans,
		hay: text,
	}
	r.flags = r.scanFlags()
	if s.sc != nil {
		s.sc.err = nil
	}
	r.out.Stopped = !r.chunk() && s.sc != nil
	r.out.MatchesKnown = s.o.Spans && !s.o.Invert
	r.out.Lines, r.out.Matches = r.st.lines, r.st.matches
	r.out.Digest = r.st.digest
	return r.out, r.failure()
}
