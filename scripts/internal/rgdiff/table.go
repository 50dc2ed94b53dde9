package main

import (
	"fmt"
	"os"
	"strings"
)

// A row is one command line of the table.
type row struct {
	text    string // as written
	trees   []string
	args    []string
	stdin   string // a file of the tree, "" for none
	pending bool   // known to differ
}

// readTable reads a file of rows.
func readTable(name string) ([]row, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var rows []row
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		r, err := parseRow(line)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+1, err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func parseRow(line string) (row, error) {
	words, err := split(line)
	if err != nil {
		return row{}, err
	}
	trees, text, _ := strings.Cut(line, " ")
	trees, pending := strings.CutPrefix(trees, "~")
	r := row{text: strings.TrimSpace(text), trees: strings.Split(trees, ","), args: words[1:], pending: pending}
	if last := words[len(words)-1]; strings.HasPrefix(last, "<") && len(last) > 1 {
		r.stdin = last[1:]
		r.args = r.args[:len(r.args)-1]
	}
	return r, nil
}

// split cuts a line into words as a shell does, without expansions: blanks
// separate, '…' is literal, in "…" and outside a backslash takes the next byte
// literally.
func split(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	inWord, quote := false, byte(0)
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote == '\'' && c != '\'', quote == '"' && c != '"' && c != '\\':
			word.WriteByte(c)
		case quote != 0 && c == quote:
			quote = 0
		case c == '\'' || c == '"':
			inWord, quote = true, c
		case c == '\\' && i+1 < len(line):
			i++
			inWord = true
			word.WriteByte(line[i])
		case c == ' ' || c == '\t':
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			inWord = true
			word.WriteByte(c)
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a %c is not closed", quote)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
