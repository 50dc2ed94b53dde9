package run

import (
	"context"

	"tally/walk"
)

// listSkipped lists what the universe leaves out.
func listSkipped(s *Session, ctx context.Context) int {
	s.open()
	s.limits = s.watch(ctx)
	s.limits.begin(s)
	defer s.limits.end()
	s.limits.follow(s.universe)
	code := 1
	end := pass(s.sorted(s.universe), func(emit func(*skipText)) walk.Visitor {
		return &skipLister{s: s, emit: emit, l: new(skipText)}
	}, func(part *skipText) error {
		for i := range part.fails {
			s.say.failed(&part.fails[i])
			code = exitError
		}
		if len(part.text) > 0 && code == 1 {
			code = 0
		}
		_, err := s.world.Stdout.Write(part.text)
		return err
	})
	if end = s.limits.why(end); end != nil && !gone(end) {
		return s.unwritten(end)
	}
	return code
}

// skipText is a piece of the list: text for standard output, and errors.
type skipText struct {
	text  []byte
	fails []walk.Error
}

func (l *skipText) Size() int { return cap(l.text) }

// A skipLister renders what is skipped and passes over files.
type skipLister struct {
	s    *Session
	emit func(*skipText)
	l    *skipText
}

func (v *skipLister) File(*walk.File) {}

func (v *skipLister) Skip(k *walk.Skip) {
	v.l.text = append(v.l.text, v.s.render("skipped", skipFinding(k))...)
}

func (v *skipLister) Fail(e walk.Error) { v.l.fails = append(v.l.fails, e) }

func (v *skipLister) Done() {
	if len(v.l.text)+len(v.l.fails) > 0 {
		v.emit(v.l)
		v.l = new(skipText)
	}
}
