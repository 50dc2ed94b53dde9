package report

import (
	"errors"
	"fmt"
	"time"

	"tally/match"
	"tally/walk"
)

// ledgerVersion changes when the meaning of a key does, not when one is added.
const ledgerVersion = 1

// ledgerJSON is a ledger as JSON. It is written ([Ledger.AppendJSON]) and read
// ([ReadLedgers]) by its tags, in the order of its fields, and a test holds
// docs/schema.json to it. No key is ever left out; null is what was not
// established in the run, or what does not apply to it. In texts, U+FFFD stands
// for each byte that is not UTF-8.
type ledgerJSON struct {
	// Version is [ledgerVersion].
	Version int `json:"version"`
	// Query stands for patterns, filters and all else that decides what is a
	// result, as 16 hexadecimal digits; null where the order of the results is
	// not that of their paths.
	Query optionalText `json:"query"`
	// Roots are absolute paths without links, or "<stdin>".
	Roots list[text] `json:"roots"`
	// Found says that there is a result, displayed or not.
	Found bool `json:"found"`
	// Absent is what --absent has come to, null without it.
	Absent named[assertion] `json:"absent"`
	Files  filesJSON        `json:"files"`
	// Lines and Matches count matching lines and matches in all, however
	// little of them is displayed.
	Lines   Number    `json:"lines"`
	Matches Number    `json:"matches"`
	Shown   shownJSON `json:"shown"`
	// Truncated says that less is displayed than there is, TruncatedBy for
	// which reasons.
	Truncated   bool             `json:"truncated"`
	TruncatedBy list[named[Cut]] `json:"truncated_by"`
	// Next are the flags that show what follows, null if nothing does.
	Next optionalText `json:"next"`
	// Complete says that everything in scope was read, to its end or as far as
	// was asked.
	Complete bool `json:"complete"`
	// StoppedBy ended the run before everything was read, null if nothing did.
	StoppedBy named[Stop] `json:"stopped_by"`
	// Patterns says of each of several patterns what it matches; null where
	// that was not asked or not established.
	Patterns []patternJSON `json:"patterns"`
	// Verdict is what a question has come to, with --rank or --meaning; null
	// without, and where it is not established.
	Verdict named[Verdict] `json:"verdict"`
	// Unsure is null without a question.
	Unsure *unsureJSON `json:"unsure"`
	// Meaning is null without a search by meaning.
	Meaning *meaningJSON `json:"meaning"`
	// Explain is what nearly matched, null if that was not looked for.
	Explain *Explanation `json:"explain"`
	// Repeated counts files searched again because roots overlap; all totals
	// count them once.
	Repeated int64 `json:"repeated"`
	// GuessedUTF16 counts files searched as UTF-16 although they have no
	// byte-order mark.
	GuessedUTF16 int64           `json:"guessed_utf16"`
	Errors       list[errorJSON] `json:"errors"`
	// Skipped counts the paths out of scope by reason; a directory counts once,
	// for all below it. SkippedDirectories counts the directories among them.
	Skipped            reasonCounts `json:"skipped"`
	SkippedDirectories reasonCounts `json:"skipped_directories"`
	// NestedRepositories are those below the roots whose files are in scope.
	NestedRepositories nestedJSON `json:"nested_repositories"`
	// ResultDigest is the same for the same results, however they are
	// displayed: 32 hexadecimal digits, null if not all were looked for or
	// something could not be read.
	ResultDigest optionalText `json:"result_digest"`
	// BytesSearched counts bytes.
	BytesSearched int64       `json:"bytes_searched"`
	Elapsed       elapsedJSON `json:"elapsed"`
}

// filesJSON counts files.
type filesJSON struct {
	InScope  Number `json:"in_scope"`
	Searched Number `json:"searched"`
	Matched  Number `json:"matched"`
	// Binary counts the files searched that hold a NUL byte.
	Binary Number `json:"binary"`
	// Compressed counts the files searched as stored that hold compressed text.
	Compressed Number `json:"compressed"`
}

// nestedJSON counts directories that hold a .git of their own, and names the first
// of them.
type nestedJSON struct {
	Count Number     `json:"count"`
	Paths list[text] `json:"paths"`
}

