package match

// What each of several patterns matches alone is counted while a haystack is
// searched, in the buffers that hold anything of interest, so that the numbers
// speak about the bytes that were searched.

// compileEach returns a matcher for every pattern.
func (m *Matcher) compileEach() (list []*Matcher, err error) {
	for _, pattern := range m.syntax.all() {
		one, err := Compile(m.of([]string{pattern}))
		if err != nil {
			return nil, err
		}
		list = append(list, one)
	}
	return list, nil
}

// Alone returns a matcher for each of the patterns, those of [Syntax.And] behind the
// others.
func (m *Matcher) Alone() ([]*Matcher, error) { return m.each() }

// An eachCounter counts for one goroutine.
type eachCounter struct {
	m       *Matcher
	counter *Counter // nil until there is something to count
	sum     []Count
	err     error
}

// begin forgets what was counted.
func (e *eachCounter) begin() {
	if e.sum == nil {
		e.sum = make([]Count, len(e.m.syntax.all()))
	}
	clear(e.sum)
	e.err = nil
}

// count counts in whole lines; nil after an error. The counts are valid until the
// next call.
func (e *eachCounter) count(text []byte) []Count {
	if e.counter == nil && e.err == nil {
		var list []*Matcher
		if list, e.err = e.m.each(); e.err == nil {
			e.counter = NewCounter(list)
		}
	}
	if e.err != nil {
		return nil
	}
	var counts []Count
	counts, e.err = e.counter.Count(text)
	return counts
}

// add adds counts to the sum.
func (e *eachCounter) add(counts []Count) {
	for i, c := range counts {
		e.sum[i].Lines += c.Lines
		e.sum[i].Matches += c.Matches
	}
}

// Each returns what each pattern matches in the haystack that was searched last,
// those of [Syntax.And] behind the others, if [Options.Each] asks for it. It is
// known only where the search has come to the end. The counts are valid until the
// next search.
func (s *Searcher) Each() (counts []Count, known bool) {
	if s.each == nil || s.each.err != nil {
		return nil, false
	}
	return s.each.sum, true
}

// countEach counts in a part of the buffer in which so many lines were selected.
func (r *run) countEach(text []byte, selected int64) {
	if r.each != nil && (selected > 0 || r.sc.touches(text, r.m.term, r.flags)) {
		r.each.add(r.each.count(text))
	}
}

// touches reports whether any of several parts matches in a text that may have no
// line that all of them match.
func (s *scanner) touches(text []byte, term byte, flags uint32) bool {
	for _, part := range s.parts {
		var st scanState
		part.scanPattern(text, term, flags&(scanLinewise|scanCRLF), 1, &st)
		if s.failed(part) || st.lines > 0 {
			return true
		}
	}
	return false
}
