package flags

// severalRows are about searches for several things at once.
var severalRows = []row{
	{
		long: "and", value: "PATTERN", own: true,
		brief: "Select lines that match this, too.",
		doc: `
Select only lines that also match PATTERN, which is read like the other patterns: as literal text or as a regular
expression, and with the same case and boundaries. Of several patterns given by --regexp or --file a line needs one; of
several --and it needs all. The matches in a line are those of all patterns, as if each were given by --regexp. With
--invert-match, lines that lack one of them are selected.

This does not go with --multiline, --fuzzy, --rank or --meaning.`,
		effect: add(func(a *Args) *[]string { return &a.And }),
	},
	{
		long: "all-of", own: true,
		brief: "Select files that match every pattern.",
		doc: `
Take as results only files in which every pattern matches somewhere: of other files nothing is listed or counted. The
lines of such a file that match any of the patterns are displayed. Each pattern is looked for on its own first, so that
a file is read more than once. --files-without-match lists the files that lack one.

This does not go with --and, --invert-match, --absent, --fuzzy, --rank or --meaning.`,
		effect: toggle(func(a *Args) *bool { return &a.AllOf }),
	},
	{
		long: "each", own: true,
		brief: "Count also what each pattern matches.",
		doc: `
Count for each pattern the files and lines that it alone would match, and name the patterns that match nothing: below
the ledger line, which is then due after every run unless --ledger or --rg forbids it, and as patterns in JSON. With
--files-with-matches every file is read to its end for that; with --quiet nothing is counted. A count that was not
established is null in JSON.

With --and and --all-of that is counted unasked, as far as it takes no further reading. With --absent, of several
patterns those that match are listed unasked. This does not go with --invert-match, --fuzzy or --rank.`,
		effect: toggle(func(a *Args) *bool { return &a.Each }),
	},
}