// shownJSON counts what is displayed.
type shownJSON struct {
	Files   Number `json:"files"`
	Lines   Number `json:"lines"`
	Matches Number `json:"matches"`
}

// patternJSON counts the files and lines that one of several patterns matches.
type patternJSON struct {
	Pattern text   `json:"pattern"`
	Files   Number `json:"files"`
	Lines   Number `json:"lines"`
}

// errorJSON is a path that could not be read.
type errorJSON struct {
	Path      text `json:"path"`
	Operation text `json:"operation"`
	Reason    text `json:"reason"`
}

// unsureJSON counts files that are offered and not claimed.
type unsureJSON struct {
	// Files are all of them; null where they were not looked for, since something
	// was found.
	Files Number `json:"files"`
	// Shown are those that are displayed.
	Shown Number `json:"shown"`
}

// meaningJSON is what a search by meaning has come to.
type meaningJSON struct {
	State named[MeaningState] `json:"state"`
	// Reason says for people what kept the search from being whole.
	Reason optionalText `json:"reason"`
	// Model is the name of the model that was asked.
	Model optionalText `json:"model"`
	// Floor is the score from which on a file is similar, at most 1.
	Floor *score `json:"floor"`
	// Files counts the similar files, Shown those of them that are displayed.
	Files Number `json:"files"`
	Shown Number `json:"shown"`
	// Passages counts the pieces that the files were cut into, Read those whose
	// meaning is known.
	Passages Number `json:"passages"`
	Read     Number `json:"read"`
}

// elapsedJSON is a time: Secs seconds and Nanos nanoseconds, together also in
// Human.
type elapsedJSON struct {
	Secs  int64 `json:"secs"`
	Nanos int64 `json:"nanos"`
	Human text  `json:"human"`
}

func newElapsedJSON(d time.Duration) elapsedJSON {
	return elapsedJSON{
		Secs: int64(d / time.Second), Nanos: int64(d % time.Second),
		Human: text(fmt.Sprintf("%.6fs", d.Seconds())),
	}
}

func (e elapsedJSON) duration() time.Duration {
	return time.Duration(e.Secs)*time.Second + time.Duration(e.Nanos)
}

// AppendJSON appends l as a JSON object, in one line.
func (l *Ledger) AppendJSON(b []byte) []byte { return appendJSON(b, newLedgerJSON(l)) }

func newLedgerJSON(l *Ledger) *ledgerJSON {
	j := &ledgerJSON{
		Version:            ledgerVersion,
		Query:              optionalText(l.cfg.Ledger.Query),
		Found:              l.Found,
		Absent:             byName(l.absence()),
		Files:              filesJSON{l.InScope, l.Searched, l.Matched, l.Binary, l.Compressed},
		Lines:              l.Lines,
		Matches:            l.Matches,
		Shown:              shownJSON{l.ShownFiles, l.ShownLines, l.ShownMatches},
		Truncated:          l.Truncated,
		Next:               optionalText(l.nextPage()),
		Complete:           l.Complete,
		StoppedBy:          byName(l.StoppedBy),
		Meaning:            newMeaningJSON(l.Meaning),
		Explain:            l.Explanation,
		Repeated:           l.Repeated,
		GuessedUTF16:       l.GuessedUTF16,
		Skipped:            reasonCounts(l.Skipped),
		SkippedDirectories: reasonCounts(l.SkippedDirectories),
		ResultDigest:       optionalText(l.ResultDigest),
		BytesSearched:      l.BytesSearched,
		Elapsed:            newElapsedJSON(l.Elapsed),
	}
	if l.question.asked {
		j.Verdict, j.Unsure = byName(l.Verdict), &unsureJSON{l.UnsureFiles, l.UnsureShown}
	}
	for _, root := range l.cfg.Ledger.Roots {
		j.Roots = append(j.Roots, text(root))
	}
	j.NestedRepositories.Count = l.Nested
	for _, path := range l.NestedPaths {
		j.NestedRepositories.Paths = append(j.NestedRepositories.Paths, text(path))
	}
	for _, cut := range l.TruncatedBy {
		j.TruncatedBy = append(j.TruncatedBy, byName(cut))
	}
	if l.Patterns != nil {
		j.Patterns = []patternJSON{}
	}
	for _, p := range l.Patterns {
		j.Patterns = append(j.Patterns, patternJSON{text(p.Pattern), p.Files, p.Lines})
	}
	for _, e := range l.Errors {
		j.Errors = append(j.Errors, errorJSON{text(e.Path), text(e.Op.String()), text(e.Err.Error())})
	}
	return j
}

