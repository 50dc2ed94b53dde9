package main

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// Ripgrep's own list of its flags says which there are to draw.
func TestEveryFlagIsDrawn(t *testing.T) {
	rg := os.Getenv("TALLY_TEST_RG")
	if rg == "" {
		if os.Getenv("CI") == "true" || os.Getenv("TALLY_TEST_REQUIRE") == "1" {
			t.Fatal("TALLY_TEST_RG does not say where the real ripgrep is")
		}
		t.Skip("TALLY_TEST_RG is not set")
	}
	out, err := exec.Command(rg, "--generate", "complete-bash").Output()
	if err != nil {
		t.Fatal(err)
	}
	_, list, _ := bytes.Cut(out, []byte(`opts="--`))
	list, _, _ = bytes.Cut(list, []byte(" <"))
	names := strings.Fields("--" + string(list))
	if len(names) < 180 {
		t.Fatalf("ripgrep seems to have %d names for flags", len(names))
	}
	drawn := map[string]bool{}
	for _, words := range drawnFlags {
		for _, w := range words {
			switch {
			case strings.HasPrefix(w, "--"):
				name, _, _ := strings.Cut(w, "=")
				drawn[name] = true
			case len(w) > 1 && w[0] == '-':
				drawn[w[:2]] = true
			}
		}
	}
	for i, name := range names {
		// A short name stands behind its long one.
		short := i+1 < len(names) && len(names[i+1]) == 2 && drawn[names[i+1]]
		isDrawn := drawn[name] || short
		if _, not := undrawn[name]; len(name) > 2 && isDrawn == not {
			t.Errorf("%s: drawn %v, and undrawn says %q", name, isDrawn, undrawn[name])
		}
	}
}

// A row that names a tree of drawn bytes must find the same in every run.
func TestDrawTreeIsRepeatable(t *testing.T) {
	first := drawTree(1)
	if !maps.Equal(first, drawTree(1)) {
		t.Error("the tree differs when it is drawn again")
	}
	other := drawTree(2)
	same := 0
	for name, text := range first {
		if other[name] == text {
			same++
		}
	}
	// The fixed files, and a few that may have been drawn empty.
	if same > 8 {
		t.Errorf("%d files of two trees are the same", same)
	}
}

func TestDrawnPathsExist(t *testing.T) {
	for tree, files := range map[string]map[string]string{"odd": oddFiles, "bytes": drawTree(1)} {
		paths := slices.Concat(drawnInputs, map[string][]string{"odd": drawnPaths, "bytes": drawnBytesPaths}[tree])
		for _, path := range paths {
			switch path {
			case ".", "./", "../odd", "nowhere", "link-file", "link-dir", "link-dangling":
				continue
			}
			_, isFile := files[path]
			isDir := false
			for name := range files {
				isDir = isDir || strings.HasPrefix(name, path+"/")
			}
			if !isFile && !isDir {
				t.Errorf("%s: there is no %s", tree, path)
			}
		}
	}
}
