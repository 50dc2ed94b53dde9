package flags

// inputRows is about what is searched for, and what is done to a file before
// it is searched.
var inputRows = []row{
	{
		long: "regexp", short: 'e', value: "PATTERN", place: "0",
		brief: "A pattern; can be repeated.",
		doc: `
Search for this pattern. The flag can be given several times, and together with --file; a line is selected if any of the
patterns matches. It also allows a pattern that begins with a dash:

    PROGRAM -e -foo

A repeated pattern is searched for once. With this flag or --file, every positional argument is a file or directory to
search.

This flag does not decide whether the pattern is a regular expression; see --regex and --fixed-strings.`,
		effect: text(func(a *Args, v string) { a.sources = append(a.sources, patternSource{text: v}) }),
	},
	{
		long: "file", short: 'f', value: "PATTERNFILE", complete: completeFile, place: "1",
		brief: "Read patterns from a file, one on each line.",
		doc: `
Read patterns from a file, one on each line. - stands for standard input, which is then not searched. The flag can be
given several times, and together with --regexp; a line is selected if any of the patterns matches.

An empty line is the empty pattern, which matches every line. An empty file has no pattern and matches nothing.

With this flag or --regexp, every positional argument is a file or directory to search.`,
		effect: func(a *Args, in said, _ Env) error {
			a.sources = append(a.sources, patternSource{text: in.value, file: true})
			return nil
		},
	},
	{
		long: "pre", negation: "no-pre", value: "COMMAND", complete: completeCommand,
		brief: "Search what COMMAND prints for each file.",
		doc: `
Run COMMAND PATH for each file and search its standard output instead of the file. The file is also its standard input.
COMMAND is a path, or a name to be found in PATH. It gets no other argument; a script can add more:

    case "$1" in
    *.pdf) exec pdftotext "$1" - ;;
    *)     exec cat ;;
    esac

A process for every file is slow; --pre-glob selects the files that get one. Standard input is searched as it is.

An empty COMMAND, or --no-pre, turns this off. This overrides --search-zip.`,
		effect: func(a *Args, in said, _ Env) error {
			a.Pre = in.value
			if a.Pre != "" {
				a.SearchZip = false
			}
			return nil
		},
	},
	{
		long: "pre-glob", value: "GLOB",
		brief: "Use --pre only for files that match.",
		doc: `
With --pre, run the command only for files that match GLOB, and search the others as they are. Globs follow the rules of
gitignore; one that begins with ! excludes. The flag can be given several times.

    PROGRAM --pre pdftotext-to-stdout --pre-glob '*.pdf' PATTERN`,
		effect: add(func(a *Args) *[]string { return &a.PreGlobs }),
	},
	{
		long: "search-zip", short: 'z', negation: "no-search-zip",
		brief: "Search in compressed files.",
		doc: `
Search the contents of files compressed with gzip, bzip2, xz, LZ4, LZMA, Brotli, Zstandard or compress. No other program
is needed. The end of the name tells the format; as tally, so does the content. Byte offsets are those of the
decompressed contents. A damaged file is searched as far as it can be read, and is an error. Archives are not unpacked:
a compressed tar file is searched as one tar file.

This overrides --pre.`,
		effect: func(a *Args, in said, _ Env) error {
			a.SearchZip = !in.negated
			if a.SearchZip {
				a.Pre = ""
			}
			return nil
		},
	},
}
