package run

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"tally/match"
	"tally/match/decode"
	"tally/walk"
)

// why says of each path whether it is in the universe.
func why(s *Session, _ context.Context) int {
	s.open()
	code := 0
	for _, path := range s.Paths {
		a := s.universe.Why(path)
		f := &finding{Path: jsonPath(a.Path), Directory: a.IsDir, InScope: &a.InScope, Exists: &a.Exists, Rule: newRule(a.Rule)}
		switch {
		case a.Err != nil:
			f.Reason, f.Error = "unknown", string(a.Err.Path)+": "+errorText(a.Err.Err)
			if loop, ok := errors.AsType[*walk.LoopError](a.Err.Err); ok {
				f.Error = loopText(string(a.Err.Path), string(loop.Ancestor))
			}
			code = exitError
		case a.InScope:
			f.Reason = "in scope"
			if a.Exists && !a.IsDir {
				f.Reading = s.reading(path)
			}
		default:
			f.Reason = a.Reason.String()
			if at := jsonPath(a.At); strings.TrimSuffix(string(a.At), "/") != strings.TrimSuffix(strings.TrimPrefix(a.Path, "./"), "/") {
				at += "/"
				f.At = &at
			}
			code = max(code, 1)
		}
		if _, err := s.world.Stdout.Write(s.render("why", f)); err != nil {
			return max(code, s.unwritten(err))
		}
	}
	return code
}

// headMost is how much of a file is read to say how it is read, in bytes.
const headMost = 64 << 10

// reading says what stands out in the beginning of a file, as a search would
// read it; nil if nothing does.
func (s *Session) reading(path string) *reading {
	src, err := s.input.Door().OpenPath(path)
	if err != nil {
		return nil
	}
	defer src.Close()
	head, facts, _ := src.Head(headMost)
	r := reading{Text: s.encoding(facts)}
	if i := int64(bytes.IndexByte(head, 0)); i >= 0 && s.Input.Explicit.Detection != match.Text {
		r.Binary = &i
	}
	if r == (reading{}) {
		return nil
	}
	return &r
}

// encoding words what was seen of a file's encoding, "" if it is plain.
func (s *Session) encoding(f decode.Facts) string {
	switch {
	case f.Guessed:
		return "UTF-16 without a byte-order mark"
	case f.UTF16:
		return "UTF-16"
	case f.Transcoded:
		return s.Input.Encoding
	case f.Marked:
		return "UTF-8 with a byte-order mark"
	}
	return ""
}