func newMeaningJSON(m *Meaning) *meaningJSON {
	if m == nil {
		return nil
	}
	j := &meaningJSON{
		State: byName(m.State), Reason: optionalText(m.Reason), Model: optionalText(m.Model),
		Files: m.similar(), Shown: m.shown, Passages: m.Passages, Read: m.Read,
	}
	if m.answered() {
		floor := score(m.Floor)
		j.Floor = &floor
	}
	return j
}

// nextPage returns the flags that show what follows. The digest makes sure that
// it is what follows.
func (l *Ledger) nextPage() string {
	if l.Next == "" || l.ResultDigest == "" {
		return l.Next
	}
	return l.Next + " --expect-digest " + l.ResultDigest
}

// ledger returns the ledger that was written as j, but for what a search by
// meaning has found, which cannot be added to others.
func (j *ledgerJSON) ledger() (*Ledger, error) {
	if j.Version != ledgerVersion {
		return nil, fmt.Errorf("a ledger of version %d, not %d", j.Version, ledgerVersion)
	}
	cfg := &Config{Mode: JSON, Ledger: LedgerConfig{
		JSON: true, Absent: j.Absent.value != notAsserted || j.Absent.unknown, Query: string(j.Query),
	}}
	for _, root := range j.Roots {
		cfg.Ledger.Roots = append(cfg.Ledger.Roots, string(root))
	}
	matched := j.Files.Matched
	if !matched.known {
		matched = AtLeast(j.Shown.Files.n)
	}
	l := &Ledger{
		InScope: j.Files.InScope, Searched: j.Files.Searched, Matched: matched, Binary: j.Files.Binary,
		Compressed: j.Files.Compressed,
		Lines:      j.Lines, Matches: j.Matches,
		ShownFiles: j.Shown.Files, ShownLines: j.Shown.Lines, ShownMatches: j.Shown.Matches,
		Truncated: j.Truncated, Complete: j.Complete, StoppedBy: j.StoppedBy.value,
		Repeated: j.Repeated, GuessedUTF16: j.GuessedUTF16,
		Skipped: j.Skipped, SkippedDirectories: j.SkippedDirectories,
		Explanation: j.Explain, ResultDigest: string(j.ResultDigest), BytesSearched: j.BytesSearched,
		Elapsed: j.Elapsed.duration(),
		Found:   j.Found, foundRG: j.Found, cfg: cfg,
	}
	for _, cut := range j.TruncatedBy {
		if !cut.unknown {
			l.TruncatedBy = append(l.TruncatedBy, cut.value)
		}
	}
	l.Nested = j.NestedRepositories.Count
	for _, path := range j.NestedRepositories.Paths {
		l.NestedPaths = append(l.NestedPaths, walk.Displayed(path))
	}
	if j.Patterns != nil {
		l.Patterns = []PatternCount{}
	}
	for _, p := range j.Patterns {
		l.Patterns = append(l.Patterns, PatternCount{string(p.Pattern), p.Files, p.Lines})
	}
	for _, e := range j.Errors {
		op, known := walk.OpNamed(string(e.Operation))
		if !known {
			return nil, fmt.Errorf("an error of an operation that is not known here: %q", e.Operation)
		}
		l.Errors = append(l.Errors, walk.Error{Path: walk.Displayed(e.Path), Op: op, Err: e.Reason.failure()})
	}
	return l, nil
}

// failure returns the error that was written as a reason. The exit code tells
// the end of the run from all others.
func (reason text) failure() error {
	if string(reason) == match.ErrStopped.Error() {
		return match.ErrStopped
	}
	return errors.New(string(reason))
}
