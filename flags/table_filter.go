package flags

// filterRows is about which files are searched.
var filterRows = []row{
	{
		long: "binary", negation: "no-binary",
		brief: "Do not leave binary files at a NUL.",
		doc: `
Go on searching a file in which there is a NUL byte. By default such a file, if it was found in a directory, is left at
that byte, and what was found before is shown with a warning. With this flag it is searched until its first match or its
end; of a match only the fact is printed, not the line. Files that are named on the command line, and standard input,
are always searched so.

To search and print them like text, use --text. The third --unrestricted implies this flag.

This overrides --text.`,
		effect: assign(func(a *Args) *BinaryMode { return &a.Binary }, BinarySearch, BinaryAuto),
	},
	{
		long: "follow", short: 'L', negation: "no-follow",
		brief: "Follow symbolic links.",
		doc: `
Follow symbolic links found in directories. A link that leads nowhere, and one that leads back to a directory above it, is
an error. Links that are named on the command line are always followed.`,
		effect: toggle(func(a *Args) *bool { return &a.Follow }),
	},
	{
		long: "glob", short: 'g', value: "GLOB",
		brief: "Search, or with '!' leave out, what matches.",
		doc: `
Search only files that match GLOB, or with a ! before it none that do. It outranks every ignore file and every file type.
It can be given several times; of several that match, the last decides. With at least one without !, files that match none
are left out.

Globs follow the rules of gitignore, and {a,b} stands for either a or b. A glob without a slash matches a name at any
depth. Since every file is compared with the glob, all files in a directory are given by the second of these, not by the
first:

    PROGRAM -g foo PATTERN
    PROGRAM -g 'foo/**' PATTERN`,
		effect: add(func(a *Args) *[]string { return &a.Globs }),
	},
	{
		long: "glob-case-insensitive", negation: "no-glob-case-insensitive",
		brief: "Let --glob ignore case.",
		doc: `
Let every --glob ignore case, as --iglob does.`,
		effect: toggle(func(a *Args) *bool { return &a.GlobCaseInsensitive }),
	},
	{
		long: "hidden", short: '.', negation: "no-hidden",
		brief: "Search hidden files and directories.",
		doc: `
Search files and directories whose name begins with a dot. Without this flag they are searched only when they are named on
the command line, or when an ignore file, a glob or a file type expressly admits them.

With it .git is searched too, whatever --no-ignore-vcs says; --glob '!.git' leaves it out.`,
		effect: toggle(func(a *Args) *bool { return &a.Hidden }),
	},
	{
		long: "iglob", value: "GLOB",
		brief: "Like --glob, ignoring case.",
		doc: `
Like --glob, but ignoring case. Each of these outranks every --glob, wherever it stands.`,
		effect: add(func(a *Args) *[]string { return &a.IGlobs }),
	},
	{
		long: "ignore-file", value: "PATH", complete: completeFile,
		brief: "Heed one more ignore file.",
		doc: `
Heed another file with rules like those of gitignore, relative to the current directory. It ranks below the ignore files
that are found in directories. It can be given several times; a later one ranks above an earlier one.`,
		effect: func(a *Args, in said, _ Env) error {
			a.IgnoreFiles = append(a.IgnoreFiles, in.value)
			return nil
		},
	},
	{
		long: "ignore-file-case-insensitive", negation: "no-ignore-file-case-insensitive",
		brief: "Let ignore files ignore case.",
		doc: `
Let the rules of .gitignore, .ignore, .rgignore and their like ignore case. This is slower.`,
		effect: toggle(func(a *Args) *bool { return &a.IgnoreFileCaseInsensitive }),
	},
	{
		long: "max-depth", short: 'd', aliases: []string{"maxdepth"}, value: "NUM",
		brief: "Descend at most NUM levels.",
		doc: `
How far to descend below the paths that were given. With 0 only files that were named are searched, with 1 also those
directly in a directory that was named.`,
		effect: number(func(a *Args) *Opt[uint64] { return &a.MaxDepth }),
	},
	{
		long: "max-filesize", value: "NUM+SUFFIX?",
		brief: "Leave out files larger than NUM bytes.",
		doc: `
Leave out files that are larger than NUM bytes, unless they were named on the command line. The suffixes K, M and G stand
for powers of 1024.

    PROGRAM --max-filesize 50K PATTERN`,
		effect: size(func(a *Args) *Opt[uint64] { return &a.MaxFilesize }),
	},
	{
		long: "no-ignore", negation: "ignore",
		brief: "Heed no ignore files.",
		doc: `
Heed no ignore file: this is --no-ignore-dot, --no-ignore-exclude, --no-ignore-global, --no-ignore-parent and
--no-ignore-vcs at once. A file given with --ignore-file is still heeded. The first --unrestricted does the same.`,
		effect: func(a *Args, in said, _ Env) error {
			noIgnore(a, !in.negated)
			return nil
		},
	},
	{
		long: "no-ignore-dot", negation: "ignore-dot",
		brief: "Do not heed .ignore and .rgignore.",
		doc: `
Do not heed .ignore and .rgignore files. This is not about hidden files; see --hidden.`,
		effect: toggle(func(a *Args) *bool { return &a.NoIgnoreDot }),
	},
	{
		long: "no-ignore-exclude", negation: "ignore-exclude",
		brief: "Do not heed .git/info/exclude.",
		doc: `
Do not heed the ignore rules that belong to one clone of a repository, such as .git/info/exclude.`,
		effect: toggle(func(a *Args) *bool { return &a.NoIgnoreExclude }),
	},
	{
		long: "no-ignore-files", negation: "ignore-files",
		brief: "Do not heed --ignore-file.",
		doc: `
Do not heed any --ignore-file, wherever on the command line it stands.`,
		effect: toggle(func(a *Args) *bool { return &a.NoIgnoreFiles }),
	},
	{
		long: "no-ignore-global", negation: "ignore-global",
		brief: "Do not heed global ignore rules.",
		doc: `
Do not heed the ignore rules that hold for all of a user's repositories: those in the file that git's core.excludesFile
names, or in $HOME/.config/git/ignore.`,
		effect: toggle(func(a *Args) *bool { return &a.NoIgnoreGlobal }),
	},
	{
		long: "no-ignore-parent", negation: "ignore-parent",
		brief: "Do not heed ignore files further up.",
		doc: `
Do not heed ignore files in the directories above those that are searched.`,
		effect: toggle(func(a *Args) *bool { return &a.NoIgnoreParent }),
	},
	{
		long: "no-ignore-vcs", negation: "ignore-vcs",
		brief: "Do not heed .gitignore.",
		doc: `
Do not heed .gitignore files, nor the rules that --no-ignore-exclude and --no-ignore-global are about. .ignore and
.rgignore files are still heeded.`,
		effect: toggle(func(a *Args) *bool { return &a.NoIgnoreVCS }),
	},
	{
		long: "no-require-git", negation: "require-git",
		brief: "Heed .gitignore outside of repositories.",
		doc: `
Heed .gitignore files and the like even where there is no repository, in a copy of one for instance.`,
		effect: toggle(func(a *Args) *bool { return &a.NoRequireGit }),
	},
	{
		long: "one-file-system", negation: "no-one-file-system",
		brief: "Stay on one file system.",
		doc: `
Do not descend into a directory on another file system than that of the path from which it was reached. Paths that are
given may themselves be on different ones. find calls this -xdev.`,
		effect: toggle(func(a *Args) *bool { return &a.OneFileSystem }),
	},
	{
		long: "type", short: 't', value: "TYPE", complete: completeType,
		brief: "Search only files of this type.",
		doc: `
Search only files of this type. It can be given several times. The type all stands for every type that is known. Globs and
ignore files rank above types. --type-list shows all types.`,
		effect: changeTypes(TypeSelect),
	},
	{
		long: "type-not", short: 'T', value: "TYPE", complete: completeType, place: "type+",
		brief: "Leave out files of this type.",
		doc: `
Leave out files of this type. It can be given several times. The type all stands for every type that is known, so that only
files of no known type are left. Of several --type and --type-not that fit a file, the last decides.`,
		effect: changeTypes(TypeNegate),
	},
	{
		long: "type-add", value: "TYPESPEC", place: "type+add",
		brief: "Add a glob to a file type.",
		doc: `
Add a glob to a file type, for this run. The type need not exist before; its name consists of letters and digits.

    PROGRAM --type-add 'foo:*.foo' -tfoo PATTERN

With include, it takes over the globs of other types instead:

    PROGRAM --type-add 'src:include:cpp,py,md' -tsrc PATTERN

It can be given several times.`,
		effect: changeTypes(TypeAdd),
	},
	{
		long: "type-clear", value: "TYPE", complete: completeType, place: "type+clear",
		brief: "Forget the globs of a file type.",
		doc: `
Forget what was known about a file type, for this run. A --type-add after it begins anew.`,
		effect: changeTypes(TypeClear),
	},
	{
		long: "unrestricted", short: 'u',
		brief: "Leave out less; up to three times.",
		doc: `
Leave out less. Once, it is --no-ignore; twice, also --hidden; three times, also --binary, so that every file is searched
that is not behind a symbolic link. More than three are an error. A later flag can take back its part.`,
		effect: func(a *Args, _ said, _ Env) error {
			a.Unrestricted++
			switch a.Unrestricted {
			case 1:
				noIgnore(a, true)
			case 2:
				a.Hidden = true
			case 3:
				a.Binary = BinarySearch
			default:
				return errTooUnrestricted
			}
			return nil
		},
	},
}
