package flags

// outputModeRows are the ways to print something else than lines.
var outputModeRows = []row{
	{
		long: "count", short: 'c',
		brief: "Count matching lines of each file.",
		doc: `
Print the number of matching lines of each file instead of the lines. Files without a match are left out, unless
--include-zero is given. The path is left out if one file is searched. If a match can span lines (--multiline), matches
are counted. With --only-matching this is --count-matches.

This overrides every other mode.`,
		effect: mode(ModeCount),
	},
	{
		long:  "count-matches",
		brief: "Count matches in each file.",
		doc: `
Print the number of matches in each file; a line can have several. In all else it is like --count. With --invert-match
there are no matches to count, and it is --count.

This overrides every other mode.`,
		effect: mode(ModeCountMatches),
	},
	{
		long: "files-with-matches", short: 'l',
		brief: "List files with a match.",
		doc: `
Print only the paths of the files that have a match. The search leaves a file at its first match.

This overrides every other mode.`,
		effect: mode(ModeFilesWithMatches),
	},
	{
		long:  "files-without-match",
		brief: "List files without a match.",
		doc: `
Print only the paths of the searched files that have no match.

This overrides every other mode.`,
		effect: mode(ModeFilesWithoutMatch),
	},
	{
		long: "json", negation: "no-json",
		brief: "Print JSON, an object on each line.",
		doc: `
Print results as JSON, one object on each line. The member type says what the object is:

- begin: a file with at least one match follows
- match: a matching line, with the places of its matches
- context: a line near a match
- end: the end of the file, with its figures
- summary: the last object, with figures about all files

Text is an object with the member text. If it is not UTF-8, the object has the member bytes instead, in base64; see
--json-text. Flags that shape lines of text (--heading, --only-matching, --max-columns and so on) have no effect.
--stats is implied.

This overrides every other mode. --no-json goes back to lines if the mode is JSON.`,
		effect: func(a *Args, in said, _ Env) error {
			if !in.negated {
				a.Mode = ModeJSON
			} else if a.Mode == ModeJSON {
				a.Mode = ModeSearch
			}
			return nil
		},
	},
}

// loggingRows is about what is said besides the results.
var loggingRows = []row{
	{
		long:  "debug",
		brief: "Report decisions and their reasons.",
		doc: `
Report on standard error what was decided and why, for example why a file was left out.`,
		effect: assign(func(a *Args) *LogLevel { return &a.Log }, LogDebug, LogDebug),
	},
	{
		long: "no-ignore-messages", negation: "ignore-messages",
		brief: "Hide errors in ignore files.",
		doc: `
Print no messages about ignore files that are malformed or cannot be read.`,
		effect: toggle(func(a *Args) *bool { return &a.NoIgnoreMessages }),
	},
	{
		long: "no-messages", negation: "messages",
		brief: "Hide errors of opening and reading files.",
		doc: `
Print no messages about files that cannot be opened or read. The exit code still tells of them, and an
invalid pattern is still reported.`,
		effect: toggle(func(a *Args) *bool { return &a.NoMessages }),
	},
	{
		long: "stats", negation: "no-stats",
		brief: "Print figures about the search.",
		doc: `
Print figures after the results: matches, matching lines, files with matches, files searched, bytes printed and
searched, and the time taken. --json implies it.`,
		effect: toggle(func(a *Args) *bool { return &a.Stats }),
	},
	{
		long:  "trace",
		brief: "Report even more than --debug.",
		doc: `
Report even more than --debug.`,
		effect: assign(func(a *Args) *LogLevel { return &a.Log }, LogTrace, LogTrace),
	},
}

// otherRows are runs that do not search, and the configuration file.
var otherRows = []row{
	{
		long:  "files",
		brief: "List the files that would be searched.",
		doc: `
Print the paths of all files that would be searched, without searching them. Every positional argument is a path.

This overrides every other mode.`,
		effect: mode(ModeFiles),
	},
	{
		long: "generate", value: "KIND",
		choices: []string{"man", "complete-bash", "complete-zsh", "complete-fish", "complete-powershell"},
		brief:   "Print the manual page or completions.",
		doc: `
Print one of these on standard output and exit:

- man: the manual page, in roff
- complete-bash: completions for bash
- complete-zsh: completions for zsh
- complete-fish: completions for fish
- complete-powershell: completions for PowerShell

This overrides every other mode.`,
		effect: func(a *Args, in said, env Env) error {
			err := generateWord(a, in, env)
			if err == nil {
				a.Mode = ModeGenerate
			}
			return err
		},
	},
	{
		long:  "no-config",
		brief: "Read no configuration file.",
		doc: `
Read no configuration file, whatever the environment says. In a configuration file this flag has no effect.`,
		effect: toggle(func(a *Args) *bool { return &a.NoConfig }),
	},
	{
		long:  "pcre2-version",
		brief: "Print the version of PCRE2.",
		doc: `
Print the version of PCRE2 and exit. If this build has no PCRE2, say so and exit with 1.`,
		effect: special(PCRE2Version, PCRE2Version),
	},
	{
		long:  "type-list",
		brief: "List file types and their globs.",
		doc: `
Print all file types with their globs, one type on each line, including the changes of --type-add and --type-clear.

This overrides every other mode.`,
		effect: mode(ModeTypeList),
	},
	{
		long: "version", short: 'V',
		brief: "Print the version.",
		doc: `
Print the version and exit. -V prints the version alone, --version also what this build contains.`,
		effect: special(VersionShort, VersionLong),
	},
}
