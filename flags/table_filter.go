package flags

// filterRows is about which files are searched.
var filterRows = []row{
	{
		long: "binary", negation: "no-binary",
		brief: "Search binary files past the first NUL.",
		doc: `
Search a binary file to its first match or its end. A file is binary if it contains a NUL byte. By default tally leaves
a binary file that it found in a directory at that byte, and shows what it found before with a warning. With this flag a
match is reported without its line. Files named on the command line and standard input are always searched so.

--text searches and prints such files like text. The third --unrestricted implies this flag.

This overrides --text.`,
		effect: assign(func(a *Args) *BinaryMode { return &a.Binary }, BinarySearch, BinaryAuto),
	},
	{
		long: "follow", short: 'L', negation: "no-follow",
		brief: "Follow symbolic links.",
		doc: `
Follow symbolic links found in directories. A link that leads nowhere is an error, and so is one that leads back to a
directory above it. Links named on the command line are always followed.`,
		effect: toggle(func(a *Args) *bool { return &a.Follow }),
	},
	{
		long: "glob", short: 'g', value: "GLOB",
		brief: "Search, or with '!' leave out, what matches.",
		doc: `
Search only files that match GLOB. With a ! before it, leave these files out. Globs outrank every ignore file and every
file type. The flag can be given several times; the last glob that matches a file decides. If at least one glob has no
!, files that match none are left out.

Globs follow the rules of gitignore, and {a,b} stands for either a or b. A glob without a slash matches a name at any
depth. Each file is compared with the glob, so the second of these, not the first, selects all files in a directory:

    PROGRAM -g foo PATTERN
    PROGRAM -g 'foo/**' PATTERN`,
		effect: add(func(a *Args) *[]string { return &a.Globs }),
	},
	{
		long: "glob-case-insensitive", negation: "no-glob-case-insensitive",
		brief: "Make --glob ignore case.",
		doc: `
Make every --glob ignore case, as --iglob does.`,
		effect: toggle(func(a *Args) *bool { return &a.GlobCaseInsensitive }),
	},
	{
		long: "hidden", short: '.', negation: "no-hidden",
		brief: "Search hidden files and directories.",
		doc: `
Search files and directories whose name begins with a dot. Without this flag they are searched only if the command line
names them, or if an ignore file, a glob or a file type includes them.

With this flag .git is searched too, whatever --no-ignore-vcs says; --glob '!.git' leaves it out.`,
		effect: toggle(func(a *Args) *bool { return &a.Hidden }),
	},
	{
		long: "iglob", value: "GLOB",
		brief: "Like --glob, ignoring case.",
		doc: `
Like --glob, but ignoring case. Every --iglob outranks every --glob, whatever their order.`,
		effect: add(func(a *Args) *[]string { return &a.IGlobs }),
	},
	{
		long: "ignore-file", value: "PATH", complete: completeFile,
		brief: "Use one more ignore file.",
		doc: `
Use one more file with rules like those of gitignore, relative to the current directory. It ranks below the ignore files
found in directories. The flag can be given several times; a later file ranks above an earlier one.`,
		effect: func(a *Args, in said, _ Env) error {
			a.IgnoreFiles = append(a.IgnoreFiles, in.value)
			return nil
		},
	},
	{
		long: "ignore-file-case-insensitive", negation: "no-ignore-file-case-insensitive",
		brief: "Make ignore files ignore case.",
		doc: `
Make the rules of .gitignore, .ignore, .rgignore and the like ignore case. This is slower.`,
		effect: toggle(func(a *Args) *bool { return &a.IgnoreFileCaseInsensitive }),
	},
	{
		long: "max-depth", short: 'd', aliases: []string{"maxdepth"}, value: "NUM",
		brief: "Descend at most NUM levels.",
		doc: `
Descend at most NUM levels below the given paths. With 0 only named files are searched, with 1 also the files directly
in a named directory.`,
		effect: number(func(a *Args) *Opt[uint64] { return &a.MaxDepth }),
	},
	{
		long: "max-filesize", value: "NUM+SUFFIX?",
		brief: "Leave out files larger than NUM bytes.",
		doc: `
Leave out files larger than NUM bytes, unless the command line names them. The suffixes K, M and G stand for powers of
1024.

    PROGRAM --max-filesize 50K PATTERN`,
		effect: size(func(a *Args) *Opt[uint64] { return &a.MaxFilesize }),
	},
	{
		long: "no-ignore", negation: "ignore",
		brief: "Use no ignore files.",
		doc: `
Use no ignore files. This is --no-ignore-dot, --no-ignore-exclude, --no-ignore-global, --no-ignore-parent and
--no-ignore-vcs at once. Files given with --ignore-file are still used. The first --unrestricted does the same.`,
		effect: func(a *Args, in said, _ Env) error {
			noIgnore(a, !in.negated)
			return nil
		},
	},
	{
		long: "no-ignore-dot", negation: "ignore-dot",
		brief: "Do not use .ignore and .rgignore.",
		doc: `
Do not use .ignore and .rgignore files. Hidden files are another matter; see --hidden.`,
		effect: toggle(func(a *Args) *bool { return &a.NoIgnoreDot }),
	},
	{
		long: "no-ignore-exclude", negation: "ignore-exclude",
		brief: "Do not use .git/info/exclude.",
		doc: `
Do not use the ignore rules of a single clone of a repository, such as .git/info/exclude.`,
		effect: toggle(func(a *Args) *bool { return &a.NoIgnoreExclude }),
	},
	{
		long: "no-ignore-files", negation: "ignore-files",
		brief: "Do not use --ignore-file.",
		doc: `
Do not use any --ignore-file, wherever it stands on the command line.`,
		effect: toggle(func(a *Args) *bool { return &a.NoIgnoreFiles }),
	},
	{
		long: "no-ignore-global", negation: "ignore-global",
		brief: "Do not use global ignore rules.",
		doc: `
Do not use the ignore rules for all repositories of a user. These are in the file that git's core.excludesFile names, or
in $HOME/.config/git/ignore.`,
		effect: toggle(func(a *Args) *bool { return &a.NoIgnoreGlobal }),
	},
	{
		long: "no-ignore-parent", negation: "ignore-parent",
		brief: "Do not use ignore files further up.",
		doc: `
Do not use ignore files in the directories above the searched ones.`,
		effect: toggle(func(a *Args) *bool { return &a.NoIgnoreParent }),
	},
	{
		long: "no-ignore-vcs", negation: "ignore-vcs",
		brief: "Do not use .gitignore.",
		doc: `
Do not use .gitignore files, nor the rules named under --no-ignore-exclude and --no-ignore-global. .ignore and .rgignore
files are still used.`,
		effect: toggle(func(a *Args) *bool { return &a.NoIgnoreVCS }),
	},
	{
		long: "no-require-git", negation: "require-git",
		brief: "Use .gitignore outside of repositories.",
		doc: `
Use .gitignore files and the like outside of repositories too, for example in a copy of one.`,
		effect: toggle(func(a *Args) *bool { return &a.NoRequireGit }),
	},
	{
		long: "one-file-system", negation: "no-one-file-system",
		brief: "Stay on one file system.",
		doc: `
Do not descend into a directory on another file system than that of the given path above it. The given paths may be on
different file systems. find calls this -xdev.`,
		effect: toggle(func(a *Args) *bool { return &a.OneFileSystem }),
	},
	{
		long: "type", short: 't', value: "TYPE", complete: completeType,
		brief: "Search only files of this type.",
		doc: `
Search only files of this type. The flag can be given several times. The type all stands for every known type. Globs and
ignore files outrank types. --type-list shows all types.`,
		effect: changeTypes(TypeSelect),
	},
	{
		long: "type-not", short: 'T', value: "TYPE", complete: completeType, place: "type+",
		brief: "Leave out files of this type.",
		doc: `
Leave out files of this type. The flag can be given several times. The type all stands for every known type, so only
files of no known type are left. The last --type or --type-not that fits a file decides.`,
		effect: changeTypes(TypeNegate),
	},
	{
		long: "type-add", value: "TYPESPEC", place: "type+add",
		brief: "Add a glob to a file type.",
		doc: `
Add a glob to a file type, for this run. The type may be new; its name consists of letters and digits.

    PROGRAM --type-add 'foo:*.foo' -tfoo PATTERN

With include, add the globs of other types instead:

    PROGRAM --type-add 'src:include:cpp,py,md' -tsrc PATTERN

The flag can be given several times.`,
		effect: changeTypes(TypeAdd),
	},
	{
		long: "type-clear", value: "TYPE", complete: completeType, place: "type+clear",
		brief: "Remove the globs of a file type.",
		doc: `
Remove all globs of a file type, for this run. A later --type-add starts from nothing.`,
		effect: changeTypes(TypeClear),
	},
	{
		long: "unrestricted", short: 'u',
		brief: "Leave out less; up to three times.",
		doc: `
Leave out less. Once, it is --no-ignore; twice, also --hidden; three times, also --binary, so that every file is
searched that is not behind a symbolic link. A fourth time is an error. A later flag can take back its part.`,
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
