package flags

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// The text of --help is this wide, and that of a flag is indented so far.
const (
	helpWidth  = 79
	helpIndent = 8
)

// Help returns the help text: one screen with the flags that are asked for most, or,
// if long, everything there is to say about every flag. As rg the short one is
// ripgrep's: a line for each flag.
func Help(args *Args, long bool, info BuildInfo) string {
	if !long && args.Program == Tally {
		return screen(args, info)
	}
	var out strings.Builder
	p := args.Program
	out.WriteString(Version(args, false, info) + "\n")
	writeBlocks(&out, blocks(descriptions[p], p), 0)
	out.WriteString("\nUse -h for short descriptions and --help for more details.\n\nUSAGE:\n")
	if long {
		for _, form := range synopsis {
			fmt.Fprintf(&out, "    %s %s\n", p, form)
		}
		fmt.Fprintf(&out, "    command | %s [OPTIONS] PATTERN\n", p)
	} else {
		fmt.Fprintf(&out, "  %s %s\n", p, synopsis[0])
	}
	for _, c := range categories(p) {
		fmt.Fprintf(&out, "\n%s:\n", categoryTitles[c])
		if long {
			writeLong(&out, c, p)
		} else {
			writeShort(&out, c)
		}
	}
	if long {
		for _, t := range topics {
			fmt.Fprintf(&out, "\n%s:\n", t.title)
			writeBlocks(&out, blocks(t.doc, p), 4)
		}
	}
	return out.String()
}

// categories are the sections of a program's manual, in order: what is its own comes
// first.
func categories(p Program) []category {
	list := make([]category, 0, numCategories)
	for c := range ours {
		list = append(list, c)
	}
	if p == Tally {
		return slices.Insert(list, 0, ours)
	}
	return append(list, ours)
}

// shortNames are shorter names of values, for lines of one flag each.
var shortNames = strings.NewReplacer("SEPARATOR", "SEP", "REPLACEMENT", "TEXT", "NUM+SUFFIX?", "NUM")

func writeShort(out *strings.Builder, c category) {
	width := 0
	for i := range rows {
		width = max(width, len(shortHead(&rows[i])))
	}
	for i := range rows {
		if r := &rows[i]; r.category == c {
			fmt.Fprintf(out, "  %-*s  %s\n", width, shortHead(r), r.brief)
		}
	}
}

func shortHead(r *row) string {
	head := "--" + r.long + shortNames.Replace(r.valueSuffix())
	if r.short != 0 {
		head = fmt.Sprintf("-%c, %s", r.short, head)
	}
	return head
}

func writeLong(out *strings.Builder, c category, p Program) {
	first := true
	for i := range rows {
		r := &rows[i]
		if r.category != c {
			continue
		}
		if !first {
			out.WriteByte('\n')
		}
		first = false
		out.WriteString("    ")
		if r.short != 0 {
			fmt.Fprintf(out, "-%c", r.short)
			if r.value != "" {
				out.WriteString(" " + r.value)
			}
			out.WriteString(", ")
		}
		fmt.Fprintf(out, "--%s%s\n", r.long, r.valueSuffix())
		writeBlocks(out, r.blocks(p), helpIndent)
	}
}

// writeBlocks writes paragraphs with an empty line between them, and none
// between the items of a list.
func writeBlocks(out *strings.Builder, list []block, indent int) {
	margin := strings.Repeat(" ", indent)
	for i, b := range list {
		if i > 0 && (b.kind != item || list[i-1].kind != item) {
			out.WriteByte('\n')
		}
		switch b.kind {
		case prose:
			for _, line := range wrap(b.text, helpWidth-indent) {
				out.WriteString(margin + line + "\n")
			}
		case item:
			bullet := "• "
			for _, line := range wrap(b.text, helpWidth-indent-utf8.RuneCountInString(bullet)) {
				out.WriteString(margin + bullet + line + "\n")
				bullet = "  "
			}
		case example:
			for line := range strings.SplitSeq(b.text, "\n") {
				out.WriteString(margin + "    " + line + "\n")
			}
		}
	}
}
