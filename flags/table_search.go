package flags

// searchRows is about which lines are selected.
var searchRows = []row{
	{
		long: "case-sensitive", short: 's',
		brief: "Respect case (the default).",
		doc: `
Match a letter only in the case of the pattern. This is the default. In a regular expression (?i) ignores case from
there on.

This overrides --ignore-case and --smart-case.`,
		effect: assign(func(a *Args) *CaseMode { return &a.Case }, CaseSensitive, CaseSensitive),
	},
	{
		long: "crlf", negation: "no-crlf",
		brief: "Let lines also end in CRLF.",
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
Limit the memory for the fast form of a regular expression. Beyond it the search continues with a slower form. The limit
matters only for very large or very many patterns.

NUM is in bytes; the suffixes K, M and G stand for powers of 1024.`,
		effect: size(func(a *Args) *Opt[uint64] { return &a.DFASizeLimit }),
	},
	{
		long: "encoding", short: 'E', negation: "no-encoding", value: "ENCODING", complete: completeEncoding,
		brief: "The encoding of the files.",
		doc: `
Read every file in this encoding and search it as UTF-8. ENCODING is a label of the WHATWG Encoding Standard
(https://encoding.spec.whatwg.org/#concept-encoding-get), or one of two words:

- auto: the default. A file with a byte-order mark of UTF-8 or UTF-16 is decoded accordingly, any other is searched as
it is.
- none: search the bytes as they are, including a byte-order mark.

As tally, auto also recognises UTF-16 without a byte-order mark, by its zero bytes, and the ledger says so. If the
pattern is then found in bytes of such a file that are not UTF-16, that is an error, whose message names this flag.

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
Which engine reads all the regular expressions:

- default: finite automata. A search takes time in proportion to the input, whatever the expression. There is no
look-around and there are no backreferences.
- pcre2: the PCRE2 library, which has both.
- auto: the default engine, or PCRE2 if the default engine cannot read an expression.

As tally, this also makes the pattern a regular expression. This overrides --pcre2 and --auto-hybrid-regex.`,
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
Take all patterns as literal text, in which . ( ) [ ] { } * + ? mean themselves. As tally, this is the default, and the
flag takes back an earlier --regex, --pcre2 or --engine.`,
		effect: func(a *Args, in said, _ Env) error {
			a.fixed, a.literal = !in.negated, !in.negated
			return nil
		},
	},
	{
		long: "ignore-case", short: 'i',
		brief: "Ignore case.",
		doc: `
Match a letter in either case, by Unicode's simple case folding. In a regular expression (?-i) respects case from there
on.

This overrides --case-sensitive and --smart-case.`,
		effect: assign(func(a *Args) *CaseMode { return &a.Case }, CaseInsensitive, CaseInsensitive),
	},
	{
		long: "invert-match", short: 'v', negation: "no-invert-match",
		brief: "Select lines that do not match.",
		doc: `
Select the lines that do not match. This is about lines, not files: with --files-with-matches it lists the files that
have a line without a match. --files-without-match lists the files without any match.`,
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
after the last one are still shown as matches if they match.

Called as rg, the search leaves the file then, and with 0 it searches nothing. As tally, it searches the file to its
end, so the counts cover all its lines, and the ledger says that the display was cut.`,
		effect: number(func(a *Args) *Opt[uint64] { return &a.MaxCount }),
	},
	{
		long: "mmap", negation: "no-mmap",
		brief: "Search as if files were memory-mapped.",
		doc: `
Search files as ripgrep searches those that it maps into memory: a NUL byte is noticed in the first 64 KiB and in lines
that are shown, instead of anywhere in what was read. The flag decides nothing else. Whether a file is really mapped
depends on its size and does not show in the results. By default, named files are searched as if mapped (called as rg:
up to ten of them, and no directory), and files found in directories are not.`,
		effect: tri(func(a *Args) *Tri { return &a.Mmap }),
	},
	{
		long: "multiline", short: 'U', negation: "no-multiline",
		brief: "Let matches span lines.",
		doc: `
Let a match span lines. Without this flag no match contains a line end, and \n in a regular expression is an error. With
it \n and classes that contain it match line ends; . still does not, unless --multiline-dotall or (?s) says so.

All lines that a match touches are shown. If a pattern can match a line end, each file is held in memory as a whole.

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
With --multiline, let . in a regular expression match a line end, as (?s) does. (?-s) takes it back for a part of an
expression. Without --multiline this changes nothing.`,
		effect: toggle(func(a *Args) *bool { return &a.MultilineDotall }),
	},
	{
		long: "no-unicode", negation: "unicode",
		brief: "Make regexes ASCII-only.",
		doc: `
Make regular expressions ASCII-only. By default:

- . matches a character encoded in UTF-8, and only that
- \w, \d, \s and \b know the letters, digits, spaces and words of all scripts
- case is ignored for all scripts
- classes such as \p{Greek} can be used

With this flag . matches any byte, \w is [0-9A-Za-z_], and the rest does not hold.`,
		effect: toggle(func(a *Args) *bool { return &a.NoUnicode }),
	},
	{
		long:  "null-data",
		brief: "Let lines end in NUL.",
		doc: `
Let a NUL byte instead of \n end a line, on input and on output. It serves data such as the output of find's -print0 or
of --null. Files are then never taken as binary.

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

As tally, this also makes the pattern a regular expression.`,
		effect: useEngine(EnginePCRE2),
	},
	{
		long: "regex-size-limit", value: "NUM+SUFFIX?",
		brief: "Memory for compiled patterns.",
		doc: `
Limit the memory for all compiled patterns; patterns that need more are refused. Raise it for very large patterns.

NUM is in bytes; the suffixes K, M and G stand for powers of 1024.`,
		effect: size(func(a *Args) *Opt[uint64] { return &a.RegexSizeLimit }),
	},
	{
		long: "smart-case", short: 'S',
		brief: "Ignore case unless a pattern has capitals.",
		doc: `
Ignore case if the patterns contain at least one literal letter, and no literal capital. \W is not a literal letter.

This overrides --case-sensitive and --ignore-case.`,
		effect: assign(func(a *Args) *CaseMode { return &a.Case }, CaseSmart, CaseSmart),
	},
	{
		long:  "stop-on-nonmatch",
		brief: "Leave a file where its matches end.",
		doc: `
Leave a file at the first line that does not match after one that did. It serves files whose matches all stand together,
such as sorted ones. As tally, the rest of the file is still counted, and the ledger says if matches in it were left
out.

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
Search files with NUL bytes like any other. Their bytes are printed as they are, which can upset a terminal; as tally,
what could upset it is shown escaped there.

This overrides --binary.`,
		effect: assign(func(a *Args) *BinaryMode { return &a.Binary }, BinaryText, BinaryAuto),
	},
	{
		long: "threads", short: 'j', value: "NUM",
		brief: "How many threads to use.",
		doc: `
How many threads search at a time. With 0, the default, the number depends on that of the processors. More than 256 are
not started. The order of the output never depends on it.`,
		effect: positive(func(a *Args) *Opt[uint64] { return &a.Threads }),
	},
	{
		long: "word-regexp", short: 'w',
		brief: "Match only whole words.",
		doc: `
Select only matches without a letter, digit or underscore directly before or after them. The match itself need not begin
or end with one.

This overrides --line-regexp.`,
		effect: assign(func(a *Args) *Boundary { return &a.Boundary }, BoundaryWord, BoundaryWord),
	},
	{
		long: "auto-hybrid-regex", negation: "no-auto-hybrid-regex", place: "~0",
		brief: "(Deprecated) The same as --engine=auto.",
		doc: `
Deprecated; use --engine=auto.

As tally, this also makes the pattern a regular expression.`,
		effect: useEngine(EngineAuto),
	},
	{
		long: "no-pcre2-unicode", negation: "pcre2-unicode", place: "~1",
		brief: "(Deprecated) The same as --no-unicode.",
		doc: `
Deprecated; use --no-unicode, which is about every engine.`,
		effect: toggle(func(a *Args) *bool { return &a.NoUnicode }),
	},
}
