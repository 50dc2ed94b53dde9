package report

import (
	"fmt"
	"strings"

	"tally/walk"
)

// Line returns the ledger in one line for people to read, without the name of
// the program. It says "absent" only of a complete scan.
func (l *Ledger) Line() string {
	switch {
	case l.StoppedBy == Enough:
		return "present; the run stopped when that was known"
	case l.StoppedBy != NotStopped:
		return "PARTIAL: " + l.ended() + l.truncation() + "; this result is no proof of absence"
	case l.cfg.Ledger.Absent && l.Complete && !l.Found && l.unproven() != "":
		return l.unproven() + "; this result is no proof of absence"
	case !l.Complete && !(l.Found && l.exactlyComplete() && l.Meaning.State == MeaningUnavailable):
		s := "PARTIAL: " + l.failures()
		if l.Found {
			s += "; " + l.results()
		} else if l.exactlyComplete() {
			s += fmt.Sprintf("; 0 matches in %s in scope", l.all())
		}
		if l.Verdict == Unsure {
			s += "; " + l.unsure()
		}
		return s + "; this result is no proof of absence"
	case !l.Found:
		return l.zero()
	}
	if l.cfg.Ledger.Absent {
		return "present: " + l.results()
	}
	return l.results()
}

// unproven says why a complete scan that found nothing proves nothing all the
// same, "" if it does prove absence.
func (l *Ledger) unproven() string {
	switch tooLarge := l.Skipped[walk.TooLarge]; {
	case tooLarge > 0:
		return fmt.Sprintf("PARTIAL: %s larger than --max-filesize and not searched", some(tooLarge, "file is", "files are"))
	case l.InScope == Known(0):
		return "nothing was searched: 0 files in scope" + l.outOfScope()
	}
	return ""
}

// ended says what ended the run and how far it had come.
func (l *Ledger) ended() string {
	s := map[Stop]string{
		Interrupted: "the run was interrupted",
		TimeLimit:   "the run was ended by --time-limit",
		OutputGone:  "the run ended because nobody reads its results",
	}[l.StoppedBy]
	s += " after " + files(l.Searched)
	if l.Found && !l.cfg.form().unsearched {
		s += fmt.Sprintf(" with matches in %s so far", grouped(l.Matched.n))
	}
	return s
}

// failures says what could not be read.
func (l *Ledger) failures() string {
	n, repeated, others := map[walk.Op]int64{}, int64(0), int64(0)
	for _, e := range l.Errors {
		if e.Repeated {
			repeated++
			continue
		}
		n[e.Op]++
		others++
	}
	unreadable, directories, changed := n[walk.OpOpen]+n[walk.OpRead]+n[walk.OpDecompress], n[walk.OpList], n[walk.OpChange]
	rules, config := n[walk.OpRules], n[walk.OpConfig]
	moved, packed, written := n[walk.OpRelist], n[walk.OpUnpack], n[walk.OpWatch]
	others -= unreadable + directories + changed + rules + config + moved + packed + written
	var parts []string
	add := func(n int64, text string) {
		if n > 0 {
			parts = append(parts, text)
		}
	}
	if l.InScope.known {
		add(unreadable, fmt.Sprintf("%s of %s could not be read", grouped(unreadable), files(l.InScope)))
	} else {
		add(unreadable, some(unreadable, "file", "files")+" could not be read")
	}
	add(directories, some(directories, "directory", "directories")+" could not be listed")
	add(changed, some(changed, "file", "files")+" changed during the run")
	add(moved, some(moved, "directory", "directories")+" changed during the run")
	add(written, some(written, "file is", "files are")+" open for writing by other programs (--glob leaves files out)")
	add(packed, some(packed, "compressed file", "compressed files")+
		" searched as stored (--search-zip opens gzip and the like, --glob leaves files out, --as-stored claims only their bytes)")
	add(rules, some(rules, "file", "files")+" of ignore rules could not be read (--no-ignore does without)")
	add(config, "the configuration file could not be read (--no-config does without)")
	add(others, some(others, "path", "paths")+" could not be examined")
	if unread := l.InScope.n - l.Searched.n - unreadable - changed - written; l.Searched.known && l.InScope.known && unread > 0 {
		add(unread, some(unread, "file was", "files were")+" not searched")
	}
	if parts == nil {
		add(repeated, some(repeated, "path", "paths")+" could not be read again")
	}
	switch m := l.Meaning; {
	case m.whole():
	case m.State != MeaningUnavailable:
		parts = append(parts, m.unread())
	case !l.Found: // else it is said with what was found
		parts = append(parts, "similar files were not looked for: "+m.Reason)
	}
	return strings.Join(parts, ", ")
}

