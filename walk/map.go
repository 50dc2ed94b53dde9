package walk

import (
	"iter"
	"runtime"
	"sync"
	"sync/atomic"
)

// A Part is what a visitor hands over: results of some files, in order.
type Part interface {
	// Size is the memory the part holds, in bytes.
	Size() int
}

// A Visitor is told, on one goroutine, what the walk comes to. Calls for one
// run of files come in path order, and Done ends the run.
type Visitor interface {
	// File receives a file in scope. It is valid during the call.
	File(*File)
	// Skip receives a path that the universe leaves out.
	Skip(*Skip)
	// Fail receives a path that could not be looked at.
	Fail(Error)
	// Done is called when a run of files has ended. The visitor hands over
	// what it still holds.
	Done()
}

// budget bounds what finished but unwritten parts may hold in all, in bytes.
// Past it workers wait, except the one whose output is next.
const budget = 16 << 20

// Map visits u with one visitor for each worker and yields the parts that
// they emit in path order. A visitor may emit at any time; the order is that
// of the files it was told of. If the loop ends early, so does the walk.
//
// The loop's body runs on whichever worker has finished what comes next, one
// call at a time.
//
// A worker's raw system calls hold on to their processor. A program that wants
// to do something else meanwhile, such as hear a signal at once, gives Go one
// processor more than there are workers ([runtime.GOMAXPROCS]).
func Map[P Part](u *Universe, visitor func(emit func(P)) Visitor) iter.Seq[P] {
	return func(yield func(P) bool) {
		m := &merge[P]{yield: yield, u: u}
		m.work.L, m.room.L = &m.mu, &m.mu
		m.start()
		threads := u.c.Workers()
		var wg sync.WaitGroup
		for range threads {
			wg.Go(func() {
				runtime.LockOSThread()
				w := &worker[P]{m: m, u: u}
				w.v = visitor(w.emit)
				w.run()
			})
		}
		done := make(chan struct{})
		go func() {
			wg.Wait()
			close(done)
		}()
		select {
		case <-done:
		case <-u.ended.now:
		}
		m.rest()
	}
}

// merge puts what the workers emit into path order.
type merge[P Part] struct {
	u      *Universe
	yield  func(P) bool
	enough atomic.Bool // the loop has ended

	mu      sync.Mutex
	work    sync.Cond // a segment to take, or the end
	room    sync.Cond // less is held, or the head is another
	queue   queue
	head    *segment // of the list of segments in output order
	busy    int      // workers that have a segment
	idle    int      // workers that wait for one
	blocked int      // workers that wait for room
	held    int      // bytes of parts not yet yielded
	drains  bool     // somebody is yielding
	left    bool     // the walk is over, whoever is still at work
}

// start makes the first segments: what has failed before, then the roots or the runs
// of a sorted universe.
func (m *merge[P]) start() {
	first := m.u.list.cut()
	if m.u.list == nil {
		first = m.u.cutRoots()
	}
	if len(m.u.failures) > 0 {
		first = append([]*segment{{fails: m.u.failures, from: -1}}, first...)
	}
	for i, s := range first {
		if i == 0 {
			m.head = s
		} else {
			first[i-1].next = s
		}
		m.queue.push(s)
	}
}

// halted reports whether the walk is to end before everything was visited.
func (m *merge[P]) halted() bool { return m.enough.Load() || m.u.ended.soon.Load() }

// step ends a worker's segment, which has come to parts and, if it was a
// directory, to children, and returns the earliest segment that nobody has;
// nil at the end. s is nil the first time. All of it is one critical section:
// a worker whose thread is locked pays dearly for waiting.
func (m *merge[P]) step(s *segment, parts []P, children []*segment) *segment {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.left {
		return nil
	}
	if s != nil {
		m.add(s, parts)
		m.insert(s, children)
		m.busy--
		s.done = true
		m.drain()
	}
	for len(m.queue) == 0 && m.busy > 0 && !m.halted() {
		m.idle++
		m.work.Wait()
		m.idle--
	}
	if len(m.queue) == 0 || m.halted() {
		m.work.Broadcast()
		return nil
	}
	m.busy++
	next := m.queue.pop()
	if m.idle > 0 && len(m.queue) > 0 {
		m.work.Signal()
	}
	return next
}

func (m *merge[P]) add(s *segment, parts []P) {
	for _, p := range parts {
		s.parts = append(s.parts, p)
		m.held += p.Size()
	}
}

// insert puts a directory's segments behind it, and makes them available.
func (m *merge[P]) insert(s *segment, children []*segment) {
	last := s
	for _, c := range children {
		c.next, last.next = last.next, c
		last = c
		m.queue.push(c)
	}
}

// emit adds a part to a segment that is still in work, yields it if it is
// next, and waits if too much is held.
func (m *merge[P]) emit(s *segment, parts []P) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.left {
		return
	}
	m.add(s, parts)
	m.drain()
	for m.held > budget && m.head != s && !m.halted() {
		m.waitForRoom()
		m.drain()
	}
	// The head's own worker waits too while another one is writing what it
	// has emitted already.
	for m.held > 2*budget && m.drains && !m.halted() {
		m.waitForRoom()
	}
}

