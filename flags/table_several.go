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
}
