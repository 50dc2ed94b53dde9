package semantic

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// A Model is what must be known of a model beyond what its file says.
type Model struct {
	Name string
	// Sum is the SHA-256 of the file that this is about, nil for any file that
	// agrees otherwise.
	Sum []byte
	// Prefix stands before the words of a question, not before passages: the
	// model was trained so.
	Prefix string
	// Floor is the score from which on a passage or a sentence is similar to a
	// question. It differs from model to model and has to be measured. 0: it was not.
	Floor float64
	// Dim is how many numbers a vector has, and Layers how many layers made it;
	// 0 for what the file says.
	Dim, Layers int
	Pooling     Pooling // NoPooling: what the file says
}

// known are the models that need no description. Their floors were measured on
// labelled questions, see docs/meaning.md.
var known = []Model{
	{
		Name: "bge-small-en-v1.5", Dim: 384, Layers: 12, Pooling: CLS, Floor: 0.63,
		Prefix: "Represent this sentence for searching relevant passages: ",
	},
	{Name: "all-MiniLM-L6-v2", Dim: 384, Layers: 6, Pooling: Mean, Floor: 0.40},
}

// An Unknown says that nothing is known of a model but what its file says.
type Unknown struct{ File File }

func (u *Unknown) Error() string {
	return fmt.Sprintf("the model %q (%s, %d layers, vectors of %d numbers) is not known; describe it with "+
		"--meaning-model 'name=...,floor=...,prefix=...'. %s",
		u.File.Name, u.File.Architecture, u.File.Layers, u.File.Dim, howToMeasure)
}

const howToMeasure = "Its floor is to be measured: scripts/eval -meaning with TALLY_EMBED_MODEL set proposes one"

// Identify finds out which model is in a file with the given SHA-256. Of those
// that were described the last one counts that names the file's sum, else the
// last one that names none. Only for a floorless search may the floor be missing.
func Identify(f File, sum []byte, described []Model, floorless bool) (Model, error) {
	m, err := find(f, sum, described)
	if err != nil {
		return m, err
	}
	switch {
	case m.Floor == 0 && !floorless:
		return m, fmt.Errorf("the model %q has no floor, so that it cannot be told what is similar; add floor=... to its description. %s", m.Name, howToMeasure)
	case f.Pooling == NoPooling:
		return m, fmt.Errorf("the file of the model %q says that it makes no vector of a text; --meaning needs one that does (mean, cls or last)", m.Name)
	case m.Pooling != NoPooling && m.Pooling != f.Pooling:
		return m, fmt.Errorf("the model %q is described with pooling=%s, but its file says %s, and llama-server does as the file says", m.Name, m.Pooling, f.Pooling)
	case m.Dim != 0 && m.Dim != f.Dim || f.Dim == 0:
		return m, fmt.Errorf("the model %q is described with dim=%d, but its file says %d", m.Name, m.Dim, f.Dim)
	}
	m.Dim, m.Layers, m.Pooling = f.Dim, f.Layers, f.Pooling
	return m, nil
}

func find(f File, sum []byte, described []Model) (Model, error) {
	for _, named := range []bool{true, false} {
		for _, m := range slices.Backward(described) {
			if named == (m.Sum != nil) && (m.Sum == nil || slices.Equal(m.Sum, sum)) {
				return m, nil
			}
		}
	}
	for _, m := range known {
		if f.Architecture == "bert" && plain(f.Name) == plain(m.Name) && f.Dim == m.Dim && f.Layers == m.Layers {
			return m, nil
		}
	}
	return Model{}, &Unknown{f}
}

// plain is a name without what those who convert models write differently.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// ParseModel reads a description: facts with commas between them, the prefix,
// which may hold anything, last.
func ParseModel(text string) (Model, error) {
	var m Model
	for rest, more := text, true; more; {
		var fact string
		if strings.HasPrefix(rest, "prefix=") {
			fact, more = rest, false
		} else {
			fact, rest, more = strings.Cut(rest, ",")
		}
		key, value, _ := strings.Cut(fact, "=")
		set, known := facts[key]
		if !known {
			return m, fmt.Errorf("--meaning-model %s: there is no fact %q; there are name, sha256, dim, pooling, floor and, as the last one, prefix", text, key)
		}
		if err := set(&m, value); err != nil {
			return m, fmt.Errorf("--meaning-model %s: %s is %w", text, key, err)
		}
	}
	if m.Name == "" {
		return m, fmt.Errorf("--meaning-model %s: a name is missing, such as name=my-model", text)
	}
	return m, nil
}

// facts set what a description may say.
var facts = map[string]func(*Model, string) error{
	"name": func(m *Model, v string) error {
		m.Name = v
		return nil
	},
	"sha256": func(m *Model, v string) (err error) {
		if m.Sum, err = hex.DecodeString(v); err != nil || len(m.Sum) != 32 {
			return errors.New("not 64 hexadecimal digits")
		}
		return nil
	},
	"dim": func(m *Model, v string) (err error) {
		if m.Dim, err = strconv.Atoi(v); err != nil || m.Dim < 1 || m.Dim > 1<<16 {
			return errors.New("no number from 1 to 65536")
		}
		return nil
	},
	"pooling": func(m *Model, v string) error {
		i := slices.Index(poolingNames[:], v)
		if i <= int(NoPooling) {
			return errors.New("neither mean nor cls nor last")
		}
		m.Pooling = Pooling(i)
		return nil
	},
	"floor": func(m *Model, v string) (err error) {
		if m.Floor, err = strconv.ParseFloat(v, 64); err != nil || !(m.Floor > 0 && m.Floor < 1) {
			return errors.New("no number between 0 and 1")
		}
		return nil
	},
	"prefix": func(m *Model, v string) error {
		// A configuration file loses white space at the ends of lines.
		if strings.HasPrefix(v, `"`) {
			var err error
			if v, err = strconv.Unquote(v); err != nil {
				return errors.New("no text between double quotes, with Go's escapes")
			}
		}
		m.Prefix = v
		return nil
	},
}
