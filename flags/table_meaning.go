package flags

import "time"

// meaningRows are the flags of --meaning.
var meaningRows = []row{
	{
		long: "meaning", own: true,
		brief: "Also find passages of similar meaning.",
		doc: `
Search for the pattern as it stands, and then list the files with a passage of similar meaning. A language model decides
what is similar. Each file is listed with its best passage or sentence, the most similar first, with its score behind
the sign ≈. Files that contain the pattern are not listed again, nor files below the model's floor. Above the passages
stands the evidence, as with --rank: how often each word of the pattern occurs in all files.

If no file contains the pattern and none reaches the floor, the verdict is unsure: the most similar files are listed
behind a ?, nothing is claimed, and the exit code is 1.

All exact results are shown, and at most 10 similar files. With --limit exact results come first; if they fill the
display, no model is asked. The totals count everything that reaches the floor, shown or not. With --files-with-matches
the paths of similar files that reach the floor follow those of matching files. With --count and --count-matches similar
files have no row; only the ledger counts them. With --json they are messages of the type similar, or unsure.

With --rank, both lists are merged, and each score is shown. What is first in either list comes first.

The model runs in a llama-server, which is started if it is needed and ended with the run. TALLY_LLAMA_SERVER is the
path of that program, and TALLY_EMBED_MODEL the path of the model, a GGUF file. If one is not set, or if TALLY_MEANING
is off, the results are those of the search without this flag, standard error says so, and the exit code is 2 if nothing
was found. $XDG_CACHE_HOME/tally keeps what was computed, so that only new text takes time.`,
		effect: toggle(func(a *Args) *bool { return &a.Meaning }),
	},
	{
		long: "meaning-budget", value: "DURATION", own: true,
		brief: "Embed new text for no longer than this.",
		doc: `
With --meaning, let the model read passages that are not yet in the cache for no longer than this, such as 10s or 5m; a
number alone is in seconds. The answer then comes from what is known. If passages are missing, it counts as partial; the
exit code is 0 if something was found, else 2. The next run continues where this one stopped.`,
		effect: duration(func(a *Args) *Opt[time.Duration] { return &a.MeaningBudget }),
	},
	{
		long: "meaning-model", value: "FACTS", own: true,
		brief: "Describe an unknown model.",
		doc: `
With --meaning, describe the model in TALLY_EMBED_MODEL. bge-small-en-v1.5 and all-MiniLM-L6-v2 need no description.
FACTS are separated by commas, such as name=some-model,dim=768,pooling=mean,floor=0.55,prefix="query: ". These are the
facts:

- name: the model's name
- sha256: the hash of the file. The facts then hold for this file alone, otherwise for any file
- dim: how many numbers a vector has
- pooling: mean, cls or last
- floor: the least score of an answer, which has to be measured
- prefix: the text before a question, which must be the last fact. It is everything behind the equals sign, or the text
between double quotes

The flag is meant for the configuration file and can be given several times; the last one that fits the file counts.`,
		effect: add(func(a *Args) *[]string { return &a.MeaningModels }),
	},
}
