// Package rank finds the texts that a question is about. It cuts the question
// and the texts into words ([ParseQuery], [Scanner]), remembers of each text
// little more than how often which words of the question stand where ([Note]),
// and orders the notes by a score between 0 and 1 when all are known
// ([Collection.Rank]). It has no index: the texts are the only truth there is.
//
// It must not know where texts come from (walk), how they are decoded or
// counted exactly (match), how results look (report), or what was typed
// (flags).
package rank

// A Field is a part of a text that says more, or less, about what the text is
// about than others.
type Field uint8

const (
	Name     Field = iota // the file's name
	Folders               // the names of the folders above
	Title                 // title in front matter, or the first heading
	Headings              // the other headings
	Aliases               // aliases, tags and keywords in front matter
	Body                  // everything else
	NumFields
)

var fieldNames = [NumFields]string{"name", "folders", "title", "headings", "aliases", "body"}

// String returns the field as JSON names it.
func (f Field) String() string { return fieldNames[f] }

// A variant is how closely a word of a text is one of the question.
type variant uint8

const (
	same variant = iota // but for case and marks
	form                // they share all but an ending
	near                // within a slip of the fingers, or its beginning
	numVariants
)
