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

This does not go with --multiline, --fuzzy,
--rank or --meaning.`,
		effect: add(func(a *Args) *[]string { return &a.And }),
	},
	{
		long: "each", own: true,
		brief: "Count also what each pattern matches.",
		doc: `
Count for each pattern the files and lines that it alone would match, in every mode, and name the patterns that match
nothing: below the ledger line, which is then always due, and as patterns in JSON. With --files-with-matches every file
is read to its end for that. A count that was not established is null in JSON.

With --and that is counted unasked, as far as it takes no further reading. With --absent, of several patterns those that
match are listed unasked. This does not go with --invert-match, --fuzzy or --rank.`,
		effect: toggle(func(a *Args) *bool { return &a.Each }),
	},
}