func (m *merge[P]) waitForRoom() {
	m.blocked++
	m.room.Wait()
	m.blocked--
}

func (m *merge[P]) notify() {
	if m.blocked > 0 {
		m.room.Broadcast()
	}
}

// drain yields what is next for as long as there is any, unless somebody is
// at it. It is called with mu held, which it gives up while yielding.
func (m *merge[P]) drain() {
	if m.drains {
		return
	}
	m.drains = true
	for m.head != nil {
		h := m.head
		if len(h.parts) == 0 {
			if !h.done {
				break
			}
			m.head = h.next
			m.notify()
			continue
		}
		m.yieldFirst(h)
		m.notify()
	}
	m.drains = false
	m.notify()
}

// yieldFirst yields a segment's first part, giving up mu meanwhile.
func (m *merge[P]) yieldFirst(s *segment) {
	p := s.parts[0].(P)
	s.parts = s.parts[1:]
	size := p.Size() // whoever receives p may use it again
	if !m.enough.Load() {
		m.mu.Unlock()
		ok := m.yield(p)
		m.mu.Lock()
		if !ok {
			m.enough.Store(true)
		}
	}
	m.held -= size
}

// rest yields what is left when a walk was ended from outside: what had been
// found behind places that nobody came to any more. Workers that were not waited
// for have nothing to add from now on.
func (m *merge[P]) rest() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.drains {
		m.waitForRoom()
	}
	m.left, m.drains = true, true
	m.work.Broadcast()
	m.room.Broadcast()
	for s := m.head; s != nil; s = s.next {
		for len(s.parts) > 0 {
			m.yieldFirst(s)
		}
	}
}

// A worker takes segments until there are none left.
type worker[P Part] struct {
	m   *merge[P]
	u   *Universe
	v   Visitor
	seg *segment
	// ending says that the segment is about to be handed over anyway, with
	// the parts that are pending and, if it is a directory, its children.
	ending   bool
	pending  []P
	children []*segment
	buf      []byte // for listings
	f        File
	s        Skip
}

func (w *worker[P]) emit(p P) {
	w.pending = append(w.pending, p)
	if !w.ending {
		w.m.emit(w.seg, w.pending)
		w.pending = w.pending[:0]
	}
}

// done ends a run of files.
func (w *worker[P]) done() {
	w.ending = true
	w.v.Done()
}

func (w *worker[P]) run() {
	w.buf = make([]byte, listSize)
	for {
		w.seg = w.m.step(w.seg, w.pending, w.children)
		if w.seg == nil {
			return
		}
		w.ending, w.pending, w.children = false, w.pending[:0], nil
		switch {
		case w.seg.fails != nil:
			w.fail(w.seg.fails)
		case w.seg.list != nil:
			w.visitList(w.seg)
		case w.seg.into:
			w.enter(w.seg)
		case w.seg.dir == nil:
			w.visitRoots(w.u.roots[w.seg.from:w.seg.to])
		default:
			w.visit(w.seg)
		}
	}
}

// visit goes through a run of entries.
func (w *worker[P]) visit(s *segment) {
	d := s.dir
	for i := s.from; i < s.to && !w.m.halted(); i++ {
		e := &d.entries[i]
		switch {
		case e.verdict == search:
			w.f = File{dir: d, entry: e, at: i, root: d.root}
			w.v.File(&w.f)
		case e.verdict == failed:
			w.v.Fail(d.failure(e))
		case d.root.beyond && e.typ == typeFile && e.verdict != skip(Output):
			w.f = File{dir: d, entry: e, root: d.root, out: e.verdict}
			w.v.File(&w.f)
		default:
			w.skip(Reason(e.verdict-skipped), d, e)
		}
	}
	w.done()
	d.release(w.u)
}

func (w *worker[P]) skip(r Reason, d *dir, e *entry) {
	w.s = Skip{Reason: r, IsDir: e.typ == typeDir, u: w.u, dir: d, entry: e}
	w.v.Skip(&w.s)
}

// enter reads the directory that the segment stands for.
func (w *worker[P]) enter(s *segment) {
	d, reason, err := w.u.enter(s, w.buf)
	if s.dir != nil {
		defer s.dir.release(w.u)
	}
	if d == nil && len(err) == 0 {
		w.skip(reason, s.dir, &s.dir.entries[s.from])
		w.done()
		return
	}
	if d != nil {
		if segs := d.cut(); len(segs) > 0 {
			d.refs.Store(int32(len(segs)))
			w.children = segs
		} else {
			d.close(w.u)
		}
	}
	if len(err) > 0 {
		w.fail(err)
	}
}

// fail tells the visitor of errors, which end a run.
func (w *worker[P]) fail(errs []Error) {
	for _, e := range errs {
		w.v.Fail(e)
	}
	w.done()
}

// visitRoots goes through a run of roots that are no directories.
func (w *worker[P]) visitRoots(roots []*root) {
	for _, r := range roots {
		if w.m.halted() {
			break
		}
		if r.err != nil {
			w.v.Fail(Error{Path: r.display, Op: OpStat, Err: r.err})
			continue
		}
		w.f = File{root: r}
		w.v.File(&w.f)
	}
	w.done()
}
