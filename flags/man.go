package flags

import (
	"fmt"
	"regexp"
	"strings"
)

// Generated returns the file that --generate asks for, as args say.
func Generated(args *Args, info BuildInfo) string {
	switch args.Generate {
	case GenerateBash:
		return bashCompletion(args.Program)
	case GenerateZsh:
		return zshCompletion(args.Program)
	case GenerateFish:
		return fishCompletion(args.Program)
	case GeneratePowerShell:
		return powerShellCompletion(args.Program)
	}
	return manPage(args, info)
}

// manPage returns the manual page in roff, by the man macros (man(7)).
func manPage(args *Args, info BuildInfo) string {
	var out strings.Builder
	p := args.Program
	version := "tally " + info.Version
	if p == Ripgrep {
		version += ", ripgrep " + RipgrepVersion
	}
	fmt.Fprintf(&out, ".TH %s 1 \"\" \"%s\" \"User Commands\"\n.nh\n.ad l\n", strings.ToUpper(p.String()), roff(version))
	fmt.Fprintf(&out, ".SH NAME\n%s \\- search files for lines that match a pattern\n.SH SYNOPSIS\n", p)
	for i, form := range synopsis {
		if i > 0 {
			out.WriteString(".br\n")
		}
		fmt.Fprintf(&out, "\\fB%s\\fP %s\n", p, roff(form))
	}
	fmt.Fprintf(&out, ".br\n\\fIcommand\\fP | \\fB%s\\fP %s\n", p, roff("[OPTIONS] PATTERN"))
	out.WriteString(".SH DESCRIPTION\n")
	writeRoff(&out, blocks(descriptions[p], p))
	out.WriteString(".SH OPTIONS\n")
	for _, c := range categories(p) {
		fmt.Fprintf(&out, ".SS %s\n", categoryTitles[c])
		for i := range rows {
			if rows[i].category == c {
				writeRoffRow(&out, &rows[i], p)
			}
		}
	}
	for _, t := range topics {
		fmt.Fprintf(&out, ".SH %s\n", t.title)
		writeRoff(&out, blocks(t.doc, p))
	}
	return out.String()
}

// writeRoffRow writes a flag: its names, and its text indented below.
func writeRoffRow(out *strings.Builder, r *row, p Program) {
	out.WriteString(".TP 8\n")
	if r.short != 0 {
		fmt.Fprintf(out, "\\fB%s\\fP", roffEscapes.Replace("-"+string(r.short)))
		if r.value != "" {
			fmt.Fprintf(out, " \\fI%s\\fP", roffEscapes.Replace(r.value))
		}
		out.WriteString(", ")
	}
	suffix := strings.Replace(r.valueSuffix(), r.value, `\fI`+roffEscapes.Replace(r.value)+`\fP`, 1)
	fmt.Fprintf(out, "\\fB%s\\fP", roffEscapes.Replace("--"+r.long))
	if r.value != "" {
		out.WriteString(suffix)
	}
	out.WriteByte('\n')
	list := r.blocks(p)
	out.WriteString(roff(list[0].text) + "\n")
	if len(list) > 1 {
		out.WriteString(".RS 8\n")
		writeRoff(out, list[1:])
		out.WriteString(".RE\n")
	}
}

var roffStart = [...]string{prose: ".PP\n", item: ".IP \\(bu 2\n", example: ".PP\n.EX\n"}

func writeRoff(out *strings.Builder, list []block) {
	for _, b := range list {
		out.WriteString(roffStart[b.kind])
		if b.kind != example {
			out.WriteString(roff(b.text) + "\n")
			continue
		}
		for line := range strings.SplitSeq(b.text, "\n") {
			out.WriteString(roff("    "+line) + "\n")
		}
		out.WriteString(".EE\n")
	}
}

// flagInText finds what can be a flag in prose.
var flagInText = regexp.MustCompile(`(^|[ (])(--?[0-9A-Za-z.][-0-9A-Za-z]*)`)

// roffEscapes keep roff from taking characters for its own, and dashes from
// becoming hyphens.
var roffEscapes = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", "\\`")

// roff writes a line of text as roff, with the flags in it in bold.
func roff(text string) string {
	var out strings.Builder
	for {
		at := flagInText.FindStringSubmatchIndex(text)
		if at == nil {
			break
		}
		name := text[at[4]:at[5]]
		out.WriteString(roffEscapes.Replace(text[:at[4]]))
		if _, known := spellings[strings.TrimLeft(name, "-")]; known {
			out.WriteString(`\fB` + roffEscapes.Replace(name) + `\fP`)
		} else {
			out.WriteString(roffEscapes.Replace(name))
		}
		text = text[at[5]:]
	}
	line := out.String() + roffEscapes.Replace(text)
	if strings.HasPrefix(line, ".") {
		line = `\&` + line // else it would be a command
	}
	return line
}
