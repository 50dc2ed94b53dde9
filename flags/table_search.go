package flags

// searchRows is about which lines are selected.
var searchRows = []row{
	{
		long: "case-sensitive", short: 's',
		brief: "Heed case (the default).",
		doc: `
Let a letter match only in the case in which the pattern has it. This is the default. In a regular expression (?i) still
ignores case from there on.

This overrides --ignore-case and --smart-case.`,
		effect: assign(func(a *Args) *CaseMode { return &a.Case }, CaseSensitive, CaseSensitive),
	},
	{
		long: "crlf", negation: "no-crlf",
		brief: "Let lines end in CRLF, too.",
		doc: `
Let \r\n end a line as well as \n. In a regular expression, ^ and $ then match beside \r\n, beside \n and beside a lone
\r, but never between \r and \n; (?R) does the same for a part of an expression.

This overrides --null-data.`,
		effect: func(a *Args, in said, _ Env) error {
			a.CRLF = !in.negated
			if a.CRLF {
				a.NullData = false
			}
			return nil
		},
	},
	{
		long: "dfa-size-limit", value: "NUM+SUFFIX?",
		brief: "Memory for the fast form of a regex.",
		doc: `
How much memory the fast form of a regular expression may take. Beyond it the search goes on with a slower form. It
matters only for very large patterns or very many of them.

NUM is in bytes; the suffixes K, M and G stand for powers of 1024.`,
		effect: size(func(a *Args) *Opt[uint64] { return &a.DFASizeLimit }),
	},
	{
		long: "encoding", short: 'E', negation: "no-encoding", value: "ENCODING", complete: completeEncoding,
		brief: "The encoding of the files.",
		doc: `
Read every file in this encoding and search it as UTF-8. ENCODING is a label of the WHATWG Encoding Standard
(https://encoding.spec.whatwg.org/#concept-encoding-get), or one of two words:

- auto: the default. A file that begins with a byte-order mark of UTF-8 or UTF-16 is decoded accordingly, any other is
searched as it is.
- none: search the bytes as they are, a byte-order mark included.

As tally, auto also recognises UTF-16 that has no byte-order mark, by its zero bytes, and the ledger says so. If the pattern
is then found in bytes of such a file that are not UTF-16, that is an error, which names this flag.

A byte-order mark of UTF-16 outranks a label. --no-encoding goes back to auto.`,
		effect: checked(func(e Env) func(string) error {
			if e.CheckEncoding == nil {
				return nil
			}
			return func(label string) error {
				if label == "auto" || label == "none" {
					return nil
				}
				return e.CheckEncoding(label)
			}
		}, func(a *Args, in said, _ Env) error {
			a.Encoding = in.value
			if in.negated {
				a.Encoding = "auto"
			}
			return nil
		}),
	},
	{
		long: "engine", value: "ENGINE", choices: []string{"default", "pcre2", "auto"},
		brief: "The regex engine.",
		doc: `
Which engine reads the regular expressions, all of them alike:

- default: finite automata. A search takes time in proportion to the input, whatever the expression; there is no
look-around and there are no backreferences.
- pcre2: the PCRE2 library, which has both.
- auto: the default engine, or PCRE2 if the default engine cannot read an expression.

Under the name tally this also makes the pattern a regular expression. This overrides --pcre2 and
--auto-hybrid-regex.`,
		effect: func(a *Args, in said, env Env) error {
			word, err := utf8Value(in)
			if err != nil {
				return err
			}
			engine, known := engines[word]
			if !known {
				return unknownEngine(word)
			}
			a.Engine, a.literal = engine, false
			return nil
		},
	},
	{
		long: "fixed-strings", short: 'F', negation: "no-fixed-strings",
		brief: "Take patterns as literal text.",
		doc: `
Take all patterns as literal text, in which . ( ) [ ] { } * + ? mean themselves. Under the name tally this is the default,
and this flag takes back an earlier --regex, --pcre2 or --engine.`,
		effect: func(a *Args, in said, _ Env) error {
			a.fixed, a.literal = !in.negated, !in.negated
			return nil
		},
	},
	{
		long: "ignore-case", short: 'i',
		brief: "Ignore case.",
		doc: `
Let a letter match in either case, by Unicode's simple case folding. In a regular expression (?-i) heeds case from there
on.

This overrides --case-sensitive and --smart-case.`,
		effect: assign(func(a *Args) *CaseMode { return &a.Case }, CaseInsensitive, CaseInsensitive),
	},
	{
		long: "invert-match", short: 'v', negation: "no-invert-match",
		brief: "Select lines that do not match.",
		doc: `
Select the lines that do not match. This is about lines, not files: --files-with-matches then lists the files that have a
line without a match. For the files without any match there is --files-without-match.`,
		effect: toggle(func(a *Args) *bool { return &a.InvertMatch }),
	},
	{
		long: "line-regexp", short: 'x',
		brief: "Match only whole lines.",
		doc: `
Select only lines that a pattern matches from beginning to end.

This overrides --word-regexp.`,
		effect: assign(func(a *Args) *Boundary { return &a.Boundary }, BoundaryLine, BoundaryLine),
	},
	{
		long: "max-count", short: 'm', value: "NUM",
		brief: "Show at most NUM matching lines of a file.",
		doc: `
Show at most NUM matching lines of each file. A match over several lines (--multiline) counts once. Lines of the context
after the last one that happen to match are still shown as matches.

Called as rg, the file is left then, and with 0 nothing is searched. As tally, it is searched to its end, so that the counts
are those of all its lines, and the ledger says that the display was cut.`,
		effect: number(func(a *Args) *Opt[uint64] { return &a.MaxCount }),
	},
	{
		long: "mmap", negation: "no-mmap",
		brief: "Search as if files were memory-mapped.",
		doc: `
Search files as ripgrep searches those that it maps into memory. Nothing is mapped here, since a mapped file that shrinks
would end the program; what remains is where a NUL byte is noticed: in the first 64 KiB and in lines that are shown, instead
of anywhere in what was read. The default is ripgrep's: as if mapped when a few files are named, and not in directories. As
tally, all files that are named count as mapped.`,
		effect: tri(func(a *Args) *Tri { return &a.Mmap }),
	},
	{
		long: "multiline", short: 'U', negation: "no-multiline",
		brief: "Let matches span lines.",
		doc: `
Let a match span lines. Without this flag no part of a match is ever a line's end, and \n in a regular expression is an
error. With it \n and classes that contain it match line ends; . still does not, unless --multiline-dotall or (?s) says so.

All lines that a match touches are shown. A file is held in memory as a whole if a pattern can match a line end.

This overrides --stop-on-nonmatch.`,
		effect: func(a *Args, in said, _ Env) error {
			a.Multiline = !in.negated
			if a.Multiline {
				a.StopOnNonmatch = false
			}
			return nil
		},
	},
	{
		long: "multiline-dotall", negation: "no-multiline-dotall",
		brief: "With -U, let '.' match line ends.",
		doc: `
With --multiline, let . in a regular expression match a line's end, as (?s) does. (?-s) takes it back for a part of an
expression. Without --multiline this changes nothing.`,
		effect: toggle(func(a *Args) *bool { return &a.MultilineDotall }),
	},
	{
		long: "no-unicode", negation: "unicode",
		brief: "Let regexes know ASCII only.",
		doc: `
Let regular expressions know ASCII only. By default:

- . matches a character encoded in UTF-8, and only that
- \w, \d, \s and \b know the letters, digits, spaces and words of all scripts
- case is ignored for all scripts
- classes such as \p{Greek} can be used

With this flag none of it holds: . matches any byte, and \w is [0-9A-Za-z_].`,
		effect: toggle(func(a *Args) *bool { return &a.NoUnicode }),
	},
	{
		long:  "null-data",
		brief: "Let lines end in NUL.",
		doc: `
Let a NUL byte end a line instead of \n, on input and on output. It is for data of that form, such as that of find's
-print0 or of --null. Files are then never taken for binary.

This overrides --crlf.`,
		effect: func(a *Args, _ said, _ Env) error {
			a.NullData, a.CRLF = true, false
			return nil
		},
	},
	{
		long: "pcre2", short: 'P', negation: "no-pcre2",
		brief: "Use the PCRE2 engine.",
		doc: `
Read the regular expressions with PCRE2, which has look-around and backreferences. It is the same as --engine=pcre2, and
each overrides the other; --engine=auto uses PCRE2 only where it is needed.

Under the name tally this also makes the pattern a regular expression.`,
		effect: useEngine(EnginePCRE2),
	},
	{
		long: "regex-size-limit", value: "NUM+SUFFIX?",
		brief: "Memory for compiled patterns.",
		doc: `
How much memory all patterns together may take when they are compiled; beyond it they are refused. It is to be raised for
very large patterns.

NUM is in bytes; the suffixes K, M and G stand for powers of 1024.`,
		effect: size(func(a *Args) *Opt[uint64] { return &a.RegexSizeLimit }),
	},
	{
		long: "smart-case", short: 'S',
		brief: "Ignore case unless a pattern has capitals.",
		doc: `
Ignore case if the patterns are in lower case: if there is at least one literal letter in them and no literal one in upper
case. \W is not a literal letter.

This overrides --case-sensitive and --ignore-case.`,
		effect: assign(func(a *Args) *CaseMode { return &a.Case }, CaseSmart, CaseSmart),
	},
	{
		long:  "stop-on-nonmatch",
		brief: "Leave a file where its matches end.",
		doc: `
Leave a file at the first line that does not match after one that did. It is for files in which all matches stand
together, sorted ones for instance.

This overrides --multiline.`,
		effect: func(a *Args, _ said, _ Env) error {
			a.StopOnNonmatch, a.Multiline = true, false
			return nil
		},
	},
	{
		long: "text", short: 'a', negation: "no-text",
		brief: "Treat binary files like text.",
		doc: `
Search files with NUL bytes like any other. Their bytes are printed as they are, which can upset a terminal.

This overrides --binary.`,
		effect: assign(func(a *Args) *BinaryMode { return &a.Binary }, BinaryText, BinaryAuto),
	},
	{
		long: "threads", short: 'j', value: "NUM",
		brief: "How many threads to use.",
		doc: `
How many threads search at a time. 0, the default, leaves it to the number of processors. The order of the output does not
depend on it.`,
		effect: positive(func(a *Args) *Opt[uint64] { return &a.Threads }),
	},
	{
		long: "word-regexp", short: 'w',
		brief: "Match only whole words.",
		doc: `
Select only matches with no letter, digit or underscore directly before or after them. The match itself need not begin or
end with one.

This overrides --line-regexp.`,
		effect: assign(func(a *Args) *Boundary { return &a.Boundary }, BoundaryWord, BoundaryWord),
	},
	{
		long: "auto-hybrid-regex", negation: "no-auto-hybrid-regex", place: "~0",
		brief: "(Deprecated) The same as --engine=auto.",
		doc: `
Deprecated, for --engine=auto.

Under the name tally this also makes the pattern a regular expression.`,
		effect: useEngine(EngineAuto),
	},
	{
		long: "no-pcre2-unicode", negation: "pcre2-unicode", place: "~1",
		brief: "(Deprecated) The same as --no-unicode.",
		doc: `
Deprecated, for --no-unicode, which is about every engine.`,
		effect: toggle(func(a *Args) *bool { return &a.NoUnicode }),
	},
}
