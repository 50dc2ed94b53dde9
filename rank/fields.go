package rank

import "tally/match/outline"

// fieldsOf are the fields of values of front matter, by their role.
var fieldsOf = [...]Field{
	outline.Title: Title, outline.Subject: Aliases, outline.Summary: Body, outline.Other: Body,
}

// Write takes the next piece of the text, which ends where a line does.
func (s *Scanner) Write(text []byte) {
	if s.syntax == nil {
		s.cut(Body, text)
		return
	}
	if !s.begun {
		s.begun = true
		text = s.front(text)
	}
	body := 0 // what is not cut yet begins there
	s.headings.Find(text, func(h outline.Heading) {
		s.cut(Body, text[body:h.Start])
		field := Headings
		if h.Title {
			field = Title
		}
		s.cut(field, text[h.Start:h.End])
		body = h.End
	})
	s.cut(Body, text[body:])
}

// front takes the front matter, and returns what follows.
func (s *Scanner) front(text []byte) []byte {
	front := s.headings.Begin(s.syntax, text)
	for _, v := range front.Values {
		s.cut(fieldsOf[v.Role], text[v.Start:v.End])
	}
	return text[front.End:]
}
