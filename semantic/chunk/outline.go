package chunk

import (
	"path"
	"strings"
)

// headingMarks are the characters that begin a heading, by the extension of
// the file. Elsewhere there are none, so that a comment is not taken for one.
var headingMarks = map[string]byte{
	".md": '#', ".markdown": '#', ".mdx": '#', ".mkd": '#', ".qmd": '#', ".rmd": '#',
	".org": '*', ".adoc": '=', ".asciidoc": '=',
}

func headingMark(name string) byte { return headingMarks[strings.ToLower(path.Ext(name))] }

// An outline is what is known of a text's title and headings.
type outline struct {
	mark     byte // begins a heading; 0: there are none
	title    string
	front    []string // other values of the front matter that say what the text is about
	frontEnd int      // where the front matter ends in the text
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
func (o *outline) open(at int, text string, level int) int {
	for at != none && o.sections[at].level >= level {
		at = o.sections[at].up
	}
	o.sections = append(o.sections, heading{text, level, at})
	return len(o.sections) - 1
}

// above reports whether section a is at or around it.
func (o *outline) above(a, at int) bool {
	for ; at != none; at = o.sections[at].up {
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
func (o *outline) path(at int) string {
	var parts []string
	for room := maxHead; at != none && room > 0; at = o.sections[at].up {
		if text := clip(o.sections[at].text, room); text != "" {
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

// head is what stands in front of a passage below these headings; first, if the
// front matter is part of it.
func (o *outline) head(headings string, first bool) string {
	var lines []string
	if o.title != "" && !strings.HasPrefix(strings.ToLower(headings), strings.ToLower(o.title)) {
		lines = append(lines, clip(o.title, maxHead))
	}
	if headings != "" {
		lines = append(lines, headings)
	}
	if first {
		lines = append(lines, o.front...)
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

// maxFront bounds front matter, in bytes: what is longer is text.
const maxFront = 4096

// frontEnds are the lines that end front matter, by the line that begins it:
// YAML and TOML.
var frontEnds = map[string][]string{"---": {"---", "..."}, "+++": {"+++"}}

// frontKeys are the keys whose values say what a text is about.
var frontKeys = map[string]bool{
	"aliases": true, "alias": true, "tags": true, "keywords": true, "categories": true,
	"description": true, "summary": true, "subtitle": true,
}

// frontMatter reads what stands between two marks at the beginning of a text,
// and returns where it ends: at 0 if there is none.
func (o *outline) frontMatter(text string) int {
	first, rest, _ := strings.Cut(text[:min(len(text), maxFront)], "\n")
	ends := frontEnds[strings.TrimRight(first, " \t")]
	if ends == nil {
		return 0
	}
	var lines []string
	for rest != "" {
		var l string
		l, rest, _ = strings.Cut(rest, "\n")
		if l = strings.TrimRight(l, " \t"); l == ends[0] || l == ends[len(ends)-1] {
			o.frontValues(lines)
			return min(len(text), maxFront) - len(rest)
		}
		lines = append(lines, l)
	}
	return 0 // a rule, not front matter
}

// frontValues takes title and subject from the lines of front matter. It reads
// the simple forms that people write and no more: what it does not understand
// is missing from the head, and still part of a passage.
func (o *outline) frontValues(lines []string) {
	room := maxHead
	wanted := false
	for _, l := range lines {
		value := l
		if l == "" {
			continue
		}
		if l[0] != ' ' && l[0] != '\t' && l[0] != '-' {
			i := strings.IndexAny(l, ":=")
			if i < 0 {
				wanted = false
				continue
			}
			key := strings.ToLower(strings.TrimSpace(l[:i]))
			value = l[i+1:]
			if key == "title" {
				o.title = scalar(value)
			}
			wanted = frontKeys[key]
		}
		if value = scalar(value); wanted && value != "" {
			value = clip(value, room)
			if value == "" {
				return
			}
			room -= len(value)
			o.front = append(o.front, value)
		}
	}
}

// scalar strips a value, or one entry or a whole line of a list, of its marks.
func scalar(s string) string {
	s = strings.TrimPrefix(strings.TrimSpace(s), "- ")
	s = strings.Trim(strings.TrimSpace(s), `"'[]>|`)
	return strings.TrimSpace(strings.NewReplacer(`", "`, ", ", `','`, ", ").Replace(s))
}
