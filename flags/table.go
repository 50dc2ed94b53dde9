package flags

import (
	"fmt"
	"slices"
	"strings"
)

// A row declares one flag.
type row struct {
	long     string
	short    byte     // 0 for none
	negation string   // long name of the switch that takes it back, "" for none
	aliases  []string // other long names
	value    string   // what the value is called; "" for a switch
	optional string   // the value when none is given; one is then given only with "="
	choices  []string // the words that a value can be, if they can be listed
	complete completion
	category category // set by section
	own      bool     // does something ripgrep knows nothing of, see Args.OwnFlag
	// place orders flags of all categories where they are listed together;
	// it is the long name unless ripgrep's order differs.
	place string
	// brief is one line; doc is in paragraphs (see blocks in doc.go).
	brief, doc string
	effect     effect
}

// An effect changes args as a flag's occurrence demands. Its error lacks only
// the flag's name.
type effect func(args *Args, occurrence said, env Env) error

// said is one occurrence of a flag.
type said struct {
	value   string // "" for a switch
	negated bool   // by its negation
	short   bool   // by its short name
}

// A completion is what a shell can offer for a value.
type completion uint8

const (
	completeNothing completion = iota // or the choices
	completeFile
	completeCommand
	completeType
	completeEncoding
)

// A category is a section of the help.
type category uint8

const (
	input category = iota
	search
	filter
	output
	outputModes
	logging
	other
	ours
	numCategories
)

var categoryTitles = [numCategories]string{
	input:       "INPUT OPTIONS",
	search:      "SEARCH OPTIONS",
	filter:      "FILTER OPTIONS",
	output:      "OUTPUT OPTIONS",
	outputModes: "OUTPUT MODES",
	logging:     "LOGGING OPTIONS",
	other:       "OTHER BEHAVIORS",
	ours:        "TALLY OPTIONS",
}

// rows is the table: every flag, by category, in the order of the help.
var rows = slices.Concat(
	section(input, inputRows),
	section(search, searchRows),
	section(filter, filterRows),
	section(output, outputRows),
	section(outputModes, outputModeRows),
	section(logging, loggingRows),
	section(other, otherRows),
	section(ours, ourRows),
)

func section(c category, list []row) []row {
	for i := range list {
		list[i].category = c
	}
	return list
}

// A spelling is a name under which a flag can be given.
type spelling struct {
	*row
	name    string // without dashes
	short   bool
	negated bool
}

// String returns the spelling with its dashes.
func (s spelling) String() string {
	if s.short {
		return "-" + s.name
	}
	return "--" + s.name
}

// takesValue reports whether a value belongs to this spelling.
func (s spelling) takesValue() bool { return s.value != "" && !s.negated }

// spellings maps a name to its flag. Long and short names share it, as they do
// in ripgrep, which accepts --i for -i.
var spellings = spell(rows)

// Names returns the long names of all flags, negations and aliases left out.
func Names() []string {
	names := make([]string, len(rows))
	for i := range rows {
		names[i] = rows[i].long
	}
	return names
}

func spell(rows []row) map[string]spelling {
	m := make(map[string]spelling, 2*len(rows))
	add := func(s spelling) {
		if other, taken := m[s.name]; taken {
			panic(fmt.Sprintf("flags: %q is a name of --%s and of --%s", s.name, other.long, s.long))
		}
		m[s.name] = s
	}
	for i := range rows {
		r := &rows[i]
		add(spelling{row: r, name: r.long})
		for _, alias := range r.aliases {
			add(spelling{row: r, name: alias})
		}
		if r.short != 0 {
			add(spelling{row: r, name: string(r.short), short: true})
		}
		if r.negation != "" {
			add(spelling{row: r, name: r.negation, negated: true})
		}
	}
	return m
}

// byPlace returns the table in ripgrep's order, in which categories are mixed.
func byPlace() []*row {
	list := make([]*row, len(rows))
	for i := range rows {
		list[i] = &rows[i]
	}
	place := func(r *row) string {
		if r.place != "" {
			return r.place
		}
		return r.long
	}
	slices.SortStableFunc(list, func(a, b *row) int { return strings.Compare(place(a), place(b)) })
	return list
}
