// Package licences holds the table of licences in docs/running.md against what
// the dependencies say of themselves.
package licences

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// table is the table, a licence for each name in backquotes.
func table(t *testing.T) map[string]string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/running.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(page), "## Licences")
	if !found {
		t.Fatal("docs/running.md has no table of licences")
	}
	licences := map[string]string{}
	for line := range strings.Lines(text) {
		cells := strings.Split(line, "|")
		if len(cells) != 4 {
			continue
		}
		for i, name := range strings.Split(cells[1], "`") {
			if i%2 == 1 && licences[name] == "" { // the first row is the crate's own
				licences[name] = strings.TrimSpace(cells[2])
			}
		}
	}
	return licences
}

// otherCrates is the licence of a crate that the table does not name.
const otherCrates = "MIT or Apache-2.0"

// licenceWords are the words of crates for what the table says.
var licenceWords = strings.NewReplacer("BSL-1.0 (Boost)", "BSL-1.0", "Unlicense/MIT", "Unlicense or MIT", " OR ", " or ", "/", " or ")

// permitted reports whether a crate lets itself be used as the table says.
func permitted(said, written string) bool {
	choices := strings.Split(licenceWords.Replace(said), " or ")
	for word := range strings.SplitSeq(licenceWords.Replace(written), " or ") {
		if !slices.Contains(choices, word) {
			return false
		}
	}
	return true
}

func TestCrates(t *testing.T) {
	version, err := exec.Command("rustc", "-vV").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, host, _ := strings.Cut(string(version), "host: ")
	host, _, _ = strings.Cut(host, "\n")
	// What is only used elsewhere is not fetched.
	cmd := exec.Command("cargo", "metadata", "--format-version=1", "--locked", "--offline", "--filter-platform="+host)
	cmd.Dir = "../../../match/librure"
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("cargo metadata, which needs the crates that the build has fetched: %v", err)
	}
	var metadata struct {
		Packages []struct{ Name, License string }
	}
	if err := json.Unmarshal(out, &metadata); err != nil {
		t.Fatal(err)
	}
	written := table(t)
	for _, crate := range metadata.Packages {
		licence := written[crate.Name]
		if licence == "" {
			licence = otherCrates
		}
		if crate.Name != "tally-librure" && !permitted(crate.License, licence) {
			t.Errorf("the crate %s is %s, and the table says %s", crate.Name, crate.License, licence)
		}
	}
	if len(metadata.Packages) < 5 {
		t.Errorf("cargo knows of %d crates only", len(metadata.Packages))
	}
}

// moduleTexts are what the licences begin with that the table gives all modules
// that it does not name.
var moduleTexts = map[string]string{
	"MIT":  "Permission is hereby granted, free of charge, to any person obtaining a copy",
	"BSD":  "Redistribution and use in source and binary forms",
	"0BSD": "Permission to use, copy, modify, and/or distribute this software",
}

func TestModules(t *testing.T) {
	out, err := exec.Command("go", "list", "-m", "-f", "{{if not .Main}}{{.Path}} {{.Dir}}{{end}}", "all").Output()
	if err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	written := table(t)
	known := 0
	for line := range strings.Lines(string(out)) {
		path, dir, _ := strings.Cut(strings.TrimSpace(line), " ")
		if path == "" || !strings.Contains(string(mod), path+" v") {
			continue // what only the modules' own tests need
		}
		known++
		named := written[strings.TrimPrefix(path, "github.com/")] != "" ||
			slices.ContainsFunc(strings.Split(path, "/"), func(part string) bool { return written[part] != "" })
		if named || dir == "" {
			continue // a module that no build has needed is not fetched
		}
		var text string
		for _, pattern := range []string{"LICEN*", "COPYING*"} {
			files, _ := filepath.Glob(filepath.Join(dir, pattern))
			for _, file := range files {
				content, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				text += strings.Join(strings.Fields(string(content)), " ")
			}
		}
		found := false
		for _, begins := range moduleTexts {
			found = found || strings.Contains(text, begins)
		}
		if !found {
			t.Errorf("the module %s has another licence than the table knows", path)
		}
	}
	if known < 10 {
		t.Errorf("go.mod has %d modules only", known)
	}
}
