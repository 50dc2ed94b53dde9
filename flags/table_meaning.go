package flags

import "time"

// meaningRows are the flags of --meaning.
var meaningRows = []row{
	{
		long: "meaning", own: true,
		brief: "Find also what only means the same.",
		doc: `
Search for the pattern as it stands, and list after all of that the files with a passage that means something similar: the
best passage or sentence of each file, the most similar first, with its score behind the sign ≈. Files that hold the pattern
itself are not listed again. A model of language decides what is similar; what is below the model's floor is not shown. Above the
passages stands the evidence, as with --rank: how often each word of the pattern occurs in all files.

Every exact result is shown and at most 10 similar files. With --limit exact results come first, and if they fill the display
no model is asked. The totals count everything that reaches the floor, shown or not. With --files-with-matches the similar
files' paths follow those of the files that match; with --count and --count-matches they have no row and are counted in the
ledger alone. With --json they are messages of the type similar.

With --rank, both lists become one: what each of them puts first comes first, and the score of each is shown.

The model runs in a llama-server that is started when it is needed and ended with the run. TALLY_LLAMA_SERVER is the path of
that program and TALLY_EMBED_MODEL that of the model, a GGUF file. If one is not set, or TALLY_MEANING is off, the results
are those of the same search without this flag, standard error says so, and the exit code is 2 if nothing was found. What a
passage means is remembered in $XDG_CACHE_HOME/tally, so that only what is new takes time.`,
		effect: toggle(func(a *Args) *bool { return &a.Meaning }),
	},
	{
		long: "meaning-budget", value: "DURATION", own: true,
		brief: "Read meaning for no longer than this.",
		doc: `
With --meaning, have the model read passages that it does not know yet for no longer than this, such as 10s or 5m; a number
alone is in seconds. The answer is then given from what it knows, and counts as partial if that is not everything. The exit code is
0 if something was found, else 2. The next run goes on where this one has stopped.`,
		effect: duration(func(a *Args) *Opt[time.Duration] { return &a.MeaningBudget }),
	},
	{
		long: "meaning-model", value: "FACTS", own: true,
		brief: "Describe a model that is not known.",
		doc: `
With --meaning, what must be known of the model in TALLY_EMBED_MODEL if it is none of those that are known by themselves,
bge-small-en-v1.5 and all-MiniLM-L6-v2: facts with commas between them, such as
name=some-model,dim=768,pooling=mean,floor=0.55,prefix="query: ". The facts are name, sha256 (of the file; for this file alone
they hold), dim (numbers in a vector), pooling (mean, cls or last), floor (the least score of an answer, which has to be
measured) and, as the last one, prefix (what is put before the words of a question: everything behind the equals sign, or what stands between double quotes).
Without sha256 they hold for any file. The flag is meant for the configuration file and can be given more than once; the last one that fits
the file counts.`,
		effect: add(func(a *Args) *[]string { return &a.MeaningModels }),
	},
}
