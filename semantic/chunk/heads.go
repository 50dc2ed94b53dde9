package chunk

import (
	"strings"

	"tally/match/outline"
)

// Heads are what is known of a text's title and headings, of which each passage
// has in front what it stands under.
type heads struct {
	title    string   // that front matter names
	front    []string // its other values that say what the text is about
	frontEnd int      // where it ends in the text
	// frontCut says that not all of these fit into a head.
	frontCut bool
	sections []heading
}

// A heading begins a section, and is told from others by its index.
type heading struct {
	text  string
	level int
	up    int // index of the section around it, -1: none
}

// none is the index of no section.
const none = -1

// open begins a section within the section at, and returns it.
func (h *heads) open(at int, text string, level int) int {
	for at != none && h.sections[at].level >= level {
		at = h.sections[at].up
	}
	h.sections = append(h.sections, heading{text, level, at})
	return len(h.sections) - 1
}

// above reports whether section a is at or around it.
func (h *heads) above(a, at int) bool {
	for ; at != none; at = h.sections[at].up {
		if a == at {
			return true
		}
	}
	return false
}

// maxHead bounds what stands in front of a passage, in bytes: a heading may be
// as long as a text.
const maxHead = 240

// path is the headings of section at, the highest first.
func (h *heads) path(at int) string {
	var parts []string
	for room := maxHead; at != none && room > 0; at = h.sections[at].up {
		if text := clip(h.sections[at].text, room); text != "" {
			parts = append(parts, text)
			room -= len(text) + len(separator)
		}
	}
	for i, j := 0, len(parts)-1; i < j; i, j = i+1, j-1 {
		parts[i], parts[j] = parts[j], parts[i]
	}
	return strings.Join(parts, separator)
}

const separator = " > "

// whole reports whether the path of section at holds all of the heading of
// section a, which is at or around it.
func (h *heads) whole(a, at int) bool {
	room := maxHead
	for ; at != a; at = h.sections[at].up {
		if text := clip(h.sections[at].text, max(room, 0)); text != "" {
			room -= len(text) + len(separator)
		}
	}
	return len(h.sections[a].text) <= room
}

// head is what stands in front of a passage below these headings; first, if the
// front matter is part of it.
func (h *heads) head(headings string, first bool) string {
	var lines []string
	if h.title != "" && !strings.HasPrefix(strings.ToLower(headings), strings.ToLower(h.title)) {
		lines = append(lines, clip(h.title, maxHead))
	}
	if headings != "" {
		lines = append(lines, headings)
	}
	if first {
		lines = append(lines, h.front...)
	}
	return strings.Join(lines, "\n")
}

// clip shortens a text to at most n bytes, between characters.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return strings.TrimSpace(s[:n])
}

// readFront takes title and subject from front matter. What it does not
// understand is missing from the head, and still part of a passage.
func (h *heads) readFront(front *outline.Front, text string) {
	h.frontEnd = front.End
	room := maxHead
	for _, v := range front.Values {
		value := scalar(text[v.Start:v.End])
		switch {
		case value == "" || v.Role == outline.Other:
		case v.Role == outline.Title && h.title == "":
			h.title = value
			h.frontCut = h.frontCut || len(value) > maxHead
		case len(value) > room:
			h.frontCut = true
			if value = clip(value, room); value == "" {
				continue
			}
			fallthrough
		default:
			room -= len(value)
			h.front = append(h.front, value)
		}
	}
}

// scalar strips a value, or one entry or a whole line of a list, of its marks.
func scalar(s string) string {
	s = strings.TrimPrefix(strings.TrimSpace(s), "- ")
	s = strings.Trim(strings.TrimSpace(s), `"'[]>|`)
	return strings.TrimSpace(strings.NewReplacer(`", "`, ", ", `','`, ", ").Replace(s))
}