// zero says that there is nothing, of a complete scan.
func (l *Ledger) zero() string {
	n := l.InScope.n
	absent, near := "absent", ""
	if e := l.Explanation; e != nil && e.nearMisses() != "" {
		absent, near = "absent as typed", "; near misses: "+e.nearMisses()
	}
	if l.Meaning != nil && l.Verdict != Unsure {
		near += l.similarLine()
	}
	if l.Verdict == Unsure && !l.cfg.form().ranked {
		absent = l.unsure() + "; " + absent
	}
	switch {
	case l.cfg.form().unsearched:
		return "0 files in scope" + l.outOfScope()
	case l.cfg.form().ranked && n > 0:
		return l.rankedZero() + near
	case l.cfg.Ledger.Stdin && n > 0:
		if l.cfg.Ledger.Piped {
			near = "; no files were searched, for which a path is needed, such as ./" + near
		}
		return fmt.Sprintf("%s: 0 matches in standard input (%s)%s", absent, size(l.BytesSearched), near)
	case n == 0:
		return "nothing was searched: 0 files in scope" + l.outOfScope()
	case l.cfg.form().inverse:
		return fmt.Sprintf("absent: no file without a match among %s in scope (%s)%s",
			l.all(), size(l.BytesSearched), l.outOfScope())
	}
	return fmt.Sprintf("%s: 0 matches in %s in scope (%s)%s%s%s%s%s%s",
		absent, l.all(), size(l.BytesSearched), l.binaries(), l.compressed(), l.guessed(), l.nested(), l.outOfScope(), near)
}

// nested says how many repositories below the roots are in scope.
func (l *Ledger) nested() string {
	if n, known := l.Nested.Value(); known && n > 0 {
		return ", " + some(n, "nested repository", "nested repositories") + " included"
	}
	return ""
}

// binaries says how many of the files are binary, where each byte was looked at.
func (l *Ledger) binaries() string {
	if n, known := l.Binary.Value(); known && n > 0 {
		return fmt.Sprintf(", %s of them binary and searched to the end", grouped(n))
	}
	return ""
}

// compressed says how many of the files hold compressed text, where that was
// looked for.
func (l *Ledger) compressed() string {
	if n, known := l.Compressed.Value(); known && n > 0 {
		return fmt.Sprintf(", %s of them compressed and searched as stored", grouped(n))
	}
	return ""
}

// guessed says how many of the files were taken for UTF-16.
func (l *Ledger) guessed() string {
	if l.GuessedUTF16 > 0 {
		return fmt.Sprintf(", %s of them read as UTF-16 without a mark", grouped(l.GuessedUTF16))
	}
	return ""
}

// all names all files in scope.
func (l *Ledger) all() string {
	if l.InScope.n == 1 {
		return "the 1 file"
	}
	return "all " + files(l.InScope)
}

// results says what was found and how much of it is displayed.
func (l *Ledger) results() string {
	var parts []string
	switch {
	case !l.exactlyCut():
		parts = append(parts, l.everything())
	case l.cfg.windowed():
		parts = append(parts, l.page())
	default:
		parts = append(parts, l.shown())
	}
	if l.Meaning != nil {
		parts[0] += l.similarLine()
	}
	parts[0] += l.truncation()
	if l.Truncated && l.Next != "" {
		parts = append(parts, "next: "+l.Next)
	}
	return strings.Join(parts, "; ")
}

// truncation says what cut the display, as an addition; "" if nothing did.
func (l *Ledger) truncation() string {
	if !l.Truncated {
		return ""
	}
	flags := make([]string, len(l.TruncatedBy))
	for i, cut := range l.TruncatedBy {
		flags[i] = cutFlags[cut]
	}
	return "; truncated by " + strings.Join(flags, ", ")
}

