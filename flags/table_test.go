package flags

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestTableIsComplete(t *testing.T) {
	ripgreps, own := 0, 0
	for i := range rows {
		r := &rows[i]
		if r.category == ours {
			own++
		} else {
			ripgreps++
		}
		if r.effect == nil {
			t.Errorf("--%s has no effect", r.long)
		}
		if !regexp.MustCompile(`^[A-Z(][^\[\]:]+\.$`).MatchString(r.brief) || len(r.brief) > 48 {
			t.Errorf("--%s: %q is not one line for every shell", r.long, r.brief)
		}
		if list := r.blocks(Tally); list[0].kind != prose || list[0].text == "" {
			t.Errorf("--%s: its documentation does not begin with prose", r.long)
		}
		if r.value == "" && (len(r.choices) > 0 || r.optional != "" || r.complete != completeNothing) {
			t.Errorf("--%s is a switch with a value", r.long)
		}
		if r.own && r.category != ours {
			t.Errorf("--%s: is it ours or not?", r.long)
		}
	}
	if ripgreps != 104 || own != 36 {
		t.Errorf("%d flags of ripgrep and %d of ours; want 104 and 36", ripgreps, own)
	}
}

func TestWordsOfATextAreItsChoices(t *testing.T) {
	for i := range rows {
		r := &rows[i]
		for _, word := range r.choices {
			if err := r.effect(newArgs(), said{value: word}, Env{}); err != nil {
				t.Errorf("--%s=%s: %v", r.long, word, err)
			}
			if !strings.Contains(strings.Join(texts(r), " "), word) && r.long != "sortr" {
				t.Errorf("--%s: its documentation does not mention %s", r.long, word)
			}
		}
		if len(r.choices) > 0 && r.long != "hyperlink-format" {
			if r.effect(newArgs(), said{value: "nonsense"}, Env{}) == nil {
				t.Errorf("--%s=nonsense is accepted", r.long)
			}
		}
		if r.optional != "" && !slices.Contains(r.choices, r.optional) {
			t.Errorf("--%s: %q is none of its words", r.long, r.optional)
		}
	}
}

func texts(r *row) []string {
	var list []string
	for _, b := range r.blocks(Tally) {
		list = append(list, b.text)
	}
	return list
}

// Flags that documentation speaks of must exist.
func TestDocumentationNamesRealFlags(t *testing.T) {
	foreign := regexp.MustCompile(`--?[0-9A-Za-z.][-0-9A-Za-z]*`)
	docs := []string{descriptions[Tally], descriptions[Ripgrep]}
	for i := range rows {
		docs = append(docs, rows[i].doc)
	}
	for _, topic := range topics {
		docs = append(docs, topic.doc)
	}
	elsewhere := map[string]bool{"-print0": true, "-xdev": true, "-c": true, "-R": true, "-foo": true, "-tfoo": true, "-tsrc": true}
	for _, doc := range docs {
		for _, at := range foreign.FindAllStringIndex(doc, -1) {
			if at[0] > 0 && !strings.ContainsAny(doc[at[0]-1:at[0]], " \n(") {
				continue // a dash within a word
			}
			name := doc[at[0]:at[1]]
			if _, known := spellings[strings.TrimLeft(name, "-")]; !known && !elsewhere[name] {
				t.Errorf("%s does not exist", name)
			}
		}
	}
}

var helpLine = regexp.MustCompile(`(?m)^  (?:-(.), )?--([a-z0-9-]+)(?:=(\S+))?  `)

// The real ripgrep's help lists the same flags, short names and values in the
// same sections and order.
func TestTableAgainstRipgrepHelp(t *testing.T) {
	stdout, _, _ := ripgrep(t, t.TempDir(), "-h")
	theirs := helpLine.FindAllStringSubmatch(stdout, -1)
	helpText := Help(&Args{Program: Ripgrep}, false, BuildInfo{Version: "0"})
	mine := helpLine.FindAllStringSubmatch(helpText[:strings.Index(helpText, categoryTitles[ours])], -1)
	for i := range min(len(mine), len(theirs)) {
		if !slices.Equal(mine[i][1:], theirs[i][1:]) {
			t.Errorf("line %d: %q, ripgrep has %q", i, mine[i][1:], theirs[i][1:])
		}
	}
	if len(mine) != len(theirs) || len(mine) != 104 {
		t.Errorf("%d flags, ripgrep has %d", len(mine), len(theirs))
	}
	for _, section := range regexp.MustCompile(`(?m)^[A-Z ]+:$`).FindAllString(stdout, -1) {
		if section != "POSITIONAL ARGUMENTS:" && !strings.Contains(helpText, "\n"+section+"\n") {
			t.Errorf("there is no section %s", section)
		}
	}
}

// ripgrep's completion for bash holds all its spellings but the aliases.
func TestSpellingsAgainstRipgrepCompletion(t *testing.T) {
	stdout, _, _ := ripgrep(t, t.TempDir(), "--generate=complete-bash")
	_, rest, _ := strings.Cut(stdout, `opts="--`)
	options, _, _ := strings.Cut("--"+rest, `<PATTERN>`)
	theirs := strings.Fields(options)
	var mine []string
	for _, s := range spellings {
		if s.category != ours && !slices.Contains(s.aliases, s.name) {
			mine = append(mine, s.String())
		}
	}
	slices.Sort(mine)
	slices.Sort(theirs)
	if !slices.Equal(mine, theirs) {
		t.Errorf("have %q\nripgrep has %q", mine, theirs)
	}
}
