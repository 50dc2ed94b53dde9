package flags

import "fmt"

// outputRows is about how results look.
var outputRows = []row{
	{
		long: "after-context", short: 'A', value: "NUM",
		brief: "Show NUM lines after a match.",
		doc: `
Show NUM lines after each matching line. It outranks --context for its side.

This overrides --passthru.`,
		effect: contextLines(func(c *Context) *Opt[uint64] { return &c.after }),
	},
	{
		long: "before-context", short: 'B', value: "NUM",
		brief: "Show NUM lines before a match.",
		doc: `
Show NUM lines before each matching line. It outranks --context for its side.

This overrides --passthru.`,
		effect: contextLines(func(c *Context) *Opt[uint64] { return &c.before }),
	},
	{
		long: "block-buffered", negation: "no-block-buffered",
		brief: "Write output in blocks.",
		doc: `
Write output in large blocks, even to a terminal. This is the default everywhere else.

This overrides --line-buffered.`,
		effect: assign(func(a *Args) *BufferMode { return &a.Buffer }, BufferBlock, BufferAuto),
	},
	{
		long: "byte-offset", short: 'b', negation: "no-byte-offset",
		brief: "Print where in the file a line begins.",
		doc: `
Print before each line its byte offset in the file, from 0; with --only-matching print the offset of the match. In a
file that was decoded or decompressed, the offset is that in the result.`,
		effect: toggle(func(a *Args) *bool { return &a.ByteOffset }),
	},
	{
		long: "color", value: "WHEN", choices: []string{"never", "auto", "always", "ansi"},
		brief: "When to use colors.",
		doc: `
When to use colors and hyperlinks:

- never: not at all
- auto: the default. On a terminal, unless TERM is unset or dumb, or NO_COLOR is set
- always: wherever the output goes
- ansi: like always, as escape sequences even on a Windows console

For hyperlinks without colors, set the parts to none:

    PROGRAM --colors path:none --colors line:none \
      --colors column:none --colors match:none PATTERN`,
		effect: oneOf(func(a *Args) *ColorChoice { return &a.Color }, map[string]ColorChoice{
			"never": ColorNever, "auto": ColorAuto, "always": ColorAlways, "ansi": ColorAnsi,
		}),
	},
	{
		long: "colors", value: "COLOR_SPEC",
		brief: "Change a color or style.",
		doc: `
Change how a part of the output looks. The flag can be given several times; each one changes the result of those before
it. The form is PART:ATTRIBUTE:VALUE, or PART:none to show a part plain.

- PART: path, line, column, match, or highlight, which is the rest of a matching line
- ATTRIBUTE: fg for the color of the text, bg for that behind it, or style
- VALUE for a color: red, blue, green, cyan, magenta, yellow, white, black, a number from 0 to 255, or three of them
separated by commas for red, green and blue; numbers are decimal, or hexadecimal after 0x
- VALUE for style: bold, intense, underline, italic, or one of them after no

For example:

    PROGRAM --colors match:fg:magenta --colors line:bg:yellow PATTERN
    PROGRAM --colors match:bg:0x0,0x80,0xFF PATTERN`,
		effect: checked(func(e Env) func(string) error { return e.CheckColors },
			add(func(a *Args) *[]string { return &a.Colors })),
	},
	{
		long: "column", negation: "no-column",
		brief: "Print the column of the first match.",
		doc: `
Print the column of the first match on each line, from 1, in bytes; with --only-matching print that of each match. This
implies --line-number.`,
		effect: tri(func(a *Args) *Tri { return &a.Column }),
	},
	{
		long: "context", short: 'C', value: "NUM",
		brief: "Show NUM lines around a match.",
		doc: `
Show NUM lines before and after each matching line. --before-context and --after-context outrank it for their side,
whatever their order.

This overrides --passthru.`,
		effect: contextLines(func(c *Context) *Opt[uint64] { return &c.both }),
	},
	{
		long: "context-separator", negation: "no-context-separator", value: "SEPARATOR",
		brief: "What separates groups of lines.",
		doc: `
Print this line between two groups of lines that are not adjacent in the file, if context is shown; -- by default. \n,
\t, \x7F and the like have their usual meaning. An empty SEPARATOR prints an empty line; --no-context-separator prints
no line.`,
		effect: func(a *Args, in said, env Env) error {
			if in.negated {
				a.ContextSeparator = Opt[string]{}
				return nil
			}
			var text string
			err := separator(func(*Args) *string { return &text })(a, in, env)
			if err == nil {
				a.ContextSeparator = some(text)
			}
			return err
		},
	},
	{
		long: "field-context-separator", value: "SEPARATOR",
		brief: "What separates fields in context lines.",
		doc: `
Print this between path, line number and text on lines of context; - by default. It may be empty or several characters
long, and may contain \t, \x7F and the like.`,
		effect: separator(func(a *Args) *string { return &a.FieldContextSeparator }),
	},
	{
		long: "field-match-separator", value: "SEPARATOR",
		brief: "What separates fields in matching lines.",
		doc: `
Print this between path, line number, column and text on matching lines; : by default. It may be empty or several
characters long, and may contain \t, \x7F and the like.`,
		effect: separator(func(a *Args) *string { return &a.FieldMatchSeparator }),
	},
	{
		long: "heading", negation: "no-heading",
		brief: "Print a file's path above its lines.",
		doc: `
Print a file's path once, above its lines, instead of before each of them. This is the default on a terminal.`,
		effect: tri(func(a *Args) *Tri { return &a.Heading }),
	},
	{
		long: "help", short: 'h',
		brief: "Print help; --help prints more than -h.",
		doc: `
Print help and exit: -h one line for each flag, --help everything.`,
		effect: special(HelpShort, HelpLong),
	},
	{
		long: "hostname-bin", value: "COMMAND", complete: completeCommand,
		brief: "Program that prints this host's name.",
		doc: `
Run this program for the host name in hyperlinks. COMMAND is a path, or a name to be found in PATH, and is run without
arguments. By default, and if COMMAND is empty, the system is asked.`,
		effect: raw(func(a *Args) *string { return &a.HostnameBin }),
	},
	{
		long: "hyperlink-format", value: "FORMAT",
		choices: []string{
			"default", "none", "cursor", "file", "grep+", "kitty", "macvim", "textmate",
			"vscode", "vscode-insiders", "vscodium",
		},
		brief: "Make paths hyperlinks of this form.",
		doc: `
Make paths and line numbers hyperlinks that can be clicked in a terminal (OSC 8). FORMAT is a URL with variables, or one
of these names: default, none, cursor, file, grep+, kitty, macvim, textmate, vscode, vscode-insiders, vscodium. The
variables are:

- {path}: the absolute path of the file, percent-encoded; required
- {host}: the name of this host; see --hostname-bin
- {line}: the number of the line, 1 if it is not known
- {column}: the column of the match, 1 if it is not known; only together with {line}
- {wslprefix}: wsl$/ and the name of the distribution under the Windows Subsystem for Linux, empty elsewhere

{{ and }} stand for braces. There are no hyperlinks by default, where --color turns off colors, and in lines that show
no path (see --with-filename).

    PROGRAM --hyperlink-format 'file://{host}{path}' PATTERN`,
		effect: checked(func(e Env) func(string) error {
			if e.CheckHyperlinkFormat == nil {
				return nil
			}
			return func(format string) error {
				if err := e.CheckHyperlinkFormat(format); err != nil {
					return fmt.Errorf("invalid hyperlink format: %w", err)
				}
				return nil
			}
		}, raw(func(a *Args) *string { return &a.HyperlinkFormat })),
	},
	{
		long: "include-zero", negation: "no-include-zero",
		brief: "Count files without a match, too.",
		doc: `
With --count or --count-matches, also list files without a match.`,
		effect: toggle(func(a *Args) *bool { return &a.IncludeZero }),
	},
	{
		long: "line-buffered", negation: "no-line-buffered",
		brief: "Write each line at once.",
		doc: `
Write each line as soon as it is found. This is the default on a terminal. It serves pipelines that never end:

    tail -f log | PROGRAM error --line-buffered | PROGRAM -v harmless

This overrides --block-buffered.`,
		effect: assign(func(a *Args) *BufferMode { return &a.Buffer }, BufferLine, BufferAuto),
	},
	{
		long: "line-number", short: 'n',
		brief: "Print line numbers.",
		doc: `
Print the number of each line, from 1. This is the default on a terminal.

This overrides --no-line-number.`,
		effect: assign(func(a *Args) *Tri { return &a.LineNumber }, some(true), some(true)),
	},
	{
		long: "no-line-number", short: 'N', place: "line-number-no",
		brief: "Print no line numbers.",
		doc: `
Do not print line numbers.

This overrides --line-number.`,
		effect: assign(func(a *Args) *Tri { return &a.LineNumber }, some(false), some(false)),
	},
	{
		long: "max-columns", short: 'M', value: "NUM",
		brief: "Do not print lines longer than NUM bytes.",
		doc: `
Instead of a line longer than NUM bytes, print a note of how many matches it has. 0, the default, prints every line.`,
		effect: positive(func(a *Args) *Opt[uint64] { return &a.MaxColumns }),
	},
	{
		long: "max-columns-preview", negation: "no-max-columns-preview",
		brief: "With -M, print the beginning of long lines.",
		doc: `
With --max-columns, print the beginning of a line that is too long, followed by a note.`,
		effect: toggle(func(a *Args) *bool { return &a.MaxColumnsPreview }),
	},
	{
		long: "null", short: '0',
		brief: "Print a NUL byte after each path.",
		doc: `
Print a NUL byte after each path, instead of the separator or line end. With --files-with-matches, --count or --files
the output suits xargs -0.`,
		effect: toggle(func(a *Args) *bool { return &a.Null }),
	},
	{
		long: "only-matching", short: 'o',
		brief: "Print only what matched.",
		doc: `
Print each match on a line of its own, without the rest of its line.`,
		effect: toggle(func(a *Args) *bool { return &a.OnlyMatching }),
	},
	{
		long: "path-separator", value: "SEPARATOR", place: "passthr",
		brief: "Print this instead of the slash in paths.",
		doc: `
Print paths with this byte instead of /. \x5C and the like may be used. An empty SEPARATOR means the system's own.`,
		effect: func(a *Args, in said, _ Env) error {
			word, err := utf8Value(in)
			if err != nil {
				return err
			}
			bytes := unescape(word)
			if len(bytes) > 1 {
				//lint:ignore ST1005 these are ripgrep's words
				return fmt.Errorf("A path separator must be exactly one byte, but the given separator is %d bytes: %s\n"+
					"In some shells on Windows '/' is automatically expanded. Use '//' instead.", len(bytes), word)
			}
			a.PathSeparator = Opt[byte]{}
			if bytes != "" {
				a.PathSeparator = some(bytes[0])
			}
			return nil
		},
	},
	{
		long: "passthru", aliases: []string{"passthrough"},
		brief: "Print all lines, matching or not.",
		doc: `
Print every line of a file: matching lines as matches, the others as context.

This overrides --context, --after-context and --before-context.`,
		effect: func(a *Args, _ said, _ Env) error {
			a.Context = Context{Passthru: true}
			return nil
		},
	},
	{
		long: "pretty", short: 'p',
		brief: "Print as on a terminal.",
		doc: `
This is --color=always --heading --line-number: output as on a terminal, for a pager.

    PROGRAM -p PATTERN | less -R`,
		effect: func(a *Args, _ said, _ Env) error {
			a.Color, a.Heading, a.LineNumber = ColorAlways, some(true), some(true)
			return nil
		},
	},
	{
		long: "quiet", short: 'q',
		brief: "Print nothing; the exit code tells.",
		doc: `
Print nothing on standard output and stop at the first match. The exit code tells whether there was one. With --files,
stop at the first file.`,
		effect: toggle(func(a *Args) *bool { return &a.Quiet }),
	},
	{
		long: "replace", short: 'r', value: "REPLACEMENT",
		brief: "Print this text instead of a match.",
		doc: `
Print REPLACEMENT instead of each match. No file is changed.

$1, $2 and so on stand for what the groups of the pattern matched, $name for a named group, $0 for the whole match, and
$$ for a dollar sign. A name is as long as possible: to put a letter, digit or underscore after it, write ${1}a. A group
that does not exist is empty. In a shell, single quotes keep the dollar signs.

    PROGRAM --regex '(\w+)@(\w+)' -r '$2 at $1'`,
		effect: func(a *Args, in said, env Env) error {
			a.ReplaceByLetter = in.short
			return text(func(a *Args, v string) { a.Replace = some(v) })(a, in, env)
		},
	},
	{
		long: "sort", value: "SORTBY", choices: sortWords,
		brief: "Order files by this.",
		doc: `
Order the files:

- none: the default, which here is the same as path
- path: by path, component by component: in each directory by name, so that a/b comes before a+
- modified: by the time of the last change
- accessed: by the time of the last access
- created: by the time of creation

Files of the same time come in path order. Every order uses all processors. If the system does not keep a time, that is
an error.

This overrides --sortr and an earlier --sort.`,
		effect: sortBy(false),
	},
	{
		long: "sortr", value: "SORTBY", choices: sortWords,
		brief: "Order files by this, in reverse.",
		doc: `
Order the files like --sort, but in reverse: newest first, or last path first.

This overrides --sort and an earlier --sortr.`,
		effect: sortBy(true),
	},
	{
		long: "trim", negation: "no-trim",
		brief: "Print lines without leading white space.",
		doc: `
Print lines without their leading ASCII white space.`,
		effect: toggle(func(a *Args) *bool { return &a.Trim }),
	},
	{
		long:  "vimgrep",
		brief: "Print each match with line and column.",
		doc: `
Print a line for each match, with path, line number and column. A line with several matches is printed several times, so
the output can be far larger than the input. A program that can read --json should use that instead.`,
		effect: toggle(func(a *Args) *bool { return &a.Vimgrep }),
	},
	{
		long: "with-filename", short: 'H',
		brief: "Print paths.",
		doc: `
Print the path, before each line or, with --heading, above them. This is the default unless one file, or standard input,
is searched.

This overrides --no-filename.`,
		effect: assign(func(a *Args) *Tri { return &a.WithFilename }, some(true), some(true)),
	},
	{
		long: "no-filename", short: 'I', place: "with-filename-no",
		brief: "Print no paths.",
		doc: `
Do not print the path. This is the default if one file, or standard input, is searched.

This overrides --with-filename.`,
		effect: assign(func(a *Args) *Tri { return &a.WithFilename }, some(false), some(false)),
	},
	{
		long: "sort-files", negation: "no-sort-files", place: "~2",
		brief: "(Deprecated) The same as --sort=path.",
		doc: `
Deprecated; use --sort=path.`,
		effect: assign(func(a *Args) *Sort { return &a.Sort }, Sort{Key: SortPath}, Sort{}),
	},
}