// everything says what was found.
func (l *Ledger) everything() string {
	switch l.cfg.Mode {
	case Paths:
		return files(l.InScope) + " in scope" + l.nested() + l.outOfScope() + l.repeated()
	case FilesWithoutMatch:
		without := KnownOrBound(l.Matched.known, l.Searched.n-l.Matched.n)
		return fmt.Sprintf("%s of %s without a match", without, files(l.Searched))
	}
	s := ""
	if l.Lines.stated() {
		s = some(l.Lines.n, "line", "lines") + " in "
	}
	if l.Matches.stated() {
		s = some(l.Matches.n, "match", "matches") + ", " + s
	}
	of := grouped(l.Matched.n) + " of " + files(l.Searched)
	if !l.Matched.known {
		// What could be read of the others is in the sum.
		s, of = "at least "+s, some(l.Matched.n, "file", "files")
	}
	return fmt.Sprintf("%s%s (%s)%s%s", s, of, size(l.BytesSearched), l.nested(), l.repeated())
}

// repeated says how many files are reached by more than one path.
func (l *Ledger) repeated() string {
	if l.Repeated == 0 {
		return ""
	}
	return "; " + some(l.Repeated, "file", "files") + " reached again by another root or link, counted once"
}

// page says which of the results are displayed.
func (l *Ledger) page() string {
	total, noun, rest := l.units, "lines", ""
	switch {
	case l.cfg.form().rows:
		noun = "files"
		if l.Lines.stated() && !l.cfg.form().inverse {
			rest = fmt.Sprintf(", %s in all", l.Lines.of("line", "lines"))
		}
	default:
		rest = fmt.Sprintf(", %s in all", files(l.Matched))
	}
	of := KnownOrBound(l.Matched.known || l.cfg.form().unsearched && l.InScope.known, total)
	// What -m keeps from the display is not among its results.
	if !l.cfg.form().rows {
		of = l.Lines
		if !of.known || l.Repeated > 0 {
			of = AtLeast(max(total, l.Lines.n))
		}
	}
	shown := l.window.lines
	if shown == 0 && l.window.full {
		hint := "; --window cuts long lines"
		if l.cfg.form().rows {
			hint = ""
		}
		return fmt.Sprintf("0 of %s shown, since the next is longer than that%s",
			of.of(strings.TrimSuffix(noun, "s"), noun), hint)
	}
	if shown == 0 {
		return fmt.Sprintf("0 at this offset, %s in all", of.of(strings.TrimSuffix(noun, "s"), noun))
	}
	where := fmt.Sprintf("(%s-%s)", grouped(l.window.first+1), grouped(l.window.last))
	if shown == 1 {
		where = fmt.Sprintf("(%s)", grouped(l.window.last))
	}
	return fmt.Sprintf("%s of %s shown %s%s", grouped(shown), of.of(strings.TrimSuffix(noun, "s"), noun), where, rest)
}

// shown says how much is displayed if it is not a page.
func (l *Ledger) shown() string {
	switch {
	case l.cfg.form().rows, l.window.lines < 0:
		return l.everything()
	case l.Lines.stated():
		return fmt.Sprintf("%s of %s shown, %s in all", grouped(l.window.lines),
			l.Lines.of("line", "lines"), files(l.Matched))
	}
	return fmt.Sprintf("%s shown, %s in all",
		some(l.window.lines, "line", "lines"), files(l.Matched))
}

// outOfScope lists what was left out, by reason.
func (l *Ledger) outOfScope() string {
	var parts []string
	for i, n := range l.Skipped {
		if n == 0 {
			continue
		}
		part := grouped(n) + " " + strings.ReplaceAll(walk.Reason(i).String(), "_", " ")
		if d := l.SkippedDirectories[i]; d > 0 {
			part += fmt.Sprintf(" (%s)", some(d, "directory", "directories"))
		}
		parts = append(parts, part)
	}
	if parts == nil {
		return ""
	}
	return "; out of scope: " + strings.Join(parts, ", ")
}

// files returns a count of files.
func files(c Number) string { return c.of("file", "files") }
